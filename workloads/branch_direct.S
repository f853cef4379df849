/* SPDX-License-Identifier: MIT */
/* branch_direct: conditional branches on bits that nothing predicts.
 * 118 branches a thousand instructions, 46.15 % of them mispredicted, and hardly a data access: 12
 * branches on random bits and the loop's own are 13, of which 6 mispredict, 6 / 13 = 46.15 %; 110
 * instructions a turn make it 118 a thousand. The bits come from a multiplication, not from memory. */
#include "kernel.inc"

	workload 100000
	set	x2, 6364136223846793005
	set	x3, 1442695040888963407
	set	x4, 88172645463325252
	.balign	64
1:
	.rept	12
	madd	x4, x4, x2, x3
	eor	x5, x5, x4
	add	x6, x6, x5
	ror	x7, x6, #7
	eor	x8, x8, x7
	add	x9, x9, x8
	tbnz	x4, #62, 2f
	add	x10, x10, #1
	eor	x11, x11, x10
	add	x12, x12, x11
	eor	x13, x13, x12
2:
	.endr
	again	1b
	ret
