/* SPDX-License-Identifier: MIT */
/* load_after_store: loads that run ahead of a store whose address comes late, and then may be theirs.
 * 42.2 % loads, and a branch in 240 instructions: 24 groups of ten instructions, unrolled, each on a line of
 * its own. The store's address hangs on a multiplication; which of four words it writes is random, and
 * two loads read one of them each. One turn in four each has read too early, if it did not wait: too often
 * to be harmless, too seldom for a predictor that forgets what it held back in vain. */
#include "kernel.inc"

	workload 20000, 24 * LINE_BYTES
	set	x2, 6364136223846793005
	set	x3, 1442695040888963407
	set	x4, 88172645463325252
	.balign	64
1:
	.set	i, 0
	.rept	24
	madd	x4, x4, x2, x3
	ubfx	x5, x4, #62, #2
	add	x6, x1, x5, lsl #3
	eor	x7, x7, x4
	str	x7, [x6, #(LINE_BYTES * i)]
	ldr	x8, [x1, #(LINE_BYTES * i)]
	ldr	x9, [x1, #(LINE_BYTES * i + 8)]
	ldr	x10, [x1, #(LINE_BYTES * i + 40)]
	ldr	x11, [x1, #(LINE_BYTES * i + 48)]
	eor	x7, x7, x8
	.set	i, i + 1
	.endr
	again	1b
	ret
