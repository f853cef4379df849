/* SPDX-License-Identifier: MIT */
/* collect/live/trust.h - whether to believe a count of 0. */
#ifndef PMS_COLLECT_LIVE_TRUST_H
#define PMS_COLLECT_LIVE_TRUST_H

#include "collect/live/part.h"

struct pms_live;

enum pms_perf_trust {
	PMS_TRUST_UNKNOWN = 0,
	PMS_TRUST_FULL,		 /* it counts, and a 0 is a 0 */
	PMS_TRUST_PARTIAL,	 /* a 0 says nothing: the PMU lacks required events */
	PMS_TRUST_FOREIGN,	 /* a 0 says nothing: no document gives this core the event */
	PMS_TRUST_UNLISTED,	 /* the machine lacks it: it is not listed, and cannot be tried */
	PMS_TRUST_UNLISTED_ZERO, /* the machine lacks it: it is not listed, and stayed 0 */
	PMS_TRUST_UNNAMED_ZERO,	 /* the machine lacks it: it stayed 0, the PMU lacks required
				  * events, and the kernel may be too old to list it */
	PMS_TRUST_ZERO		 /* the machine lacks it: it stayed 0 where it counts on any core */
};

/** Decide how far to believe an event of an Arm PMU. The result is remembered. */
enum pms_perf_trust pms_perf_trust(const struct pms_live *live, struct pms_perf_part *part,
				   size_t event);
/** Check whether the machine has the event. @because: receives the reason if not, a sentence's
 * end. Returns 0 or -PMS_EHOST. */
int pms_perf_check_trust(const struct pms_perf_part *part, enum pms_perf_trust trust, char *because,
			 size_t size);
/** Returns why a 0 of the event says nothing; NULL: a 0 is a 0. */
const char *pms_perf_doubt(enum pms_perf_trust trust);

#endif
