/* SPDX-License-Identifier: MIT */
/* l1d_cache: a chain of pointers through twice the data cache.
 * 332 data accesses and 330 branches a thousand instructions: loops of three, a load, a count and a
 * branch. 0.2 % of the branches mispredict: one in 500, the end of an inner loop. Nothing misses L2. */
#include "kernel.inc"

	workload 6000, 2 * L1D_BYTES, fill_shuffled
	mov	x3, x1
1:
	mov	x2, #512
2:
	ldr	x3, [x3]
	subs	x2, x2, #1
	b.ne	2b
	again	1b
	ret
