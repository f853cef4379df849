/* SPDX-License-Identifier: MIT */
/* plan/twins.h - parts of a problem that are alike: exchanging them changes nothing. For example,
 * the refills and accesses of one cache relate to the other metrics as those of another cache do.
 * Flow: packing -> [twins] -> tight. */
#ifndef PMS_PLAN_TWINS_H
#define PMS_PLAN_TWINS_H

#include "plan/master.h"

/** A part: the sets still connected when the events of many sets are left out. */
struct pms_twin {
	size_t *sets; /* numbers of its sets, in an order that corresponds among twins */
	size_t n;
	size_t of; /* kind: equal for twins */
};

struct pms_twins {
	struct pms_twin *twins; /* sorted by kind; only kinds with two or more */
	size_t n;
	size_t *sets; /* memory of all parts */
};

/** Find the twins. Release with pms_twins_release, whatever is returned. Returns 0 or
 * -PMS_ENOMEM. */
int pms_twins_init(struct pms_twins *twins, const struct pms_problem *problem);
void pms_twins_release(struct pms_twins *twins);

/**
 * Exchange twins so that choices of sets that differ only by such exchanges become equal.
 * @rows: numbers of sets, changed
 */
void pms_twins_settle(const struct pms_twins *twins, uint64_t *rows);

#endif
