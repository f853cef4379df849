/* SPDX-License-Identifier: MIT */
/* collect/live/event.h - events of a catalog as Linux takes them.
 * Flow: plan -> [event] -> group. */
#ifndef PMS_COLLECT_LIVE_EVENT_H
#define PMS_COLLECT_LIVE_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "machine/pmu.h"
#include "pmuscope/live.h"

/** The last ":" of a name when there are modifiers behind it, or the name's end. */
const char *pms_perf_modifiers(const char *name);

/** PMS_LIVE_USER | …, of modifiers such as ":uk". Returns 0 for none, -PMS_EINVAL for others. */
int pms_perf_modes(const char *modifiers);

/** Whether Linux counts it without the PMU. */
int pms_perf_is_software(const struct pms_event *event);

/** Whether it counts time, whatever modes are left out. */
bool pms_perf_is_clock(const struct pms_event *event);

/** Whether it happens in the kernel alone, so that leaving that out would count 0. */
bool pms_perf_is_in_kernel(const struct pms_event *event);

/** Whether it is a code alone, "r11", which nothing is known of. */
bool pms_perf_is_raw(const struct pms_event *event);

/** What encoding needs to know of the cores. */
struct pms_perf_core {
	const struct pms_catalog *catalog;
	const struct pms_pmu *pmu; /* NULL: the machine has none */
	const char *core;	   /* whose codes are the machine's, "SiFive P550"; NULL: the
				    * catalog's own codes */
	bool whole;		   /* its counters tell no modes apart, and none can be left out */
};

/**
 * Fill type, config and the exclude_* bits in of an event.
 * @modes:   PMS_LIVE_USER | …, of events without modifiers of their own
 * @because: receives the reason where the machine lacks the event, a sentence's end ("the PMU
 *           does not list it"); of @size bytes
 * Returns 0. Errors: -PMS_EHOST the machine lacks it, or it is one of the kernel's and that is left
 * out.
 */
int pms_perf_encode(const struct pms_perf_core *core, const struct pms_event *event, unsigned modes,
		    struct perf_event_attr *attr, char *because, size_t size);

#endif
