/* SPDX-License-Identifier: MIT */
/* loop: two nested loops, all branches conditional.
 * Inner: 4 instructions, 1000 turns; outer: 1 + 4 x 1000 + 2 instructions, 100 turns.
 * Expect: INST_RETIRED 400304  1 + 100 x (1 + 4000 + 2) + 3
 * Expect: BR_RETIRED 100100  100 x (1000 + 1), the last of each not taken
 * Expect: EXC_SVC 1 */
#include "begin.inc"
	mov	x0, #100
outer:
	mov	x1, #1000
inner:
	add	x2, x2, x1
	eor	x3, x3, x2
	subs	x1, x1, #1
	b.ne	inner
	sub	x0, x0, #1
	cbnz	x0, outer
	exit
