/* SPDX-License-Identifier: MIT */
/* return_sites: a function that is called from one of two places, at random: where it returns to only the
 * return stack knows. */
#include "kernel.inc"

	workload 200000
	stp	x29, x30, [sp, #-16]!
	movz	w4, #0xbeef
1:
	random	w4, w4
	tbnz	w4, #0, 2f
	bl	3f
	b	4f
2:
	bl	3f
4:
	again	1b
	ldp	x29, x30, [sp], #16
	ret
3:
	ret
