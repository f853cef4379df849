/* SPDX-License-Identifier: MIT */
/* fpmac: four sums of products.
 * Derived as all of its kind are: docs/model/workloads.md, "Arithmetic". */
#include "kernel.inc"

	workload 1500000
	set	x5, 0x3ff0000000000001
	fmov	d1, x5
	fmov	d2, x5
	fmov	d3, x5
	fmov	d4, x5
	fmov	d5, x5
	fmov	d6, #0.25
	.balign	64
1:
	fmadd	d1, d5, d6, d1
	fmadd	d2, d5, d6, d2
	fmadd	d3, d5, d6, d3
	fmadd	d4, d5, d6, d4
	again	1b
	ret
