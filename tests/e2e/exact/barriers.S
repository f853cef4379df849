/* SPDX-License-Identifier: MIT */
/* barriers, of every kind and some of their options.
 * Expect: INST_RETIRED 703  100 x 7 + 3
 * Expect: INST_SPEC 703
 * Expect: DMB_SPEC 300  100 x (ish, ishld, sy)
 * Expect: DSB_SPEC 200  100 x (ish, sy)
 * Expect: ISB_SPEC 100
 * Expect: LD_SPEC 0
 * Expect: ST_SPEC 0 */
#include "begin.inc"
	.rept	100
	dmb	ish
	dmb	ishld
	dmb	sy
	dsb	ish
	dsb	sy
	isb
	nop
	.endr
	exit
