/* SPDX-License-Identifier: MIT */
/* Who is charged, by the rules of docs/model/attribution.md. Only the build of the model that
 * charges has this file. */
#include "vcore/model/charge.h"

#include <assert.h>
#include <stdlib.h>

#include "vcore/model/core.h"
#include "vcore/model/state.h"

_Static_assert((int)PMS_CHARGE_STORES == (int)PMS_QUEUE_RING, "the ring of stores");

/* The shares of a cycle in which so many operations retire. */
static const uint32_t shares[] = { 0,	   720720, 360360, 240240, 180180, 144144,
				   120120, 102960, 90090,  80080,  72072,  65520,
				   60060,  55440,  51480,  48048,  45045 };

int pms_charge_init(struct pms_charge *c, const struct pms_params *params)
{
	uint32_t ring = 256;
	while (ring < params->rob_entries + 128)
		ring *= 2;
	assert(ring <= PMS_CHARGE_RING);
	c->mask = ring - 1;
	c->l1d_levels = calloc(params->l1d_bytes / PMS_LINE_BYTES, 1);
	c->l2_levels = calloc(params->l2_bytes / PMS_LINE_BYTES, 1);
	return c->l1d_levels && c->l2_levels ? 0 : -1;
}

void pms_charge_release(struct pms_charge *c)
{
	free(c->l1d_levels);
	free(c->l2_levels);
}

uint32_t pms_charge_group(struct pms_charge *c, struct pms_ledger_row *row, unsigned group)
{
	uint32_t chunk = pms_ledger_take(c->ledger, 1);
	if (chunk)
		row->group[group] = chunk;
	return chunk ? chunk : c->spare;
}

/* Describe instruction @i of a block. */
static void describe(struct pms_ledger_row *row, const struct pms_block *block, uint32_t i)
{
	const struct pms_uop *uop = &block->ops[i];
	uint8_t branch = uop->branch;
	bool calls = branch == PMS_BRANCH_CALL || branch == PMS_BRANCH_INDIRECT_CALL;
	bool traps = block->counts[i].role == PMS_ROLE_UNDEFINED;
	row->slots = uop->rename_slots;
	row->at = (uint16_t)(pms_block_pc_of(block, i) - block->pc);
	row->flags =
		(uint8_t)(traps * PMS_ROW_TRAPS | (branch != PMS_BRANCH_NONE) * PMS_ROW_BRANCHES |
			  calls * PMS_ROW_CALLS | (branch == PMS_BRANCH_RETURN) * PMS_ROW_RETURNS);
}

bool pms_core_charge_same(const struct pms_ledger_block *rows, const struct pms_block *block)
{
	if (rows->pc != block->pc || rows->count != block->count)
		return false;
	for (uint32_t i = 0; i < block->count; i++) {
		struct pms_ledger_row want = { 0 };
		const struct pms_ledger_row *row = &pms_ledger_rows(rows)[i << rows->shift];
		describe(&want, block, i);
		if (want.slots != row->slots || want.flags != row->flags || want.at != row->at)
			return false;
	}
	return true;
}

struct pms_ledger_block *pms_core_charge_new(const struct pms_block *block, void *ledger,
					     uint32_t thread, unsigned shift)
{
	uint32_t rows = block ? block->count : 1;
	uint32_t chunk = pms_ledger_take(ledger, 1 + (rows << shift));
	if (!chunk)
		return NULL;
	struct pms_ledger_head *head = ledger;
	struct pms_ledger_block *out = pms_ledger_at(ledger, chunk);
	out->pc = block ? block->pc : 0;
	out->count = block ? block->count : 0;
	out->shift = shift;
	for (uint32_t i = 0; i < out->count; i++)
		describe(&pms_ledger_rows(out)[i << shift], block, i);
	out->next = atomic_load(&head->blocks[thread]);
	atomic_store(&head->blocks[thread], chunk);
	return out;
}

bool pms_core_charge(struct pms_core *core, void *ledger, uint32_t thread, unsigned shift)
{
	struct pms_charge *c = &core->charge;
	struct pms_ledger_block *nobody = pms_core_charge_new(NULL, ledger, thread, shift);
	uint32_t spare = nobody ? pms_ledger_take(ledger, 1) : 0;
	if (!spare)
		return false;
	c->ledger = ledger;
	c->thread = thread;
	c->shift = (uint8_t)shift;
	c->now = c->refill = c->nobody = pms_ledger_rows(nobody);
	c->spare = spare;
	c->on = true;
	return true;
}

