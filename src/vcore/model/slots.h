/* SPDX-License-Identifier: MIT */
/* vcore/model/slots.h - a number of identical resources, each busy until a cycle: miss registers,
 * table walkers. A caller asks when one is free, starts then or later, and says until when it is
 * taken. Kept sorted in a ring: what is taken later is mostly free later, so a new cycle goes to
 * the ring's end after few comparisons. */
#ifndef PMS_VCORE_MODEL_SLOTS_H
#define PMS_VCORE_MODEL_SLOTS_H

#include <assert.h>
#include <stdint.h>

enum { PMS_SLOTS_MAX = 256 };

struct pms_slots {
	uint32_t count;
	uint32_t first;		       /* the one that is free first; the next ones follow */
	uint64_t until[PMS_SLOTS_MAX]; /* a ring of which `count` in a row are used */
};

/** @count resources, 1..PMS_SLOTS_MAX, all free from cycle 0 on. */
static inline void pms_slots_init(struct pms_slots *s, unsigned count)
{
	assert(count && count <= PMS_SLOTS_MAX);
	*s = (struct pms_slots){ .count = count };
}

/** Returns the earliest cycle from which one of them is free. */
static inline uint64_t pms_slots_free_at(const struct pms_slots *s)
{
	return s->until[s->first % PMS_SLOTS_MAX];
}

/** Take the one that is free first, up to but not including cycle @until. */
static inline void pms_slots_occupy(struct pms_slots *s, uint64_t until)
{
	uint64_t place = s->first + s->count; /* one after the last */
	s->first++;
	for (; place > s->first; place--) {
		uint64_t before = s->until[(place - 1) % PMS_SLOTS_MAX];
		if (before <= until)
			break;
		s->until[place % PMS_SLOTS_MAX] = before;
	}
	s->until[place % PMS_SLOTS_MAX] = until;
}

#endif
