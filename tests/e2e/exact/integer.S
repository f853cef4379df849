/* SPDX-License-Identifier: MIT */
/* integer: data processing of every group.
 * Expect: INST_RETIRED 2403  100 x 24 + 3
 * Expect: INST_SPEC 2403
 * Expect: DP_SPEC 2402  all but svc
 * Expect: ASE_SPEC 0
 * Expect: VFP_SPEC 0
 * Expect: CRYPTO_SPEC 0 */
#include "begin.inc"
	.rept	100
	add	x1, x2, #1
	adds	x1, x2, x3, lsl #7
	sub	w1, w2, w3, sxtb #2
	and	x1, x2, #0xff
	bics	x1, x2, x3, ror #3
	mvn	x1, x2
	movz	x1, #1, lsl #32
	movk	x1, #2
	movn	x1, #3
	adr	x1, .
	ubfx	x1, x2, #3, #4
	bfi	x1, x2, #5, #6
	extr	x1, x2, x3, #9
	lslv	x1, x2, x3
	csel	x1, x2, x3, eq
	ccmp	x1, x2, #4, ne
	adcs	x1, x2, x3
	clz	x1, x2
	rev	x1, x2
	mul	x1, x2, x3
	madd	w1, w2, w3, w4
	umulh	x1, x2, x3
	udiv	x1, x2, x3
	crc32cx	w1, w2, x3
	.endr
	exit
