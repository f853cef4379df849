/* SPDX-License-Identifier: MIT */
/* queue: two chains of 60 divisions, one behind the other: the second waits for room in the vector queue. */
#include "begin.inc"
	mov	x0, #50
1:
	.rept	60
	fdiv	d0, d0, d2
	.endr
	.rept	60
	fdiv	d1, d1, d2
	.endr
	subs	x0, x0, #1
	b.ne	1b
	exit
