/* SPDX-License-Identifier: MIT */
/* vcore/model/slots.h - a number of identical resources, each busy until a cycle: miss registers,
 * table walkers. A caller asks when one is free, starts then or later, and says until when it is
 * taken. A binary heap with the one that is free first on top. */
#ifndef PMS_VCORE_MODEL_SLOTS_H
#define PMS_VCORE_MODEL_SLOTS_H

#include <assert.h>
#include <stdint.h>

enum { PMS_SLOTS_MAX = 256 };

struct pms_slots {
	uint32_t count;
	uint64_t until[PMS_SLOTS_MAX]; /* each >= its parent's, (i - 1) / 2 */
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
	return s->until[0];
}

/** Take the one that is free first, up to but not including cycle @until. */
static inline void pms_slots_occupy(struct pms_slots *s, uint64_t until)
{
	uint32_t hole = 0;
	for (;;) {
		uint32_t child = 2 * hole + 1;
		if (child >= s->count)
			break;
		child += child + 1 < s->count && s->until[child + 1] < s->until[child];
		if (s->until[child] >= until)
			break;
		s->until[hole] = s->until[child];
		hole = child;
	}
	s->until[hole] = until;
}

#endif
