/* SPDX-License-Identifier: MIT */
/* mispredict: sums those of many random bytes that are odd, with a branch for each.
 * Limited by: branch mispredictions
 * No predictor can guess whether the next byte is odd, so half of these branches go wrong. By the
 * time a byte has come from the cache and its branch is found to be wrong, the core has renamed
 * many operations behind it. They are thrown away: slots lost to bad speculation. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 16384 };

/* Fresh bytes for each pass: a predictor could learn a sequence that comes back. */
static uint64_t fill(uint64_t *words, uint64_t x)
{
	for (int i = 0; i < BYTES / 8; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		words[i] = x;
	}
	return x;
}

/* The empty asm statement keeps the compiler from replacing the branch by a conditional select. */
static uint64_t sum_odd(const uint8_t *bytes)
{
	uint64_t sum = 0;

#pragma GCC unroll 8
	for (int i = 0; i < BYTES; i++) {
		if (bytes[i] & 1) {
			sum += bytes[i];
			__asm__ volatile("" : "+r"(sum));
		}
	}
	return sum;
}

int main(int argc, char **argv)
{
	static uint64_t words[BYTES / 8];
	uint64_t passes = argc > 1 ? strtoull(argv[1], NULL, 10) : 250;
	uint64_t state = 0x9e3779b97f4a7c15;
	uint64_t sum = 0;

	for (uint64_t pass = 0; pass < passes; pass++) {
		state = fill(words, state);
		sum += sum_odd((const uint8_t *)words);
	}
	printf("mispredict: %llu of %llu passes\n", (unsigned long long)sum,
	       (unsigned long long)passes);
	return 0;
}
