/* SPDX-License-Identifier: MIT */
/* l1i_cache: a chain of 15 short functions, each the size of the instruction cache from the next.
 * 326 branches a thousand instructions: 15 in 46, of which 11 mispredict. All functions share the low bits
 * of their addresses, so they compete for the ways of one set, in the cache and in the target buffer. */
#include "kernel.inc"
	.equ	links, 14

	workload 100000
	adrp	x2, chain
	add	x2, x2, :lo12:chain
	mov	x3, #L1I_BYTES
	mov	x1, x2
	br	x1

	.section .chain, "ax", %progbits
	.balign	64
chain:
	.rept	links
9:
	add	x1, x1, x3
	eor	x4, x4, x1
	br	x1
	.org	9b - chain + L1I_BYTES + chain
	.endr
	mov	x1, x2
	again	chain
	ret
