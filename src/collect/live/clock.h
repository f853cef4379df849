/* SPDX-License-Identifier: MIT */
/* collect/live/clock.h - the clocks of a measurement, in nanoseconds. */
#ifndef PMS_COLLECT_LIVE_CLOCK_H
#define PMS_COLLECT_LIVE_CLOCK_H

#include <stdint.h>
#include <time.h>

/** Read a clock of clock_gettime(2). */
uint64_t pms_perf_clock(clockid_t clock);

/** Read CLOCK_MONOTONIC. */
uint64_t pms_perf_now(void);

#endif
