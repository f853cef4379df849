/* SPDX-License-Identifier: MIT */
/* failing: store exclusives, every other one without a reservation: clrex takes it away.
 * Expect: INST_RETIRED 505  2 + 100 x 5 + 3
 * Expect: LDREX_SPEC 100
 * Expect: STREX_SPEC 200
 * Expect: STREX_PASS_SPEC 100
 * Expect: STREX_FAIL_SPEC 100  each writes nothing */
#include "begin.inc"
	adrp	x1, data
	add	x1, x1, :lo12:data
	.rept	100
	ldxr	x3, [x1]
	stxr	w5, x3, [x1]
	clrex
	stxr	w5, x3, [x1]
	nop
	.endr
	exit
	.bss
	.balign	64
data:
	.space	64
