/* SPDX-License-Identifier: MIT */
/* store_buffer_full: stores that hit the data cache, faster than they drain.
 * 32.5 % stores, no misses, half of the slots lost to the backend: one store in three instructions, and few
 * enough branches and dependences for the stores to be what limits: eight in 24 instructions, to eight lines. */
#include "kernel.inc"

	workload 400000, 8 * LINE_BYTES
	.balign	64
1:
	.set	i, 0
	.rept	8
	str	x0, [x1, #(LINE_BYTES * i)]
	add	x2, x1, x0
	.if	i < 6
	eor	x3, x1, x0
	.endif
	.set	i, i + 1
	.endr
	again	1b
	ret
