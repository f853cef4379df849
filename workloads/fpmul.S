/* SPDX-License-Identifier: MIT */
/* fpmul: four products, each a factor of its own next one.
 * Derived as all of its kind are: docs/model/workloads.md, "Arithmetic". */
#include "kernel.inc"

	workload 1500000
	set	x5, 0x3ff0000000000001
	fmov	d1, x5
	fmov	d2, x5
	fmov	d3, x5
	fmov	d4, x5
	fmov	d5, x5
	.balign	64
1:
	fmul	d1, d1, d5
	fmul	d2, d2, d5
	fmul	d3, d3, d5
	fmul	d4, d4, d5
	again	1b
	ret
