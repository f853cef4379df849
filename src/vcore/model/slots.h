/* SPDX-License-Identifier: MIT */
/* vcore/model/slots.h - identical resources that are held for a while: miss registers, table
 * walkers. A caller asks when one is free, then takes it for a span of cycles. Requests come in
 * program order, not in time order. A resource is held only from its request's cycle on, so a
 * waiting request delays no other.
 *
 * A request early in time takes a resource that is free then, even if requests handled before
 * it hold all of them later. Those are not delayed again, so in these cycles more are held than
 * exist. */
#ifndef PMS_VCORE_MODEL_SLOTS_H
#define PMS_VCORE_MODEL_SLOTS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	PMS_SLOTS_MAX = 256,
	PMS_SLOTS_KEPT = 512, /* takings remembered */
	PMS_SLOTS_ROOM = 2 * PMS_SLOTS_KEPT
};

/* The number held in a cycle is the number taken up to it minus the number freed; which is which
 * does not matter. Both are kept sorted separately, and mostly new cycles are the latest. Of
 * each, the last PMS_SLOTS_KEPT before `end` count. They move through the array, and back to its
 * front when it is full. */
struct pms_slots {
	uint32_t count;
	uint32_t end;
	uint64_t full_from, full_to; /* a run of cycles in which all are known to be held */
	uint64_t from[PMS_SLOTS_ROOM], until[PMS_SLOTS_ROOM];
};

/** Make @count resources, 1..PMS_SLOTS_MAX, all free from cycle 0 on. */
static inline void pms_slots_init(struct pms_slots *s, unsigned count)
{
	assert(count && count <= PMS_SLOTS_MAX);
	*s = (struct pms_slots){ .count = count, .end = PMS_SLOTS_KEPT };
}

/** The general case of pms_slots_free_at. */
uint64_t pms_slots_wait(struct pms_slots *s, uint64_t now);

/** Returns the first cycle from @now on in which one resource is free. */
static inline uint64_t pms_slots_free_at(struct pms_slots *s, uint64_t now)
{
	/* Fewer than all are freed after now. */
	if (s->until[s->end - s->count] <= now)
		return now;
	return pms_slots_wait(s, now);
}

/** Returns whether all are held at @now. */
static inline bool pms_slots_full(struct pms_slots *s, uint64_t now)
{
	return (now >= s->full_from && now < s->full_to) || pms_slots_free_at(s, now) > now;
}

/* The general case of pms_slots_sort. */
void pms_slots_insert(uint64_t cycles[PMS_SLOTS_ROOM], uint32_t end, uint64_t cycle);

/* Insert a cycle in order before @end. */
static inline void pms_slots_sort(uint64_t cycles[PMS_SLOTS_ROOM], uint32_t end, uint64_t cycle)
{
	if (cycles[end - 1] <= cycle)
		cycles[end] = cycle;
	else
		pms_slots_insert(cycles, end, cycle);
}

/* Move the kept cycles to the front, to make room. */
void pms_slots_rewind(struct pms_slots *s);

/** Hold a resource from cycle @from, in which one must be free, until before cycle @until. */
static inline void pms_slots_occupy(struct pms_slots *s, uint64_t from, uint64_t until)
{
	assert(from <= until && pms_slots_free_at(s, from) == from);
	pms_slots_sort(s->from, s->end, from);
	pms_slots_sort(s->until, s->end, until);
	if (++s->end == PMS_SLOTS_ROOM)
		pms_slots_rewind(s);
}

#endif
