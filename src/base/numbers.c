/* SPDX-License-Identifier: MIT */
#include "base/numbers.h"

#include <stdlib.h>

#include "pmuscope/error.h"

static size_t slot_of(const struct pms_numbers *n, uint64_t key)
{
	size_t at = (size_t)pms_hash_number(&n->key, key) & (n->n_slots - 1);
	while (n->slots[at].row && n->slots[at].key != key)
		at = (at + 1) & (n->n_slots - 1);
	return at;
}

uint32_t pms_numbers_get(const struct pms_numbers *n, uint64_t key)
{
	return n->n_slots ? n->slots[slot_of(n, key)].row - 1 : PMS_NO_ROW;
}

static int numbers_grow(struct pms_numbers *n)
{
	struct pms_numbers bigger = { .n_slots = n->n_slots ? 2 * n->n_slots : 64,
				      .count = n->count,
				      .key = n->n_slots ? n->key : pms_hash_draw() };
	bigger.slots = calloc(bigger.n_slots, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < n->n_slots; i++)
		if (n->slots[i].row)
			bigger.slots[slot_of(&bigger, n->slots[i].key)] = n->slots[i];
	free(n->slots);
	*n = bigger;
	return 0;
}

int pms_numbers_set(struct pms_numbers *n, uint64_t key, uint32_t row)
{
	if (2 * n->count >= n->n_slots && numbers_grow(n))
		return -PMS_ENOMEM;
	size_t at = slot_of(n, key);
	n->count += !n->slots[at].row;
	n->slots[at] = (struct pms_number){ key, row + 1 };
	return 0;
}

void pms_numbers_release(struct pms_numbers *n)
{
	free(n->slots);
	*n = (struct pms_numbers){ 0 };
}
