/* SPDX-License-Identifier: MIT */
/* l2_tlb: a chain of pointers, one a page, through four times as many pages as L2's TLB holds.
 * Every load needs a table walk. */
#include "kernel.inc"

	workload 500000, 4 * L2_TLB_ENTRIES * PAGE_BYTES, fill_pages
1:
	ldr	x1, [x1]
	again	1b
	ret
