/* SPDX-License-Identifier: MIT */
/* mem_latency: a chain of pointers through twice the system cache, in no order that is followed. */
#include "kernel.inc"

	workload 500000, 2 * SLC_BYTES, fill_shuffled
1:
	ldr	x1, [x1]
	again	1b
	ret
