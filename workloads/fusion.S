/* SPDX-License-Identifier: MIT */
/* fusion: pairs of instructions that take one slot: comparisons with the branch behind them, which is never
 * taken, and rounds of AES. */
#include "kernel.inc"
	.arch	armv8.2-a+crypto

	workload 500000
	.balign	64
1:
	.rept	4
	cmp	x0, #0
	b.eq	2f
	aese	v0.16b, v1.16b
	aesmc	v0.16b, v0.16b
	aese	v2.16b, v3.16b
	aesmc	v2.16b, v2.16b
	.endr
	again	1b
2:
	ret
