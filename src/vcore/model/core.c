/* SPDX-License-Identifier: MIT */
/* The hot loop: the fetch, rename, issue, completion and retirement of each instruction, in
 * program order, timed by the structures that it needs. */
#include "vcore/model/core.h"

#include <stdlib.h>
#include <string.h>

#include "vcore/model/rename.h"
#include "vcore/model/state.h"

/* Set the sizes of the issue queues. */
static void size_queues(struct pms_core *core)
{
	const struct pms_params *p = core->params;
	core->queue_size[PMS_IQ_NONE] = 1; /* no entry of it is ever held */
	for (unsigned i = 1; i <= PMS_QUEUES_MOST; i++) {
		bool limited = !pms_without(p, PMS_MECHANISM_ISSUE_QUEUES);
		core->queue_size[i] = limited ? p->queue_entries[i] : PMS_QUEUE_MOST_ENTRIES;
		core->queue_sizes += pms_queue_lane((uint8_t)i) * core->queue_size[i];
	}
}

/* Switch off the core's mechanisms that its parts do not know of. */
static void leave_out(struct pms_core *core)
{
	const struct pms_params *p = core->params;
	bool ports =
		!pms_without(p, PMS_MECHANISM_STORE_PORTS) && !pms_without(p, PMS_MECHANISM_PORTS);
	core->write_ports = ports ? p->op[PMS_ISA_WRITES].ports : 0;
	core->commit_free = pms_without(p, PMS_MECHANISM_STORE_DRAIN);
	struct pms_lead_rules *rules = &core->lead_rules;
	rules->at_once = pms_without(p, PMS_MECHANISM_GROUP_END) != 0;
	rules->runs = p->fetch_queue != 0;
	rules->windows_log2 = (uint8_t)__builtin_ctz(p->predict_windows);
	rules->pairs = p->branch_pairs;
	rules->usual = rules->runs && rules->pairs && !rules->at_once &&
		       rules->windows_log2 == PMS_LEAD_WINDOWS_LOG2;
}

struct pms_core *pms_core_new(const struct pms_params *params, uint64_t *counters,
			      const struct pms_code_source *code)
{
	struct pms_core *core = calloc(1, sizeof(*core));
	if (!core)
		return NULL;
	if (pms_without(params, PMS_MECHANISM_WRONG_PATH))
		code = NULL;
	core->params = params;
	core->counters = counters;
	core->code = code;
	core->order_mask = (1u << params->order_predictor_log2) - 1;
	core->order = calloc((size_t)core->order_mask + 1, sizeof(*core->order));
	if (code)
		core->lines = malloc(PMS_CODE_LINES * sizeof(*core->lines));
	PMS_CHARGE(if (pms_charge_init(&core->charge, params)) {
		pms_core_free(core);
		return NULL;
	});
	if (!core->order || (code && !core->lines) || pms_system_init(&core->system, params) ||
	    pms_memory_init(&core->memory, params, &core->system, counters) ||
	    (params->mop_cache_windows &&
	     pms_cache_init(&core->mops, (uint64_t)params->mop_cache_windows * PMS_WINDOW_BYTES,
			    params->mop_cache_ways, PMS_WINDOW_BYTES)) ||
	    pms_predictor_init(&core->predictor, params)) {
		pms_core_free(core);
		return NULL;
	}
	for (unsigned i = 0; core->lines && i < PMS_CODE_LINES; i++)
		core->lines[i].line = UINT64_MAX;
	for (unsigned i = 0; i < PMS_STORE_TABLE; i++)
		core->stores[i].granule = UINT64_MAX;
	core->mop_fills = 1;
	core->line_seq = PMS_AHEAD_RING; /* the lines before the first were requested long ago */
	size_queues(core);
	for (unsigned i = 0; i < PMS_OP_COUNT; i++)
		core->ports[i] = params->op[i].ports;
	leave_out(core);
	PMS_CHARGE(core->memory.charge = &core->charge);
	pms_calendar_init(&core->calendar);
	pms_fetch_redirect(core, 1, PMS_COUNTER_FE_SLOT_FETCH);
	core->fe_cause = PMS_COUNTER_FE_SLOT_FETCH;
	return core;
}

