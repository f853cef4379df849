/* SPDX-License-Identifier: MIT */
/* spe/places.h - the places of addresses, each looked up once and numbered.
 * Flow: samples -> [places] -> aggregate. */
#ifndef PMS_SPE_PLACES_H
#define PMS_SPE_PLACES_H

#include "base/limits.h"
#include "pmuscope/spe_samples.h"
#include "spe/table.h"

enum { PMS_PAGE_SHIFT = 12, PMS_PAGE_BYTES = 1 << PMS_PAGE_SHIFT };

/** Finds places: in a file's samples, or in a test. */
struct pms_place_finder {
	/** As pms_spe_samples_place. */
	int (*find)(void *context, uint32_t space, uint64_t address, struct pms_place *place);
	/** Whether all addresses of a page are in the same object, in any one space. NULL: they may
	 * not be. @page: its first address; PMS_PAGE_BYTES long */
	int (*is_alike)(void *context, uint64_t page);
	void *context;
};

/** An address that was looked up. */
struct pms_place_slot {
	uint64_t address;
	uint32_t space;
	uint32_t number; /* PMS_TABLE_NONE: the slot is free */
};

struct pms_places {
	struct pms_place_finder finder;
	/* A hash table with open addressing, three quarters full at most. */
	struct pms_place_slot *slots;
	size_t mask, used; /* slots less 1, a power of two less 1; those taken */
	struct pms_hash_key hash;
	/* Another one, half full: object and offset to number, PMS_TABLE_NONE in a free slot. */
	uint32_t *by_place;
	size_t n_by_place;
	struct pms_place *places;
	size_t count;
	size_t *room; /* bytes that more may take; NULL: no matter how many. Borrowed */
	int failed;   /* 1: out of memory */
};

int pms_places_init(struct pms_places *places, const struct pms_place_finder *finder);
void pms_places_release(struct pms_places *places);

static inline uint64_t pms_places_hash(const struct pms_places *places, uint32_t space,
				       uint64_t address)
{
	return pms_key_hash(&places->hash, (struct pms_key){ space, address });
}

/** Tell the processor that the address is about to be asked for. Returns its hash. */
static inline uint64_t pms_places_prefetch(const struct pms_places *places, uint32_t space,
					   uint64_t address)
{
	uint64_t hash = pms_places_hash(places, space, address);
	__builtin_prefetch(&places->slots[hash & places->mask]);
	return hash;
}

/** The slow way of the next. */
uint32_t pms_places_look_up(struct pms_places *places, uint32_t space, uint64_t address);

/**
 * The number of the place of an address, and the same by its hash: the same for the same offset of
 * the same object, wherever a process has mapped it.
 * @address: canonical
 * Returns PMS_TABLE_NONE when there are too many, or when out of memory.
 */
static inline uint32_t pms_places_number_of(struct pms_places *places, uint64_t hash,
					    uint32_t space, uint64_t address)
{
	size_t at = hash & places->mask;
	for (;; at = (at + 1) & places->mask) {
		const struct pms_place_slot *slot = &places->slots[at];
		if (slot->address == address && slot->space == space &&
		    slot->number != PMS_TABLE_NONE)
			return slot->number;
		if (slot->number == PMS_TABLE_NONE)
			return pms_places_look_up(places, space, address);
	}
}

static inline uint32_t pms_places_number(struct pms_places *places, uint32_t space,
					 uint64_t address)
{
	return pms_places_number_of(places, pms_places_hash(places, space, address), space,
				    address);
}

#endif
