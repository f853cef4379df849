/* SPDX-License-Identifier: MIT */
/* catalog/kernel.h - the events that Linux names itself, and counts in software or on the PMU.
 * Source: perf_event_open(2), PERF_TYPE_SOFTWARE and PERF_TYPE_HARDWARE. */
#ifndef PMS_CATALOG_KERNEL_H
#define PMS_CATALOG_KERNEL_H

#include <stdint.h>

#include "pmuscope/catalog.h"

struct pms_kernel_event {
	const char *name, *alias; /* as perf has them; alias may be NULL */
	const char *title;
	uint32_t type; /* of struct perf_event_attr */
	uint64_t config;
};

/** Look up by name or alias, without regard to case. Returns NULL for no such event. */
const struct pms_kernel_event *pms_kernel_event_find(const char *name);

/**
 * Append an event to a catalog that nobody uses yet. Its texts are copied.
 * Returns its index. Errors: -PMS_ENOMEM.
 */
int64_t pms_catalog_append_event(struct pms_catalog *catalog, const struct pms_event *event,
				 struct pms_error *err);

#endif
