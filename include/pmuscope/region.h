/* SPDX-License-Identifier: MIT */
/* pmuscope/region.h - a program measures a region of its own code.
 * Flow: catalog -> [region] -> counts -> analyse.
 *
 *     struct pms_region *region;
 *     pms_region_open(catalog, events, n, &region, &err);
 *     pms_region_start(region);
 *     ... what is to be measured ...
 *     pms_region_stop(region);
 *     pms_region_counts(region, &counts, &err);
 *
 * Where the kernel allows it (on Arm, kernel.perf_user_access=1), counters are read in user
 * space, in some ten nanoseconds; else by read(2). */
#ifndef PMUSCOPE_REGION_H
#define PMUSCOPE_REGION_H

#include <stddef.h>

#include "pmuscope/counts.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pms_region; /* opaque: counters of the thread that opened it, for that thread only */

/**
 * Open counters on the calling thread; they run from here on.
 * @events: indices into the catalog (pms_live_event finds them), n of them, at most one for each
 *          counter: code that runs once cannot be counted in several passes
 * @out:    written only on success; free with pms_region_close
 * Returns 0. Errors: -PMS_EINVAL more events than counters, -PMS_EHOST the machine cannot,
 * -PMS_EIO, -PMS_ENOMEM.
 */
int pms_region_open(const struct pms_catalog *catalog, const size_t *events, size_t n,
		    struct pms_region **out, struct pms_error *err);
void pms_region_close(struct pms_region *region);

/** Returns 1 when all counters are read in user space, 0 when read(2) is needed. */
int pms_region_is_direct(const struct pms_region *region);

/** Start counting. Returns 0. Errors: -PMS_EIO the counters cannot be read. */
int pms_region_start(struct pms_region *region);
/** Stop counting, and add the counts since the start to the earlier ones. Returns 0. Errors: as
 * pms_region_start. */
int pms_region_stop(struct pms_region *region);

/**
 * Make the counts over all starts and stops. An event has running_ns below enabled_ns when somebody
 * else held its counter for some of the time.
 * @out: written only on success; free with pms_counts_free
 * Returns 0. Errors: -PMS_ENOMEM.
 */
int pms_region_counts(struct pms_region *region, struct pms_counts **out, struct pms_error *err);

#ifdef __cplusplus
}
#endif
#endif
