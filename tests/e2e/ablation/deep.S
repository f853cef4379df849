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
#include "nest.inc"
