/* SPDX-License-Identifier: MIT */
/* Planted: a digit sum by divisions, each waiting for the one before.
 * Cause: a 64-bit division takes 8 cycles of the model, and the next needs its quotient.
 * Mended: the base is a constant, and compilers multiply instead. */
#include <stdint.h>
#include <stdio.h>

enum { NUMBERS = 8000 };

#ifdef MENDED
#define BASE 10u
#else
static volatile uint64_t chosen = 10;
#define BASE base
#endif

__attribute__((noinline)) static uint64_t digits(uint64_t numbers)
{
#ifndef MENDED
	uint64_t base = chosen;
#endif
	uint64_t sum = 0;
	for (uint64_t i = 0; i < numbers; i++) {
		uint64_t left = i * UINT64_C(0x1234567890123) + (sum & 1);
		for (int digit = 0; digit < 16; digit++) {
			left = left / BASE; /* planted: division */
			sum += left;
		}
	}
	return sum;
}

int main(void)
{
	printf("%llu\n", (unsigned long long)digits(NUMBERS));
	return 0;
}
