/* SPDX-License-Identifier: MIT */
/* collect/live/ticks.h - the thread that reads each interval when it is over. */
#ifndef PMS_COLLECT_LIVE_TICKS_H
#define PMS_COLLECT_LIVE_TICKS_H

#include <stdbool.h>

#include "pmuscope/error.h"

struct pms_live;

struct pms_perf_ticks; /* opaque: the thread that reads each interval */

/** Start to read each interval_ms from start_ns on. While it does, groups are its own: see
 * pms_perf_ticks_follow. @out: written only on success. Errors: -PMS_EHOST, -PMS_ENOMEM. */
int pms_perf_ticks_start(struct pms_live *live, struct pms_perf_ticks **out, struct pms_error *err);
/** No further ticks; what was read until now stays. */
void pms_perf_ticks_stop(struct pms_perf_ticks *ticks);
/** Stop, and free. @ticks may be NULL. */
void pms_perf_ticks_free(struct pms_perf_ticks *ticks);
/** A descriptor that is readable while readings wait. */
int pms_perf_ticks_fd(const struct pms_perf_ticks *ticks);
/** Whether readings wait. */
bool pms_perf_ticks_wait(struct pms_perf_ticks *ticks);
/** Take the oldest reading that waits (pms_perf_groups_take). @newest: the newest, which has all
 * before it. Returns whether there was one. */
bool pms_perf_ticks_next(struct pms_perf_ticks *ticks, bool newest);
/** pms_perf_groups_follow, between two ticks. @ticks: NULL: there are none. */
int pms_perf_ticks_follow(struct pms_perf_ticks *ticks, struct pms_live *live,
			  struct pms_error *err);

#endif
