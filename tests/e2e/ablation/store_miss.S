/* SPDX-License-Identifier: MIT */
/* store_miss: a store to each line of 512 KiB: all miss L1D, and each line that it takes in drives out a
 * dirty one. */
#include "begin.inc"
	adrp	x1, data
	add	x1, x1, :lo12:data
	mov	x0, #8192
1:
	str	x0, [x1], #64
	subs	x0, x0, #1
	b.ne	1b
	exit
	.bss
	.balign	64
data:
	.space	524288
