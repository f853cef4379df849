/* SPDX-License-Identifier: MIT */
/* branch_indirect: indirect branches to one of two places, at random, whose addresses are read from a table.
 * 46.7 branches a thousand instructions, 46.81 % of them mispredicted; "a high percentage of load and integer
 * operations". 12 indirect branches and the loop's own in 273 instructions; half of the twelve mispredict,
 * 46.15 % of all. Between two of them are 7 or 14 loads of one word: docs/model/workloads.md. */
#include "kernel.inc"

	.macro loads count
	.rept	\count
	ldr	w8, [x2]
	.endr
	.endm

	/* Where the jump goes is bit 1 of the last random number. The table has its two places. */
	.macro jump
	ubfx	x7, x4, #1, #1
	add	x7, x1, x7, lsl #3
	random	w4, w4
	ldr	x7, [x7]
	add	x9, x9, #1
	br	x7
	.pushsection .data
	.quad	2f, 3f
	.popsection
2:
	loads	7
3:
	loads	7
	add	x1, x1, #16
	.endm

	workload 60000
	.pushsection .data
places:
	.popsection
	movz	w4, #0xbeef
	adrp	x3, places
	add	x3, x3, :lo12:places
	mov	x2, x3
	.balign	64
1:
	mov	x1, x3
	.rept	12
	jump
	.endr
	again	1b
	ret
