/* SPDX-License-Identifier: MIT */
/* crew: two threads. Each waits for a byte on its standard input and ends by itself; between them the first turns
 * 5,000,000 times, the second 10,000,000 times. Attached to while they wait, one counts 2 + 5,000,000 x 2 + 3,
 * for the first one more.
 * Expect: first 10000006
 * Expect: second 20000005 */
#include "begin.inc"
	.macro	wait
	li	a0, 0
	la	a1, byte
	li	a2, 1
	li	a7, 63			// read
	ecall
	.endm
	li	a0, 0x50f00		// CLONE_VM FS FILES SIGHAND THREAD SYSVSEM
	la	a1, stack_end
	li	a2, 0
	li	a3, 0
	li	a4, 0
	li	a7, 220			// clone
	ecall
	beqz	a0, second

	wait
	li	t0, 5000000
	j	turn
second:
	wait
	li	t0, 10000000
turn:
	addi	t0, t0, -1
	bnez	t0, turn
	li	a0, 0
	li	a7, 93			// exit: of the thread
	ecall

	.bss
	.balign	16
byte:
	.skip	4096
stack_end:
