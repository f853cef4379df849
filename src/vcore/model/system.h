/* SPDX-License-Identifier: MIT */
/* vcore/model/system.h - the levels beyond a core's own caches: the system cache, and memory. A
 * core requests lines by one call that names the cycle. So far each core has a system of its
 * own. Sharing between cores, and the order of their requests, belong here.
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

/** What a core wants with a line. */
enum pms_system_want {
	PMS_SYSTEM_READ,
	PMS_SYSTEM_OWN,	 /* to write it */
	PMS_SYSTEM_EVICT /* its own caches have dropped the line */
};

struct pms_system_answer {
	uint64_t ready; /* cycle at which the line is there, by the load-use latency */
	bool found;	/* it was in the system cache */
};

/** Make a cold system. Returns 0, or -1 when out of memory (then there is nothing to release). */
int pms_system_init(struct pms_system *system, const struct pms_params *params);

/** Free the system's memory; a zeroed or released system is fine. */
void pms_system_release(struct pms_system *system);

/** Prefetch into the host's caches what a likely request for the line at @place will need. */
static inline void pms_system_hint(const struct pms_system *system, uint64_t place)
{
	if (system->params->slc_bytes)
		pms_slc_hint(&system->slc, place);
}

/** Request the line at @place, in the core's cycle @now. The answer to PMS_SYSTEM_EVICT means
 * nothing. */
struct pms_system_answer pms_system_request(struct pms_system *system, uint64_t place,
					    enum pms_system_want want, uint64_t now);

#endif
