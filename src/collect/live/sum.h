/* SPDX-License-Identifier: MIT */
/* collect/live/sum.h - what was counted over runs, and the counts made of it. */
#ifndef PMS_COLLECT_LIVE_SUM_H
#define PMS_COLLECT_LIVE_SUM_H

#include "collect/live/part.h"

/* What it came to over runs. */
struct pms_perf_sum {
	uint64_t value, enabled, running;
	double scaled, squares; /* sums over runs of the scaled count, and of its square */
	double missed, phases;	/* of what counts say of their errors, times scaled + 1 */
	unsigned runs;		/* in which there was a count */
	unsigned places;
	double never; /* the most that was not counted for want of a counter, of all time */
	bool lacks;
};

/** Add a run's tallies to the sums over runs. */
void pms_perf_sum_run(struct pms_live *live);
/** Counts of a part, from the sums. @interval: 1: they are of one, which has just ended. */
int pms_perf_counts(struct pms_live *live, size_t part, bool interval, struct pms_counts **out,
		    struct pms_error *err);
void pms_perf_sums_clear(struct pms_live *live);
/** Say which cores and modes counts of a part are of. */
void pms_perf_describe(const struct pms_live *live, const struct pms_perf_part *part,
		       struct pms_provenance *p);
/** Make room for all columns. Errors: -PMS_ENOMEM. */
int pms_perf_columns_room(struct pms_live *live, struct pms_error *err);

#endif
