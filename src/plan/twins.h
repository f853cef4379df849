/* SPDX-License-Identifier: MIT */
/* plan/twins.h - parts of a problem that are alike: exchanging them changes nothing. The refills
 * and accesses of one cache are to the rest of the metrics what those of another are. Flow: packing
 * -> [twins] -> tight. */
#ifndef PMS_PLAN_TWINS_H
#define PMS_PLAN_TWINS_H

#include "plan/master.h"

/** A part: what hangs together when the events of many sets are left out. */
struct pms_twin {
	size_t *sets; /* numbers of its sets, in an order in which those of its twins correspond */
	size_t n;
	size_t of; /* kind: twins have the same */
};

struct pms_twins {
	struct pms_twin *twins; /* sorted by kind; only such as there are two or more of */
	size_t n;
	size_t *sets; /* memory of all */
};

/** Find them. Release with pms_twins_release, whatever is returned. Returns 0 or -PMS_ENOMEM. */
int pms_twins_init(struct pms_twins *twins, const struct pms_problem *problem);
void pms_twins_release(struct pms_twins *twins);

/**
 * Exchange twins so that choices of sets that differ by such exchanges alone become the same.
 * @rows: numbers of sets, changed
 */
void pms_twins_settle(const struct pms_twins *twins, uint64_t *rows);

#endif
