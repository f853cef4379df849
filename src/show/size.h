/* SPDX-License-Identifier: MIT */
/* show/size.h - how large a run was, for its heading: instructions, cycles, threads. Shares say
 * nothing of it, and two runs that are to be compared need it first. */
#ifndef PMS_SHOW_SIZE_H
#define PMS_SHOW_SIZE_H

#include "pmuscope/counts.h"
#include "show/outline.h"

struct pms_size {
	const struct pms_count *instructions, *cycles; /* NULL: not counted */
	size_t threads;				       /* that ran; 0: they were not told apart */
	size_t cpus;				       /* the same of CPUs */
	const struct pms_count *longest; /* cycles of the thread that has most; NULL: not known */
};

void pms_size_find(struct pms_size *size, const struct pms_counts *counts);

/** Instructions per cycle; 0 where that is not known. */
double pms_size_ipc(const struct pms_size *size);

/** How much of the cycles of all @scope has, percent; -1: not known. */
double pms_size_share(const struct pms_counts *counts, const struct pms_scope *scope);

/** "10.55 M instructions in 266.2 M cycles, IPC 0.0397, 1 thread", as far as it is known. Returns
 * 1; 0 where nothing of it is; -PMS_ENOMEM. */
int pms_size_line(char *text, size_t room, const struct pms_counts *counts);

/** "run": {"instructions", "cycles", "ipc", "threads", "longest_thread_cycles"}, null where not
 * known; comments of those that are, but of intervals. */
void pms_size_put(struct pms_out_item *root, const struct pms_counts *counts);

#endif
