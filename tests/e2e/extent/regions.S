/* SPDX-License-Identifier: MIT */
/* regions: functions to be counted alone. What each counts is worked out beside it; begin.inc has the
 * end of the program. */
#include "begin.inc"
	mov	x19, #5				// leaf 5 times
1:	bl	leaf
	subs	x19, x19, #1
	b.ne	1b
	bl	outer
	bl	saver
	mov	x20, sp				// as setjmp would keep it
	adr	x21, landing
	bl	thrower				// comes back at landing, with the stack as it is here
	add	x0, x0, #1			// not reached
landing:
	mov	x0, #4
	bl	ladder
	sub	sp, sp, #32
	bl	deep				// comes back with the stack higher
	add	x0, x0, #1			// not reached
out:	mov	x20, sp
	bl	catcher				// comes back behind the call, where its handler is
	add	x0, x0, #1			// not reached
	.rept	10
	add	x0, x0, #1
	.endr
handler:
	mov	x20, sp
	bl	recover				// which goes on after what it catches, and returns
	.rept	100				// what must not be counted
	add	x0, x0, #1
	.endr
	exit

/* 3 instructions, 1 branch. */
	.type	leaf, %function
leaf:	add	x1, x1, #1
	add	x2, x2, #1
	ret
	.size	leaf, . - leaf

/* Ends with a jump to leaf: 1 + 1 + 3 + 1 + 1 + 3 = 10 instructions, 4 branches. */
	.type	outer, %function
outer:	str	x30, [sp, #-16]!
	bl	leaf
	ldr	x30, [sp], #16
	b	leaf
	.size	outer, . - outer

/* Keeps the link register in another one, and ends by a jump to an address: 1 + 1 + 3 + 1 + 1 + 1 + 1 + 3 =
 * 12 instructions, 4 branches. */
	.type	saver, %function
saver:	mov	x9, x30
	bl	leaf
	mov	x30, x9
	adr	x3, leaf
	nop
	br	x3
	.size	saver, . - saver

/* Leaves as longjmp does, two calls deep: 1 + 1 + 1 + 1 + 1 + 1 = 6 instructions, 2 branches. */
	.type	thrower, %function
thrower:
	str	x30, [sp, #-16]!
	bl	2f
2:	sub	sp, sp, #64
	mov	sp, x20
	mov	x30, x21
	br	x30
	.size	thrower, . - thrower

/* The same past its caller's frame: 1 + 1 + 1 + 1 = 4 instructions, 1 branch. */
	.type	deep, %function
deep:	sub	sp, sp, #16
	adr	x21, out
	mov	sp, x20
	br	x21
	.size	deep, . - deep

/* Left as by an unwinder that restores the link register as its caller had it: two calls deep, to a
 * handler in the caller. 1 + 1 + 1 + 1 + 1 + 1 + 1 = 7 instructions, 2 branches. */
	.type	catcher, %function
catcher:
	mov	x9, x30
	bl	2f
	nop
2:	adr	x21, handler
	sub	sp, sp, #64
	mov	sp, x20
	mov	x30, x9
	br	x21
	.size	catcher, . - catcher

/* Catches the same itself, and ends by a jump to an address: str, adr, mov, bl; sub, mov, br; add,
 * adr, ldr, br; 3 of leaf: 14 instructions, 4 branches. */
	.type	recover, %function
recover:
	str	x30, [sp, #-16]!
	adr	x21, 3f
	mov	x22, sp
	bl	2f
	nop
2:	sub	sp, sp, #64
	mov	sp, x22
	br	x21
3:	add	x1, x1, #1
	adr	x3, leaf
	ldr	x30, [sp], #16
	br	x3
	.size	recover, . - recover

/* Calls itself, n = 4: with n > 0 cbz, str, sub, bl, ldr, ret: 6 instructions, 3 branches; with n = 0
 * cbz, ret: 2 and 2. In all 26 instructions, 14 branches. */
	.type	ladder, %function
ladder:	cbz	x0, 3f
	str	x30, [sp, #-16]!
	sub	x0, x0, #1
	bl	ladder
	ldr	x30, [sp], #16
3:	ret
	.size	ladder, . - ladder