void pms_core_free(struct pms_core *core)
{
	if (!core)
		return;
	pms_memory_release(&core->memory);
	pms_system_release(&core->system);
	pms_cache_release(&core->mops);
	pms_predictor_release(&core->predictor);
	PMS_CHARGE(pms_charge_release(&core->charge));
	free(core->order);
	free(core->lines);
	free(core);
}

static inline uint64_t address_ready(const struct pms_core *core, const struct pms_uop *uop,
				     uint64_t ready)
{
	for (unsigned i = 0; i < uop->n_addr; i++)
		ready = pms_later(ready, core->ready[uop->src[i]]);
	return ready;
}

#ifdef PMS_PLACES
/* Law 11: the oldest operation waits for no operand, since what makes it has retired. */
static inline bool operands_are_there(const struct pms_core *core)
{
	const struct pms_charge_op *op = &core->charge.ops[core->charge.tail & core->charge.mask];
	uint64_t first = core->cycle + core->params->rename_to_issue;
	return op->before != PMS_WAIT_PIPELINE ||
	       (int32_t)(op->ready - (uint32_t)pms_later(first, core->last_retire)) <= 0;
}
#endif

/* Retire in order, so many a cycle. The code has no branches, because the host could only guess
 * which way they go. */
static inline void retire(struct pms_core *core, uint64_t done)
{
	uint64_t cycle = core->last_retire;
	uint32_t used = core->retire_used + 1;
	bool full = used > core->params->retire_width;
	cycle += full;
	bool first = full | (done >= cycle);
	cycle = pms_later(cycle, done + 1);
	used -= (used - 1) & -(uint32_t)first;			   /* first of its cycle: 1 */
	assert(cycle >= core->last_retire && cycle > core->cycle); /* law 3: in order */
	PMS_CHARGE(assert(operands_are_there(core)));
	PMS_CHARGE(pms_charge_retire(&core->charge, done, cycle, core->cycle));
	core->retire_used = used;
	core->last_retire = cycle;
	core->retired[core->op_seq++ % PMS_RING] = cycle;
}

static inline void retire_all(struct pms_core *core, const struct pms_uop *uop, uint64_t done)
{
	for (unsigned i = uop->retire_slots; i > 0; i--) {
		PMS_CHARGE(if (i < uop->retire_slots) pms_charge_again(&core->charge));
		retire(core, done);
	}
}

/* Retire an operation that is not the first of a pair. */
static inline void retire_some(struct pms_core *core, const struct pms_uop *uop, uint64_t done)
{
	retire(core, done);
	for (unsigned i = 1; i < uop->retire_slots; i++) {
		PMS_CHARGE(pms_charge_again(&core->charge));
		retire(core, done);
	}
}

/* Returns the cycle from which the operation renamed last can issue. */
static inline uint64_t renamed(struct pms_core *core)
{
	core->renamed[core->insn_seq++] = core->cycle;
	return core->cycle + core->params->rename_to_issue;
}

static inline uint64_t issue(struct pms_core *core, const struct pms_uop *uop, uint64_t ready)
{
	assert(ready >= core->cycle + core->params->rename_to_issue); /* law 3 */
	uint64_t start = pms_calendar_issue(&core->calendar, ready, core->ports[uop->unit],
					    uop->busy, uop->queue);
	assert(start >= ready);
	PMS_CHARGE(pms_charge_issue(&core->charge, ready, start, uop->wait));
	assert(uop->queue == PMS_IQ_NONE ||
	       pms_calendar_occupancy(&core->calendar, uop->queue) <= core->queue_size[uop->queue]);
	return start;
}

/* Run the usual simple operation. */
static inline void run_plain(struct pms_core *core, const struct pms_uop *uop)
{
	uint64_t ready = pms_three_sources(&core->ready, uop, renamed(core));
	uint64_t done =
		pms_calendar_issue(&core->calendar, ready, core->ports[uop->unit], 1, uop->queue) +
		uop->latency;
	core->ready[uop->dst[0]] = done;
	PMS_CHARGE(pms_charge_issue(&core->charge, ready, done - uop->latency, uop->wait));
	retire(core, done);
}

/* Run a comparison; the branch behind it issues and retires for both. */
static inline void run_compare(struct pms_core *core, const struct pms_uop *uop)
{
	uint64_t ready = pms_three_sources(&core->ready, uop, renamed(core));
	core->ready[uop->dst[0]] = ready + uop->latency;
}

