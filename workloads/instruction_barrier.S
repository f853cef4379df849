/* SPDX-License-Identifier: MIT */
/* instruction_barrier: isb, behind which all is fetched anew. */
#include "kernel.inc"

	workload 200000
1:
	isb
	again	1b
	ret
