/* SPDX-License-Identifier: MIT */
/* loads: one of every form of load that leaves memory alone, 20 times each.
 * A pair, and a load of several registers, is one load instruction.
 *   general: ldrb ldrh ldr(w) ldr(x) ldrsb ldrsh ldrsw                 7
 *   addresses: unscaled, register, extended register, pre, post, literal   6
 *   unprivileged and no-temporal pair: ldtr ldnp                       2
 *   pairs: ldp(w) ldp(x) ldpsw ldp(pre) ldp(post)                      5
 *   SIMD&FP: ldr b h s d q, ldp(s) ldp(d) ldp(q), literal q            9
 *   structures: ld1 with 1, 2, 3, 4 registers, ld2, ld3, ld4, ld1 lane, ld1r, ld1 post   10
 * Sum: 39, and 5 subtractions that put the base back after pre and post forms.
 * Expect: INST_RETIRED 885  2 + 20 x (39 + 5) + 3
 * Expect: INST_SPEC 885
 * Expect: LD_SPEC 780  20 x 39
 * Expect: ST_SPEC 0
 * Expect: DP_SPEC 104  2 + 20 x 5 + 2: not what a load does to its base register
 * Expect: ASE_SPEC 0  loads are not counted
 * Expect: VFP_SPEC 0
 * Expect: BR_RETIRED 0 */
#include "begin.inc"
	adr	x1, data
	mov	x2, #8
	.rept	20
	ldrb	w3, [x1]
	ldrh	w3, [x1, #2]
	ldr	w3, [x1, #4]
	ldr	x3, [x1, #8]
	ldrsb	x3, [x1, #1]
	ldrsh	w3, [x1, #2]
	ldrsw	x3, [x1, #4]

	ldur	x3, [x1, #3]
	ldr	x3, [x1, x2]
	ldr	x3, [x1, w2, uxtw #3]
	ldr	x3, [x1, #16]!
	sub	x1, x1, #16
	ldr	x3, [x1], #16
	sub	x1, x1, #16
	ldr	x3, data

	ldtr	x3, [x1, #8]
	ldnp	x3, x4, [x1]

	ldp	w3, w4, [x1]
	ldp	x3, x4, [x1, #16]
	ldpsw	x3, x4, [x1]
	ldp	x3, x4, [x1, #16]!
	sub	x1, x1, #16
	ldp	x3, x4, [x1], #16
	sub	x1, x1, #16

	ldr	b3, [x1]
	ldr	h3, [x1]
	ldr	s3, [x1]
	ldr	d3, [x1]
	ldr	q3, [x1]
	ldp	s3, s4, [x1]
	ldp	d3, d4, [x1]
	ldp	q3, q4, [x1]
	ldr	q3, data

	ld1	{v3.16b}, [x1]
	ld1	{v3.16b, v4.16b}, [x1]
	ld1	{v3.8h, v4.8h, v5.8h}, [x1]
	ld1	{v3.4s, v4.4s, v5.4s, v6.4s}, [x1]
	ld2	{v3.4s, v4.4s}, [x1]
	ld3	{v3.8b, v4.8b, v5.8b}, [x1]
	ld4	{v3.2d, v4.2d, v5.2d, v6.2d}, [x1]
	ld1	{v3.s}[1], [x1]
	ld1r	{v3.4s}, [x1]
	ld1	{v3.16b}, [x1], #16
	sub	x1, x1, #16
	.endr
	exit
	.balign	16
data:
	.space	128
