/* SPDX-License-Identifier: MIT */
/* branch_indirect: indirect branches to one of two places, at random.
 * 46.7 branches a thousand instructions, 46.81 % of them mispredicted, 88 % indirect: 7 indirect
 * branches and the loop's own, in 171 instructions. With two targets half of the seven mispredict,
 * 43.75 % of all. */
#include "kernel.inc"

	workload 60000
	movz	w4, #0xbeef
	.balign	64
1:
	.rept	7
	adr	x14, 2f
	add	x6, x6, x17
	ror	x7, x6, #7
	eor	x8, x8, x7
	add	x9, x9, x8
	eor	x10, x10, x9
	add	x11, x11, x10
	eor	x12, x12, x11
	add	x13, x13, x12
	add	x17, x17, x16
	ror	x7, x6, #3
	eor	x8, x8, x7
	add	x9, x9, x8
	eor	x10, x10, x9
	random
	ubfx	x15, x4, #0, #1
	add	x14, x14, x15, lsl #4
	br	x14
2:
	add	x11, x11, #1
	eor	x12, x12, x11
	add	x13, x13, #2
	eor	x16, x16, x13
	nop
	.endr
	again	1b
	ret
