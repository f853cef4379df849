/* SPDX-License-Identifier: MIT */
#include "spe/table.h"

#include <stdlib.h>

#include "pmuscope/error.h"

static struct pms_table_slot *new_slots(size_t n)
{
	struct pms_table_slot *slots = reallocarray(NULL, n, sizeof(*slots));
	for (size_t i = 0; slots && i < n; i++)
		slots[i].value = PMS_TABLE_NONE;
	return slots;
}

int pms_table_init(struct pms_table *table, size_t expected)
{
	size_t n = 16;
	while (n / 2 < expected)
		n *= 2;
	*table =
		(struct pms_table){ .slots = new_slots(n), .mask = n - 1, .hash = pms_hash_draw() };
	return table->slots ? 0 : -PMS_ENOMEM;
}

void pms_table_release(struct pms_table *table)
{
	free(table->slots);
	*table = (struct pms_table){ 0 };
}

static int grow(struct pms_table *table)
{
	size_t n = table->mask + 1;
	struct pms_table bigger = { .slots = new_slots(2 * n),
				    .mask = 2 * n - 1,
				    .count = table->count,
				    .hash = table->hash };
	if (!bigger.slots)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (table->slots[i].value != PMS_TABLE_NONE)
			*pms_table_slot(&bigger, table->slots[i].key) = table->slots[i];
	free(table->slots);
	*table = bigger;
	return 0;
}

int pms_table_add(struct pms_table *table, struct pms_key key, uint32_t value)
{
	if (table->count >= (table->mask + 1) / 2 && grow(table))
		return -PMS_ENOMEM;
	*pms_table_slot(table, key) = (struct pms_table_slot){ key, value };
	table->count++;
	return 0;
}