static inline void run_free(struct pms_core *core, const struct pms_uop *uop)
{
	uint64_t done = pms_three_sources(&core->ready, uop, renamed(core)) + uop->latency;
	core->ready[uop->dst[0]] = done;
	PMS_CHARGE(pms_charge_issue(&core->charge, done - uop->latency, done - uop->latency,
				    uop->wait));
	retire(core, done);
}

static PMS_APART void run_simple(struct pms_core *core, const struct pms_uop *uop)
{
	uint64_t start = issue(core, uop, pms_sources_ready(&core->ready, uop, renamed(core)));
	uint64_t done = start + uop->latency;
	pms_set_results(&core->ready, uop, done);
	core->ready[uop->writeback] = start + 1;
	PMS_CHARGE(if (uop->flags & PMS_UOP_FUSED_SECOND) pms_charge_next(&core->charge)->before =
			   uop->wait);
	retire_all(core, uop, done);
}

/* The accesses of one instruction, or of the rest of a block. */
struct accesses {
	const struct pms_access *first, *end;
};

static inline bool crosses_line(const struct pms_access *access)
{
	return access->address % PMS_LINE_BYTES + access->size > PMS_LINE_BYTES;
}

/* Returns the start of the second line of an access that crosses one. */
static uint64_t second_line(const struct pms_access *access)
{
	return (access->address + access->size - 1) & ~(uint64_t)(PMS_LINE_BYTES - 1);
}

/* Make one access, or its two halves when it crosses a line. Returns the cycle of its data. */
static inline uint64_t load_access(struct pms_core *core, const struct pms_uop *uop, uint64_t pc,
				   const struct pms_access *access, uint64_t start)
{
	uint64_t data = pms_memory_load(&core->memory, access->address, start);
	if (uop->kind == PMS_UOP_LOAD)
		pms_memory_train(&core->memory, pc, access->address, start);
	if (crosses_line(access)) {
		PMS_CHARGE(const struct pms_charge_found first = core->charge.found);
		PMS_CHARGE(const uint64_t before = data);
		data = pms_later(data, pms_memory_load(&core->memory, second_line(access), start));
		PMS_CHARGE(if (data == before) core->charge.found = first);
	}
	return data;
}

/* Flush a load that ran ahead of a store to its address, and everything behind it. */
static PMS_APART void order_flush(struct pms_core *core, const struct pms_uop *uop, uint64_t pc,
				  uint64_t when)
{
	uint64_t until = pms_later(when, core->cycle + 1);
	pms_rename_undo(core, uop + 1);
	PMS_COUNT(core, INST_SPEC, 1);
	PMS_COUNT(core, OP_SPEC, uop->rename_slots);
	PMS_COUNT(core, FLUSHED_ORDER, uop->rename_slots);
	PMS_CHARGE(pms_charge_add(&core->charge, core->charge.now, PMS_CHARGED_ORDER_FLUSHES, 1));
	uint32_t specs = core->block->counts[uop - core->block->ops].spec_set;
	for (uint32_t rest = specs; rest; rest &= rest - 1)
		core->counters[pms_spec_counter((unsigned)__builtin_ctz(rest))]++;
	pms_walk(core, &(struct pms_wrong_path){ .pc = pc + pms_uop_bytes(uop),
						 .predicted = core->lead.cycle,
						 .fetch = core->fetch + 1,
						 .until = until,
						 .flushed = PMS_COUNTER_FLUSHED_ORDER });
	const struct pms_params *p = core->params;
	uint64_t exec = until + p->mispredict_penalty;
	pms_fetch_redirect(core, pms_later(until, exec - p->fetch_to_rename - p->rename_to_issue),
			   PMS_COUNTER_FE_SLOT_FLUSH);
}

/* Run the load part of a load or an atomic. Returns false after a flush: the instruction runs
 * again. */
