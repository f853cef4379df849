/* SPDX-License-Identifier: MIT */
/* crew: two threads, the second of which turns 200,000 times, the first 100,000 times; each ends by itself.
 * First: 5 to clone, 3, 100,000 x 2, 3. Second: 2, 200,000 x 2, 3.
 * Expect: INST_RETIRED 600016  200,011 + 400,005 */
#include "../../e2e/exact/begin.inc"
	ldr	x0, =0x50f00		// CLONE_VM FS FILES SIGHAND THREAD SYSVSEM
	ldr	x1, =stack_end
	mov	x2, #0
	mov	x8, #220		// clone
	svc	#0
	cbz	x0, second

	ldr	x1, =100000
	b	turn
second:
	ldr	x1, =200000
turn:
	subs	x1, x1, #1
	b.ne	turn
	mov	x0, #0
	mov	x8, #93			// exit: of the thread
	svc	#0

	.bss
	.balign	16
	.skip	4096
stack_end:
