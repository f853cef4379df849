/* SPDX-License-Identifier: MIT */
/* spe/table.h - keys of 128 bits to numbers: a hash table with open addressing. Where a key lies
 * depends on numbers drawn for each table, so that no file can have keys that all lie at one place.
 */
#ifndef PMS_SPE_TABLE_H
#define PMS_SPE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

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
	struct pms_hash_key hash;
};

/** Take @bytes of those that are left in @room. Returns 0 where there are less: then none are left,
 * so that nothing gets in later than what was turned away. */
static inline int pms_room_take(size_t *room, size_t bytes)
{
	int fits = *room >= bytes;
	*room = fits ? *room - bytes : 0;
	return fits;
}

/** Begin with room for @expected keys or so. Returns 0 or -PMS_ENOMEM. */
int pms_table_init(struct pms_table *table, size_t expected);
void pms_table_release(struct pms_table *table);

/** One multiplication, of the key's halves with the drawn ones: asked for each record. */
static inline uint64_t pms_key_hash(const struct pms_hash_key *hash, struct pms_key key)
{
	__extension__ typedef unsigned __int128 wide;
	wide product = (wide)(key.low ^ hash->words[0]) * (key.high ^ hash->words[1]);
	return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/** The slot of @key, or the free one where it belongs: to be looked at, or filled by
 * pms_table_add. */
static inline struct pms_table_slot *pms_table_slot(const struct pms_table *table,
						    struct pms_key key)
{
	size_t at = pms_key_hash(&table->hash, key) & table->mask;
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
