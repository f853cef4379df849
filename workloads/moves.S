/* SPDX-License-Identifier: MIT */
/* moves: a chain of moves, from one register to another and back. */
#include "kernel.inc"

	workload 50000
1:
	.rept	32
	mov	x2, x3
	mov	x3, x2
	.endr
	again	1b
	ret
