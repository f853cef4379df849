/* SPDX-License-Identifier: MIT */
/* return_deep: calls nested four times as deep as the return stack holds, from two places in turns. The stack
 * has lost the outer returns; the path that led to each tells where it goes. */
#include "kernel.inc"

	workload 10000
	stp	x29, x30, [sp, #-16]!
1:
	mov	x1, #4 * RAS_ENTRIES
	bl	nest
	again	1b
	ldp	x29, x30, [sp], #16
	ret
#include "nest.inc"
