/* SPDX-License-Identifier: MIT */
/* stores: one of every form of store, 20 times each.
 * A pair, and a store of several registers, is one store instruction.
 *   general: strb strh str(w) str(x)                                   4
 *   addresses: unscaled, register, extended register, pre, post        5
 *   unprivileged and no-temporal pair: sttr stnp                       2
 *   pairs: stp(w) stp(x) stp(pre) stp(post)                            4
 *   SIMD&FP: str b h s d q, stp(s) stp(d) stp(q)                       8
 *   structures: st1 with 1, 2, 3, 4 registers, st2, st3, st4, st1 lane, st1 post   9
 * Sum: 32, and 5 subtractions that put the base back after pre and post forms.
 * Expect: INST_RETIRED 746  3 + 20 x (32 + 5) + 3
 * Expect: INST_SPEC 746
 * Expect: ST_SPEC 640  20 x 32
 * Expect: LD_SPEC 0
 * Expect: DP_SPEC 105  3 + 20 x 5 + 2: not what a store does to its base register
 * Expect: ASE_SPEC 0  stores are not counted
 * Expect: BR_RETIRED 0 */
#include "begin.inc"
	adrp	x1, data
	add	x1, x1, :lo12:data
	mov	x2, #8
	.rept	20
	strb	w3, [x1]
	strh	w3, [x1, #2]
	str	w3, [x1, #4]
	str	x3, [x1, #8]

	stur	x3, [x1, #3]
	str	x3, [x1, x2]
	str	x3, [x1, w2, uxtw #3]
	str	x3, [x1, #16]!
	sub	x1, x1, #16
	str	x3, [x1], #16
	sub	x1, x1, #16

	sttr	x3, [x1, #8]
	stnp	x3, x4, [x1]

	stp	w3, w4, [x1]
	stp	x3, x4, [x1, #16]
	stp	x3, x4, [x1, #16]!
	sub	x1, x1, #16
	stp	x3, x4, [x1], #16
	sub	x1, x1, #16

	str	b3, [x1]
	str	h3, [x1]
	str	s3, [x1]
	str	d3, [x1]
	str	q3, [x1]
	stp	s3, s4, [x1]
	stp	d3, d4, [x1]
	stp	q3, q4, [x1]

	st1	{v3.16b}, [x1]
	st1	{v3.16b, v4.16b}, [x1]
	st1	{v3.8h, v4.8h, v5.8h}, [x1]
	st1	{v3.4s, v4.4s, v5.4s, v6.4s}, [x1]
	st2	{v3.4s, v4.4s}, [x1]
	st3	{v3.8b, v4.8b, v5.8b}, [x1]
	st4	{v3.2d, v4.2d, v5.2d, v6.2d}, [x1]
	st1	{v3.s}[1], [x1]
	st1	{v3.16b}, [x1], #16
	sub	x1, x1, #16
	.endr
	exit
	.bss
	.balign	16
data:
	.space	128
