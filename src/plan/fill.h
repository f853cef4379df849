/* SPDX-License-Identifier: MIT */
/* plan/fill.h - a packing made one pass after the other.
 * Flow: packing -> pattern -> [fill] -> search. */
#ifndef PMS_PLAN_FILL_H
#define PMS_PLAN_FILL_H

#include "plan/pattern.h"

/**
 * Make each pass the best of what is left, by the weights of the sets.
 * @weights: more than 0; changed to what is likely to do better next time
 * @passes:  receives the passes, room for n_sets sets of events
 * Returns how many passes, or as pms_pattern_best. A result of more than @most is not finished.
 */
int64_t pms_fill(struct pms_pattern *pattern, const struct pms_packing *packing, int64_t *weights,
		 size_t most, struct pms_effort *effort, uint64_t *passes);

/** Weights to start with: a set is worth its events, one that others share being worth less. */
int pms_fill_weights(const struct pms_packing *packing, int64_t *weights);

#endif
