/* SPDX-License-Identifier: MIT */
/* l1i_cache: a loop that calls a chain of functions, each the size of the instruction cache from the next:
 * "calls a chain of functions located in gaps of instruction cache size by continuously incrementing and
 * dereferencing a function pointer".
 * 326 branches a thousand instructions: 15 in 46. The loop's own, its call and the return from the chain's end
 * leave 12 functions that go on to the next, three instructions each, and 9 for the loop. The functions share the
 * low bits of their addresses, so they compete for the ways of one set, in the cache and in the target buffer.
 * Behind each is straight integer code, which never retires: more than 80 % of the operations are integer,
 * most of them of wrong paths. */
#include "kernel.inc"
	.equ	links, 12
	.equ	next, 0

	workload 20000
	stp	x29, x30, [sp, #-16]!
	adrp	x3, functions
	add	x3, x3, :lo12:functions
	.balign	64
1:
	mov	x2, x3
	ldr	x1, [x2], #8
	add	x6, x6, #1
	blr	x1
	add	x7, x7, x6
	eor	x8, x8, x7
	add	x9, x9, x8
	again	1b
	ldp	x29, x30, [sp], #16
	ret

	.section .chain, "ax", %progbits
	.balign	L1I_BYTES
chain:
	.rept	links
	ldr	x1, [x2], #8
	eor	x4, x4, x1
	br	x1
	.fill	(L1I_BYTES - 12) / 4, 4, 0x910004a5	// add x5, x5, #1
	.endr
	ret
	.fill	256, 4, 0x910004a5

	.data
	.balign	8
functions:
	.rept	links + 1
	.quad	chain + next
	.equ	next, next + L1I_BYTES
	.endr
