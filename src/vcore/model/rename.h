/* SPDX-License-Identifier: MIT */
/* vcore/model/rename.h - the rename cursor: gives every slot of every cycle exactly one fate.
 * Empty slots belong to the frontend while the next operation has not come through it, and to
 * the backend once the operation finds no room. The rule also holds for partly filled cycles
 * (V1 methodology paper, B1.13). */
#ifndef PMS_VCORE_MODEL_RENAME_H
#define PMS_VCORE_MODEL_RENAME_H

#include "vcore/model/state.h"

/** Move the cursor to the start of cycle @to > core->cycle. The passed slots are empty: up to
 * cycle @fetched for the frontend's reason, then for the backend's @cause. The calendar stays. */
static inline void pms_rename_pass(struct pms_core *core, uint64_t to, uint64_t fetched,
				   enum pms_counter cause)
{
	PMS_CHARGE(pms_charge_pass(core, to, fetched, cause));
	const uint64_t slots = core->params->slots;
	const uint64_t from = core->used ? core->cycle + 1 : core->cycle; /* first empty cycle */
	if (core->used)
		core->counters[fetched > core->cycle ? core->fe_cause : cause] +=
			slots - core->used;
	uint64_t middle = fetched < from ? from : fetched > to ? to : fetched;
	if (middle > from) {
		core->counters[core->fe_cause] += slots * (middle - from);
		PMS_COUNT_ONLY(core, STALL_FRONTEND, middle - from);
	}
	if (to > middle) {
		core->counters[cause] += slots * (to - middle);
		PMS_COUNT_ONLY(core, STALL_BACKEND, to - middle);
		uint64_t pending = core->memory.demand_until;
		if (pending > middle)
			PMS_COUNT_ONLY(core, STALL_BACKEND_MEM,
				       (pending < to ? pending : to) - middle);
	}
	core->cycle = to;
	core->used = 0;
}

/** Move the cursor as pms_rename_pass does, and the calendar with it. */
void pms_rename_stall(struct pms_core *core, uint64_t to, uint64_t fetched, enum pms_counter cause);

/** Returns whether an issue queue has no room now. */
static inline bool pms_rename_queue_full(const struct pms_core *core, uint8_t queue)
{
	return pms_calendar_occupancy(&core->calendar, queue) >= core->queue_size[queue];
}

/**
 * Take one slot.
 * @fetched: first cycle in which the frontend has the operation
 * @room:    first cycle with room in the backend's queues that the caller knows
 * @cause:   the queue without room until then
 * Returns its cycle.
 */
static inline uint64_t pms_rename_slot(struct pms_core *core, uint64_t fetched, uint64_t room,
				       enum pms_counter cause, uint8_t queue)
{
	const struct pms_params *p = core->params;
	uint64_t rob = core->retired[(core->op_seq - p->rob_entries) % PMS_RING];
	if (rob > room) {
		room = rob;
		cause = PMS_COUNTER_BE_SLOT_ROB;
	}
	uint64_t want = pms_later(fetched, room);
	if (want > core->cycle) {
		pms_rename_stall(core, want, fetched, cause);
	} else if (core->used == p->slots) {
		core->cycle++;
		core->used = 0;
		pms_calendar_advance(&core->calendar, core->cycle);
	}
	while (pms_rename_queue_full(core, queue))
		pms_rename_stall(core, pms_calendar_next_release(&core->calendar, queue), fetched,
				 PMS_COUNTER_BE_SLOT_IQ);
	core->used++;
	/* Law 3: in order, within the widths, behind fetch, and with room in every queue. */
	assert(core->cycle >= fetched && core->cycle >= room && core->used <= p->slots);
	return core->cycle;
}

/** Fetch and rename an operation of core->block. Following operations that surely share its
 * cycle, full issue queues aside, are renamed with it (core->together). */
void pms_rename_next(struct pms_core *core, const struct pms_uop *uop, uint64_t pc);

/** Undo the renaming of the operations together from @uop on, because they do not run. */
void pms_rename_undo(struct pms_core *core, const struct pms_uop *uop);

/** Returns whether the next operation has room in this cycle, slots aside. */
bool pms_rename_has_room(const struct pms_core *core, const struct pms_uop *uop);

/** Fetch and rename an operation, unless an earlier one renamed it with itself. */
static inline void pms_rename(struct pms_core *core, const struct pms_uop *uop, uint64_t pc)
{
	if (core->together && !pms_rename_queue_full(core, uop->room_queue)) {
		assert(pms_rename_has_room(core, uop));
		core->together--;
		return;
	}
	pms_rename_undo(core, uop);
	pms_rename_next(core, uop, pc);
}

#endif
