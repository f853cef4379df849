/* SPDX-License-Identifier: MIT */
/* return_depth: calls nested as deep as the return stack holds, so that every return is foreseen. */
#include "kernel.inc"

	workload 40000
	stp	x29, x30, [sp, #-16]!
1:
	mov	x1, #RAS_ENTRIES - 1
	bl	nest
	again	1b
	ldp	x29, x30, [sp], #16
	ret
nest:
	subs	x1, x1, #1
	b.eq	2f
	stp	x29, x30, [sp, #-16]!
	bl	nest
	ldp	x29, x30, [sp], #16
2:
	ret
