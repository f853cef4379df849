/* SPDX-License-Identifier: MIT */
/* wide: additions of which none waits for another: four a cycle by the ports, eight by the slots. */
#include "begin.inc"
	mov	x0, #100
1:
	.rept	64
	add	x2, x9, #1
	add	x3, x9, #2
	.endr
	subs	x0, x0, #1
	b.ne	1b
	exit
