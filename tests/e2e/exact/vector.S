/* SPDX-License-Identifier: MIT */
/* vector: Advanced SIMD and scalar floating point, no moves, no loads.
 * Expect: INST_RETIRED 2003  100 x 20 + 3
 * Expect: INST_SPEC 2003
 * Expect: ASE_SPEC 1000  100 x 10 on vectors
 * Expect: VFP_SPEC 1000  100 x 10 on scalars
 * Expect: CRYPTO_SPEC 0
 * Expect: DP_SPEC 2  to exit */
#include "begin.inc"
	.rept	100
	add	v1.4s, v2.4s, v3.4s
	mul	v1.8h, v2.8h, v3.8h
	mla	v1.4s, v2.4s, v3.4s
	sshr	v1.2d, v2.2d, #3
	cmeq	v1.16b, v2.16b, v3.16b
	tbl	v1.16b, {v2.16b}, v3.16b
	addv	s1, v2.4s
	fadd	v1.4s, v2.4s, v3.4s
	fmla	v1.2d, v2.2d, v3.2d
	fdiv	v1.4s, v2.4s, v3.4s
	fadd	s1, s2, s3
	fsub	d1, d2, d3
	fmul	d1, d2, d3
	fmadd	d1, d2, d3, d4
	fdiv	s1, s2, s3
	fsqrt	d1, d2
	fcmp	d1, d2
	fcvt	d1, s2
	frinta	d1, d2
	fmax	s1, s2, s3
	.endr
	exit
