/* SPDX-License-Identifier: MIT */
/* queue_full: chains of 100 additions, none of which waits for another chain. */
#include "kernel.inc"

	workload 20000
1:
	mov	x2, x0
	.rept	100
	add	x2, x2, #1
	.endr
	again	1b
	ret
