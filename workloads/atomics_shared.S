/* SPDX-License-Identifier: MIT */
/* atomics_shared: as atomics, by two threads on one line. */
#include "kernel.inc"

	workload 500000, LINE_BYTES, 0, 2
	mov	x2, #1
1:
	ldadd	x2, x3, [x1]
	and	x3, x3, #8
	ldadd	x2, x4, [x1]
	again	1b
	ret
