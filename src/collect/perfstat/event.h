/* SPDX-License-Identifier: MIT */
/* collect/perfstat/event.h - find the catalog event that perf stat means by a name. */
#ifndef PMS_COLLECT_PERFSTAT_EVENT_H
#define PMS_COLLECT_PERFSTAT_EVENT_H

#include "pmuscope/catalog.h"

/** The processor modes of a count, from the modifiers :u and :k. */
enum pms_stat_mode { PMS_STAT_ALL, PMS_STAT_USER, PMS_STAT_KERNEL, PMS_STAT_MODES };

/**
 * Find an event by any of the ways to name it to perf: its own name, rNN, pmu/event=0xNN/,
 * pmu/name/, and perf's generic names where Linux counts an event of the catalog for them; all with
 * modifiers, names without regard to case.
 * @name: of @length bytes
 * Returns its index, or -PMS_ENAME.
 */
int64_t pms_stat_event_find(const struct pms_catalog *catalog, const char *name, size_t length,
			    enum pms_stat_mode *mode);

#endif
