/* SPDX-License-Identifier: MIT */
/* near_branches: 64 jumps in a row, each over one instruction: as many as the target buffer holds that answers
 * at once. */
#include "kernel.inc"

	workload 20000
1:
	.rept	64
	b	2f
	nop
2:
	.endr
	again	1b
	ret
