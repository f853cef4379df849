/* SPDX-License-Identifier: MIT */
/* independent: integer, vector and load operations that do not wait for each other.
 * Limited by: nothing but the core's width
 * Of every 8 instructions 3 go to the 4 integer ports, 3 to the 4 vector ports and 2 to the 3 load
 * ports, and none needs the result of one that is near. Scalar additions alone could not pass 4 a
 * cycle. */
	.equ	turns, 20000000 / 66		// of 66 instructions
	.text
	.globl	_start
_start:
	adrp	x20, data
	add	x20, x20, :lo12:data
	movz	x28, #:abs_g0_nc:turns
	movk	x28, #:abs_g1:turns
loop:
	.set	i, 0
	.rept	8
	add	x0, x20, #1
	add	v0.4s, v16.4s, v17.4s
	ldr	x3, [x20, #(16 * i)]
	eor	x1, x20, #1
	eor	v1.16b, v16.16b, v17.16b
	ldr	q3, [x20, #(16 * i)]
	sub	x2, x20, #1
	add	v2.2d, v16.2d, v17.2d
	.set	i, i + 1
	.endr
	subs	x28, x28, #1
	b.ne	loop
	mov	x0, #0
	mov	x8, #94				// exit_group
	svc	#0

	.bss
	.balign	64
data:
	.space	128
