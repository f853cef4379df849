/* SPDX-License-Identifier: MIT */
/* ordered: plain load-acquire and store-release, on different lines, so that no load is in the way of
 * a store.
 * Expect: INST_RETIRED 606  3 + 100 x 6 + 3
 * Expect: LD_SPEC 300
 * Expect: ST_SPEC 300
 * Expect: RC_LD_SPEC 300
 * Expect: RC_ST_SPEC 300
 * Expect: DMB_SPEC 0  implied barriers do not count */
#include "begin.inc"
	adrp	x1, data
	add	x1, x1, :lo12:data
	add	x2, x1, #64
	.rept	100
	ldar	x3, [x1]
	ldarb	w3, [x1]
	ldarh	w3, [x1]
	stlr	x3, [x2]
	stlrb	w3, [x2]
	stlrh	w3, [x2]
	.endr
	exit
	.bss
	.balign	64
data:
	.space	128
