/* SPDX-License-Identifier: MIT */
/* mul64: four products of 64 bits, each a factor of its own next one.
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
	mul	x1, x1, x5
	mul	x2, x2, x5
	mul	x3, x3, x5
	mul	x4, x4, x5
	again	1b
	ret
