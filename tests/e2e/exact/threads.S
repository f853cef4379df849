/* SPDX-License-Identifier: MIT */
/* threads: starts three threads one after the other, each with 1000 additions, and waits for each.
 * How often the first thread asks the kernel whether a thread has ended depends on the host, so it
 * is the others that are exact: exact.bats compares the threads' own counts with
 * Expect of each started thread: INST_RETIRED 1004  the cbz behind clone, 1000, 3 to exit */
	.equ	CLONE_FLAGS, 0x350f00	// VM FS FILES SIGHAND THREAD SYSVSEM, PARENT_SETTID, CHILD_CLEARTID
#include "begin.inc"
	adrp	x20, running
	add	x20, x20, :lo12:running
	adrp	x21, stack_end
	add	x21, x21, :lo12:stack_end
	mov	x22, #3
next:
	ldr	x0, =CLONE_FLAGS
	mov	x1, x21
	mov	x2, x20
	mov	x3, #0
	mov	x4, x20
	mov	x8, #220			// clone
	svc	#0
	cbz	x0, thread
wait:
	ldr	w2, [x20]			// the thread's number; 0 once it has ended
	cbz	w2, 1f
	mov	x0, x20
	mov	x1, #0				// FUTEX_WAIT
	mov	x3, #0
	mov	x8, #98				// futex
	svc	#0
	b	wait
1:	sub	x22, x22, #1
	cbnz	x22, next
	exit
thread:
	.rept	1000
	add	x5, x5, #1
	.endr
	mov	x0, #0
	mov	x8, #93				// exit: this thread alone
	svc	#0
	.bss
	.balign	16
running:
	.space	16
	.space	4096
stack_end:
