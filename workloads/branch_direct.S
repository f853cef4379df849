/* SPDX-License-Identifier: MIT */
/* branch_direct: conditional branches on bits that nothing predicts.
 * 118 branches a thousand instructions, 46.15 % of them mispredicted, and hardly a data access: 12
 * branches on random bits and the loop's own are 13, of which 6 mispredict, 6 / 13 = 46.15 %; 110
 * instructions a turn make it 118 a thousand. Each bit is made right before its branch, from the last one. */
#include "kernel.inc"

	.macro chance to, from
	random	\to, \from
	tbnz	\from, #1, 2f
	add	x10, x10, #1
	eor	x11, x11, x10
	add	x12, x12, x11
	eor	x13, x13, x12
2:
	.endm

	workload 100000
	movz	w4, #0xbeef
	.balign	64
1:
	.rept	6
	chance	w7, w4
	chance	w4, w7
	.endr
	again	1b
	ret
