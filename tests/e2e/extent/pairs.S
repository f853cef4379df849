/* SPDX-License-Identifier: MIT */
/* 512 lines, two to a set of a cache of 64 KiB in four ways, read 32 bytes at a time in an order that no stride
 * tells: misses are for those that were never met. 600 rounds of 512 steps of 8 instructions. */
#include "begin.inc"
.lcomm lines, 512 * 3 * 64 + 64

	ldr	x0, =lines + 63
	and	x0, x0, #~63
	mov	x1, #0
	ldr	x4, =600 * 512
1:	add	x1, x1, x1, lsl #2
	add	x1, x1, #3
	and	x1, x1, #511
	add	x2, x1, x1, lsl #1
	add	x3, x0, x2, lsl #6
	ldp	q0, q1, [x3]
	subs	x4, x4, #1
	b.ne	1b
	exit
