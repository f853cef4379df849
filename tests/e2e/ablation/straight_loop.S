/* SPDX-License-Identifier: MIT */
/* straight_loop: 800 instructions that need no port, 50 times: as fast as they are fetched. */
#include "begin.inc"
	mov	x0, #50
1:
	.rept	800
	nop
	.endr
	subs	x0, x0, #1
	b.ne	1b
	exit
