/* SPDX-License-Identifier: MIT */
/* barriers: a store and a load of another line, kept apart by a data memory barrier. */
#include "kernel.inc"

	workload 500000, 2 * LINE_BYTES
1:
	str	x0, [x1]
	dmb	ish
	ldr	x2, [x1, #LINE_BYTES]
	again	1b
	ret
