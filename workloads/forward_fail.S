/* SPDX-License-Identifier: MIT */
/* forward_fail: loads of a double word of which two stores just wrote the halves, in a chain. */
#include "kernel.inc"

	workload 500000, LINE_BYTES
	mov	x2, #1
1:
	str	w2, [x1]
	str	w2, [x1, #4]
	ldr	x2, [x1]
	again	1b
	ret
