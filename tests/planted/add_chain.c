/* SPDX-License-Identifier: MIT */
/* Planted: a sum of floating point numbers, each addition waiting for the one before.
 * Cause: without leave to reorder, compilers add one after the other: 2 cycles each of the model,
 * while two pipelines could add at once.
 * Mended: eight sums, added up at the end. */
#include <stdio.h>

enum { NUMBERS = 4096, TURNS = 60 };

static double numbers[NUMBERS];

__attribute__((noinline)) static double total(const double *from)
{
#ifdef MENDED
	double sums[8] = { 0 };
	for (int i = 0; i < NUMBERS; i += 8)
		for (int j = 0; j < 8; j++)
			sums[j] += from[i + j];
	double sum = 0;
	for (int j = 0; j < 8; j++)
		sum += sums[j];
#else
	double sum = 0;
	for (int i = 0; i < NUMBERS; i++)
		sum += from[i]; /* planted: latency */
#endif
	return sum;
}

int main(void)
{
	double sum = 0;
	numbers[7] = 1;
	for (int turn = 0; turn < TURNS; turn++) {
		__asm__ volatile("" ::: "memory"); /* not once for all turns */
		sum += total(numbers);
	}
	printf("%g\n", sum);
	return 0;
}
