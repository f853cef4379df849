/* SPDX-License-Identifier: MIT */
/* syscalls: asks for the process's number 500 times.
 * Expect: INST_RETIRED 1003  500 x (mov, svc) + 3
 * Expect: EXC_SVC 501  and the one that exits
 * Expect: EXC_TAKEN 501
 * Expect: BR_RETIRED 0 */
#include "begin.inc"
	.rept	500
	mov	x8, #172		// getpid
	svc	#0
	.endr
	exit
