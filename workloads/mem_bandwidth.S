/* SPDX-License-Identifier: MIT */
/* mem_bandwidth: independent loads, one after the other through twice the system cache. */
#include "kernel.inc"

	workload 2, 2 * SLC_BYTES
1:
	mov	x2, x1
	set	x3, 2 * SLC_BYTES / 128
2:
	ldp	q0, q1, [x2]
	ldp	q2, q3, [x2, #32]
	ldp	q4, q5, [x2, #64]
	ldp	q6, q7, [x2, #96]
	add	x2, x2, #128
	subs	x3, x3, #1
	b.ne	2b
	again	1b
	ret
