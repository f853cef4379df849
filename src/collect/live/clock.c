/* SPDX-License-Identifier: MIT */
#include "collect/live/clock.h"

uint64_t pms_perf_clock(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t pms_perf_now(void)
{
	return pms_perf_clock(CLOCK_MONOTONIC);
}
