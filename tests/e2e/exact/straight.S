/* SPDX-License-Identifier: MIT */
/* straight: no branch, no memory access.
 * Expect: INST_RETIRED 10003  10000 additions and 3 to exit
 * Expect: INST_SPEC 10003  nothing is ever mispredicted, so nothing else is executed
 * Expect: DP_SPEC 10002  all but the svc
 * Expect: BR_RETIRED 0
 * Expect: BR_IMMED_SPEC 0
 * Expect: BR_INDIRECT_SPEC 0
 * Expect: BR_MIS_PRED 0
 * Expect: LD_SPEC 0
 * Expect: ST_SPEC 0
 * Expect: MEM_ACCESS 0
 * Expect: EXC_SVC 1
 * Expect: EXC_TAKEN 1 */
#include "begin.inc"
	.rept	2500
	add	x1, x2, #1
	add	x3, x1, x2
	add	w4, w4, w3
	add	x5, x5, w4, uxtw #2
	.endr
	exit
