/* SPDX-License-Identifier: MIT */
/* collect/live/wait.h - run a measurement until it ends. */
#ifndef PMS_COLLECT_LIVE_WAIT_H
#define PMS_COLLECT_LIVE_WAIT_H

#include <sys/types.h>

#include "pmuscope/live.h"

/** Attend to the measurement until it ends. Returns 0. Errors: the one that @put returned. */
int pms_perf_wait(struct pms_live *live, pid_t child, int signals, pms_live_put *put, void *context,
		  struct pms_error *err);

#endif
