/* SPDX-License-Identifier: MIT */
/* fpdiv: two quotients of full precision, and two additions.
 * 66.5 % floating-point operations, four of six instructions, of which two can be such:
 * docs/model/workloads.md, "Arithmetic". */
#include "kernel.inc"

	workload 1000000
	set	x5, 0x400921fb54442d18	// pi
	fmov	d5, x5
	fmov	d6, #1.25
	.balign	64
1:
	fdiv	d1, d5, d6
	fdiv	d2, d6, d5
	fadd	d3, d3, d6
	fadd	d4, d4, d6
	again	1b
	ret
