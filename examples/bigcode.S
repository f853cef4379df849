/* SPDX-License-Identifier: MIT */
/* bigcode: a loop whose body is 1 MiB of code without a branch.
 * Limited by: the frontend, which cannot deliver instructions fast enough
 * The body is 16 times the first-level instruction cache and far more than the micro-op cache, so
 * every line comes from level 2 or beyond and goes through the decoders, 5 instructions a cycle.
 * Neighbouring instructions do not depend on each other: the backend could take 8 a cycle. */
	.text
	.globl	_start
_start:
	mov	x28, #96			// turns; 262146 instructions each
loop:
	.rept	32768				// x 8 instructions x 4 bytes = 1 MiB
	add	x0, x0, #1
	add	v0.4s, v0.4s, v16.4s
	add	x1, x1, #1
	add	v1.4s, v1.4s, v16.4s
	add	x2, x2, #1
	add	v2.4s, v2.4s, v16.4s
	add	x3, x3, #1
	add	v3.4s, v3.4s, v16.4s
	.endr
	sub	x28, x28, #1
	cbz	x28, done			// the way back is farther than cbz and b.cond reach,
	b	loop				// but within b's 128 MiB
done:
	mov	x0, #0
	mov	x8, #94				// exit_group
	svc	#0
