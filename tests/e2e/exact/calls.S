/* SPDX-License-Identifier: MIT */
/* calls: only branches that cannot be mispredicted. The target of b and bl is in the instruction,
 * the return stack knows where ret goes, and a conditional branch that no predictor has met is not
 * followed, which is right: it runs once and is not taken. So what is executed speculatively is
 * what retires.
 * Each of 500 blocks: bl, the function's add and ret, cbnz and b.ne not taken, b over a brk.
 * Expect: INST_RETIRED 3004  1 + 500 x 6 + 3
 * Expect: INST_SPEC 3004
 * Expect: BR_RETIRED 2500  500 x (bl, ret, cbnz, b.ne, b)
 * Expect: BR_MIS_PRED 0
 * Expect: BR_MIS_PRED_RETIRED 0
 * Expect: BR_PRED 2500
 * Expect: BR_IMMED_SPEC 2000  500 x (bl, cbnz, b.ne, b)
 * Expect: BR_INDIRECT_SPEC 500  ret
 * Expect: BR_RETURN_SPEC 500
 * Expect: PC_WRITE_SPEC 1500  500 x (bl, ret, b): those taken
 * Expect: DP_SPEC 503  the first cmp, 500 x add, 2 to exit */
#include "begin.inc"
	cmp	x10, x10
	.rept	500
	bl	function
	cbnz	x10, fail
	b.ne	fail
	b	1f
	brk	#0
1:
	.endr
	exit
function:
	add	x1, x1, #1
	ret
fail:
	brk	#0
