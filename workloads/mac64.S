/* SPDX-License-Identifier: MIT */
/* mac64: four sums of products of 64 bits.
 * Derived as all of its kind are: docs/model/workloads.md, "Arithmetic". */
#include "kernel.inc"

	workload 1500000
	mov	x1, #3
	mov	x2, #5
	mov	x3, #7
	mov	x4, #9
	mov	x5, #11
	mov	x6, #13
	.balign	64
1:
	madd	x1, x5, x6, x1
	madd	x2, x5, x6, x2
	madd	x3, x5, x6, x3
	madd	x4, x5, x6, x4
	again	1b
	ret
