/* SPDX-License-Identifier: MIT */
/* exclusive_chain: pairs of exclusive accesses whose address takes the result of the store before, which is
 * 0. */
#include "kernel.inc"

	workload 500000, LINE_BYTES
1:
	ldxr	x2, [x1]
	stxr	w3, x4, [x1]
	add	x1, x1, x3
	ldxr	x2, [x1]
	stxr	w3, x4, [x1]
	add	x1, x1, x3
	again	1b
	ret
