/* SPDX-License-Identifier: MIT */
/* itlb: branches that each land in another page, of four times as many as the instruction TLB holds.
 * A line of each, in another set of the instruction cache; all targets are known after the first round. */
#include "kernel.inc"
	.equ	step, PAGE_BYTES + LINE_BYTES
	.equ	links, 4 * L1I_TLB_ENTRIES

	workload 10000
	b	chain

	.section .chain, "ax", %progbits
	.balign	PAGE_BYTES
chain:
	.rept	links - 1
9:
	add	x2, x2, #1
	eor	x3, x3, x2
	b	9b + step
	.org	9b - chain + step + chain
	.endr
	subs	x0, x0, #1
	b.eq	1f
	b	chain
1:
	ret
