/* SPDX-License-Identifier: MIT */
/* gate: waits for a byte on its standard input, then turns 5,000,000 times and ends. Attached to while it
 * waits, it counts what is behind the read.
 * Expect: INST.RET 10000005  2 + 5,000,000 x 2 + 3 */
#include "begin.inc"
	addi	sp, sp, -16
	li	a0, 0
	mv	a1, sp
	li	a2, 1
	li	a7, 63			// read
	ecall
	li	t0, 5000000
turn:
	addi	t0, t0, -1
	bnez	t0, turn
	exit
