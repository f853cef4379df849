/* SPDX-License-Identifier: MIT */
/* branches: every kind of branch, taken and not taken, in a block that runs 50 times.
 * Instructions on the path of a turn, branches in brackets:
 *   cmp                                      1
 *   b.eq taken, b.ne not taken               2  [2]
 *   cbz taken, cbz not taken                 2  [2]
 *   cbnz taken, cbnz not taken               2  [2]
 *   tbz taken, tbz not taken                 2  [2]
 *   tbnz taken, tbnz not taken               2  [2]
 *   b                                        1  [1]
 *   bl, and the function's nop and ret       3  [2]
 *   adr, blr, and the function's two again   4  [2]
 *   adr, br                                  2  [1]
 *   sub, cbnz                                2  [1]
 * Sum: 23 instructions, 17 branches. The brk instructions are jumped over.
 * Expect: INST_RETIRED 1156  3 + 50 x 23 + 3
 * Expect: BR_RETIRED 850  50 x 17
 * Expect: EXC_SVC 1 */
#include "begin.inc"
	mov	x9, #50
	mov	x10, #0
	mov	x11, #1
turn:
	cmp	x10, #0
	b.eq	1f
	brk	#0
1:	b.ne	fail
	cbz	x10, 2f
	brk	#0
2:	cbz	x11, fail
	cbnz	x11, 3f
	brk	#0
3:	cbnz	x10, fail
	tbz	x10, #63, 4f
	brk	#0
4:	tbz	x11, #0, fail
	tbnz	x11, #0, 5f
	brk	#0
5:	tbnz	x10, #7, fail
	b	6f
	brk	#0
6:	bl	function
	adr	x12, function
	blr	x12
	adr	x12, 7f
	br	x12
	brk	#0
7:	sub	x9, x9, #1
	cbnz	x9, turn
	exit
function:
	nop
	ret
fail:
	brk	#0
