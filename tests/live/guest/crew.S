/* SPDX-License-Identifier: MIT */
/* crew: two threads. Each waits for a byte on its standard input and ends by itself; between them the first turns
 * 100,000 times, the second 200,000 times. Attached to while they wait, one counts 1 + 100,000 x 2 + 1 + 3.
 * First: 5 to clone, 1, 5 to read, 2, 100,000 x 2, 3. Second: 1, 5 to read, 1, 200,000 x 2, 3.
 * Expect: INST_RETIRED 600026  200,016 + 400,010 */
#include "../../e2e/exact/begin.inc"
	.macro	wait
	mov	x0, #0
	adr	x1, byte
	mov	x2, #1
	mov	x8, #63			// read
	svc	#0
	.endm
	ldr	x0, =0x50f00		// CLONE_VM FS FILES SIGHAND THREAD SYSVSEM
	ldr	x1, =stack_end
	mov	x2, #0
	mov	x8, #220		// clone
	svc	#0
	cbz	x0, second

	wait
	ldr	x1, =100000
	b	turn
second:
	wait
	ldr	x1, =200000
turn:
	subs	x1, x1, #1
	b.ne	turn
	mov	x0, #0
	mov	x8, #93			// exit: of the thread
	svc	#0

	.bss
	.balign	16
byte:
	.skip	4096
stack_end:
