/* SPDX-License-Identifier: MIT */
/* chained: atomics and store-exclusives whose address takes the result of the one before, which is 0. Each
 * of the atomics has a line of its own, so that none is forwarded from another. */
#include "begin.inc"
	adrp	x1, data
	add	x1, x1, :lo12:data
	mov	x0, #200
1:
	mov	x5, x1
	.rept	16
	ldadd	xzr, x3, [x5]
	add	x5, x5, x3
	add	x5, x5, #64
	.endr
	.rept	16
	ldxr	x2, [x1]
	stxr	w3, x9, [x1]
	add	x1, x1, x3
	.endr
	subs	x0, x0, #1
	b.ne	1b
	exit
	.bss
	.balign	64
data:
	.space	1024
