/* SPDX-License-Identifier: MIT */
/* flops_sve: floating-point operations of SVE, counted for 128 bits of vector whatever its length and
 * whatever the predicate, of which no element is set here; and one that is not SVE's.
 *   fadd s 4, fmul d 2, fmla s 8, fmla h 16, fsqrt d 2: 32
 * Expect: INST_RETIRED 604  1 + 100 x 6 + 3
 * Expect: SVE_INST_SPEC 501  1 + 100 x 5
 * Expect: FP_SCALE_OPS_SPEC 3200  100 x 32
 * Expect: FP_FIXED_OPS_SPEC 200  100 x 2 */
#include "begin.inc"
	.arch	armv8.2-a+sve
	pfalse	p1.b
	.rept	100
	fadd	z1.s, z2.s, z3.s
	fmul	z1.d, p1/m, z1.d, z3.d
	fmla	z1.s, p1/m, z2.s, z3.s
	fmla	z4.h, p1/m, z5.h, z6.h
	fsqrt	z1.d, p1/m, z2.d
	fmadd	d1, d2, d3, d4
	.endr
	exit
