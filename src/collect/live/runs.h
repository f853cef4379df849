/* SPDX-License-Identifier: MIT */
/* collect/live/runs.h - the counts of each of several runs. */
#ifndef PMS_COLLECT_LIVE_RUNS_H
#define PMS_COLLECT_LIVE_RUNS_H

#include "collect/live/part.h"

/** Make room for each run's counts, where there are several. Errors: -PMS_ENOMEM. */
int pms_perf_runs_init(struct pms_live *live, struct pms_error *err);
/** Keep a run's tallies. */
void pms_perf_runs_keep(struct pms_live *live, size_t run);
/** Add the kept counts to the total. Errors: -PMS_ENOMEM. */
int pms_perf_runs_fill(const struct pms_live *live, const struct pms_perf_part *part,
		       struct pms_scope *scope);

#endif
