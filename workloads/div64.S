/* SPDX-License-Identifier: MIT */
/* div64: a quotient of 64 bits that is the next one's divisor, and three additions.
 * 83.3 % integer operations, five of six instructions, of which one can be a division:
 * docs/model/workloads.md, "Arithmetic". */
#include "kernel.inc"

	workload 1000000
	set	x5, 18446744073709551557
	mov	x1, #3
	.balign	64
1:
	udiv	x1, x5, x1
	add	x2, x2, #1
	add	x3, x3, #1
	add	x4, x4, #1
	again	1b
	ret
