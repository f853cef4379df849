/* SPDX-License-Identifier: MIT */
/* div32: a quotient of 32 bits that is the next one's divisor, and three additions.
 * 83.3 % integer operations, five of six instructions, of which one can be a division:
 * docs/model/workloads.md, "Arithmetic". */
#include "kernel.inc"

	workload 1000000
	set	x5, 4294967291
	mov	x1, #3
	.balign	64
1:
	udiv	w1, w5, w1
	add	x2, x2, #1
	add	x3, x3, #1
	add	x4, x4, #1
	again	1b
	ret
