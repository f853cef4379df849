/* SPDX-License-Identifier: MIT */
/* show/size.h - the size of a run, for its heading: instructions, cycles, threads. Shares do not
 * show it, and whoever compares two runs needs it first. */
#ifndef PMS_SHOW_SIZE_H
#define PMS_SHOW_SIZE_H

#include "pmuscope/counts.h"
#include "show/outline.h"

struct pms_size {
	const struct pms_count *instructions, *cycles; /* NULL: not counted */
	size_t threads;				       /* threads that ran; 0: not told apart */
	size_t cpus;				       /* CPUs that ran; 0: not told apart */
	const struct pms_count *longest; /* cycles of the thread that has most; NULL: not known */
};

void pms_size_find(struct pms_size *size, const struct pms_counts *counts);

/** Returns instructions per cycle; 0 where unknown. */
double pms_size_ipc(const struct pms_size *size);

/** Returns @scope's percentage of all cycles; -1: not known. */
double pms_size_share(const struct pms_counts *counts, const struct pms_scope *scope);

/** Write "10.55 M instructions in 266.2 M cycles, IPC 0.0397, 1 thread", as far as known. Returns
 * 1; 0 where nothing is known. Errors: -PMS_ENOMEM. */
int pms_size_line(char *text, size_t room, const struct pms_counts *counts);

/** Add "run": {"instructions", "cycles", "ipc", "threads", "longest_thread_cycles"}, null where
 * unknown. CSV gets comments of those that are known, except in intervals. */
void pms_size_put(struct pms_out_item *root, const struct pms_counts *counts);

#endif
