/* SPDX-License-Identifier: MIT */
/* fib: the doubly recursive Fibonacci function, for 15.
 * A call with n < 2 runs cmp, b.lt, ret: 3 instructions, 2 branches.
 * Any other runs cmp, b.lt, stp, sub, sub, bl, str, mov, bl, ldr, add, ldp, ret: 13 instructions,
 * 4 branches, besides what it calls.
 * Calls with n < 2: L(n) = L(n-1) + L(n-2) with L(0) = L(1) = 1, so L(15) = 987; and one less of the others.
 * Expect: INST_RETIRED 15784  2 + 987 x 3 + 986 x 13 + 3
 * Expect: BR_RETIRED 5919  1 + 987 x 2 + 986 x 4
 * Expect: EXC_SVC 1 */
#include "begin.inc"
	mov	x0, #15
	bl	fib
	exit
fib:
	cmp	x0, #2
	b.lt	1f
	stp	x19, x30, [sp, #-32]!
	sub	x19, x0, #2
	sub	x0, x0, #1
	bl	fib
	str	x0, [sp, #16]
	mov	x0, x19
	bl	fib
	ldr	x1, [sp, #16]
	add	x0, x0, x1
	ldp	x19, x30, [sp], #32
1:	ret
