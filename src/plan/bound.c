/* SPDX-License-Identifier: MIT */
#include "plan/bound.h"

#include <stdlib.h>

#include "pmuscope/error.h"
#include "plan/bits.h"
#include "plan/sizes.h"

enum {
	MOST_PAIRS = 1000000, /* pairs of a set and an event, more would take too long */
	SIZES_EFFORT = 20000
};

static size_t ceil_divide(size_t a, size_t b)
{
	return (a + b - 1) / b;
}

/* Count the passes that an event needs: a pass with it has room for capacity - 1 of the events that
 * go with it. */
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

/* Count all events, each once. */
static size_t count_events(const struct pms_packing *packing, uint64_t *all)
{
	for (size_t i = 0; i < packing->n_sets; i++)
		pms_bits_add(all, pms_packing_set(packing, i), packing->words);
	return pms_bits_count(all, packing->words);
}

/* Add to @piece the events of all sets that are connected to it. */
static void grow_piece(const struct pms_packing *packing, uint64_t *piece)
{
	size_t words = packing->words, before;
	do {
		before = pms_bits_count(piece, words);
		for (size_t i = 0; i < packing->n_sets; i++)
			if (pms_bits_meet(pms_packing_set(packing, i), piece, words))
				pms_bits_add(piece, pms_packing_set(packing, i), words);
	} while (pms_bits_count(piece, words) > before);
}

/* Count the counters that a connected piece takes up over all passes, at least. Split over k
 * passes, its parts are connected by shared events, at least k - 1 times. Each part has at most as
 * many events as there are counters. The piece has more events than a pass. */
static size_t count_piece(const struct pms_packing *packing, const uint64_t *piece,
			  uint64_t *scratch)
{
	size_t words = packing->words, by_copies = 0, n = pms_bits_count(piece, words);
	for (size_t e = pms_bits_next(piece, words, 0); e != PMS_BITS_END;
	     e = pms_bits_next(piece, words, e + 1))
		by_copies += copies(packing, e, scratch);
	size_t by_parts = n + ceil_divide(n - 1, packing->capacity - 1) - 1;
	return by_copies > by_parts ? by_copies : by_parts;
}

int pms_pieces_init(struct pms_pieces *pieces, const struct pms_packing *packing)
{
	size_t words = packing->words, n = packing->n_sets;
	*pieces = (struct pms_pieces){ .pieces = calloc(n + 1, sizeof(*pieces->pieces)),
				       .sizes = calloc(n + 1, sizeof(*pieces->sizes)),
				       .memory = calloc((n + 2) * words, sizeof(uint64_t)) };
	if (!pieces->pieces || !pieces->sizes || !pieces->memory)
		return -PMS_ENOMEM;
	uint64_t *done = pieces->memory, *scratch = done + words, *next = scratch + words;
	for (size_t i = 0; i < n; i++) {
		if (pms_bits_meet(pms_packing_set(packing, i), done, words))
			continue;
		pms_bits_copy(next, pms_packing_set(packing, i), words);
		grow_piece(packing, next);
		pms_bits_add(done, next, words);
		size_t size = pms_bits_count(next, words);
		pieces->sizes[pieces->n_sizes++] = size;
		if (size <= packing->capacity) {
			pms_bits_zero(next, words);
			continue;
		}
		pieces->pieces[pieces->n++] =
			(struct pms_piece){ next, count_piece(packing, next, scratch) };
		next += words;
	}
	return 0;
}

void pms_pieces_release(struct pms_pieces *pieces)
{
	free(pieces->pieces);
	free(pieces->sizes);
	free(pieces->memory);
}

/* Count the counters of all pieces; events in no piece count once. */
static size_t count_counters(const struct pms_packing *packing, const struct pms_pieces *pieces,
			     size_t n_events)
{
	size_t counters = n_events;
	for (size_t i = 0; i < pieces->n; i++)
		counters += pieces->pieces[i].needs -
			    pms_bits_count(pieces->pieces[i].events, packing->words);
	return counters;
}

static size_t bound_by_sizes(const struct pms_packing *packing, const struct pms_pieces *pieces,
			     size_t from, struct pms_effort *effort)
{
	struct pms_effort some = { effort->left < SIZES_EFFORT ? effort->left : SIZES_EFFORT };
	uint64_t given = some.left;
	int64_t bound =
		pms_sizes_bound(pieces->sizes, pieces->n_sizes, packing->capacity, from, &some);
	pms_effort_spend(effort, given - some.left);
	return bound < 0 ? from : (size_t)bound;
}

size_t pms_packing_bound(const struct pms_packing *packing, struct pms_effort *effort)
{
	uint64_t *all = calloc(packing->words, sizeof(*all));
	struct pms_pieces pieces = { 0 };
	if (!all)
		return 0;
	size_t counters = count_events(packing, all);
	size_t bound = ceil_divide(counters, packing->capacity);
	free(all);
	if (packing->n_sets <= MOST_PAIRS / (packing->n_events + 1) &&
	    !pms_pieces_init(&pieces, packing)) {
		counters = count_counters(packing, &pieces, counters);
		bound = bound_by_sizes(packing, &pieces, ceil_divide(counters, packing->capacity),
				       effort);
	}
	pms_pieces_release(&pieces);
	return bound;
}
