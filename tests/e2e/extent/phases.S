/* SPDX-License-Identifier: MIT */
/* phases: two parts that differ, of which all is known. begin.inc has the end of the program.
 * First 2,000,000 turns of 3 instructions, 1 branch: add, subs, b.ne.
 * Then 500,000 turns of 10 instructions, 1 branch: six times add, a load, a store, subs, b.ne.
 * In all 1 + 1 + 6,000,000 + 3 + 5,000,000 + 3 = 11,000,008 instructions. */
#include "begin.inc"
	mov	x1, #0x8480			// 2,000,000 = 0x1e8480
	movk	x1, #0x1e, lsl #16
1:	add	x2, x2, #1
	subs	x1, x1, #1
	b.ne	1b
	mov	x1, #0xa120			// 500,000 = 0x7a120
	movk	x1, #0x7, lsl #16
	mov	x3, sp
2:	.rept	6
	add	x2, x2, #1
	.endr
	ldr	x4, [x3, #-8]
	str	x2, [x3, #-16]
	subs	x1, x1, #1
	b.ne	2b
	exit
