/* SPDX-License-Identifier: MIT */
/* bubble: 300 taken branches in a row, 100 times: more than the nano target buffer holds. */
#include "begin.inc"
	mov	x0, #100
1:
	.rept	300
	b	. + 8
	nop
	.endr
	subs	x0, x0, #1
	b.ne	1b
	exit
