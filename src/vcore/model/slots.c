/* SPDX-License-Identifier: MIT */
#include "vcore/model/slots.h"

#include <string.h>

#include "vcore/model/hint.h"

PMS_APART void pms_slots_insert(uint64_t cycles[PMS_SLOTS_ROOM], uint32_t end, uint64_t cycle)
{
	const uint32_t first = end - PMS_SLOTS_KEPT;
	for (; end > first && cycles[end - 1] > cycle; end--)
		cycles[end] = cycles[end - 1];
	cycles[end] = cycle;
}

PMS_APART void pms_slots_rewind(struct pms_slots *s)
{
	memcpy(s->from, s->from + s->end - PMS_SLOTS_KEPT, PMS_SLOTS_KEPT * sizeof(*s->from));
	memcpy(s->until, s->until + s->end - PMS_SLOTS_KEPT, PMS_SLOTS_KEPT * sizeof(*s->until));
	s->end = PMS_SLOTS_KEPT;
}

/* Returns the first cycle from @now on in which a resource is free. */
static uint64_t search(const struct pms_slots *s, uint64_t now)
{
	const uint32_t first = s->end - PMS_SLOTS_KEPT;
	uint32_t next = s->end - s->count; /* the first that is freed later */
	while (next > first && s->until[next - 1] > now)
		next--;
	/* Until then all are held, if enough others were taken by then. */
	for (uint32_t last = next + s->count - 1; last < s->end && s->from[last] <= now; last++)
		now = s->until[next++];
	return now;
}

PMS_APART uint64_t pms_slots_wait(struct pms_slots *s, uint64_t now)
{
	/* Held resources stay held, so a search that failed once fails again. */
	bool known = now >= s->full_from && now <= s->full_to;
	uint64_t at = search(s, known ? s->full_to : now);
	if (!known)
		s->full_from = now;
	s->full_to = at;
	return at;
}
