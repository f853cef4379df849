/* SPDX-License-Identifier: MIT */
/* unaligned: loads of eight bytes, every one of them across the end of a line. */
#include "kernel.inc"

	workload 500000, 16 * LINE_BYTES
	add	x1, x1, #LINE_BYTES - 4
1:
	.rept	4
	ldr	x2, [x1]
	ldr	x3, [x1, #LINE_BYTES]
	.endr
	again	1b
	ret
