/* SPDX-License-Identifier: MIT */
#include "spe/places.h"

#include <stdlib.h>

#include "base/array.h"

/* Addresses of programs that are mapped at other places each time they run take a slot each: when
 * there are too many, they are looked up again whenever they come. */
enum { MOST_ADDRESSES = 4 * PMS_MOST_SPE_PLACES };

static int new_slots(struct pms_places *places, size_t n)
{
	places->slots = reallocarray(NULL, n, sizeof(*places->slots));
	places->mask = n - 1;
	for (size_t i = 0; places->slots && i < n; i++)
		places->slots[i] = (struct pms_place_slot){ .number = PMS_TABLE_NONE };
	return places->slots ? 0 : -PMS_ENOMEM;
}

int pms_places_init(struct pms_places *places, const struct pms_place_finder *finder)
{
	*places = (struct pms_places){ .finder = *finder };
	if (!new_slots(places, 1 << 12) && !pms_table_init(&places->by_place, 1 << 10))
		return 0;
	pms_places_release(places);
	return -PMS_ENOMEM;
}

void pms_places_release(struct pms_places *places)
{
	pms_table_release(&places->by_place);
	free(places->slots);
	free(places->places);
	*places = (struct pms_places){ 0 };
}

/* There is room: half of the slots at least are free. */
static void put(struct pms_places *places, const struct pms_place_slot *slot)
{
	size_t at = pms_places_hash(places, slot->space, slot->address);
	while (places->slots[at].number != PMS_TABLE_NONE)
		at = (at + 1) & places->mask;
	places->slots[at] = *slot;
}

static int grow(struct pms_places *places)
{
	struct pms_place_slot *old = places->slots;
	size_t n = places->mask + 1;
	if (new_slots(places, 2 * n)) {
		places->slots = old;
		places->mask = n - 1;
		return -PMS_ENOMEM;
	}
	for (size_t i = 0; i < n; i++)
		if (old[i].number != PMS_TABLE_NONE)
			put(places, &old[i]);
	free(old);
	return 0;
}

static void remember(struct pms_places *places, const struct pms_place_slot *slot)
{
	if (places->used == MOST_ADDRESSES)
		return;
	if (places->used > places->mask / 2 && grow(places)) {
		places->failed = 1;
		return;
	}
	put(places, slot);
	places->used++;
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

uint32_t pms_places_look_up(struct pms_places *places, uint32_t space, uint64_t address)
{
	struct pms_place place;
	int known = places->finder.find(places->finder.context, space, address, &place);
	struct pms_key key = { known ? place.index : UINT32_MAX,
			       known ? place.offset : place.address };
	uint32_t number = pms_table_find(&places->by_place, key);
	if (number == PMS_TABLE_NONE && places->count < PMS_MOST_SPE_PLACES)
		number = add_place(places, key, &place);
	if (number != PMS_TABLE_NONE)
		remember(places, &(struct pms_place_slot){ address, space, number });
	return number;
}
