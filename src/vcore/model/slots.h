/* SPDX-License-Identifier: MIT */
/* vcore/model/slots.h - a number of identical resources, each held for a while: miss registers,
 * table walkers. A caller asks from when on one is free, and says from when until when it holds it.
 * Requests come in program order, which is not that of time: one is held only from the cycle in
 * which its request is made, so that what waits for another holds up nothing that does not.
 *
 * Who comes first in time takes what is free then, even where those whose requests were met before
 * hold all of them later on: they are not put off once more, and for these cycles more are held
 * than there are. */
#ifndef PMS_VCORE_MODEL_SLOTS_H
#define PMS_VCORE_MODEL_SLOTS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	PMS_SLOTS_MAX = 256,
	PMS_SLOTS_KEPT = 512, /* takings that are remembered */
	PMS_SLOTS_ROOM = 2 * PMS_SLOTS_KEPT
};

/* How many are held in a cycle is how many were taken up to it less how many were given back: which
 * was which does not matter. So both are kept sorted, each for itself; mostly what comes later is
 * later, and goes to the end. Of each the last PMS_SLOTS_KEPT before `end` count: they wander
 * through the room that there is, and are then put to its front. */
struct pms_slots {
	uint32_t count;
	uint32_t end;
	uint64_t full_from, full_to; /* cycles in a row in which all are known to be held */
	uint64_t from[PMS_SLOTS_ROOM], until[PMS_SLOTS_ROOM];
};

/** @count resources, 1..PMS_SLOTS_MAX, all free from cycle 0 on. */
static inline void pms_slots_init(struct pms_slots *s, unsigned count)
{
	assert(count && count <= PMS_SLOTS_MAX);
	*s = (struct pms_slots){ .count = count, .end = PMS_SLOTS_KEPT };
}

/** The general case of pms_slots_free_at. */
uint64_t pms_slots_wait(struct pms_slots *s, uint64_t now);

/** Returns the first cycle from @now on in which one of them is free. */
static inline uint64_t pms_slots_free_at(struct pms_slots *s, uint64_t now)
{
	/* Fewer than all are given back after now. */
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

/* Put a cycle in its place among those before @end. */
static inline void pms_slots_sort(uint64_t cycles[PMS_SLOTS_ROOM], uint32_t end, uint64_t cycle)
{
	if (cycles[end - 1] <= cycle)
		cycles[end] = cycle;
	else
		pms_slots_insert(cycles, end, cycle);
}

/* Make room for more. */
void pms_slots_rewind(struct pms_slots *s);

/** Hold one from cycle @from on, in which one must be free, up to but not including cycle @until.
 */
static inline void pms_slots_occupy(struct pms_slots *s, uint64_t from, uint64_t until)
{
	assert(from <= until && pms_slots_free_at(s, from) == from);
	pms_slots_sort(s->from, s->end, from);
	pms_slots_sort(s->until, s->end, until);
	if (++s->end == PMS_SLOTS_ROOM)
		pms_slots_rewind(s);
}

#endif
