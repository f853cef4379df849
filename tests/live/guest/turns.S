/* SPDX-License-Identifier: MIT */
/* turns: 30 times, turns a million times and sleeps 10 ms.
 * Expect: INST_RETIRED 60000214  1 + 30 x (1 + 1,000,000 x 2 + 4 + 2) + 3 */
#include "../../e2e/exact/begin.inc"
	mov	x19, #30
again:
	ldr	x1, =1000000
turn:
	subs	x1, x1, #1
	b.ne	turn
	adr	x0, time
	mov	x1, #0
	mov	x8, #101		// nanosleep
	svc	#0
	subs	x19, x19, #1
	b.ne	again
	exit

	.balign	8
time:
	.quad	0, 10000000
