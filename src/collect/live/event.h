/* SPDX-License-Identifier: MIT */
/* collect/live/event.h - encode a catalog's events for Linux. Flow: plan -> [event] -> group. */
#ifndef PMS_COLLECT_LIVE_EVENT_H
#define PMS_COLLECT_LIVE_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "machine/pmu.h"
#include "pmuscope/live.h"

/** Returns the last ":" of a name that has modifiers, or the name's end. */
const char *pms_perf_modifiers(const char *name);

/** Returns PMS_LIVE_USER | …, from modifiers such as ":uk"; 0 for none, -PMS_EINVAL for unknown
 * ones. */
int pms_perf_modes(const char *modifiers);

/** Returns whether Linux counts the event without the PMU. */
int pms_perf_is_software(const struct pms_event *event);

/** Returns whether the event counts time, whatever modes are left out. */
bool pms_perf_is_clock(const struct pms_event *event);

/** Returns whether the event happens only in the kernel, so that it would count 0 without it. */
bool pms_perf_is_in_kernel(const struct pms_event *event);

/** Returns whether the event is only a code, "r11", of unknown meaning. */
bool pms_perf_is_raw(const struct pms_event *event);

/** The properties of the cores that encoding needs. */
struct pms_perf_core {
	const struct pms_catalog *catalog;
	const struct pms_pmu *pmu; /* NULL: the machine has none */
	const char *core;	   /* core whose codes the machine uses, "SiFive P550"; NULL: the
				    * catalog's own codes */
	bool whole;		   /* its counters cannot leave out a mode */
};

/**
 * Fill in type, config and the exclude_* bits of an event.
 * @modes:   PMS_LIVE_USER | …, of events without modifiers of their own
 * @because: receives the reason where the machine lacks the event, a sentence's end ("the PMU
 *           does not list it"); of @size bytes
 * Returns 0. Errors: -PMS_EHOST the machine lacks it, or it is one of the kernel's and that is left
 * out.
 */
int pms_perf_encode(const struct pms_perf_core *core, const struct pms_event *event, unsigned modes,
		    struct perf_event_attr *attr, char *because, size_t size);

#endif
