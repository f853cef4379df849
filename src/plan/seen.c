/* SPDX-License-Identifier: MIT */
#include "plan/seen.h"

#include <stdlib.h>

#include "plan/bits.h"

enum { MOST = 1 << 18 }; /* rows */

/* Returns a row: the passes plus 1, or 0 when the row is free; then the set. */
static uint64_t *row_at(const struct pms_seen *seen, size_t i)
{
	return seen->rows + i * (seen->words + 1);
}

static uint64_t hash(const uint64_t *set, size_t words)
{
	uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
	for (size_t w = 0; w < words; w++) {
		h = (h ^ set[w]) * UINT64_C(0xbf58476d1ce4e5b9);
		h ^= h >> 29;
	}
	return h;
}

/* Find the row of @set, or the free row where it belongs. There is always a free row. */
static uint64_t *find(const struct pms_seen *seen, const uint64_t *set)
{
	size_t mask = seen->capacity - 1, i = (size_t)hash(set, seen->words) & mask;
	for (;; i = (i + 1) & mask) {
		uint64_t *row = row_at(seen, i);
		if (!row[0] || (pms_bits_within(row + 1, set, seen->words) &&
				pms_bits_within(set, row + 1, seen->words)))
			return row;
	}
}

int pms_seen_has(const struct pms_seen *seen, const uint64_t *set, size_t passes)
{
	return seen->capacity && find(seen, set)[0] > passes;
}

static int grow(struct pms_seen *seen)
{
	struct pms_seen old = *seen;
	seen->capacity = old.capacity ? 2 * old.capacity : 256;
	seen->rows = calloc(seen->capacity * (seen->words + 1), sizeof(*seen->rows));
	if (!seen->rows) {
		*seen = old;
		return -1;
	}
	for (size_t i = 0; i < old.capacity; i++)
		if (row_at(&old, i)[0])
			pms_bits_copy(find(seen, row_at(&old, i) + 1), row_at(&old, i),
				      seen->words + 1);
	free(old.rows);
	return 0;
}

void pms_seen_add(struct pms_seen *seen, const uint64_t *set, size_t passes)
{
	if (2 * seen->n >= seen->capacity && (seen->capacity >= MOST || grow(seen)))
		return;
	uint64_t *row = find(seen, set);
	seen->n += !row[0];
	if (row[0] < passes + 1)
		row[0] = passes + 1;
	pms_bits_copy(row + 1, set, seen->words);
}

void pms_seen_release(struct pms_seen *seen)
{
	free(seen->rows);
}