static inline bool load_part(struct pms_core *core, const struct pms_uop *uop, uint64_t pc,
			     struct accesses a, const bool atomic, const bool usual, uint64_t start,
			     uint64_t *done)
{
	const unsigned latency = uop->latency;
	for (const struct pms_access *access = a.first; access != a.end; access++) {
		if (atomic && access->store)
			continue;
		uint64_t at = start;
		if (access != a.first)
			at = pms_calendar_issue(&core->calendar, start, core->ports[uop->unit], 1,
						0);
		if (!usual && !atomic && uop->flags & PMS_UOP_SECOND)
			at = pms_calendar_take(&core->calendar, start, uop->second_ports);
		struct pms_forward forward =
			pms_lsq_load(core, pc, access->address, access->size, at);
		if (forward.flush) {
			order_flush(core, uop, pc, forward.flush);
			return false;
		}
		if (access->address & uop->align)
			PMS_COUNT(core, UNALIGNED_LD_SPEC, 1);
		uint64_t data = load_access(core, uop, pc, access, at) + latency;
		if (forward.forwarded)
			data = pms_later(at, forward.ready) + core->params->forward_latency +
			       latency - core->params->l1d_latency;
		else if (forward.ready > at)
			data = pms_later(data, forward.ready + latency);
		PMS_CHARGE(if (data >= *done) pms_charge_load(
			&core->charge, at,
			forward.forwarded ? PMS_WAIT_FORWARD
			: forward.ready > at && data == forward.ready + latency
				? PMS_WAIT_FORWARD_FAIL
				: PMS_WAIT_COUNT));
		*done = pms_later(*done, data);
	}
	return true;
}

/* Write a store's data of one line, after the data of all earlier stores. Consecutive stores to
 * one line are written together, up to the width of the path to L1D.
 * @ready: cycle from which it can be written; @wait: whether it waits for others
 * Returns the cycle. */
static inline uint64_t write_line(struct pms_core *core, uint64_t line, uint32_t size,
				  uint64_t ready, unsigned wait)
{
	const struct pms_params *p = core->params;
	if (ready <= core->last_commit && line == core->commit_line && size <= core->commit_left) {
		core->commit_left -= size;
		return core->last_commit;
	}
	uint64_t when = pms_later(ready + wait, core->last_commit + 1);
	if (core->write_ports)
		when = pms_calendar_take(&core->calendar, when, core->write_ports);
	core->last_commit = when;
	core->commit_line = line;
	core->commit_left = size < p->store_commit_bytes ? p->store_commit_bytes - size : 0;
	return when;
}

/* Run the store part. Returns the cycle at which all of it is in L1D. */
static inline uint64_t store_part(struct pms_core *core, const struct pms_uop *uop,
				  struct accesses a, uint64_t start, uint64_t data,
				  uint64_t retired, const bool usual)
{
	uint64_t commit = 0;
	unsigned wait = usual ? core->params->store_merge_cycles : 0;
	for (const struct pms_access *access = a.first; access != a.end; access++) {
		if (!access->store)
			continue;
		if (access->address & uop->align)
			PMS_COUNT(core, UNALIGNED_ST_SPEC, 1);
		uint64_t writable = pms_memory_store(&core->memory, access->address, start);
		uint64_t when = pms_later(retired + 1, writable);
		uint32_t size = access->size, beyond = 0;
		if (crosses_line(access)) {
			uint64_t second = second_line(access);
			beyond = (uint32_t)(access->address + size - second);
			writable = pms_memory_store(&core->memory, second, start);
			when = pms_later(when, writable);
		}
		uint64_t line = access->address & ~(uint64_t)(PMS_LINE_BYTES - 1);
		if (!core->commit_free)
			when = write_line(core, line, size - beyond, when, wait);
		else
			when = core->last_commit = pms_later(retired + 1, core->last_commit);
		if (beyond && !core->commit_free)
			when = write_line(core, line + PMS_LINE_BYTES, beyond, when, 0);
		commit = when;
		pms_lsq_store(core, access->address, access->size, start, data, when);
	}
	return commit;
}

/* Let the store renamed last leave the store queue in cycle @when. */
static inline void store_leaves(struct pms_core *core, uint64_t when)
{
	uint64_t before = core->store_most[(uint8_t)(core->n_stores - 1)];
	core->store_free[core->n_stores] = when;
	PMS_CHARGE(pms_charge_store(&core->charge, core->n_stores, core->last_retire));
	core->store_most[core->n_stores++] = pms_later(when, before);
}

