/* SPDX-License-Identifier: MIT */
/* l1i_cache: a chain of 15 short functions, each the size of the instruction cache from the next.
 * Where each leads is read from memory: "continuously incrementing and dereferencing a function pointer".
 * 326 branches a thousand instructions: 15 in 46, of which 11 mispredict. All functions share the low bits
 * of their addresses, so they compete for the ways of one set, in the cache and in the target buffer.
 * Behind each is straight integer code, which never retires: more than 80 % of the operations are integer,
 * most of them of wrong paths. */
#include "kernel.inc"
	.equ	links, 14
	.equ	next, 0

	workload 20000
	adrp	x3, functions
	add	x3, x3, :lo12:functions
	mov	x2, x3
	adrp	x1, chain
	br	x1

	.section .chain, "ax", %progbits
	.balign	4096
chain:
	.rept	links
9:
	ldr	x1, [x2], #8
	eor	x4, x4, x1
	br	x1
	.fill	(L1I_BYTES - 12) / 4, 4, 0x910004a5	// add x5, x5, #1
	.endr
	mov	x2, x3
	again	chain
	ret

	.data
	.balign	8
functions:
	.rept	links
	.equ	next, next + L1I_BYTES
	.quad	chain + next
	.endr
