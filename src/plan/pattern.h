/* SPDX-License-Identifier: MIT */
/* plan/pattern.h - the best single pass: of all choices of `capacity` events, one that holds sets
 * of the greatest total weight. The result is exact. Flow: packing -> [pattern] -> fill, master. */
#ifndef PMS_PLAN_PATTERN_H
#define PMS_PLAN_PATTERN_H

#include "plan/packing.h"

struct pms_pattern; /* working memory for packings of one size */

/** Make working memory for packings of up to these sizes. Returns NULL when out of memory. */
struct pms_pattern *pms_pattern_new(size_t n_sets, size_t n_events, size_t capacity);
void pms_pattern_free(struct pms_pattern *pattern);

/**
 * Find the best pass.
 * @weights: of each set, 0 or more; sets of weight 0 are ignored
 * @event_weights: of each event by itself, 0 or more; NULL: none
 * @events:  receives the events, packing->words words
 * Returns the total weight, or -PMS_ENOMEM; -PMS_EINVAL when the effort was used up.
 */
int64_t pms_pattern_best(struct pms_pattern *pattern, const struct pms_packing *packing,
			 const int64_t *weights, const int64_t *event_weights,
			 struct pms_effort *effort, uint64_t *events);

#endif