/* @usual: the operation has PMS_UOP_USUAL. */
static inline void run_memory(struct pms_core *core, const struct pms_uop *uop, uint64_t pc,
			      struct accesses a, const bool loads, const bool stores,
			      const bool usual)
{
	uint64_t start, done;
	for (;;) {
		uint64_t ready = pms_later(renamed(core), core->access_floor);
		if (!usual && uop->mem & PMS_MEM_ACQUIRE) /* it comes after earlier releases */
			ready = pms_later(ready, core->release_floor);
		PMS_CHARGE(const bool ordered =
				   ready > core->cycle + core->params->rename_to_issue);
		start = issue(core, uop,
			      !loads  ? address_ready(core, uop, ready)
			      : usual ? pms_three_sources(&core->ready, uop, ready)
				      : pms_sources_ready(&core->ready, uop, ready));
		done = start + uop->latency;
		PMS_CHARGE(if (ordered) pms_charge_next(&core->charge)->before = PMS_WAIT_ORDER);
		if (!loads || load_part(core, uop, pc, a, stores, usual, start, &done))
			break;
		core->insn_seq--; /* the flush took its entry back */
		pms_rename_next(core, uop, pc);
	}
	uint64_t data = usual ? pms_three_sources(&core->ready, uop, start)
			      : pms_sources_ready(&core->ready, uop, start);
	if (stores && uop->flags & PMS_UOP_SECOND)
		data = pms_calendar_take(&core->calendar, data, uop->second_ports);
	if (!loads)
		done = pms_later(done, data + 1);
	if (usual)
		pms_set_two_results(&core->ready, uop, done);
	else
		pms_set_results(&core->ready, uop, done);
	core->ready[uop->writeback] = start + 1;
	if (usual)
		retire(core, done);
	else
		retire_some(core, uop, done);
	if (loads)
		core->load_free[core->n_loads++] = core->last_retire;
	core->last_access = pms_later(core->last_access, done);
	if (stores) {
		uint64_t commit = store_part(core, uop, a, start, loads ? done : data,
					     core->last_retire, usual);
		store_leaves(core, pms_later(commit, core->last_retire));
		if (!usual && uop->mem & PMS_MEM_RELEASE)
			core->release_floor = pms_later(core->release_floor, commit);
	}
	if (!usual && uop->mem & PMS_MEM_ACQUIRE)
		core->access_floor = pms_later(core->access_floor, done);
}

/* Run a usual load with one access: most loads. */
static PMS_HOT void run_usual_load(struct pms_core *core, const struct pms_uop *uop, uint64_t pc,
				   const struct pms_access *access)
{
	run_memory(core, uop, pc, (struct accesses){ access, access + 1 }, true, false, true);
}

static PMS_HOT void run_usual_store(struct pms_core *core, const struct pms_uop *uop, uint64_t pc,
				    const struct pms_access *access)
{
	run_memory(core, uop, pc, (struct accesses){ access, access + 1 }, false, true, true);
}

static PMS_HOT void run_load(struct pms_core *core, const struct pms_uop *uop, uint64_t pc,
			     struct accesses a)
{
	run_memory(core, uop, pc, a, true, false, false);
}

static PMS_HOT void run_store(struct pms_core *core, const struct pms_uop *uop, uint64_t pc,
			      struct accesses a)
{
	if (uop->flags & PMS_UOP_CONDITIONAL) { /* it writes only if it succeeds */
		PMS_COUNT(core, STREX_PASS_SPEC, a.first != a.end);
		PMS_COUNT(core, STREX_FAIL_SPEC, a.first == a.end);
	}
	run_memory(core, uop, pc, a, false, true, false);
}

static PMS_APART void run_atomic(struct pms_core *core, const struct pms_uop *uop, uint64_t pc,
				 struct accesses a)
{
	run_memory(core, uop, pc, a, true, true, false);
}

/* Run a barrier: a store counts as visible once it is written. A barrier for stores only holds
 * nothing up, since stores are written in order anyway. */
static void run_barrier(struct pms_core *core, const struct pms_uop *uop)
{
	run_simple(core, uop);
	if (uop->orders == PMS_ORDERS_STORES)
		return;
	core->access_floor = pms_later(core->access_floor, core->last_access);
	if (uop->orders == PMS_ORDERS_ALL)
		core->access_floor = pms_later(core->access_floor, core->last_commit);
}

/* Run an operation that waits for an empty core. Afterwards the core refills, unless only stores
 * were awaited. */
