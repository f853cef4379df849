/* SPDX-License-Identifier: MIT */
/* collect/live/probe.h - find free counters, and the setup of every trial. */
#ifndef PMS_COLLECT_LIVE_PROBE_H
#define PMS_COLLECT_LIVE_PROBE_H

#include <sched.h>
#include <stdbool.h>

#include "collect/live/event.h"

struct pms_live;

/** Returns how many programmable counters of the PMU are free; -1: unknown. */
int pms_perf_probe(const struct pms_live *live, const struct pms_perf_core *core);
/** Returns whether a counter exists only for cycles, as on Arm. */
bool pms_perf_has_cycles(const struct pms_perf_core *core);
/** Returns how long, in ns, a trial waits for its turn where others hold the counters. */
uint64_t pms_perf_patience(const struct pms_live *live, const struct pms_perf_core *core);

/** Returns whether the PMU refuses events that leave out a mode, as RISC-V without Sscofpmf does.
 */
bool pms_perf_is_whole(const struct pms_live *live, const struct pms_perf_core *core);

/**
 * Returns whether some counter takes an event; true also when that cannot be tried. Linux opens any
 *         raw code on RISC-V, and looks for a counter only when counting starts. Where none exists,
 *         the event's whole group goes without.
 */
bool pms_perf_runs(const struct pms_live *live, const struct pms_perf_core *core,
		   const struct perf_event_attr *attr);

/** Fill in the attributes that all trials share. */
void pms_perf_trial_attr(const struct pms_live *live, const struct pms_perf_core *core,
			 struct perf_event_attr *attr);
/** Move this thread to a CPU of the PMU. @before: receives the old CPUs. Returns -1 where that is
 * impossible. */
int pms_perf_move_to(const struct pms_pmu *pmu, cpu_set_t *before);

#endif
