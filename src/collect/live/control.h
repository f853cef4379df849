/* SPDX-License-Identifier: MIT */
/* collect/live/control.h - commands from a descriptor, as perf has them. */
#ifndef PMS_COLLECT_LIVE_CONTROL_H
#define PMS_COLLECT_LIVE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

struct pms_live;

struct pms_perf_control {
	int fd;	       /* source of commands; -1: no more come */
	int ack_fd;    /* receives answers; -1: nobody reads them */
	char line[64]; /* the line so far, `length` bytes */
	size_t length;
};

/** Obey the commands that have come. Returns whether one said to stop. */
bool pms_perf_control_take(struct pms_perf_control *control, struct pms_live *live);

#endif
