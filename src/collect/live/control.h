/* SPDX-License-Identifier: MIT */
/* collect/live/control.h - commands that come from a descriptor, as perf has them. */
#ifndef PMS_COLLECT_LIVE_CONTROL_H
#define PMS_COLLECT_LIVE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

struct pms_live;

struct pms_perf_control {
	int fd;	       /* commands come from it; -1: none come any more */
	int ack_fd;    /* answers go to it; -1: nobody reads them */
	char line[64]; /* as far as it has come, `length` bytes */
	size_t length;
};

/** Obey what has come. Returns whether it was told to stop. */
bool pms_perf_control_take(struct pms_perf_control *control, struct pms_live *live);

#endif
