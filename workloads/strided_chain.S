/* SPDX-License-Identifier: MIT */
/* strided_chain: a load of each line of twice L1D in turn, whose address waits for the last load, which read
 * 0: what a prefetcher sees coming and the core cannot. */
#include "kernel.inc"

	workload 200, 2 * L1D_BYTES
1:
	mov	x2, x1
	set	x3, 2 * L1D_BYTES / LINE_BYTES
2:
	ldr	x4, [x2]
	add	x2, x2, x4
	add	x2, x2, #LINE_BYTES
	subs	x3, x3, #1
	b.ne	2b
	again	1b
	ret
