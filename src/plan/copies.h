/* SPDX-License-Identifier: MIT */
/* plan/copies.h - whether a number of passes is enough, by choosing the events to count in several
 * passes.
 * Flow: packing -> bound -> [copies] -> search.
 *
 * Passes have some room beyond counting each event once. Try which events use that room, as copies.
 * The sets still connected without these events are lumps: each lump has to be in one pass whole.
 * Fill the passes with the lumps, many of which are alike. */
#ifndef PMS_PLAN_COPIES_H
#define PMS_PLAN_COPIES_H

#include "plan/master.h"

/**
 * Ask whether @n_passes serve the problem.
 * @passes: receives the passes when the answer is yes, n_passes sets of events
 * Returns an enum pms_answer: open when some sets have to be apart, or when the effort is used up.
 * Errors: -PMS_ENOMEM.
 */
int pms_copies(const struct pms_problem *problem, size_t n_passes, struct pms_effort *effort,
	       uint64_t *passes);

#endif