static void run_serial(struct pms_core *core, const struct pms_uop *uop)
{
	const struct pms_params *p = core->params;
	const uint8_t role = core->block->counts[uop - core->block->ops].role;
	uint64_t ready = renamed(core);
	PMS_CHARGE(pms_charge_add(&core->charge, core->charge.now, PMS_CHARGED_SERIALS, 1));
	uint64_t done = issue(core, uop, ready) + uop->latency;
	pms_set_results(&core->ready, uop, done);
	retire_all(core, uop, done);
	if (role == PMS_ROLE_SYNC)
		return;
	PMS_COUNT(core, EXC_TAKEN, role != PMS_ROLE_REFETCH);
	PMS_COUNT(core, EXC_SVC, role == PMS_ROLE_CALL);
	PMS_COUNT(core, EXC_UNDEF, role == PMS_ROLE_UNDEFINED);
	if (role == PMS_ROLE_CALL && pms_without(p, PMS_MECHANISM_SYSTEM_CALLS))
		return;
	unsigned refill = role == PMS_ROLE_REFETCH ? p->serialize_cycles : p->svc_cycles;
	pms_fetch_redirect(core, core->last_retire + 1 + refill, PMS_COUNTER_FE_SLOT_SERIAL);
}

/* Returns the state of prediction on the path behind a mispredicted branch. */
static struct pms_lead lead_astray(const struct pms_core *core, uint64_t pc,
				   const struct pms_uop *uop,
				   const struct pms_prediction *prediction)
{
	struct pms_lead lead = core->lead;
	unsigned bubble = pms_predict_bubble(core->params, prediction);
	if (prediction->runs_on)
		return lead;
	if (prediction->btb == PMS_BTB_MISS)
		pms_lead_restart(&lead, core->fetch + 1 + bubble);
	else
		pms_lead_follow(&lead, &core->lead_rules, pc, uop->branch, bubble, core->fetch);
	return lead;
}

/* Walk the wrong path of a mispredicted branch, then restart fetch when the branch has executed. */
static PMS_APART void mispredicted(struct pms_core *core, uint64_t pc, const struct pms_uop *uop,
				   const struct pms_prediction *prediction, uint64_t start,
				   uint64_t done)
{
	const struct pms_params *p = core->params;
	const struct pms_lead lead = lead_astray(core, pc, uop, prediction);
	PMS_COUNT(core, BR_MIS_PRED, 1);
	PMS_COUNT(core, BR_MIS_PRED_RETIRED, 1);
	PMS_CHARGE(pms_charge_miss(&core->charge, uop->branch));
	PMS_COUNT(core, BR_PRED, -1); /* the block's sums have it */
	pms_walk(core, &(struct pms_wrong_path){ .pc = prediction->next,
						 .predicted = lead.cycle,
						 .second = lead.second,
						 .fetch = pms_later(core->fetch + 1, lead.cycle),
						 .until = done,
						 .runs_on = prediction->runs_on,
						 .flushed = PMS_COUNTER_FLUSHED_BRANCH });
	uint64_t exec = start + p->mispredict_penalty;
	pms_fetch_redirect(core, pms_later(done, exec - p->fetch_to_rename - p->rename_to_issue),
			   PMS_COUNTER_FE_SLOT_FLUSH);
}

/* Run a branch. @next: where control went; @plausible: the branch can have gone there. */
static PMS_HOT void run_branch(struct pms_core *core, const struct pms_uop *uop, uint64_t pc,
			       uint64_t next, bool plausible)
{
	uint64_t start = issue(core, uop, pms_sources_ready(&core->ready, uop, renamed(core)));
	uint64_t done = start + uop->latency;
	pms_set_results(&core->ready, uop, done); /* the link register */
	retire_some(core, uop, done);

	if (!plausible) /* a signal came in between, and hides what the branch did */
		return;
	struct pms_prediction prediction;
	bool second = pms_lead_together(&core->lead, pc, uop->branch);
	pms_predict(&core->predictor, pc, uop, second, &prediction);
	bool taken = uop->branch != PMS_BRANCH_COND || next != pc + pms_uop_bytes(uop);
	bool missed = prediction.next != next && !pms_predict_knows(&core->predictor, core->params,
								    pc, uop, next, &prediction);
	PMS_COUNT(core, PC_WRITE_SPEC, taken);
	PMS_CHARGE(pms_charge_edge(&core->charge, next, missed));
	if (missed) {
		mispredicted(core, pc, uop, &prediction, start, done);
	} else if (taken) {
		pms_fetch_taken(core, pc, uop, &prediction);
	}
	pms_predict_learn(&core->predictor, pc, uop, &prediction, taken, next);
	pms_predict_follow(&core->predictor, pc, uop, taken, next);
}