void pms_core_charge_to(struct pms_core *core, struct pms_ledger_block *block)
{
	struct pms_charge *c = &core->charge;
	c->block = block;
	if (!block) /* it found no room */
		c->now = c->nobody;
}

void pms_core_charge_part(struct pms_core *core, bool on, unsigned part)
{
	pms_charge_catch_up(&core->charge, core->cycle);
	core->charge.on = on && core->charge.ledger;
	core->charge.part = (uint8_t)part;
}

/* time */

/* Returns what @op, the oldest operation, waits for in cycle @at; *until: the cycle in which that
 * changes. */
static unsigned wait_at(const struct pms_charge_op *op, uint32_t at, uint32_t *until)
{
	const uint32_t retires = op->done + 1;
	const bool known = (int32_t)(at - op->known) >= 0, done = (int32_t)(at - retires) >= 0;
	*until = done ? at + INT32_MAX : retires;
	if (known)
		return done ? PMS_WAIT_RETIRE : op->own;
	bool ready = (int32_t)(at - op->ready) >= 0, issued = (int32_t)(at - op->issue) >= 0;
	*until = issued ? op->known : ready ? op->issue : op->ready;
	return issued ? PMS_WAIT_TLB : ready ? PMS_WAIT_PORT : op->before;
}

/* Charge the cycles [from, to) in which the oldest operation had not retired, where @stalled, and
 * @slots empty slots in each, by what it waited for. */
static void charge_waits(struct pms_charge *c, const struct pms_charge_op *op, uint64_t from,
			 uint64_t to, bool stalled, uint64_t slots)
{
	for (uint32_t at = (uint32_t)from, end = (uint32_t)to, until; at != end; at = until) {
		unsigned wait = wait_at(op, at, &until);
		if ((int32_t)(until - end) > 0)
			until = end;
		if (stalled)
			pms_charge_add(c, op->row, PMS_CHARGED_WAIT_CYCLES + wait, until - at);
		if (slots)
			pms_charge_add(c, op->row, PMS_CHARGED_WAIT_SLOTS + wait,
				       slots * (until - at));
	}
}

/* Why slots are empty, for as long as that is the same. */
struct lost {
	unsigned kind;		    /* enum pms_charged of the slots; PMS_CHARGED_COUNT: none are */
	uint64_t slots;		    /* in each cycle */
	unsigned cycles;	    /* enum pms_charged of cycles with nothing in flight;
				     * PMS_CHARGED_COUNT: none */
	struct pms_ledger_row *row; /* of the frontend's slots and cycles with nothing in flight */
	bool backend;
	struct pms_ledger_row *store; /* that leaves its queue too late; NULL: none */
	uint64_t retired;	      /* it, in this cycle */
	bool alone;		      /* ... which matters once all have retired */
	uint64_t pending;	      /* a load is waited for until this cycle */
};

/* Charge a backend's empty slots in cycles [from, to). @op: the oldest operation that has not
 * retired; NULL: none */
static void charge_backend(struct pms_charge *c, const struct lost *why,
			   const struct pms_charge_op *op, uint64_t from, uint64_t to, bool whole)
{
	struct pms_ledger_row *row = op ? op->row : why->row;
	unsigned wait = PMS_WAIT_SERIAL;
	const bool drains = why->store && why->retired <= from && (!op || !why->alone);
	if (drains) {
		row = why->store;
		wait = PMS_WAIT_STORE;
	}
	pms_charge_add(c, row, why->kind, why->slots * (to - from));
	if (whole) {
		pms_charge_add(c, row, PMS_CHARGED_STALL_BACKEND, to - from);
		if (why->pending > from)
			pms_charge_add(c, row, PMS_CHARGED_STALL_BACKEND_MEM,
				       (why->pending < to ? why->pending : to) - from);
	}
	if (drains || !op)
		pms_charge_add(c, row, PMS_CHARGED_WAIT_SLOTS + wait, why->slots * (to - from));
	else
		charge_waits(c, op, from, to, false, why->slots);
}

/* Let all operations retire that do so in cycle c->time: they share it. Returns the operation
 * that is then the oldest; NULL: none. */
static const struct pms_charge_op *retire_all(struct pms_charge *c)
{
	uint64_t first = c->head;
	while (c->head != c->tail && c->ops[c->head & c->mask].retired == (uint32_t)c->time)
		c->head++;
	const uint32_t share = shares[c->head - first];
	for (uint64_t i = first; i != c->head; i++)
		pms_charge_cycles(c, c->ops[i & c->mask].row, share);
	return c->head == c->tail ? NULL : &c->ops[c->head & c->mask];
}

