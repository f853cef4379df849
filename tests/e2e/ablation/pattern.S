/* SPDX-License-Identifier: MIT */
/* pattern: a loop of three turns inside one of 4000. Its branch goes back, back, on: a two-bit counter says
 * "back" each time and is wrong a third of the times; a history of two outcomes knows. Each third turn of
 * the inner one the indirect branch goes to the other of two places, by the same count. */
#include "begin.inc"
	mov	x0, #4000
	adrp	x4, places
	add	x4, x4, :lo12:places
	mov	x5, #0
outer:
	mov	x1, #3
inner:
	add	x2, x2, x1
	subs	x1, x1, #1
	b.ne	inner
	eor	x5, x5, #1
	ldr	x6, [x4, x5, lsl #3]
	br	x6
even:
	add	x2, x2, #1
	b	on
odd:
	add	x2, x2, #2
on:
	subs	x0, x0, #1
	b.ne	outer
	exit
	.data
	.balign	8
places:
	.quad	even, odd