/* Returns how many instructions ran before the first one without its accesses: that one faulted. */
static unsigned executed(const struct pms_block *block, const struct pms_access *accesses,
			 size_t n_accesses)
{
	size_t next = 0;
	for (unsigned i = 0; i < block->count; i++) {
		size_t first = next;
		while (next < n_accesses && accesses[next].insn == i)
			next++;
		const struct pms_uop *uop = &block->ops[i];
		if (uop->flags & PMS_UOP_REPORTED && !(uop->flags & PMS_UOP_CONDITIONAL) &&
		    next == first)
			return i;
	}
	return block->count;
}

static inline void add_sums(struct pms_core *core, const uint16_t common[PMS_BLOCK_COMMON],
			    const struct pms_block_sum *rows, unsigned n_rows)
{
	uint64_t *counters = core->counters + PMS_COUNTER_INST_RETIRED;
	for (unsigned i = 0; i < PMS_BLOCK_COMMON; i++)
		counters[i] += common[i];
	for (unsigned i = 0; i < n_rows; i++)
		core->counters[rows[i].counter] += rows[i].count;
}

static void count_ops(struct pms_core *core, const struct pms_block *block, unsigned count)
{
	if (count == block->count) {
		add_sums(core, block->common, block->rows, block->n_rows);
		return;
	}
	struct pms_block_sums sums = { 0 };
	for (unsigned i = 0; i < count; i++)
		pms_block_sum_uop(&sums, &block->ops[i], &block->counts[i]);
	add_sums(core, sums.common, sums.rows, sums.count);
}

/* Run loads, stores and atomics that are unusual, or have several accesses or none. Returns the
 * end of their accesses. */
static PMS_APART const struct pms_access *
run_accesses(struct pms_core *core, const struct pms_uop *uop, uint64_t pc, struct accesses rest)
{
	const uint32_t i = (uint32_t)(uop - core->block->ops);
	struct accesses a = { rest.first, rest.first };
	while (a.end != rest.end && a.end->insn == i)
		a.end++;
	if (uop->kind == PMS_UOP_LOAD)
		run_load(core, uop, pc, a);
	else if (uop->kind == PMS_UOP_ATOMIC)
		run_atomic(core, uop, pc, a);
	else
		run_store(core, uop, pc, a);
	return a.end;
}

/* Returns whether the operation is a usual load or store with one access, the first of @rest. */
static inline bool has_one_access(const struct pms_core *core, const struct pms_uop *uop,
				  struct accesses rest)
{
	const uint32_t i = (uint32_t)(uop - core->block->ops);
	return uop->flags & PMS_UOP_USUAL && rest.first != rest.end && rest.first->insn == i &&
	       (rest.first + 1 == rest.end || rest.first[1].insn != i);
}

/* Run the operations of a block, each on the quickest path that its kind allows. */
static inline void run_ops(struct pms_core *core, const struct pms_block *block, unsigned count,
			   struct accesses accesses, uint64_t next, bool plausible)
{
	const struct pms_uop *uop = block->ops, *end = uop + count;
	uint64_t pc = block->pc;
	for (; uop != end; pc += pms_uop_bytes(uop), uop++) {
		PMS_CHARGE(pms_charge_insn(&core->charge, (uint32_t)(uop - block->ops)));
		pms_rename(core, uop, pc);
		switch ((enum pms_uop_kind)uop->kind) {
		case PMS_UOP_PLAIN:
			run_plain(core, uop);
			break;
		case PMS_UOP_COMPARE:
			run_compare(core, uop);
			break;
		case PMS_UOP_FREE:
			run_free(core, uop);
			break;
		case PMS_UOP_SIMPLE:
			run_simple(core, uop);
			break;
		case PMS_UOP_BRANCH:
			run_branch(core, uop, pc, next, plausible);
			break;
		case PMS_UOP_BARRIER:
			run_barrier(core, uop);
			break;
		case PMS_UOP_LOAD:
			if (has_one_access(core, uop, accesses))
				run_usual_load(core, uop, pc, accesses.first++);
			else
				accesses.first = run_accesses(core, uop, pc, accesses);
			break;
		case PMS_UOP_STORE:
			if (has_one_access(core, uop, accesses))
				run_usual_store(core, uop, pc, accesses.first++);
			else
				accesses.first = run_accesses(core, uop, pc, accesses);
			break;
		case PMS_UOP_ATOMIC:
			accesses.first = run_accesses(core, uop, pc, accesses);
			break;
		case PMS_UOP_SERIAL:
			run_serial(core, uop);
			break;
		}
	}
	pms_rename_undo(core, uop);
}

