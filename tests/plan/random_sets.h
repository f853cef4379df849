/* SPDX-License-Identifier: MIT */
/* Small random packings, and a naive answer to what fits into a pass. */
#ifndef TESTS_PLAN_RANDOM_SETS_H
#define TESTS_PLAN_RANDOM_SETS_H

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

#endif
