/* SPDX-License-Identifier: MIT */
/* indirect_targets: one indirect branch with eight targets, in turn: the last ones foretell the next. */
#include "kernel.inc"

	workload 500000
	adr	x2, 2f
	mov	x3, #0
1:
	add	x3, x3, #16
	and	x3, x3, #127
	add	x4, x2, x3
	br	x4
	.balign	16
2:
	.rept	8
	add	x5, x5, #1
	eor	x6, x6, x5
	b	3f
	nop
	.endr
3:
	again	1b
	ret
