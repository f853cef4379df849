/* SPDX-License-Identifier: MIT */
/* taken_branches: 512 jumps in a row, each over one instruction: more than the target buffer holds that
 * answers at once. */
#include "kernel.inc"

	workload 10000
1:
	.rept	512
	b	2f
	nop
2:
	.endr
	again	1b
	ret
