/* SPDX-License-Identifier: MIT */
/* mul32: four products of 32 bits, each a factor of its own next one.
 * Derived as all of its kind are: docs/model/workloads.md, "Arithmetic". */
#include "kernel.inc"

	workload 1500000
	mov	x1, #3
	mov	x2, #5
	mov	x3, #7
	mov	x4, #9
	mov	x5, #11
	.balign	64
1:
	mul	w1, w1, w5
	mul	w2, w2, w5
	mul	w3, w3, w5
	mul	w4, w4, w5
	again	1b
	ret
