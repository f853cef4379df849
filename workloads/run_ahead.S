/* SPDX-License-Identifier: MIT */
/* run_ahead: 128 jumps, more than the target buffer holds that answers at once, each behind 14 instructions:
 * fetch takes two cycles for what is before a jump, in which the other buffer finds where it goes. */
#include "kernel.inc"

	workload 75000
1:
	.rept	128
	.rept	14
	nop
	.endr
	b	2f
	nop
2:
	.endr
	again	1b
	ret
