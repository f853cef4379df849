/* SPDX-License-Identifier: MIT */
/* load_after_store: loads that run ahead of a store whose address comes late, and then turns out theirs.
 * 42.2 % loads, and a branch in 240 instructions: 25 groups of ten instructions, unrolled. The store's
 * address hangs on a multiplication; which of two words it writes is random, and the loads read one of them:
 * so half of the loads that did not wait have read too early. */
#include "kernel.inc"

	workload 20000, LINE_BYTES
	set	x2, 6364136223846793005
	set	x3, 1442695040888963407
	set	x4, 88172645463325252
	.balign	64
1:
	.rept	24
	madd	x4, x4, x2, x3
	ubfx	x5, x4, #62, #1
	add	x6, x1, x5, lsl #3
	eor	x7, x7, x4
	str	x7, [x6]
	ldr	x8, [x1]
	ldr	x9, [x1, #16]
	ldr	x10, [x1, #24]
	ldr	x11, [x1, #32]
	eor	x7, x7, x8
	.endr
	again	1b
	ret
