/* SPDX-License-Identifier: MIT */
/* turns: 30 times, turns a million times and sleeps 10 ms.
 * Expect: INST.RET 60000274  1 + 30 x (2 + 1,000,000 x 2 + 5 + 2) + 3 */
#include "begin.inc"
	li	s0, 30
again:
	li	t0, 1000000
turn:
	addi	t0, t0, -1
	bnez	t0, turn
	la	a0, time		// 2
	li	a1, 0
	li	a7, 101			// nanosleep
	ecall
	addi	s0, s0, -1
	bnez	s0, again
	exit

	.balign	8
time:
	.quad	0, 10000000
