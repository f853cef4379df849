/* SPDX-License-Identifier: MIT */
/* load_after_store: loads that run ahead of a store whose address comes late, and then may be theirs.
 * 42.2 % loads, and a branch in 240 instructions: 24 groups of ten instructions, unrolled, each on a line of
 * its own. The store's address hangs on a multiplication; which of two words it writes is random, and a
 * load reads one of them: every second load that did not wait has read too early. */
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
	ubfx	x5, x4, #62, #1
	add	x6, x1, x5, lsl #3
	eor	x7, x7, x4
	str	x7, [x6, #(LINE_BYTES * i)]
	ldr	x8, [x1, #(LINE_BYTES * i)]
	ldr	x9, [x1, #(LINE_BYTES * i + 16)]
	ldr	x10, [x1, #(LINE_BYTES * i + 24)]
	ldr	x11, [x1, #(LINE_BYTES * i + 32)]
	eor	x7, x7, x8
	.set	i, i + 1
	.endr
	again	1b
	ret
