/* SPDX-License-Identifier: MIT */
/* turns: 30 times, turns a million times and sleeps 10 ms. In user mode 60,000,000 instructions in the turns and
 * fewer than 1,000 beside them. */
	.globl	_start
_start:
	li	s0, 30
again:
	li	t0, 1000000
turn:
	addi	t0, t0, -1
	bnez	t0, turn
	la	a0, time
	li	a1, 0
	li	a7, 101			# nanosleep
	ecall
	addi	s0, s0, -1
	bnez	s0, again
	li	a0, 7
	li	a7, 94			# exit_group
	ecall

	.balign	8
time:
	.quad	0, 10000000
