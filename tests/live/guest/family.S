/* SPDX-License-Identifier: MIT */
/* family: a parent that forks three children, waits for each and ends; a child turns 50,000 times.
 * Parent: 1 + 3 x 7 (clone) + 1 + 3 x 8 (wait) + 3. A child: 2 + 50,000 x 2 + 3.
 * Expect: INST_RETIRED 300065  50 + 3 x 100,005 */
#include "../../e2e/exact/begin.inc"
	mov	x19, #3
fork:
	mov	x0, #17			// SIGCHLD
	mov	x1, #0			// on a copy of this stack
	mov	x8, #220		// clone
	svc	#0
	cbz	x0, child
	subs	x19, x19, #1
	b.ne	fork

	mov	x19, #3
wait:
	mov	x0, #-1
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x8, #260		// wait4
	svc	#0
	subs	x19, x19, #1
	b.ne	wait
	exit

child:
	ldr	x1, =50000
turn:
	subs	x1, x1, #1
	b.ne	turn
	exit
