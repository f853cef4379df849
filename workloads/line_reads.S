/* SPDX-License-Identifier: MIT */
/* line_reads: all words of a line, in lines of half of L2 that no stride leads to: a line is asked for once,
 * however many loads wait for it. */
#include "kernel.inc"

	workload 100000, L2_BYTES / 2
	movz	x4, #0x9e37
1:
	mul	x5, x0, x4
	eor	x5, x5, x5, lsr #7
	and	x5, x5, #(L2_BYTES / 2 / LINE_BYTES - 1)
	add	x5, x1, x5, lsl #6
	.set	i, 0
	.rept	LINE_BYTES / 8
	ldr	x2, [x5, #(8 * i)]
	.set	i, i + 1
	.endr
	again	1b
	ret
