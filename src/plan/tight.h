/* SPDX-License-Identifier: MIT */
/* plan/tight.h - whether a number of passes is enough, by trying all passes that use their weight
 * well.
 * Flow: packing -> master -> [tight] -> search. */
#ifndef PMS_PLAN_TIGHT_H
#define PMS_PLAN_TIGHT_H

#include "plan/master.h"

/** The answer to a question. */
enum pms_answer { PMS_ANSWER_NO, PMS_ANSWER_YES, PMS_ANSWER_OPEN };

/**
 * Ask whether @n_passes serve the problem. By the linear program's weights, n_passes passes can
 * leave only little weight unused. A pass that leaves more unused by itself cannot be among them.
 * List the other passes, and try all ways to cover the whole by them.
 * @most:   answer open when there are more passes to list
 * @passes: receives the passes when the answer is yes, n_passes sets of events
 * Returns an answer. Errors: as pms_pattern_best.
 */
int pms_tight(const struct pms_problem *problem, struct pms_pattern *pattern,
	      const struct pms_weights *weights, size_t n_passes, size_t most,
	      struct pms_effort *effort, uint64_t *passes);

#endif
