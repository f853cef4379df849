/* SPDX-License-Identifier: MIT */
/* l2d_cache: a chain of pointers through twice L2.
 * 330 data accesses a thousand instructions and a quarter as many refills of the data TLB: loops of
 * three, as in l1d_cache, through four lines of a page before the next page. */
#include "kernel.inc"

	workload 800, 2 * L2_BYTES, fill_fours
	mov	x3, x1
1:
	mov	x2, #4096
2:
	ldr	x3, [x3]
	subs	x2, x2, #1
	b.ne	2b
	again	1b
	ret
