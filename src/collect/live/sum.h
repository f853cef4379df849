/* SPDX-License-Identifier: MIT */
/* collect/live/sum.h - sums over runs, and the counts made of them. */
#ifndef PMS_COLLECT_LIVE_SUM_H
#define PMS_COLLECT_LIVE_SUM_H

#include "collect/live/part.h"

/* Sums of a row over runs. */
struct pms_perf_sum {
	uint64_t value, enabled, running;
	double scaled, squares; /* sums over runs of the scaled count, and of its square */
	double missed, phases;	/* errors stated by the counts, times scaled + 1 */
	unsigned runs;		/* in which there was a count */
	unsigned places;
	double never; /* the largest share of time without a counter */
	bool lacks;
};

/** Add a run's tallies to the sums over runs. */
void pms_perf_sum_run(struct pms_live *live);
/** Make the counts of a part from the sums. @interval: 1: of the interval that has just ended. */
int pms_perf_counts(struct pms_live *live, size_t part, bool interval, struct pms_counts **out,
		    struct pms_error *err);
void pms_perf_sums_clear(struct pms_live *live);
/** Name the cores and modes of a part's counts. */
void pms_perf_describe(const struct pms_live *live, const struct pms_perf_part *part,
		       struct pms_provenance *p);
/** Make room for all columns. Errors: -PMS_ENOMEM. */
int pms_perf_columns_room(struct pms_live *live, struct pms_error *err);

#endif
