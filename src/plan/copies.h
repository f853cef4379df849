/* SPDX-License-Identifier: MIT */
/* plan/copies.h - whether a number of passes is enough, by which events are counted in several.
 * Flow: packing -> bound -> [copies] -> search.
 *
 * So many passes have room for so many events beyond those that each have to be counted once. Which
 * ones are to use that room is tried: without these, what still hangs together has to be in one
 * pass whole, and the passes are filled with such lumps, of which many are alike. */
#ifndef PMS_PLAN_COPIES_H
#define PMS_PLAN_COPIES_H

#include "plan/master.h"

/**
 * Ask whether @n_passes serve the problem.
 * @passes: receives the passes when the answer is yes, n_passes sets of events
 * Returns an enum pms_answer: open when some sets have to be apart, or the effort is used up.
 * Errors: -PMS_ENOMEM.
 */
int pms_copies(const struct pms_problem *problem, size_t n_passes, struct pms_effort *effort,
	       uint64_t *passes);

#endif
