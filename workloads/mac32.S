/* SPDX-License-Identifier: MIT */
/* mac32: four sums of products of 32 bits.
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
	madd	w1, w5, w6, w1
	madd	w2, w5, w6, w2
	madd	w3, w5, w6, w3
	madd	w4, w5, w6, w4
	again	1b
	ret
