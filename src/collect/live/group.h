/* SPDX-License-Identifier: MIT */
/* collect/live/group.h - open passes, and their readings. Each pass is opened in each cell as
 * one kernel group, whose members count at the same time or not at all. */
#ifndef PMS_COLLECT_LIVE_GROUP_H
#define PMS_COLLECT_LIVE_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"

struct pms_live;

/* In place of a descriptor: the machine lacks the event there. */
enum { PMS_PERF_LACKS = -2 };

/* A pass that is open in a cell. The groups of a cell and part are consecutive. */
struct pms_perf_group {
	size_t part, pass, cell;
	int *fds;	/* by member; PMS_PERF_LACKS, or -1: nothing to count */
	uint64_t *ids;	/* by member */
	int leader;	/* descriptor; -1: none of the members is open */
	size_t open;	/* number of open members */
	uint64_t since; /* when it was switched on, ns; 0: it is off */
	uint64_t due;	/* ns for which it was on before */
	/* Enabled time, running time, then a value for each member: as last read, when counts
	 * are made, at the last interval, and before the CPU last went offline. */
	uint64_t *seen, *now, *before, *base;
};

/* Missed intervals; the next one holds their counts. */
struct pms_perf_missed {
	unsigned late;	  /* ticks that were not read in time */
	unsigned skipped; /* readings dropped, because making them takes too long */
};

/* The readings of all groups at one moment, one after the other. */
struct pms_perf_reading {
	struct pms_perf_reading *next;
	uint64_t at_ns;
	struct pms_perf_missed missed; /* before it */
	size_t n_groups;
	size_t room; /* numbers */
	uint64_t numbers[];
};

void pms_perf_missed_add(struct pms_perf_missed *into, const struct pms_perf_missed *from);

/** Open every group of a run. @pass: for a multirun; PMS_NO_PASS: all. Errors: as pms_live_run. */
int pms_perf_groups_open(struct pms_live *live, size_t pass, bool on_exec, struct pms_error *err);
void pms_perf_groups_enable(struct pms_live *live, bool on);
/** Open groups on CPUs that came online since the start. Errors: as pms_perf_groups_open. */
int pms_perf_groups_follow(struct pms_live *live, struct pms_error *err);
/** Read all groups into `seen`, and set `seen_ns`. */
void pms_perf_groups_read(struct pms_live *live);
/** Returns how many numbers a reading of all groups has. */
size_t pms_perf_groups_numbers(const struct pms_live *live);
/** Copy `seen` to a reading that has room for it. */
void pms_perf_groups_copy(const struct pms_live *live, struct pms_perf_reading *reading);
/** Use a reading for counts from here on: sets `now`. @reading: NULL: what was read last. */
void pms_perf_groups_take(struct pms_live *live, const struct pms_perf_reading *reading);
void pms_perf_groups_close(struct pms_live *live);

#endif
