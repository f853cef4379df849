/* SPDX-License-Identifier: MIT */
/* mispredict: one branch in each turn of the loop depends on a fresh random bit.
 * Limited by: branch mispredictions
 * No predictor can guess the bit, so half of these branches are mispredicted, once in about eleven
 * instructions. What the core renamed behind each is thrown away: slots lost to bad speculation. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t random_next(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return *state = x;
}

/* The empty asm statements keep the compiler from replacing the branch by a conditional select. */
static uint64_t toss(uint64_t turns, uint64_t state)
{
	uint64_t heads = 0;
	uint64_t tails = 0;

	for (uint64_t i = 0; i < turns; i += 64) {
		uint64_t bits = random_next(&state);

		for (int bit = 0; bit < 64; bit++, bits >>= 1) {
			if (bits & 1) {
				heads += bits;
				__asm__ volatile("" : "+r"(heads));
			} else {
				tails ^= bits;
				__asm__ volatile("" : "+r"(tails));
			}
		}
	}
	return heads ^ tails;
}

int main(int argc, char **argv)
{
	uint64_t turns = argc > 1 ? strtoull(argv[1], NULL, 10) : 3000000;

	printf("mispredict: %016llx after %llu tosses\n",
	       (unsigned long long)toss(turns, 0x9e3779b97f4a7c15), (unsigned long long)turns);
	return 0;
}
