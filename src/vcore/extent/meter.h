/* SPDX-License-Identifier: MIT */
/* vcore/extent/meter.h - count a core only while a window is open.
 * Flow: model -> counters of the core -> [meter] -> counters in the shared mapping. */
#ifndef PMS_VCORE_EXTENT_METER_H
#define PMS_VCORE_EXTENT_METER_H

#include "vcore/model/core.h"
#include "vcore/share/share.h"

struct pms_meter {
	const struct pms_core *core;
	const uint64_t *counters;      /* the core's */
	struct pms_share_thread *slot; /* receives the windows' counts */
	int64_t *group;		       /* of the window; NULL: none */
	uint32_t slots;		       /* in each cycle */
	uint64_t base[PMS_COUNTER_COUNT];
	uint64_t base_slots;
	/* Slots that passed in all windows. A window may begin and end within a cycle: empty
	 * slots complete its cycles, so that all slots are accounted for. */
	uint64_t passed, cycles, filled;
};

/** Begin. @core counts into @counters, which are not those of @slot. All are borrowed. */
void pms_meter_init(struct pms_meter *meter, const struct pms_core *core, const uint64_t *counters,
		    const struct pms_params *params, struct pms_share_thread *slot);

/** Count from here on, between two blocks. @group: of the slot, or NULL */
void pms_meter_open(struct pms_meter *meter, int64_t *group);

/** Add the counts since the window was opened, or since the last call. */
void pms_meter_read(struct pms_meter *meter);

#endif
