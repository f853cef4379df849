/* SPDX-License-Identifier: MIT */
/* lines: a load of each line of 256 KiB, eight times: from L2, but for the first. */
#include "begin.inc"
	mov	x4, #8
2:
	adrp	x1, data
	add	x1, x1, :lo12:data
	mov	x0, #2048
1:
	ldr	x2, [x1]
	ldr	x3, [x1, #64]
	add	x1, x1, #128
	subs	x0, x0, #1
	b.ne	1b
	subs	x4, x4, #1
	b.ne	2b
	exit
	.bss
	.balign	64
data:
	.space	262144
