/* SPDX-License-Identifier: MIT */
/* collect/live/system.h - the host's services to a measurement, which tests can replace. */
#ifndef PMS_COLLECT_LIVE_SYSTEM_H
#define PMS_COLLECT_LIVE_SYSTEM_H

#include <linux/perf_event.h>
#include <sys/types.h>

struct pms_perf_system {
	const char *root; /* before /sys and /proc */
	/* perf_event_open(2). Returns a descriptor, or -1 and errno. */
	int (*open)(void *context, struct perf_event_attr *attr, pid_t pid, int cpu, int group,
		    unsigned long flags);
	void *context;
};

/** The host itself. */
extern const struct pms_perf_system pms_perf_host;

/** Open an event. When descriptors run out, the limit is raised as far as it goes.
 * Returns a descriptor, close-on-exec, or -1 and errno. */
int pms_perf_open(const struct pms_perf_system *system, struct perf_event_attr *attr, pid_t pid,
		  int cpu, int group, unsigned long flags);

#endif
