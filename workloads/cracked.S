/* SPDX-License-Identifier: MIT */
/* cracked: stores of structures, which take several slots: st3 and st4 of 16-byte registers. */
#include "kernel.inc"

	workload 100000, 4 * LINE_BYTES
1:
	st4	{v0.4s-v3.4s}, [x1]
	st3	{v4.4s-v6.4s}, [x1]
	again	1b
	ret
