/* SPDX-License-Identifier: MIT */
/* exclusives_shared: as exclusives, by two threads on one line. */
#include "kernel.inc"

	workload 200000, LINE_BYTES, 0, 2
1:
	ldxr	x2, [x1]
	add	x2, x2, #1
	stxr	w3, x2, [x1]
	cbnz	w3, 1b
	again	1b
	ret