/* Charge a stretch of cycles with nothing in flight. */
static void charge_empty(struct pms_charge *c, const struct lost *why, uint64_t n)
{
	bool drains = why->backend && why->store && why->retired <= c->time;
	struct pms_ledger_row *row = drains ? why->store : why->row;
	pms_charge_cycles(c, row, n * PMS_LEDGER_CYCLE);
	if (why->backend)
		pms_charge_add(
			c, row,
			PMS_CHARGED_WAIT_CYCLES + (drains ? PMS_WAIT_STORE : PMS_WAIT_SERIAL), n);
	else
		pms_charge_add(c, row, why->cycles, n);
}

/* Move time on to @to: charge the cycles, and the slots that are the backend's. @whole: each cycle
 * is empty */
static void pass_time(struct pms_charge *c, uint64_t to, const struct lost *why, bool whole)
{
	while (c->time < to) {
		const struct pms_charge_op *op = &c->ops[c->head & c->mask];
		uint64_t n = to - c->time;
		if (c->head == c->tail) {
			op = NULL;
			if (why->backend && why->store && why->retired > c->time &&
			    why->retired - c->time < n)
				n = why->retired - c->time;
			charge_empty(c, why, n);
		} else if (op->retired == (uint32_t)c->time) {
			n = 1;
			op = retire_all(c);
		} else {
			uint32_t left = op->retired - (uint32_t)c->time;
			assert(left < UINT32_MAX / 2);
			n = left < n ? left : n;
			if (why->backend && why->store && why->retired > c->time &&
			    why->retired - c->time < n)
				n = why->retired - c->time;
			charge_waits(c, op, c->time, c->time + n, true, 0);
			pms_charge_cycles(c, op->row, n * PMS_LEDGER_CYCLE);
		}
		if (why->backend)
			charge_backend(c, why, op, c->time, c->time + n, whole);
		c->time += n;
	}
}

void pms_charge_catch_up(struct pms_charge *c, uint64_t to)
{
	pass_time(c, to, &(struct lost){ .row = c->now, .cycles = PMS_CHARGED_CYCLES_FRONTEND },
		  false);
}

/* Returns why slots are empty for the frontend's reason. */
static struct lost late_fetch(const struct pms_core *core)
{
	const struct pms_charge *c = &core->charge;
	bool refills = core->fe_cause == PMS_COUNTER_FE_SLOT_FLUSH ||
		       core->fe_cause == PMS_COUNTER_FE_SLOT_SERIAL;
	return (struct lost){ .kind = pms_charge_kinds[core->fe_cause] - 1u,
			      .cycles = refills || c->walks ? PMS_CHARGED_CYCLES_FLUSH
							    : PMS_CHARGED_CYCLES_FRONTEND,
			      .row = refills ? c->refill : c->now };
}

/* Returns why slots are empty for the backend's reason @cause. */
static struct lost no_room(const struct pms_core *core, enum pms_counter cause)
{
	const struct pms_charge *c = &core->charge;
	struct lost why = { .kind = pms_charge_kinds[cause] - 1u,
			    .row = c->now,
			    .backend = true,
			    .pending = core->memory.demand_until };
	uint8_t store = 0;
	if (cause == PMS_COUNTER_BE_SLOT_SQ)
		store = (uint8_t)(core->n_stores - core->params->store_queue);
	else if (cause == PMS_COUNTER_BE_SLOT_SERIAL)
		store = (uint8_t)(core->n_stores - 1);
	else
		return why;
	why.alone = cause == PMS_COUNTER_BE_SLOT_SERIAL;
	why.store = c->stores[store].row;
	why.retired = c->stores[store].retired;
	return why;
}

/* Returns whether some operation is in flight in each cycle before @to. What is charged for these
 * cycles hangs on operations alone, and can wait. */
static bool busy_until(const struct pms_charge *c, uint64_t to)
{
	const struct pms_charge_op *last = &c->ops[(c->tail - 1) & c->mask];
	return c->head != c->tail && (int32_t)(last->retired - (uint32_t)to) >= 0;
}

/* Charge @slots empty slots of the frontend, and @cycles without an operation, before cycle @to. */
static void pass_fetch(struct pms_core *core, uint64_t to, uint64_t slots, uint64_t cycles)
{
	struct pms_charge *c = &core->charge;
	const struct lost why = late_fetch(core);
	if (slots)
		pms_charge_add(c, why.row, why.kind, slots);
	if (cycles)
		pms_charge_add(c, why.row, PMS_CHARGED_STALL_FRONTEND, cycles);
	if (!busy_until(c, to))
		pass_time(c, to, &why, false);
}

