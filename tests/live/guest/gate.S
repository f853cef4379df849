/* SPDX-License-Identifier: MIT */
/* gate: waits for a byte on its standard input, then turns 250,000 times and ends. Attached to while it
 * waits, it counts what is behind the read.
 * Expect: INST_RETIRED 500004  1 + 250,000 x 2 + 3 */
#include "../../e2e/exact/begin.inc"
	sub	sp, sp, #16
	mov	x0, #0
	mov	x1, sp
	mov	x2, #1
	mov	x8, #63			// read
	svc	#0
	ldr	x1, =250000
turn:
	subs	x1, x1, #1
	b.ne	turn
	exit
