/* SPDX-License-Identifier: MIT */
#include "spe/places.h"

#include <stdlib.h>
#include <string.h>

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

static int new_by_place(struct pms_places *places, size_t n)
{
	uint32_t *by_place = reallocarray(NULL, n, sizeof(*by_place));
	if (!by_place)
		return -PMS_ENOMEM;
	memset(by_place, 0xff, n * sizeof(*by_place)); /* PMS_TABLE_NONE */
	free(places->by_place);
	places->by_place = by_place;
	places->n_by_place = n;
	return 0;
}

int pms_places_init(struct pms_places *places, const struct pms_place_finder *finder)
{
	*places = (struct pms_places){ .finder = *finder, .hash = pms_hash_draw() };
	if (!new_slots(places, 1 << 12) && !new_by_place(places, 1 << 10))
		return 0;
	pms_places_release(places);
	return -PMS_ENOMEM;
}

void pms_places_release(struct pms_places *places)
{
	free(places->by_place);
	free(places->slots);
	free(places->places);
	*places = (struct pms_places){ 0 };
}

/* There is room: a quarter of the slots at least are free. */
static void put(struct pms_places *places, const struct pms_place_slot *slot)
{
	size_t at = pms_places_hash(places, slot->space, slot->address) & places->mask;
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
	if (places->used > places->mask / 4 * 3 && grow(places)) {
		places->failed = 1;
		return;
	}
	put(places, slot);
	places->used++;
}

static struct pms_key key_of(const struct pms_place *place)
{
	return (struct pms_key){ place->index, place->object ? place->offset : place->address };
}

/* The slot of @place, or the free one where it belongs. */
static uint32_t *place_slot(const struct pms_places *places, const struct pms_place *place)
{
	struct pms_key key = key_of(place);
	size_t mask = places->n_by_place - 1, at = pms_key_hash(&places->hash, key) & mask;
	for (;; at = (at + 1) & mask) {
		uint32_t number = places->by_place[at];
		if (number == PMS_TABLE_NONE)
			return &places->by_place[at];
		struct pms_key other = key_of(&places->places[number]);
		if (other.low == key.low && other.high == key.high)
			return &places->by_place[at];
	}
}

static int grow_by_place(struct pms_places *places)
{
	if (new_by_place(places, 2 * places->n_by_place))
		return -PMS_ENOMEM;
	for (size_t i = 0; i < places->count; i++)
		*place_slot(places, &places->places[i]) = (uint32_t)i;
	return 0;
}

static uint32_t add_place(struct pms_places *places, const struct pms_place *place)
{
	struct pms_place *all = pms_array_room(places->places, places->count, sizeof(*all));
	if (all)
		places->places = all;
	if (!all || (2 * places->count >= places->n_by_place && grow_by_place(places))) {
		places->failed = 1;
		return PMS_TABLE_NONE;
	}
	*place_slot(places, place) = (uint32_t)places->count;
	all[places->count] = *place;
	return (uint32_t)places->count++;
}

uint32_t pms_places_look_up(struct pms_places *places, uint32_t space, uint64_t address)
{
	struct pms_place place;
	places->finder.find(places->finder.context, space, address, &place);
	uint32_t number = *place_slot(places, &place);
	if (number == PMS_TABLE_NONE && places->count < PMS_MOST_SPE_PLACES &&
	    (!places->room || pms_room_take(places->room, PMS_SPE_PLACE_BYTES)))
		number = add_place(places, &place);
	if (number != PMS_TABLE_NONE)
		remember(places, &(struct pms_place_slot){ address, space, number });
	return number;
}
