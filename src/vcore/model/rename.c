/* SPDX-License-Identifier: MIT */
#include "vcore/model/rename.h"

PMS_APART void pms_rename_stall(struct pms_core *core, uint64_t to, uint64_t fetched,
				enum pms_counter cause)
{
	pms_rename_pass(core, to, fetched, cause);
	pms_calendar_advance(&core->calendar, to);
}

static uint64_t queue_room(const uint64_t ring[PMS_QUEUE_RING], uint8_t n, uint32_t entries)
{
	return ring[(uint8_t)(n - entries)];
}

static uint64_t load_room(const struct pms_core *core)
{
	return queue_room(core->load_free, core->n_loads, core->params->load_queue);
}

static uint64_t store_room(const struct pms_core *core)
{
	return queue_room(core->store_free, core->n_stores, core->params->store_queue);
}

/* Returns the first cycle with room in the resources that only this kind of operation needs;
 * *cause: the counter of the slots that wait. */
static uint64_t room_of(const struct pms_core *core, const struct pms_uop *uop,
			enum pms_counter *cause)
{
	uint64_t room = 0;
	*cause = PMS_COUNTER_BE_SLOT_LQ;
	if (uop->kind == PMS_UOP_SERIAL) { /* wait until the core is empty */
		unsigned role = core->block->counts[uop - core->block->ops].role;
		bool writes = role == PMS_ROLE_SYNC;
		*cause = PMS_COUNTER_BE_SLOT_SERIAL;
		if (role == PMS_ROLE_CALL && pms_without(core->params, PMS_MECHANISM_SYSTEM_CALLS))
			return 0;
		return writes ? pms_later(core->last_retire, core->last_commit) : core->last_retire;
	}
	if (uop->kind != PMS_UOP_STORE)
		room = load_room(core);
	if (uop->kind != PMS_UOP_LOAD) {
		uint64_t free = store_room(core);
		*cause = free > room ? PMS_COUNTER_BE_SLOT_SQ : *cause;
		room = pms_later(room, free);
	}
	return room;
}

bool pms_rename_has_room(const struct pms_core *core, const struct pms_uop *uop)
{
	enum pms_counter cause;
	uint64_t rob = core->retired[(core->op_seq - core->params->rob_entries) % PMS_RING];
	return rob <= core->cycle &&
	       (uop->kind < PMS_UOP_LOAD || room_of(core, uop, &cause) <= core->cycle);
}

/* Returns the slots of the @n operations from @uop on. */
static unsigned slots_of(const struct pms_uop *uop, unsigned n)
{
	const struct pms_uop *last = &uop[n - 1];
	return (uint8_t)(last->slots_before - uop->slots_before) + last->rename_slots;
}

/* Returns whether the reorder buffer and the load and store queues are sure to have room for the
 * next @slots slots. */
static bool room_ahead(const struct pms_core *core, unsigned slots)
{
	const struct pms_params *p = core->params;
	uint64_t now = core->cycle;
	return core->retired[(core->op_seq + slots - p->rob_entries) % PMS_RING] <= now &&
	       core->load_free[(uint8_t)(core->n_loads + slots - p->load_queue)] <= now &&
	       core->store_most[(uint8_t)(core->n_stores + slots - p->store_queue)] <= now;
}

/* Returns whether the reorder buffer and the load and store queues have room in this cycle for
 * the next @slots slots. Free room stays free, so a look far ahead saves later checks. */
static bool has_room(struct pms_core *core, unsigned slots)
{
	if (core->op_seq + slots <= core->room_until)
		return true;
	if (!room_ahead(core, slots))
		return false;
	core->room_until = core->op_seq + slots;
	if (room_ahead(core, PMS_TOGETHER_AHEAD))
		core->room_until = core->op_seq + PMS_TOGETHER_AHEAD;
	return true;
}

static bool loads(const struct pms_uop *uop)
{
	return uop->kind == PMS_UOP_LOAD || uop->kind == PMS_UOP_ATOMIC;
}

static bool stores(const struct pms_uop *uop)
{
	return uop->kind == PMS_UOP_STORE || uop->kind == PMS_UOP_ATOMIC;
}

/* Returns how many of the @n operations behind @uop have room, checked one by one. */
static PMS_APART unsigned count_fitting(const struct pms_core *core, const struct pms_uop *uop,
					unsigned n)
{
	const struct pms_params *p = core->params;
	uint64_t now = core->cycle, slot = core->op_seq + uop->rename_slots - p->rob_entries;
	uint8_t load = (uint8_t)(core->n_loads + loads(uop) - p->load_queue);
	uint8_t store = (uint8_t)(core->n_stores + stores(uop) - p->store_queue);
	for (unsigned i = 1; i <= n; i++) {
		const struct pms_uop *next = &uop[i];
		if (core->retired[slot % PMS_RING] > now ||
		    (loads(next) && core->load_free[load++] > now) ||
		    (stores(next) && core->store_free[store++] > now))
			return i - 1;
		slot += next->rename_slots;
	}
	return n;
}

/* Rename the following operations of the fetch group with @uop, if they surely have room in its
 * cycle. Only full issue queues are checked later. So most operations need no check of their
 * own. */
static inline void take_company(struct pms_core *core, const struct pms_uop *uop)
{
	unsigned left = core->params->slots - core->used;
	unsigned n = uop->with < core->group_left ? uop->with : core->group_left;
	if (!n)
		return;
	unsigned slots = slots_of(uop + 1, n);
	while (slots > left)
		slots -= uop[n--].rename_slots;
	if (!n)
		return;
	if (!has_room(core, uop->rename_slots + slots)) {
		n = count_fitting(core, uop, n);
		if (!n)
			return;
		slots = slots_of(uop + 1, n);
	}
	core->used += slots;
	core->group_left -= n;
	core->together = n;
}

PMS_HOT void pms_rename_next(struct pms_core *core, const struct pms_uop *uop, uint64_t pc)
{
	enum pms_counter cause = PMS_COUNTER_BE_SLOT_ROB;
	uint64_t fetched = pms_fetch_one(core, uop, pc), room = 0;
	bool roomy = core->op_seq + uop->rename_slots <= core->room_until;
	if (uop->kind == PMS_UOP_SERIAL || (!roomy && uop->kind >= PMS_UOP_LOAD))
		room = room_of(core, uop, &cause);
	if (uop->rename_slots)
		pms_rename_slot(core, fetched, room, cause, uop->room_queue);
	for (unsigned i = 1; i < uop->rename_slots; i++)
		pms_rename_slot(core, fetched, room, cause, uop->room_queue);
	if (uop->with)
		take_company(core, uop);
}

void pms_rename_undo(struct pms_core *core, const struct pms_uop *uop)
{
	unsigned n = core->together;
	if (!n)
		return;
	core->used -= slots_of(uop, n);
	core->group_left += n;
	core->together = 0;
}
