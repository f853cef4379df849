/* SPDX-License-Identifier: MIT */
/* atomics: additions in memory by one instruction, each of which needs the last one's result. */
#include "kernel.inc"

	workload 500000, LINE_BYTES
	mov	x2, #1
1:
	ldadd	x2, x3, [x1]
	and	x3, x3, #8
	ldadd	x2, x4, [x1]
	again	1b
	ret
