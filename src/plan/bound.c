/* SPDX-License-Identifier: MIT */
#include "plan/bound.h"

#include <stdlib.h>

#include "plan/bits.h"

enum { MOST_PAIRS = 1000000 }; /* of a set and an event, before it takes too long to look at each */

static size_t ceil_divide(size_t a, size_t b)
{
	return (a + b - 1) / b;
}

/* A pass with the event has room for capacity - 1 of those that go with it. */
static size_t copies(const struct pms_packing *packing, size_t event, uint64_t *others)
{
	size_t words = packing->words;
	pms_bits_zero(others, words);
	for (size_t i = 0; i < packing->n_sets; i++)
		if (pms_bits_has(pms_packing_set(packing, i), event))
			pms_bits_add(others, pms_packing_set(packing, i), words);
	size_t n = pms_bits_count(others, words);
	if (n <= packing->capacity)
		return n > 0;
	return ceil_divide(n - 1, packing->capacity - 1);
}

/* As many events as there are, each once. */
static size_t count_events(const struct pms_packing *packing, uint64_t *all)
{
	for (size_t i = 0; i < packing->n_sets; i++)
		pms_bits_add(all, pms_packing_set(packing, i), packing->words);
	return pms_bits_count(all, packing->words);
}

size_t pms_packing_bound(const struct pms_packing *packing)
{
	uint64_t *events = calloc(packing->words, sizeof(*events));
	size_t counters = 0;
	if (events && packing->n_sets > MOST_PAIRS / (packing->n_events + 1))
		counters = count_events(packing, events);
	else
		for (size_t e = 0; events && e < packing->n_events; e++)
			counters += copies(packing, e, events);
	free(events);
	return ceil_divide(counters, packing->capacity);
}
