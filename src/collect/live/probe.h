/* SPDX-License-Identifier: MIT */
/* collect/live/probe.h - which counters are free, and what every trial of an event does. */
#ifndef PMS_COLLECT_LIVE_PROBE_H
#define PMS_COLLECT_LIVE_PROBE_H

#include <sched.h>
#include <stdbool.h>

#include "collect/live/event.h"

struct pms_live;

/** How many programmable counters of the PMU are free; -1: it cannot be told. */
int pms_perf_probe(const struct pms_live *live, const struct pms_perf_core *core);
/** Whether there is a counter that takes cycles alone: Arm's. */
bool pms_perf_has_cycles(const struct pms_perf_core *core);
/** How long, in ns, a trial waits for its turn where others have the counters. */
uint64_t pms_perf_patience(const struct pms_live *live, const struct pms_perf_core *core);

/** Whether the PMU refuses events that leave a mode out, as RISC-V's without Sscofpmf do. */
bool pms_perf_is_whole(const struct pms_live *live, const struct pms_perf_core *core);

/**
 * Whether some counter takes an event. Linux opens any raw code on RISC-V, and looks for a counter
 * only when it is to count; where there is none, the event's whole group goes without.
 * Returns true also when that cannot be tried.
 */
bool pms_perf_runs(const struct pms_live *live, const struct pms_perf_core *core,
		   const struct perf_event_attr *attr);

/** What every trial of one event or many has in common. */
void pms_perf_trial_attr(const struct pms_live *live, const struct pms_perf_core *core,
			 struct perf_event_attr *attr);
/** Run where the PMU is. @before: receives where it ran. Returns -1 where that cannot be. */
int pms_perf_move_to(const struct pms_pmu *pmu, cpu_set_t *before);

#endif
