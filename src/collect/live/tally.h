/* SPDX-License-Identifier: MIT */
/* collect/live/tally.h - the counts of one run or interval, over the places of each column. */
#ifndef PMS_COLLECT_LIVE_TALLY_H
#define PMS_COLLECT_LIVE_TALLY_H

#include <stdbool.h>

#include "pmuscope/counts.h"

struct pms_live;
struct pms_perf_cell;

/* The count in one column of a member of a pass, or of an event over all its passes. */
struct pms_perf_tally {
	struct pms_count sum; /* over places with a counter; its state says if there are any */
	uint64_t never;	      /* ns in which it should have counted, in places without a counter */
	unsigned places;      /* places where it should count */
	bool lacks;	      /* the machine lacks it in one of them */
};

/* The count of an event at one place, in one pass or in all. */
struct pms_perf_joined {
	struct pms_count read;
	bool lacks;
};

/** Add the counts since the last interval, or since the start, to the tallies. */
void pms_perf_tally(struct pms_live *live, bool whole);
/** Returns whether a CPU was counted for less time than its groups were on: it was offline. */
bool pms_perf_was_away(const struct pms_perf_cell *cell);
/** Returns the share of the time, 0 to 1, in which the event should have counted but had no
 * counter. */
double pms_perf_tally_never(const struct pms_perf_tally *tally);
/** Make the count of a tally. Returns whether there is one; else @count is not written. */
bool pms_perf_tally_count(const struct pms_perf_tally *tally, struct pms_count *count);

#endif
