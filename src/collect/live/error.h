/* SPDX-License-Identifier: MIT */
/* collect/live/error.h - explain a refusal of the kernel, and name the remedy. */
#ifndef PMS_COLLECT_LIVE_ERROR_H
#define PMS_COLLECT_LIVE_ERROR_H

#include <stdbool.h>
#include <sys/types.h>

#include "pmuscope/error.h"

struct pms_live;

/** What was being opened when the kernel refused. */
struct pms_perf_place {
	const char *event; /* its name */
	pid_t pid;
	int cpu;
};
/** Turn an errno of perf_event_open(2) into a sentence and a hint. Returns -status. */
int pms_perf_refused(const struct pms_live *live, const struct pms_perf_place *place, int number,
		     struct pms_error *err);
/** Refuse an event that only counts in modes that may not be counted. Returns -status. */
int pms_perf_refused_mode(const struct pms_live *live, const char *event, struct pms_error *err);
/** Refuse, because the PMU always counts the kernel, and this user may not. Returns -PMS_EHOST. */
int pms_perf_refused_whole(const struct pms_live *live, struct pms_error *err);
/** Returns whether an errno means that the machine lacks the event, not that something is wrong. */
bool pms_perf_is_lack(int number);

#endif
