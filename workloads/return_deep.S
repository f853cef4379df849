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
nest:
	stp	x29, x30, [sp, #-16]!
	sub	x1, x1, #1
	cbz	x1, 3f
	tbz	x1, #0, 2f
	bl	nest
	b	3f
2:
	bl	nest
	add	x2, x2, #1
3:
	ldp	x29, x30, [sp], #16
	ret
