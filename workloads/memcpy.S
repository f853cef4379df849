/* SPDX-License-Identifier: MIT */
/* memcpy: copies of 16 KiB, which the data cache holds twice.
 * 126 branches a thousand instructions: loops of eight. 0.19 % of the branches mispredict: one in 526,
 * the end of a copy; 512 turns of 32 bytes are 16 KiB. */
#include "kernel.inc"
	.equ	block, 16 << 10

	workload 2000, 2 * block
	mov	x9, x1
1:
	mov	x2, x9
	add	x3, x9, #block
	mov	x4, #block / 32
	.balign	64
2:
	ldp	x5, x6, [x2]
	ldp	x7, x8, [x2, #16]
	stp	x5, x6, [x3]
	stp	x7, x8, [x3, #16]
	add	x2, x2, #32
	add	x3, x3, #32
	subs	x4, x4, #1
	b.ne	2b
	again	1b
	ret
