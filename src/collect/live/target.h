/* SPDX-License-Identifier: MIT */
/* collect/live/target.h - the places to count at, and whether the target still exists. A cell
 * is such a place: a task, a CPU, or a cgroup on a CPU. */
#ifndef PMS_COLLECT_LIVE_TARGET_H
#define PMS_COLLECT_LIVE_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

#include "pmuscope/live.h"

struct pms_live;

/* A column of the counts. Column 0 is the total. */
struct pms_perf_column {
	enum pms_scope_kind kind;
	int64_t id;
	char name[32];
};

struct pms_perf_cell {
	pid_t pid; /* -1: everything; with a cgroup flag: its descriptor */
	int cpu;   /* -1: wherever the task runs */
	unsigned long flags;
	size_t column;	  /* 0: none of its own */
	uint64_t enabled; /* ns that counting lasted in the run that is over */
	uint64_t due;	  /* ns that it should have lasted, at least */
};

/* Threads that have no cell. */
enum { PMS_NEWCOMERS_NAMED = 8 };
struct pms_perf_newcomers {
	size_t n;
	char text[128]; /* the first of them, "12, 13" */
};

/** Check that the target makes sense. Returns 0. Errors: -PMS_EINVAL. */
int pms_perf_target_check(const struct pms_live_options *options, struct pms_error *err);
/** Make cells and columns of the target as it is now. @child: the command that waits to be
 * started, 0: none. Errors: -PMS_ENAME, -PMS_EHOST, -PMS_ENOMEM. */
int pms_perf_target_cells(struct pms_live *live, pid_t child, struct pms_error *err);
/** Find the threads of the processes that have no cell. */
void pms_perf_target_newcomers(const struct pms_live *live, struct pms_perf_newcomers *found);
/** Find or add the cell of a CPU. @cell: its index. Returns 1 when the CPU was asked for, 0 when
 * not. Errors: -PMS_ENOMEM. */
int pms_perf_target_cpu(struct pms_live *live, int cpu, size_t *cell, struct pms_error *err);
/** Returns whether every process or thread has ended; false where CPUs are measured. */
bool pms_perf_target_gone(const struct pms_live *live);
/** Returns whether CPUs are measured: with -a, -C or -G. */
bool pms_perf_target_is_cpus(const struct pms_live_target *target);
/** Returns whether the command itself is measured. */
bool pms_perf_target_is_command(const struct pms_live_target *target);
/** Returns whether a part counts at a cell: not at the CPUs of other kinds of cores. */
bool pms_perf_cell_is_of(const struct pms_live *live, const struct pms_perf_cell *cell,
			 size_t part);

#endif
