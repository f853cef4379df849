/* SPDX-License-Identifier: MIT */
/* Planted: 1,024 pieces of hot code, each behind 120 bytes that are never run, as where error paths
 * are inlined everywhere.
 * Cause: the hot code lies in every second line of 128 KiB: it reaches half of the sets of L1I, and
 * no line is still there when it is run again.
 * Mended: the pieces follow each other: 8 KiB. */
#include <stdint.h>
#include <stdio.h>

enum { TURNS = 400 };

#ifdef MENDED
#define COLD ""
#else
#define COLD ".space 120"
#endif
#define PIECES ".rept 1024\n\tadd %0, %0, 1\n\tb 1f\n\t" COLD "\n1:\n\t.endr"

__attribute__((noinline)) static uint64_t run(unsigned turns)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < turns; i++)
		__asm__ volatile(PIECES : "+r"(sum)); /* planted: frontend */
	return sum;
}

int main(void)
{
	printf("%llu\n", (unsigned long long)run(TURNS));
	return 0;
}
