/* SPDX-License-Identifier: MIT */
/* l2_bandwidth: a load of each line of twice L1D, which all L2 holds; none waits for another. */
#include "kernel.inc"

	workload 2000, 2 * L1D_BYTES
1:
	mov	x2, x1
	set	x3, 2 * L1D_BYTES / LINE_BYTES / 8
2:
	.set	i, 0
	.rept	8
	ldr	x4, [x2, #(LINE_BYTES * i)]
	.set	i, i + 1
	.endr
	add	x2, x2, #(8 * LINE_BYTES)
	subs	x3, x3, #1
	b.ne	2b
	again	1b
	ret
