/* SPDX-License-Identifier: MIT */
/* atomics: read-modify-write instructions. Each both loads and stores.
 * Expect: INST_RETIRED 1005  2 + 200 x 5 + 3
 * Expect: LD_SPEC 1000
 * Expect: ST_SPEC 1000
 * Expect: MEM_ACCESS_WR 1000  atomics count there
 * Expect: LDREX_SPEC 0
 * Expect: STREX_SPEC 0
 * Expect: DMB_SPEC 0  implied barriers do not count */
#include "begin.inc"
	adrp	x1, data
	add	x1, x1, :lo12:data
	.rept	200
	ldadd	x3, x4, [x1]
	ldsetal	w3, w4, [x1, #0]
	swp	x3, x4, [x1]
	cas	x3, x4, [x1]
	casp	x4, x5, x6, x7, [x1]
	.endr
	exit
	.bss
	.balign	64
data:
	.space	64
