/* SPDX-License-Identifier: MIT */
/* vector_loads: a chain of loads to vector registers, each of whose addresses takes what the last one read,
 * which is 0. */
#include "kernel.inc"

	workload 300000, LINE_BYTES
1:
	.rept	4
	ldr	q0, [x1]
	fmov	x2, d0
	add	x1, x1, x2
	.endr
	again	1b
	ret
