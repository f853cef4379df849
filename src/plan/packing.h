/* SPDX-License-Identifier: MIT */
/* plan/packing.h - the question behind a plan, without names: given sets of events, put
 * each within one of as few passes as possible. A pass is at most `capacity` events. Events that
 * sets share count once in a pass: bin packing with items that overlap. Flow: metrics -> [packing]
 * -> passes. docs/development/plan.md has the method. */
#ifndef PMS_PLAN_PACKING_H
#define PMS_PLAN_PACKING_H

#include <stddef.h>
#include <stdint.h>

struct pms_packing {
	size_t n_sets, n_events;
	size_t words;	      /* 64-bit words of a set: pms_bits_words(n_events) */
	size_t capacity;      /* 1 or more */
	const uint64_t *sets; /* n_sets of them, each of 1 to capacity events */
};

/** The effort that a search may spend. One unit is about a microsecond of work; the same units give
 * the same result on every machine. */
struct pms_effort {
	uint64_t left;
};

/** Spend @units. Returns 1, or 0 when fewer are left. */
static inline int pms_effort_spend(struct pms_effort *effort, uint64_t units)
{
	int enough = effort->left >= units;
	effort->left -= enough ? units : effort->left;
	return enough;
}

struct pms_packed {
	uint64_t *passes; /* n_passes sets of events: the passes; owned */
	size_t n_passes;
	size_t lower_bound; /* no packing has fewer passes: proved */
};

/**
 * Pack the sets into as few passes as @effort allows to find. These are the fewest when lower_bound
 * is n_passes.
 * @enough: stop at this number of passes; 0: search for the fewest
 * @out:    release with pms_packed_release, whatever is returned
 * Returns 0 or -PMS_ENOMEM.
 */
int pms_packing_solve(const struct pms_packing *packing, size_t enough, struct pms_effort *effort,
		      struct pms_packed *out);
void pms_packed_release(struct pms_packed *packed);

static inline const uint64_t *pms_packing_set(const struct pms_packing *packing, size_t i)
{
	return packing->sets + i * packing->words;
}

#endif
