/* SPDX-License-Identifier: MIT */
/* exclusives: load and store exclusive pairs that always succeed, and acquire and release.
 * Expect: INST_RETIRED 1405  2 + 200 x 7 + 3
 * Expect: LD_SPEC 800  200 x (ldxr, ldxp, ldaxr, ldar)
 * Expect: ST_SPEC 600  200 x (stxr, stxp, stlr)
 * Expect: LDREX_SPEC 600
 * Expect: STREX_SPEC 400
 * Expect: STREX_PASS_SPEC 400
 * Expect: STREX_FAIL_SPEC 0 */
#include "begin.inc"
	adrp	x1, data
	add	x1, x1, :lo12:data
	.rept	200
	ldxr	x3, [x1]
	stxr	w5, x3, [x1]
	ldxp	x3, x4, [x1]
	stxp	w5, x3, x4, [x1]
	ldaxr	w3, [x1]
	ldar	x3, [x1]
	stlr	x3, [x1]
	.endr
	exit
	.bss
	.balign	64
data:
	.space	64