PMS_HOT void pms_core_run(struct pms_core *core, const struct pms_block *block,
			  const struct pms_access *accesses, size_t n_accesses,
			  enum pms_block_end end, uint64_t next)
{
	if (!block->count)
		return;
	core->enter |= block->pc != core->expected;
	bool plausible = pms_block_led_to(block, end, next);
	unsigned count = plausible ? block->count : executed(block, accesses, n_accesses);
	core->block = block;
	count_ops(core, block, count);
	PMS_CHARGE(pms_charge_block(&core->charge, count, count == block->count));
	run_ops(core, block, count, (struct accesses){ accesses, accesses + n_accesses }, next,
		plausible);
	core->expected = pms_block_pc_of(block, count);
	if (!plausible && end == PMS_END_NEXT) {
		PMS_CHARGE(pms_charge_insn(&core->charge, count - (count == block->count)));
		PMS_COUNT(core, ODD_SUCCESSORS, 1);
		PMS_COUNT(core, EXC_TAKEN, count != block->count);
		pms_fetch_redirect(core,
				   pms_later(core->last_retire, core->cycle) + 1 +
					   core->params->svc_cycles,
				   PMS_COUNTER_FE_SLOT_SERIAL);
	}
	core->counters[PMS_COUNTER_CPU_CYCLES] = core->cycle;
}

/* Assert the laws between the counters, which hold when nothing is in flight. */
static void check_laws(const struct pms_core *core)
{
#ifndef NDEBUG
	const uint64_t *n = core->counters;
#define N(name) n[PMS_COUNTER_##name]
	uint64_t fe = N(FE_SLOT_FLUSH) + N(FE_SLOT_ICACHE) + N(FE_SLOT_ITLB) + N(FE_SLOT_BTB) +
		      N(FE_SLOT_FETCH) + N(FE_SLOT_SERIAL);
	uint64_t be =
		N(BE_SLOT_ROB) + N(BE_SLOT_IQ) + N(BE_SLOT_LQ) + N(BE_SLOT_SQ) + N(BE_SLOT_SERIAL);
	/* Law 1. */
	assert(N(OP_SPEC) + fe + be == N(CPU_CYCLES) * core->params->slots);
	/* Law 2. Nothing is in flight. */
	assert(core->cycle >= core->last_retire && !core->together);
	assert(N(OP_SPEC) - N(OP_RETIRED) ==
	       N(FLUSHED_BRANCH) + N(FLUSHED_ORDER) + N(FLUSHED_FAULT));
	/* Law 4. */
	assert(N(BR_PRED) + N(BR_MIS_PRED) == N(BR_IMMED_SPEC) + N(BR_INDIRECT_SPEC));
	assert(N(BR_RETURN_SPEC) <= N(BR_INDIRECT_SPEC));
	assert(N(BR_MIS_PRED_RETIRED) <= N(BR_MIS_PRED));
	/* Law 8. */
	assert(N(STALL_BACKEND) * core->params->slots <= be);
	assert(N(STALL_FRONTEND) * core->params->slots <= fe);
	assert(N(STALL_BACKEND_MEM) <= N(STALL_BACKEND));
#undef N
	pms_memory_check(&core->memory);
#else
	(void)core;
#endif
}

void pms_core_drain(struct pms_core *core)
{
	uint64_t end = pms_later(core->cycle + (core->used != 0), core->last_retire);
	if (end > core->cycle) /* what is left waits for what is in flight */
		pms_rename_stall(core, end, 0, PMS_COUNTER_BE_SLOT_SERIAL);
	core->counters[PMS_COUNTER_CPU_CYCLES] = core->cycle;
	PMS_CHARGE(pms_charge_catch_up(&core->charge, core->cycle));
	PMS_CHARGE(pms_charge_check(&core->charge, core->counters));
	check_laws(core);
}
