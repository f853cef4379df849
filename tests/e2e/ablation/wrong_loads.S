/* SPDX-License-Identifier: MIT */
/* wrong_loads: a branch on a random bit, which is known late, with a load on either side. */
#include "begin.inc"
	adrp	x1, data
	add	x1, x1, :lo12:data
	mov	x0, #2000
	mov	x2, #0x4f2d
	mov	x7, #0x7f4b
1:
	mul	x2, x2, x7
	add	x2, x2, #13
	tbz	x2, #23, 2f
	ldr	x3, [x1]
	b	3f
2:
	ldr	x4, [x1, #8]
3:
	subs	x0, x0, #1
	b.ne	1b
	exit
	.bss
	.balign	64
data:
	.space	64
