/* SPDX-License-Identifier: MIT */
/* family: a parent that forks three children, waits for each and ends; a child turns 5,000,000 times.
 * Parent: 1 + 3 x 10 (clone) + 1 + 3 x 8 (wait) + 3. A child: 1 + 2 + 5,000,000 x 2 + 3.
 * Expect: INST.RET 30000077  59 + 3 x 10,000,006 */
#include "begin.inc"
	li	s0, 3
fork:
	li	a0, 17			// SIGCHLD
	li	a1, 0			// on a copy of this stack
	li	a2, 0
	li	a3, 0
	li	a4, 0
	li	a7, 220			// clone
	ecall
	beqz	a0, child
	addi	s0, s0, -1
	bnez	s0, fork

	li	s0, 3
wait:
	li	a0, -1
	li	a1, 0
	li	a2, 0
	li	a3, 0
	li	a7, 260			// wait4
	ecall
	addi	s0, s0, -1
	bnez	s0, wait
	exit

child:
	li	t0, 5000000
turn:
	addi	t0, t0, -1
	bnez	t0, turn
	exit
