/* SPDX-License-Identifier: MIT */
/* unaligned: accesses whose address is no multiple of their size, within a cache line, between
 * aligned ones.
 * Expect: INST_RETIRED 605  2 + 100 x 6 + 3
 * Expect: LD_SPEC 300
 * Expect: ST_SPEC 300
 * Expect: UNALIGNED_LD_SPEC 200  ldrh at 3, ldr x at 20
 * Expect: UNALIGNED_ST_SPEC 100  str w at 37
 * Expect: UNALIGNED_LDST_SPEC 300 */
#include "begin.inc"
	adrp	x1, data
	add	x1, x1, :lo12:data
	.rept	100
	ldurh	w3, [x1, #3]
	ldur	x3, [x1, #20]
	ldr	x3, [x1, #24]
	stur	w3, [x1, #37]
	str	w3, [x1, #40]
	strb	w3, [x1, #45]
	.endr
	exit
	.bss
	.balign	64
data:
	.space	64
