/* SPDX-License-Identifier: MIT */
/* machine/pmu.h - the PMUs of this host's cores, read from /sys/bus/event_source/devices.
 * Source: Linux, Documentation/ABI/testing/sysfs-bus-event_source-devices*. */
#ifndef PMS_MACHINE_PMU_H
#define PMS_MACHINE_PMU_H

#include <stddef.h>
#include <stdint.h>

#include "machine/cpus.h"
#include "pmuscope/error.h"

/** Linux has names for common events of Arm's PMUs with codes below this one. */
enum { PMS_PMU_NAMED = 0x40 };

/** An event that the PMU has and the kernel has a name for. */
struct pms_pmu_event {
	char *name;
	uint64_t code;
};

struct pms_pmu {
	char *name;	      /* "armv8_pmuv3_0" */
	uint32_t type;	      /* of struct perf_event_attr */
	struct pms_cpus cpus; /* that the PMU belongs to */
	unsigned slots;	      /* caps/slots, per cycle; 0: not stated */
	int user_access;      /* 1: counters can be read in user space: format/rdpmc exists */
	struct pms_pmu_event *events; /* from events/ */
	size_t n_events;
};

struct pms_pmus {
	struct pms_pmu *pmus; /* of cores, ordered by their first CPUs */
	size_t count;
};

/**
 * List the PMUs of this host's cores.
 * @root: folder that holds /sys
 * @out:  release with pms_pmus_release, whatever is returned
 * Returns 0, also when there are none. Errors: -PMS_ENOMEM, -PMS_EIO.
 */
int pms_pmus_read(const char *root, struct pms_pmus *out, struct pms_error *err);
void pms_pmus_release(struct pms_pmus *pmus);

/**
 * Tell from the kernel's list whether an Arm PMU has a common event. Returns 1 when it is listed, 0
 * when the kernel has a name for the code and does not list it, -1 when nothing tells.
 */
int pms_pmu_has(const struct pms_pmu *pmu, uint64_t code);

#endif
