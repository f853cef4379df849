/* SPDX-License-Identifier: MIT */
/* collect/live/tally.h - what one run or interval counted, over the places of each column. */
#ifndef PMS_COLLECT_LIVE_TALLY_H
#define PMS_COLLECT_LIVE_TALLY_H

#include <stdbool.h>

#include "pmuscope/counts.h"

struct pms_live;
struct pms_perf_cell;

/* What one member of a pass, or an event in all of its passes, counted in one column. */
struct pms_perf_tally {
	struct pms_count sum; /* over places where it had a counter; its state says if there are */
	uint64_t never;	      /* ns that it was to be counted in places where it never had one */
	unsigned places;      /* where it was to be counted */
	bool lacks;	      /* in one of them the machine lacks it */
};

/* What an event counted at one place, in one pass or in all. */
struct pms_perf_joined {
	struct pms_count read;
	bool lacks;
};

/** Add what was counted since the last interval, or since the start, to the tallies. */
void pms_perf_tally(struct pms_live *live, bool whole);
/** Whether a CPU was counted for less time than its groups were on: it was offline. */
bool pms_perf_was_away(const struct pms_perf_cell *cell);
/** The share of the time, 0 to 1, in which it was to be counted where it never had a counter. */
double pms_perf_tally_never(const struct pms_perf_tally *tally);
/** What a tally comes to. Returns whether there is a count; else @count is not written. */
bool pms_perf_tally_count(const struct pms_perf_tally *tally, struct pms_count *count);

#endif
