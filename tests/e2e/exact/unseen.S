/* SPDX-License-Identifier: MIT */
/* unseen: instructions whose addresses QEMU does not tell. exact.bats looks for the warnings.
 * Expect: INST_RETIRED 6006  3 + 1000 x (4 + 2) + 3
 * Expect: LD_SPEC 0
 * Expect: L1D_CACHE 0
 * Expect: EXC_SVC 1 */
#include "begin.inc"
	adrp	x1, data
	add	x1, x1, :lo12:data
	mov	x2, #1000
1:	prfm	pldl1keep, [x1]
	prfm	pldl1keep, [x1, #64]
	prfm	pstl1keep, [x1, #128]
	dc	zva, x1
	subs	x2, x2, #1
	b.ne	1b
	exit
	.bss
	.balign	64
data:
	.space	256
