/* SPDX-License-Identifier: MIT */
/* kernel.h - how a workload in assembly begins. The driver calls kernel(turns, memory) in each
 * thread; x0 and x1 hold them. Sizes of the core are in sizes.h, from its core.json. */
#include "sizes.h"

	/* turns: of the kernel's loop, when the command line gives none.
	 * bytes: of memory, aligned to a page and of 4 KiB pages; fill: who writes it before.
	 * threads: that run the kernel at once, on the same memory. */
	.macro workload turns, bytes=0, fill=0, threads=1
	.data
	.balign	8
	.globl	workload
workload:
	.quad	\turns, \bytes, \fill, \threads
	.text
	.balign	64
	.globl	kernel
	.type	kernel, %function
kernel:
	.endm

	/* A register takes a constant of 64 bits. */
	.macro set reg, value
	movz	\reg, #:abs_g0_nc:\value
	movk	\reg, #:abs_g1_nc:\value
	movk	\reg, #:abs_g2_nc:\value
	movk	\reg, #:abs_g3:\value
	.endm

	/* The last instructions of a loop over x0, which cores join to one operation. */
	.macro again label
	subs	x0, x0, #1
	b.ne	\label
	.endm

	.section .note.GNU-stack, "", %progbits
	.text
