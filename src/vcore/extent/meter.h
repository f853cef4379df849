/* SPDX-License-Identifier: MIT */
/* vcore/extent/meter.h - what a core counts while a window is open, and no more.
 * Flow: model -> counters of the core -> [meter] -> counters in the shared mapping. */
#ifndef PMS_VCORE_EXTENT_METER_H
#define PMS_VCORE_EXTENT_METER_H

#include "vcore/model/core.h"
#include "vcore/share/share.h"

struct pms_meter {
	const struct pms_core *core;
	const uint64_t *counters;      /* the core's */
	struct pms_share_thread *slot; /* where the windows' go */
	int64_t *group;		       /* of the window; NULL: of none */
	uint32_t slots;		       /* a cycle */
	uint64_t base[PMS_COUNTER_COUNT];
	uint64_t base_slots;
	/* Slots that passed in all windows. A window begins and ends within a cycle: what is
	 * missing to whole cycles is filled up with empty ones, so that slots are always accounted
	 * for. */
	uint64_t passed, cycles, filled;
};

/** @core counts into @counters, which are not those of @slot. All are borrowed. */
void pms_meter_init(struct pms_meter *meter, const struct pms_core *core, const uint64_t *counters,
		    const struct pms_params *params, struct pms_share_thread *slot);

/** Count from here on, between two blocks. @group: of the slot, or NULL */
void pms_meter_open(struct pms_meter *meter, int64_t *group);

/** Add what was counted since the window was opened, or since the last call. */
void pms_meter_read(struct pms_meter *meter);

#endif
