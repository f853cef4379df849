/* SPDX-License-Identifier: MIT */
/* moves: a chain of moves from one register to another and back. */
#include "begin.inc"
	mov	x0, #100
1:
	.rept	64
	mov	x2, x1
	mov	x1, x2
	.endr
	subs	x0, x0, #1
	b.ne	1b
	exit
