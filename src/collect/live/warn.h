/* SPDX-License-Identifier: MIT */
/* collect/live/warn.h - sentences that go with counts: what the measurement may have missed. */
#ifndef PMS_COLLECT_LIVE_WARN_H
#define PMS_COLLECT_LIVE_WARN_H

#include "collect/live/group.h"
#include "pmuscope/counts.h"

struct pms_live;

/** Say with @counts that threads may not be counted, where that is so. Returns 0 or -PMS_ENOMEM. */
int pms_perf_warn_newcomers(const struct pms_live *live, struct pms_counts *counts);
/** Say with @counts that intervals were missed, where some were. Returns 0 or -PMS_ENOMEM. */
int pms_perf_warn_missed(const struct pms_live *live, const struct pms_perf_missed *missed,
			 struct pms_counts *counts);
/** Say with @counts that CPUs came online meanwhile, where some did. Returns as above. */
int pms_perf_warn_returned(const struct pms_live *live, struct pms_counts *counts);
/** Say with @counts that a signal cut off one of several runs, where one did. Returns as above. */
int pms_perf_warn_interrupted(const struct pms_live *live, struct pms_counts *counts);
/** Say with @counts of a part which CPUs were offline for a while. Returns as above. */
int pms_perf_warn_offline(const struct pms_live *live, size_t part, struct pms_counts *counts);

#endif
