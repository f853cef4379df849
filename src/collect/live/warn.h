/* SPDX-License-Identifier: MIT */
/* collect/live/warn.h - warnings with counts: what the measurement may have missed. */
#ifndef PMS_COLLECT_LIVE_WARN_H
#define PMS_COLLECT_LIVE_WARN_H

#include "collect/live/group.h"
#include "pmuscope/counts.h"

struct pms_live;

/** Warn in @counts that threads may not be counted, if so. Returns 0 or -PMS_ENOMEM. */
int pms_perf_warn_newcomers(const struct pms_live *live, struct pms_counts *counts);
/** Warn in @counts that intervals were missed, if so. Returns 0 or -PMS_ENOMEM. */
int pms_perf_warn_missed(const struct pms_live *live, const struct pms_perf_missed *missed,
			 struct pms_counts *counts);
/** Warn in @counts that CPUs came online meanwhile, if so. Returns 0 or -PMS_ENOMEM. */
int pms_perf_warn_returned(const struct pms_live *live, struct pms_counts *counts);
/** Warn in @counts that a signal cut off one of several runs, if so. Returns 0 or -PMS_ENOMEM. */
int pms_perf_warn_interrupted(const struct pms_live *live, struct pms_counts *counts);
/** Warn in a part's @counts which CPUs were offline for a while. Returns 0 or -PMS_ENOMEM. */
int pms_perf_warn_offline(const struct pms_live *live, size_t part, struct pms_counts *counts);

#endif
