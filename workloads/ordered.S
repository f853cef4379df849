/* SPDX-License-Identifier: MIT */
/* ordered: a store with release, and a load with acquire of another line, which may not be done before the
 * store is there for others. */
#include "kernel.inc"

	workload 500000, 2 * LINE_BYTES
	add	x3, x1, #LINE_BYTES
1:
	stlr	x0, [x1]
	ldar	x2, [x3]
	again	1b
	ret
