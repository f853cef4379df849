/* SPDX-License-Identifier: MIT */
/* int2double: integers that become doubles.
 * 40 % floating-point and 40 % integer operations: of five instructions two conversions, an addition, the
 * count and the branch. */
#include "kernel.inc"

	workload 1500000
	.balign	64
1:
	scvtf	d1, x0
	scvtf	d2, x2
	add	x2, x2, #3
	again	1b
	ret
