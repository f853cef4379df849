/* SPDX-License-Identifier: MIT */
/* two_lists: two lists in L2, 40 loads of the one and 40 of the other in a turn, which the next one waits for.
 * No load waits for the other list's, so both are followed at once, though 40 are met before the second list. */
#include "kernel.inc"

	workload 5000, 2 * L1D_BYTES, fill_shuffled
	mov	x3, x1
	add	x4, x1, #L1D_BYTES
1:
	.rept	40
	ldr	x3, [x3]
	.endr
	.rept	40
	ldr	x4, [x4]
	.endr
	eor	x5, x3, x4
	and	x5, x5, #1
	add	x3, x3, x5
	add	x4, x4, x5
	again	1b
	ret
