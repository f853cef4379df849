/* SPDX-License-Identifier: MIT */
/* l1i_cache: a chain of 15 short functions, each the size of the instruction cache from the next.
 * 326 branches a thousand instructions: 15 in 46, of which 11 mispredict. All functions share the low bits
 * of their addresses, so they compete for the ways of one set, in the cache and in the target buffer.
 * Behind each is straight integer code, which never retires: more than 80 % of the operations are integer,
 * most of them of wrong paths. */
#include "kernel.inc"
	.equ	links, 14

	workload 20000
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
	.fill	(L1I_BYTES - 12) / 4, 4, 0x910004a5	// add x5, x5, #1
	.endr
	mov	x1, x2
	again	chain
	ret
