/* SPDX-License-Identifier: MIT */
/* exclusives: additions in memory by a pair of exclusive accesses. */
#include "kernel.inc"

	workload 500000, LINE_BYTES
1:
	ldxr	x2, [x1]
	add	x2, x2, #1
	stxr	w3, x2, [x1]
	cbnz	w3, 1b
	again	1b
	ret
