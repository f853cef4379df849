/* SPDX-License-Identifier: MIT */
/* deep: 200 times 60 calls inside each other, from two places in turns, so that returns beyond the stack's
 * depth go to the place that the one before did not. */
#include "begin.inc"
	mov	x0, #200
1:
	mov	x1, #60
	bl	nest
	subs	x0, x0, #1
	b.ne	1b
	exit
nest:
	stp	x29, x30, [sp, #-16]!
	sub	x1, x1, #1
	cbz	x1, 3f
	tbz	x1, #0, 2f
	bl	nest
	b	3f
2:
	bl	nest
	add	x2, x2, #1
3:
	ldp	x29, x30, [sp], #16
	ret
