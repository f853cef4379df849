/* SPDX-License-Identifier: MIT */
/* spe/table.h - keys of 128 bits to numbers: a hash table with open addressing, bounded. */
#ifndef PMS_SPE_TABLE_H
#define PMS_SPE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct pms_key {
	uint64_t high, low;
};

/** The value of no key. */
#define PMS_TABLE_NONE UINT32_MAX

struct pms_table_slot {
	struct pms_key key;
	uint32_t value; /* PMS_TABLE_NONE: the slot is free */
};

struct pms_table {
	struct pms_table_slot *slots;
	size_t mask; /* slots less 1: a power of two less 1 */
	size_t count;
};

/** Begin with room for @expected keys or so. Returns 0 or -PMS_ENOMEM. */
int pms_table_init(struct pms_table *table, size_t expected);
void pms_table_release(struct pms_table *table);

static inline uint64_t pms_key_hash(struct pms_key key)
{
	uint64_t h =
		(key.low ^ key.high * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);
	return h ^ h >> 32;
}

/** The slot of @key, or the free one where it belongs: to be looked at, or filled by
 * pms_table_add. */
static inline struct pms_table_slot *pms_table_slot(const struct pms_table *table,
						    struct pms_key key)
{
	size_t at = pms_key_hash(key) & table->mask;
	for (;; at = (at + 1) & table->mask) {
		struct pms_table_slot *slot = &table->slots[at];
		if (slot->value == PMS_TABLE_NONE ||
		    (slot->key.low == key.low && slot->key.high == key.high))
			return slot;
	}
}

/** The value of @key, PMS_TABLE_NONE where there is none. */
static inline uint32_t pms_table_find(const struct pms_table *table, struct pms_key key)
{
	return pms_table_slot(table, key)->value;
}

/** Fill the free slot of @key. Moves all slots when half of them are full. Returns 0 or
 * -PMS_ENOMEM. */
int pms_table_add(struct pms_table *table, struct pms_key key, uint32_t value);

#endif
