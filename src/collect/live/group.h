/* SPDX-License-Identifier: MIT */
/* collect/live/group.h - passes that are open in cells, and what they read.
 *
 * Each pass is opened in each cell as one group of the kernel, whose members are counted at the
 * same time or not at all. */
#ifndef PMS_COLLECT_LIVE_GROUP_H
#define PMS_COLLECT_LIVE_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"

struct pms_live;

/* Instead of a descriptor: the machine lacks the event there. */
enum { PMS_PERF_LACKS = -2 };

/* A pass that is open in a cell. Groups of a cell and part come one after the other. */
struct pms_perf_group {
	size_t part, pass, cell;
	int *fds;	/* by member; PMS_PERF_LACKS, or -1: there is nothing to count */
	uint64_t *ids;	/* by member */
	int leader;	/* descriptor; -1: none of the members is open */
	size_t open;	/* members that are */
	uint64_t since; /* when it was switched on, ns; 0: it is off */
	uint64_t due;	/* ns that it was on before */
	/* Enabled, running, then a value by member: as last read, at the moment that counts are
	 * made of, at the last interval, and what was counted before the CPU came back from being
	 * offline. */
	uint64_t *seen, *now, *before, *base;
};

/* Intervals that were not made: what they counted is in the one that followed. */
struct pms_perf_missed {
	unsigned late;	  /* ticks that were not read in time */
	unsigned skipped; /* readings that came faster than they could be made */
};

/* What all groups read at one moment: their numbers one after the other. */
struct pms_perf_reading {
	struct pms_perf_reading *next;
	uint64_t at_ns;
	struct pms_perf_missed missed; /* before it */
	size_t n_groups;
	size_t room; /* numbers */
	uint64_t numbers[];
};

void pms_perf_missed_add(struct pms_perf_missed *into, const struct pms_perf_missed *from);

/** Open every group of a run. @pass: of a multirun; PMS_NO_PASS: all. Errors: as pms_live_run. */
int pms_perf_groups_open(struct pms_live *live, size_t pass, bool on_exec, struct pms_error *err);
void pms_perf_groups_enable(struct pms_live *live, bool on);
/** Take in CPUs that have come online since the start. Errors: as pms_perf_groups_open. */
int pms_perf_groups_follow(struct pms_live *live, struct pms_error *err);
/** Read them all: `seen`, `seen_ns`. */
void pms_perf_groups_read(struct pms_live *live);
/** How many numbers a reading of them all has. */
size_t pms_perf_groups_numbers(const struct pms_live *live);
/** Copy what was seen to a reading that has room for it. */
void pms_perf_groups_copy(const struct pms_live *live, struct pms_perf_reading *reading);
/** Make counts of a reading from here on: `now`. @reading: NULL: of what was seen just now. */
void pms_perf_groups_take(struct pms_live *live, const struct pms_perf_reading *reading);
void pms_perf_groups_close(struct pms_live *live);

#endif
