/* SPDX-License-Identifier: MIT */
/* l2d_cache: a chain of pointers that goes at random through somewhat more than L2.
 * 330 data accesses a thousand instructions and a quarter as many refills of the data TLB: loops of
 * three, as in l1d_cache, to four lines of a page before the next page. Of 1000 lines L2 lacks 226 and L1D
 * 959: what is left over when a memory of 1.3 or 1.5 times L2 is visited at random. */
#include "kernel.inc"

	workload 5000, L2_BYTES + L2_BYTES / 4, fill_walk
	mov	x3, x1
1:
	mov	x2, #4096
2:
	ldr	x3, [x3]
	subs	x2, x2, #1
	b.ne	2b
	again	1b
	ret
