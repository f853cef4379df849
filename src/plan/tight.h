/* SPDX-License-Identifier: MIT */
/* plan/tight.h - whether a number of passes is enough, by trying all passes that are good enough.
 * Flow: packing -> master -> [tight] -> search. */
#ifndef PMS_PLAN_TIGHT_H
#define PMS_PLAN_TIGHT_H

#include "plan/master.h"

/** How a question ends. */
enum pms_answer { PMS_ANSWER_NO, PMS_ANSWER_YES, PMS_ANSWER_OPEN };

/**
 * Ask whether @n_passes serve the problem.
 * With weights from the linear program, so few passes can leave only little of their weight unused.
 * Passes that leave more unused by themselves cannot be among them. The others are listed, and all
 * ways are tried to make up the whole of them.
 * @most:   open when there are more than that to list
 * @passes: receives the passes when the answer is yes, n_passes sets of events
 * Returns an answer. Errors: as pms_pattern_best.
 */
int pms_tight(const struct pms_problem *problem, struct pms_pattern *pattern,
	      const struct pms_weights *weights, size_t n_passes, size_t most,
	      struct pms_effort *effort, uint64_t *passes);

#endif
