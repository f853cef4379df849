/* SPDX-License-Identifier: MIT */
/* vcore/model/system.h - what lies beyond a core's own caches: the system cache, and memory. A core
 * asks for lines by one call, with the cycle at which it does. Each core has a system of its own so
 * far: what cores share, and the order in which their requests come, is to be told here.
 * Flow: memory -> [system] -> cycles. */
#ifndef PMS_VCORE_MODEL_SYSTEM_H
#define PMS_VCORE_MODEL_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "vcore/model/pace.h"
#include "vcore/model/parcel.h"
#include "vcore/model/slc.h"
#include "vcore/share/params.h"

struct pms_system {
	const struct pms_params *params;
	struct pms_slc slc;
	struct pms_pace dram_pace;
};

/** What a core wants of a line. */
enum pms_system_want {
	PMS_SYSTEM_READ,
	PMS_SYSTEM_OWN,	 /* to write it */
	PMS_SYSTEM_EVICT /* nothing more: its own caches have dropped it */
};

struct pms_system_answer {
	uint64_t ready; /* cycle at which the line is there, by the load-use latency */
	bool found;	/* in the system cache */
};

/** Returns 0, or -1 when out of memory (then there is nothing to release). All cold. */
int pms_system_init(struct pms_system *system, const struct pms_params *params);

/** Free what the system owns; a zeroed or released one is fine. */
void pms_system_release(struct pms_system *system);

/** A request for the line at @place, in cycle @now, is likely to come: ask the host for what it
 * needs. */
static inline void pms_system_hint(const struct pms_system *system, uint64_t place)
{
	if (system->params->slc_bytes)
		pms_slc_hint(&system->slc, place);
}

/** A core's request for the line at @place, in its cycle @now. Of PMS_SYSTEM_EVICT the answer says
 * nothing. */
struct pms_system_answer pms_system_request(struct pms_system *system, uint64_t place,
					    enum pms_system_want want, uint64_t now);

#endif
