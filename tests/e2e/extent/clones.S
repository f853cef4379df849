/* SPDX-License-Identifier: MIT */
/* clones: functions that a compiler has made clones of, by the names that it gives them. What each counts
 * is worked out beside it. */
#include "begin.inc"
	bl	work				// 3 instructions
	bl	work.constprop.0		// 4
	bl	work.isra.0.constprop.1		// 5
	bl	work.constprop.0		// 4
	bl	worker				// not a clone
	bl	only.part.0			// 6, the only code that is left of the function
	bl	_ZN1a3runEi.constprop.0		// 7, of a::run(int)
	bl	chilly				// 3 instructions, entered once
	exit

	.macro	function name, nops
	.type	\name, %function
\name:
	.rept	\nops
	nop
	.endr
	ret
	.size	\name, . - \name
	.endm

	function work, 2
	function work.constprop.0, 3
	function work.isra.0.constprop.1, 4
	function worker, 50
	function only.part.0, 5
	function _ZN1a3runEi.constprop.0, 6

/* Where a function goes for what is unlikely: jumped to, so part of it, and no call: 1 + 2
 * instructions. */
	.type	chilly.cold, %function
chilly.cold:
	nop
	ret
	.size	chilly.cold, . - chilly.cold
	.type	chilly, %function
	.globl	chilly
chilly:	b	chilly.cold
	.size	chilly, . - chilly
