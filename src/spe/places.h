/* SPDX-License-Identifier: MIT */
/* spe/places.h - the places of addresses, each looked up once and numbered.
 * Flow: samples -> [places] -> aggregate. */
#ifndef PMS_SPE_PLACES_H
#define PMS_SPE_PLACES_H

#include "pmuscope/spe_samples.h"
#include "spe/table.h"

enum { PMS_PLACES_MOST = 1 << 20 };

/** What finds places: that of a file's samples, or a test's. */
struct pms_place_finder {
	/** As pms_spe_samples_place. */
	int (*find)(void *context, uint32_t space, uint64_t address, struct pms_place *place);
	void *context;
};

struct pms_places {
	struct pms_place_finder finder;
	struct pms_table by_address; /* space and address to number */
	struct pms_table by_place;   /* object and offset to number */
	struct pms_place *places;
	size_t count;
	int failed; /* 1: out of memory */
};

int pms_places_init(struct pms_places *places, const struct pms_place_finder *finder);
void pms_places_release(struct pms_places *places);

/** The slow way of the next. */
uint32_t pms_places_look_up(struct pms_places *places, struct pms_key address);

/**
 * The number of the place of an address: the same for the same offset of the same object, wherever
 * a process has mapped it.
 * @address: canonical
 * Returns PMS_TABLE_NONE when there are too many, or when out of memory.
 */
static inline uint32_t pms_places_number(struct pms_places *places, uint32_t space,
					 uint64_t address)
{
	struct pms_key key = { space, address };
	uint32_t number = pms_table_find(&places->by_address, key);
	return __builtin_expect(number == PMS_TABLE_NONE, 0) ? pms_places_look_up(places, key)
							     : number;
}

#endif