PMS_APART void pms_charge_pass(struct pms_core *core, uint64_t to, uint64_t fetched,
			       enum pms_counter cause)
{
	struct pms_charge *c = &core->charge;
	const uint64_t slots = core->params->slots, cycle = core->cycle;
	const uint64_t from = core->used ? cycle + 1 : cycle;
	const uint64_t middle = fetched < from ? from : fetched > to ? to : fetched;
	const uint64_t left = core->used ? slots - core->used : 0;
	if (!busy_until(c, cycle))
		pms_charge_catch_up(c, cycle);
	if (core->used && (fetched > cycle || !left))
		pass_fetch(core, from, left, 0);
	if (middle > from)
		pass_fetch(core, middle, slots * (middle - from), middle - from);
	if ((fetched > cycle || !left) && to <= middle)
		return;
	struct lost room = no_room(core, cause);
	room.slots = left;
	if (fetched <= cycle && left) {
		pms_charge_catch_up(c, cycle);
		pass_time(c, from, &room, false);
	}
	room.slots = slots;
	if (to > middle) {
		pms_charge_catch_up(c, middle);
		pass_time(c, to, &room, true);
	}
}

/* blocks and branches */

void pms_charge_block(struct pms_charge *c, uint32_t count, bool whole)
{
	if (!c->on || !c->block)
		return;
	if (whole) {
		c->block->whole[c->part]++;
		return;
	}
	struct pms_ledger_row *rows = pms_ledger_rows(c->block);
	for (uint32_t i = 0; i < count; i++)
		rows[(i << c->shift) + c->part].alone++;
}

/* Returns the block's edge to @to, a new one if there is none; NULL when there is no room. */
static struct pms_ledger_edge *find_edge(const struct pms_charge *c, uint64_t to)
{
	uint32_t *link = &c->block->edges;
	while (*link) {
		struct pms_ledger_edge *edge = pms_ledger_at(c->ledger, *link);
		if (edge->to == to)
			return edge;
		link = &edge->next;
	}
	uint32_t chunk = pms_ledger_take(c->ledger, 1);
	if (!chunk)
		return NULL;
	struct pms_ledger_edge *edge = pms_ledger_at(c->ledger, chunk);
	edge->to = to;
	*link = chunk;
	return edge;
}

void pms_charge_edge(struct pms_charge *c, uint64_t to, bool missed)
{
	if (!c->on || !c->block)
		return;
	struct pms_ledger_edge *edge = find_edge(c, to);
	if (!edge)
		return;
	edge->count[c->part]++;
	edge->missed[c->part] += missed;
}

void pms_charge_miss(struct pms_charge *c, uint8_t branch)
{
	unsigned kind = branch == PMS_BRANCH_COND     ? PMS_CHARGED_MISS_DIRECTION
			: branch == PMS_BRANCH_RETURN ? PMS_CHARGED_MISS_RETURN
						      : PMS_CHARGED_MISS_TARGET;
	pms_charge_add(c, c->now, kind, 1);
}

void pms_charge_check(const struct pms_charge *c, const uint64_t *n)
{
#ifndef NDEBUG
	const uint64_t *sums = c->sums;
#define X(name) assert(sums[PMS_CHARGED_##name] == n[PMS_COUNTER_##name]);
	PMS_CHARGED_COUNTERS(X)
#undef X
	assert(c->cycles == n[PMS_COUNTER_CPU_CYCLES] * PMS_LEDGER_CYCLE);
	assert(sums[PMS_CHARGED_MISS_DIRECTION] + sums[PMS_CHARGED_MISS_TARGET] +
		       sums[PMS_CHARGED_MISS_RETURN] ==
	       n[PMS_COUNTER_BR_MIS_PRED]);
	uint64_t waits = 0;
	for (unsigned i = 0; i < PMS_WAIT_COUNT; i++)
		waits += sums[PMS_CHARGED_WAIT_SLOTS + i];
	assert(waits == n[PMS_COUNTER_BE_SLOT_ROB] + n[PMS_COUNTER_BE_SLOT_IQ] +
				n[PMS_COUNTER_BE_SLOT_LQ] + n[PMS_COUNTER_BE_SLOT_SQ] +
				n[PMS_COUNTER_BE_SLOT_SERIAL]);
#else
	(void)c, (void)n;
#endif
}
