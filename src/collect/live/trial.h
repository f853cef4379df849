/* SPDX-License-Identifier: MIT */
/* collect/live/trial.h - test an event by counting it for a moment. */
#ifndef PMS_COLLECT_LIVE_TRIAL_H
#define PMS_COLLECT_LIVE_TRIAL_H

#include "collect/live/event.h"

struct pms_live;

enum pms_perf_trial {
	PMS_TRIAL_NONE,	   /* it cannot be tried */
	PMS_TRIAL_STARVED, /* it never had a counter: others hold them all */
	PMS_TRIAL_ZERO,	   /* it stayed 0 */
	PMS_TRIAL_COUNTS
};

/** Count an event of the PMU on this process, while a workload causes a little of every event. */
enum pms_perf_trial pms_perf_try(const struct pms_live *live, const struct pms_perf_core *core,
				 uint64_t code);

#endif
