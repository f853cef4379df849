/* SPDX-License-Identifier: MIT */
#include "spe/places.h"

#include <stdlib.h>

#include "base/array.h"

/* Addresses of programs that are mapped at other places each time they run take a slot each: when
 * there are too many, they are looked up again whenever they come. */
enum { MOST_ADDRESSES = 4 * PMS_PLACES_MOST };

int pms_places_init(struct pms_places *places, const struct pms_place_finder *finder)
{
	*places = (struct pms_places){ .finder = *finder };
	if (!pms_table_init(&places->by_address, 1 << 10) &&
	    !pms_table_init(&places->by_place, 1 << 10))
		return 0;
	pms_places_release(places);
	return -PMS_ENOMEM;
}

void pms_places_release(struct pms_places *places)
{
	pms_table_release(&places->by_address);
	pms_table_release(&places->by_place);
	free(places->places);
	*places = (struct pms_places){ 0 };
}

static uint32_t add_place(struct pms_places *places, struct pms_key key,
			  const struct pms_place *place)
{
	struct pms_place *all = pms_array_room(places->places, places->count, sizeof(*all));
	if (all)
		places->places = all;
	if (!all || pms_table_add(&places->by_place, key, (uint32_t)places->count)) {
		places->failed = 1;
		return PMS_TABLE_NONE;
	}
	all[places->count] = *place;
	return (uint32_t)places->count++;
}

uint32_t pms_places_look_up(struct pms_places *places, struct pms_key address)
{
	struct pms_place place;
	int known = places->finder.find(places->finder.context, (uint32_t)address.high, address.low,
					&place);
	struct pms_key key = { known ? place.index : UINT32_MAX,
			       known ? place.offset : place.address };
	uint32_t number = pms_table_find(&places->by_place, key);
	if (number == PMS_TABLE_NONE && places->count < PMS_PLACES_MOST)
		number = add_place(places, key, &place);
	if (number != PMS_TABLE_NONE && places->by_address.count < MOST_ADDRESSES &&
	    pms_table_add(&places->by_address, address, number))
		places->failed = 1;
	return number;
}
