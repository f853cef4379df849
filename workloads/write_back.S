/* SPDX-License-Identifier: MIT */
/* write_back: a store to each line of twice L1D, which all L2 holds. */
#include "kernel.inc"

	workload 400, 2 * L1D_BYTES
1:
	mov	x2, x1
	set	x3, 2 * L1D_BYTES / LINE_BYTES
2:
	str	x0, [x2], #LINE_BYTES
	subs	x3, x3, #1
	b.ne	2b
	again	1b
	ret
