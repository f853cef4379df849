/* SPDX-License-Identifier: MIT */
/* collect/live/live.h - the state of a measurement, which its files share. The header of each
 * file has the part that it owns. */
#ifndef PMS_COLLECT_LIVE_LIVE_H
#define PMS_COLLECT_LIVE_LIVE_H

#include <sys/resource.h>

#include "collect/live/group.h"
#include "collect/live/part.h"
#include "collect/live/system.h"
#include "collect/live/target.h"
#include "machine/pmu.h"

struct pms_live {
	const struct pms_perf_system *system;
	struct pms_live_options options;
	struct pms_pmus pmus;
	unsigned modes; /* PMS_LIVE_USER | … */
	struct pms_perf_part *parts;
	size_t n_parts;
	struct pms_perf_column *columns;
	size_t n_columns;
	struct pms_perf_cell *cells;
	size_t n_cells;
	struct pms_perf_group *groups; /* of the run */
	size_t n_groups;
	bool multirun;
	size_t runs;   /* of the command; 1 without one */
	size_t n_done; /* runs that are over */
	int cgroup;    /* descriptor; -1: none */
	char **notes;
	size_t n_notes;
	struct pms_cpus online;		     /* of a measurement of CPUs, when last looked */
	bool enabled;			     /* the groups are on */
	struct pms_perf_newcomers newcomers; /* threads that may not be counted */
	unsigned returned;		     /* CPUs that came online during the measurement */
	struct pms_perf_missed missed;	     /* in all */
	struct pms_perf_missed just_missed;  /* missed before the interval read last */
	bool hurried;			     /* the thread of intervals has its priority */
	int status;			     /* of waitpid(2), of the command */
	int interrupted; /* the last signal that came to end the measurement; 0: none */
	uint64_t start_ns;
	uint64_t seen_ns;    /* when this thread last read the groups' `seen` */
	uint64_t now_ns;     /* the time of their `now` */
	struct rlimit files; /* the old limit of descriptors */
};

#endif
