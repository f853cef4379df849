/* SPDX-License-Identifier: MIT */
/* plan/bits.h - sets of small numbers as arrays of 64-bit words. Every set of a family has the same
 * number of words, which the callers carry. */
#ifndef PMS_PLAN_BITS_H
#define PMS_PLAN_BITS_H

#include <stddef.h>
#include <stdint.h>

#define PMS_BITS_END ((size_t)-1)

static inline size_t pms_bits_words(size_t members)
{
	return members ? (members + 63) / 64 : 1;
}

static inline void pms_bits_set(uint64_t *set, size_t i)
{
	set[i / 64] |= (uint64_t)1 << i % 64;
}

static inline void pms_bits_clear(uint64_t *set, size_t i)
{
	set[i / 64] &= ~((uint64_t)1 << i % 64);
}

static inline int pms_bits_has(const uint64_t *set, size_t i)
{
	return (int)(set[i / 64] >> i % 64 & 1);
}

static inline void pms_bits_zero(uint64_t *set, size_t words)
{
	for (size_t w = 0; w < words; w++)
		set[w] = 0;
}

static inline void pms_bits_copy(uint64_t *set, const uint64_t *from, size_t words)
{
	for (size_t w = 0; w < words; w++)
		set[w] = from[w];
}

static inline void pms_bits_add(uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t w = 0; w < words; w++)
		set[w] |= other[w];
}

static inline int pms_bits_within(const uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t w = 0; w < words; w++)
		if (set[w] & ~other[w])
			return 0;
	return 1;
}

static inline int pms_bits_meet(const uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t w = 0; w < words; w++)
		if (set[w] & other[w])
			return 1;
	return 0;
}

static inline size_t pms_bits_count(const uint64_t *set, size_t words)
{
	size_t n = 0;
	for (size_t w = 0; w < words; w++)
		n += (size_t)__builtin_popcountll(set[w]);
	return n;
}

/** Returns the number of members of the union. */
static inline size_t pms_bits_count_union(const uint64_t *set, const uint64_t *other, size_t words)
{
	size_t n = 0;
	for (size_t w = 0; w < words; w++)
		n += (size_t)__builtin_popcountll(set[w] | other[w]);
	return n;
}

/** Returns the first member that is not below @from, or PMS_BITS_END. */
static inline size_t pms_bits_next(const uint64_t *set, size_t words, size_t from)
{
	for (size_t w = from / 64; w < words; w++) {
		uint64_t rest = w == from / 64 ? set[w] & ~(uint64_t)0 << from % 64 : set[w];
		if (rest)
			return w * 64 + (size_t)__builtin_ctzll(rest);
	}
	return PMS_BITS_END;
}

#endif
