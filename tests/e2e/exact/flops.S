/* SPDX-License-Identifier: MIT */
/* flops: floating-point operations, counted by element; a fused multiply-add is two.
 *   fadd s 1, fmul d 1, fmadd d 2, fadd 4s 4, fmul 2d 2, fmla 4s 8, fmla 2d 4: 22
 * Expect: INST_RETIRED 703  100 x 7 + 3
 * Expect: FP_FIXED_OPS_SPEC 2200  100 x 22 */
#include "begin.inc"
	.rept	100
	fadd	s1, s2, s3
	fmul	d1, d2, d3
	fmadd	d1, d2, d3, d4
	fadd	v1.4s, v2.4s, v3.4s
	fmul	v1.2d, v2.2d, v3.2d
	fmla	v1.4s, v2.4s, v3.4s
	fmla	v1.2d, v2.2d, v3.2d
	.endr
	exit
