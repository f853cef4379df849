/* SPDX-License-Identifier: MIT */
/* forward: loads of the word that was stored just before, in a chain. */
#include "kernel.inc"

	workload 500000, LINE_BYTES
	mov	x2, #1
1:
	str	x2, [x1]
	ldr	x2, [x1]
	str	x2, [x1, #8]
	ldr	x2, [x1, #8]
	again	1b
	ret
