/* SPDX-License-Identifier: MIT */
/* The same numbers in every run: splitmix64, for tests that compare with a naive reference. */
#ifndef TESTS_VCORE_RANDOM_H
#define TESTS_VCORE_RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Returns a number below @n. */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
	return random_next(state) % n;
}

#endif
