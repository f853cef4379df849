/* SPDX-License-Identifier: MIT */
/* spe/touches.h - who touches a cache line where: and what that says of sharing. Of branches: where
 * they go to.
 * Flow: samples -> aggregate -> [touches] -> report. */
#ifndef PMS_SPE_TOUCHES_H
#define PMS_SPE_TOUCHES_H

#include "base/limits.h"
#include "pmuscope/spe_report.h"
#include "spe/table.h"

/** Of branches: what the place is of, instead of an access. */
enum pms_touch_target { PMS_TOUCH_TARGET, PMS_TOUCH_PREVIOUS };

/** Records of one group that have all of this in common, up to `thread`. */
struct pms_touch {
	uint32_t group;
	int32_t tid;	 /* -1: not known */
	int32_t cpu;	 /* likewise; of branches -1 */
	uint32_t place;	 /* number of the instruction's place, or of the target */
	uint8_t offset;	 /* in the cache line */
	uint8_t access;	 /* enum pms_spe_access */
	uint8_t timed;	 /* 1: first and last are times, in ticks */
	uint32_t thread; /* of the first record, for pms_spe_samples_thread */
	uint64_t count;
	uint64_t first, last;
	uint64_t wait;	 /* cycles, of the loads that waited: */
	uint32_t waited; /* as many */
	uint32_t loads, stores;
	uint32_t peers; /* loads that had their data from another core, cluster or chip */
};

struct pms_touches {
	struct pms_table table;
	struct pms_touch *touches;
	size_t count;
	size_t *room; /* bytes that more may take; NULL: no matter how many. Borrowed */
	int full;     /* 1: some were left out */
	int failed;   /* 1: out of memory */
};

int pms_touches_init(struct pms_touches *touches);
void pms_touches_release(struct pms_touches *touches);

/** Count one record. @touch: count is 1; first is its time, the sums are its own */
void pms_touches_add(struct pms_touches *touches, const struct pms_touch *touch);

/** Order them by group, the most records first. Nothing can be added any more. */
void pms_touches_sort(struct pms_touches *touches);

/** Those of a group, sorted. Returns their number. */
size_t pms_touches_of(const struct pms_touches *touches, uint32_t group,
		      const struct pms_touch **first);

/** What the @n touches of a cache line say. @threads: becomes the number of threads. Returns an
 * enum pms_spe_sharing or -PMS_ENOMEM. */
int pms_touches_sharing(const struct pms_touch *touches, size_t n, size_t *threads);

#endif
