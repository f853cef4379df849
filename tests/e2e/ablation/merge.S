/* SPDX-License-Identifier: MIT */
/* merge: eight loads of each line of 256 KiB, all of a line before it has come. */
#include "begin.inc"
	adrp	x1, data
	add	x1, x1, :lo12:data
	mov	x0, #4096
1:
	ldp	x2, x3, [x1]
	ldp	x2, x3, [x1, #16]
	ldp	x2, x3, [x1, #32]
	ldp	x2, x3, [x1, #48]
	add	x1, x1, #64
	subs	x0, x0, #1
	b.ne	1b
	exit
	.bss
	.balign	64
data:
	.space	262144
