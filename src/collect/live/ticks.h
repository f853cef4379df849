/* SPDX-License-Identifier: MIT */
/* collect/live/ticks.h - the thread that reads counters at the end of each interval. */
#ifndef PMS_COLLECT_LIVE_TICKS_H
#define PMS_COLLECT_LIVE_TICKS_H

#include <stdbool.h>

#include "pmuscope/error.h"

struct pms_live;

struct pms_perf_ticks; /* opaque: the thread that reads each interval */

/** Start to read at every interval_ms from start_ns on. While it runs, it owns the groups: see
 * pms_perf_ticks_follow. @out: written only on success. Errors: -PMS_EHOST, -PMS_ENOMEM. */
int pms_perf_ticks_start(struct pms_live *live, struct pms_perf_ticks **out, struct pms_error *err);
/** Stop ticking; past readings stay. */
void pms_perf_ticks_stop(struct pms_perf_ticks *ticks);
/** Stop, and free. @ticks may be NULL. */
void pms_perf_ticks_free(struct pms_perf_ticks *ticks);
/** Returns a descriptor that is readable while readings wait. */
int pms_perf_ticks_fd(const struct pms_perf_ticks *ticks);
/** Returns whether readings wait. */
bool pms_perf_ticks_wait(struct pms_perf_ticks *ticks);
/** Take the oldest waiting reading (pms_perf_groups_take). @newest: take the newest, which
 * includes all before it. Returns whether there was one. */
bool pms_perf_ticks_next(struct pms_perf_ticks *ticks, bool newest);
/** Call pms_perf_groups_follow between two ticks. @ticks: NULL: there are none. */
int pms_perf_ticks_follow(struct pms_perf_ticks *ticks, struct pms_live *live,
			  struct pms_error *err);

#endif
