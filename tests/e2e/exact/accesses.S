/* SPDX-License-Identifier: MIT */
/* accesses: aligned loads and stores of one register, so that each makes exactly one access.
 * Expect: INST_RETIRED 3005  2 + 300 x (6 + 4) + 3
 * Expect: LD_SPEC 1800  300 x 6
 * Expect: ST_SPEC 1200  300 x 4
 * Expect: MEM_ACCESS_RD 1800
 * Expect: MEM_ACCESS_WR 1200
 * Expect: MEM_ACCESS 3000
 * Expect: L1D_CACHE_RD 1800
 * Expect: L1D_CACHE_WR 1200
 * Expect: L1D_CACHE 3000
 * Expect: UNALIGNED_LDST_SPEC 0 */
#include "begin.inc"
	adrp	x1, data
	add	x1, x1, :lo12:data
	.rept	300
	ldrb	w3, [x1, #1]
	ldrh	w3, [x1, #2]
	ldr	w3, [x1, #4]
	ldr	x3, [x1, #8]
	ldr	d3, [x1, #16]
	ldr	q3, [x1, #32]
	str	x3, [x1, #64]
	strb	w3, [x1, #73]
	str	s3, [x1, #76]
	str	q3, [x1, #80]
	.endr
	exit
	.bss
	.balign	64
data:
	.space	128
