/* SPDX-License-Identifier: MIT */
/* l1d_tlb: loads that each touch another page, of 128.
 * One load in six instructions, four integer operations and a branch; nearly every load misses the data
 * TLB, and none the data cache or L2's TLB: pages enough for the one, a line of each, each in another
 * set of the cache. No branch mispredicts, so there is no inner loop; the page follows from the count. */
#include "kernel.inc"
	.equ	step, PAGE_BYTES + LINE_BYTES
	.equ	pages, 128
	.if	pages < 2 * L1D_TLB_ENTRIES || pages * LINE_BYTES > L1D_BYTES / 2
	.error	"l1d_tlb does not fit this core"
	.endif

	workload 1500000, pages * step
	mov	x2, #step
	.balign	64
1:
	and	x4, x0, #pages - 1
	madd	x5, x4, x2, x1
	ldr	x3, [x5]
	eor	x6, x6, x4
	again	1b
	ret
