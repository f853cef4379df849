/* SPDX-License-Identifier: MIT */
/* Small random packings, and naive answers to what fits into passes. */
#ifndef TESTS_PLAN_RANDOM_SETS_H
#define TESTS_PLAN_RANDOM_SETS_H

#include <stddef.h>

#include "../vcore/random.h"
#include "plan/packing.h"

enum { SETS_MOST = 10 };

/* @sets: up to SETS_MOST words. At most 10 events, each set of 1 to @capacity of them. */
static inline struct pms_packing random_packing(uint64_t *state, uint64_t *sets)
{
	struct pms_packing packing = { .n_sets = 1 + random_below(state, SETS_MOST),
				       .n_events = 3 + random_below(state, 8),
				       .words = 1,
				       .capacity = 1 + random_below(state, 5),
				       .sets = sets };
	for (size_t i = 0; i < packing.n_sets; i++) {
		size_t size = 1 + random_below(state, packing.capacity < 3 ? packing.capacity : 3);
		for (sets[i] = 0; (size_t)__builtin_popcountll(sets[i]) < size;)
			sets[i] |= (uint64_t)1 << random_below(state, packing.n_events);
	}
	return packing;
}

static inline int is_pass(const struct pms_packing *packing, unsigned chosen)
{
	uint64_t events = 0;
	for (size_t i = 0; i < packing->n_sets; i++)
		if (chosen >> i & 1)
			events |= packing->sets[i];
	return (size_t)__builtin_popcountll(events) <= packing->capacity;
}

/* The fewest passes for every choice of sets, from those for smaller choices. */
static inline size_t naive_fewest(const struct pms_packing *packing)
{
	unsigned char fewest[1 << SETS_MOST], pass[1 << SETS_MOST];
	unsigned all = (1u << packing->n_sets) - 1;
	fewest[0] = 0;
	for (unsigned chosen = 1; chosen <= all; chosen++) {
		pass[chosen] = (unsigned char)is_pass(packing, chosen);
		fewest[chosen] = 255;
		for (unsigned part = chosen; part; part = (part - 1) & chosen)
			if (pass[part] && fewest[chosen & ~part] + 1 < fewest[chosen])
				fewest[chosen] = (unsigned char)(fewest[chosen & ~part] + 1);
	}
	return fewest[all];
}

/* Whether each set is within a pass, and no pass is too large. */
static inline int serves(const struct pms_packing *packing, const uint64_t *passes, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if ((size_t)__builtin_popcountll(passes[k]) > packing->capacity)
			return 0;
	for (size_t i = 0; i < packing->n_sets; i++) {
		size_t k = 0;
		while (k < n && packing->sets[i] & ~passes[k])
			k++;
		if (k == n)
			return 0;
	}
	return 1;
}

#endif
