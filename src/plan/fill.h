/* SPDX-License-Identifier: MIT */
/* plan/fill.h - make a packing one pass after the other.
 * Flow: packing -> pattern -> [fill] -> search. */
#ifndef PMS_PLAN_FILL_H
#define PMS_PLAN_FILL_H

#include "plan/pattern.h"

/**
 * Make each pass the best for the sets that are left, by their weights.
 * @weights: more than 0; changed to weights that are likely to do better next time
 * @passes:  receives the passes, room for n_sets sets of events
 * Returns the number of passes. Errors: as pms_pattern_best. A result of more than @most is not
 *          finished.
 */
int64_t pms_fill(struct pms_pattern *pattern, const struct pms_packing *packing, int64_t *weights,
		 size_t most, struct pms_effort *effort, uint64_t *passes);

/** Set weights to start with: a set is worth its events, and an event that other sets share is
 * worth less. */
int pms_fill_weights(const struct pms_packing *packing, int64_t *weights);

#endif
