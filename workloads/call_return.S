/* SPDX-License-Identifier: MIT */
/* call_return: calls nested far deeper than a return stack, each to one of two functions at random.
 * 142.9 branches a thousand instructions, 32.03 % of them mispredicted, 42 % immediate, 29 %
 * indirect and 29 % returns: three branches a call (is it deep enough, the call, the return) in 21
 * instructions. 164 data accesses a thousand instructions are 3.4 a call, and one refill of the
 * data TLB in some 430 calls, down and up, says that a call takes 16 bytes of stack. */
#include "kernel.inc"
	.equ	depth, 10000

	workload 60
	stp	x29, x30, [sp, #-16]!
	movz	w4, #0xbeef
	adrp	x3, functions
	add	x3, x3, :lo12:functions
1:
	movz	x1, #depth
	bl	first
	again	1b
	ldp	x29, x30, [sp], #16
	ret

	/* x1: calls left to nest; x4: the last random number, of which the call's target is bit 1 */
	.macro nest name
	.balign	64
\name:
	subs	x1, x1, #1
	b.eq	1f
	stp	x30, x7, [sp, #-16]!
	ubfx	x7, x4, #1, #1
	random	w4, w4
	ldr	x7, [x3, x7, lsl #3]
	blr	x7
	eor	x12, x12, x11
	add	x13, x13, x12
	eor	x14, x14, x13
	add	x15, x15, x14
	ror	x14, x14, #9
	eor	x16, x16, x15
	add	x8, x8, x16
	ldp	x30, x7, [sp], #16
1:
	ret
	.endm
	nest	first
	nest	second

	.data
	.balign	8
functions:
	.quad	first, second
