/* SPDX-License-Identifier: MIT */
/* multiply: a chain of multiplications. */
#include "begin.inc"
	mov	x0, #50
1:
	.rept	60
	mul	x1, x1, x1
	.endr
	subs	x0, x0, #1
	b.ne	1b
	exit
