/* SPDX-License-Identifier: MIT */
/* Numbers of a row: a kind each, and sums over the kinds that count slots. */
#include "pmuscope/fold.h"

#include <string.h>

#include "base/name.h"
#include "base/status.h"

/* The sums. Bits by enum pms_profile_share. */
enum {
	LOST = 1 << PMS_PROFILE_BAD_SPECULATION | 1 << PMS_PROFILE_FRONTEND |
	       1 << PMS_PROFILE_BACKEND,
	ALL = LOST | 1 << PMS_PROFILE_RETIRING
};

static const struct {
	const char *name, *title;
	unsigned shares;
} sums[] = {
	{ "slots", "Slots", ALL },
	{ "lost", "Lost slots", LOST },
	{ "retiring", "Slots that retired", 1 << PMS_PROFILE_RETIRING },
	{ "bad_speculation", "Slots lost to bad speculation", 1 << PMS_PROFILE_BAD_SPECULATION },
	{ "frontend_bound", "Slots lost to the frontend", 1 << PMS_PROFILE_FRONTEND },
	{ "backend_bound", "Slots lost to the backend", 1 << PMS_PROFILE_BACKEND },
};

enum { SUMS = sizeof(sums) / sizeof(sums[0]) };

static int has_slots(const struct pms_profile *p)
{
	for (size_t i = 0; i < p->n_kinds; i++)
		if (p->kinds[i].share != PMS_PROFILE_NO_SHARE)
			return 1;
	return 0;
}

size_t pms_profile_measures(const struct pms_profile *p)
{
	return p->n_kinds + (has_slots(p) ? SUMS : 0);
}

struct pms_profile_measure pms_profile_measure(const struct pms_profile *p, size_t i)
{
	if (i >= p->n_kinds)
		return (struct pms_profile_measure){ sums[i - p->n_kinds].name,
						     sums[i - p->n_kinds].title,
						     PMS_PROFILE_SLOTS };
	return (struct pms_profile_measure){ p->kinds[i].name, p->kinds[i].title,
					     p->kinds[i].unit };
}

int pms_profile_measure_find(const struct pms_profile *p, const char *name, struct pms_error *err)
{
	struct pms_nearest nearest = { 0 };
	size_t n = pms_profile_measures(p);
	for (size_t i = 0; i < n; i++) {
		struct pms_profile_measure m = pms_profile_measure(p, i);
		if (!strcmp(m.name, name))
			return (int)i;
		pms_nearest_offer(&nearest, name, m.name);
	}
	int rc = pms_fail(err, PMS_ENAME, "%.64s: there is no such column", name);
	if (nearest.best)
		pms_hint(err, "did you mean %s?", nearest.best);
	return rc;
}

size_t pms_profile_measure_usual(const struct pms_profile *p)
{
	for (size_t i = 0; i < p->n_kinds; i++)
		if (p->kinds[i].unit == PMS_PROFILE_CYCLES && pms_profile_sum(p, i))
			return i;
	for (size_t i = 0; i < p->n_kinds; i++)
		if (pms_profile_sum(p, i))
			return i;
	return 0;
}

static uint64_t sum_of(uint64_t a, uint64_t b)
{
	uint64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t slots_of(const struct pms_profile *p, const uint64_t *values, unsigned shares)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < p->n_kinds; i++)
		if (p->kinds[i].share != PMS_PROFILE_NO_SHARE && shares >> p->kinds[i].share & 1)
			sum = sum_of(sum, values[i]);
	return sum;
}

uint64_t pms_profile_measure_get(const struct pms_profile *p, const uint64_t *values, size_t i)
{
	return i < p->n_kinds ? values[i] : slots_of(p, values, sums[i - p->n_kinds].shares);
}

uint64_t pms_profile_slots(const struct pms_profile *p, const uint64_t *values,
			   enum pms_profile_share share)
{
	return slots_of(p, values, 1U << share);
}

uint64_t pms_profile_lost(const struct pms_profile *p, const uint64_t *values)
{
	return slots_of(p, values, LOST);
}

uint32_t pms_profile_worst(const struct pms_profile *p, const uint64_t *values)
{
	uint32_t worst = PMS_PROFILE_NONE;
	for (uint32_t i = 0; i < p->n_kinds; i++)
		if (values[i] && LOST >> p->kinds[i].share & 1 &&
		    (worst == PMS_PROFILE_NONE || values[i] > values[worst]))
			worst = i;
	return worst;
}
