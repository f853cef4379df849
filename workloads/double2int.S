/* SPDX-License-Identifier: MIT */
/* double2int: doubles that become integers. As int2double, the other way. */
#include "kernel.inc"

	workload 1500000
	fmov	d1, #1.75
	fmov	d2, #2.5
	.balign	64
1:
	fcvtzs	x3, d1
	fcvtzs	x4, d2
	add	x2, x2, x3
	again	1b
	ret
