/* SPDX-License-Identifier: MIT */
/* Wrong paths: what the core fetches, renames and partly executes until a flush throws it away.
 * The code is the guest's own; register values are not known, so branches go where the predictor
 * sends them, and loads go where their program counter's stride points. An operation executes
 * before the flush if what it reads is there by then: within the path, operations that execute at
 * all are taken to do so as soon as they can issue. */
#include "vcore/model/rename.h"
#include "vcore/model/state.h"

/* What a walk may change and the flush takes back. */
struct walk {
	struct pms_core *core;
	struct pms_speculation state;
	uint64_t pc, fetch, until;
	uint64_t fetched; /* first cycle in which the next operation could be renamed */
	uint64_t insns, slots, fp_ops;
	enum pms_counter cause;	       /* of the backend's, if it is what stopped the walk */
	uint8_t late[PMS_READY_COUNT]; /* 1: the register's value is not there before the flush */
	int32_t entries[PMS_IQ_COUNT]; /* left in each issue queue for operations that only wait */
	const struct pms_code_line *line;
	bool enter; /* the next instruction is on another line */
};

static const struct pms_code_line *code_line(struct pms_core *core, uint64_t pc)
{
	uint64_t line = pc >> 6;
	struct pms_code_line *entry = &core->lines[line % PMS_CODE_LINES];
	if (entry->line != line) {
		uint32_t words[16];
		entry->line = line;
		entry->mapped = core->code->read(core->code->context, line << 6, words);
		if (entry->mapped)
			pms_uops_decode(core->params, words, 16, entry->ops);
	}
	return entry->mapped ? entry : NULL;
}

/* Returns the first cycle with a free entry of the reorder buffer, `until` if there will be none.
 */
static uint64_t rob_room(const struct walk *w)
{
	const struct pms_core *core = w->core;
	uint64_t entries = core->params->rob_entries;
	if (w->slots >= entries)
		return w->until;
	return core->retired[(core->op_seq + w->slots - entries) % PMS_RING];
}

/* Take the operation's slots. Returns false when the flush comes first. */
static bool rename_wrong(struct walk *w, const struct pms_uop *uop)
{
	struct pms_core *core = w->core;
	for (unsigned i = 0; i < uop->slots; i++) {
		uint64_t want = pms_later(w->fetched, rob_room(w));
		if (core->used == core->params->slots)
			want = pms_later(want, core->cycle + 1);
		if (want > core->cycle) {
			if (want >= w->until) {
				w->cause = PMS_COUNTER_BE_SLOT_ROB;
				return false;
			}
			pms_rename_stall(core, want, w->fetched, PMS_COUNTER_BE_SLOT_ROB);
		}
		core->used++;
		w->slots++;
	}
	return true;
}

/* Returns whether the operation executes before the flush. */
static bool executes(struct walk *w, const struct pms_uop *uop)
{
	const uint8_t *late = w->late;
	bool waits = late[uop->src[0]] | late[uop->src[1]] | late[uop->src[2]] | late[uop->src[3]] |
		     late[uop->src[4]];
	waits |= w->core->cycle + w->core->params->rename_to_issue >= w->until;
	w->late[uop->dst[0]] = waits;
	w->late[uop->dst[1]] = waits;
	for (unsigned i = 2; i < uop->n_dst; i++)
		w->late[uop->dst[i]] = waits;
	w->late[uop->writeback] = waits;
	w->late[PMS_READY_SINK] = 0;
	return !waits;
}

static void count_wrong(struct walk *w, const struct pms_uop *uop)
{
	uint64_t *counters = w->core->counters;
	w->insns++;
	w->fp_ops += uop->fp_ops;
	if (uop->spec)
		counters[uop->spec]++;
	for (uint32_t rest = uop->specs; rest; rest &= rest - 1)
		counters[pms_spec_counter((unsigned)__builtin_ctz(rest))]++;
}

static void load_wrong(struct walk *w)
{
	struct pms_core *core = w->core;
	const struct pms_uop *uop = &w->line->ops[w->pc >> 2 & 15];
	uint64_t address;
	if (uop->mem & PMS_MEM_LITERAL) {
		address = w->pc + (uint64_t)(int64_t)uop->disp;
	} else if (!core->params->stride_entries ||
		   !pms_stride_guess(&core->memory.stride, w->pc, &address)) {
		PMS_COUNT(core, UNKNOWN_WRONG_PATH, 1);
		return;
	}
	uint64_t issue = core->cycle + core->params->rename_to_issue;
	uint64_t data = pms_memory_load(&core->memory, address, issue) + core->params->l1d_latency;
	w->late[uop->dst[0]] = data >= w->until;
}

/* Go where the predictor says. Returns whether the group ends: the branch is predicted taken. */
static bool branch_wrong(struct walk *w, const struct pms_uop *uop, bool resolves)
{
	struct pms_core *core = w->core;
	struct pms_prediction prediction;
	pms_predict(&core->predictor, &w->state, w->pc, uop, &prediction);
	pms_predict_follow(&w->state, w->pc, uop, prediction.taken, prediction.next);
	if (resolves) {
		bool indirect = uop->branch >= PMS_BRANCH_INDIRECT;
		core->counters[indirect ? PMS_COUNTER_BR_INDIRECT_SPEC
					: PMS_COUNTER_BR_IMMED_SPEC]++;
		PMS_COUNT(core, BR_RETURN_SPEC, uop->branch == PMS_BRANCH_RETURN);
		PMS_COUNT(core, PC_WRITE_SPEC, prediction.taken);
		PMS_COUNT(core, BR_PRED, 1); /* nothing shows that it was wrong */
	}
	if (!prediction.taken)
		return false;
	w->fetch += pms_branch_bubble(core->params, prediction.btb);
	w->pc = prediction.next;
	return true;
}

static void enter_line(struct walk *w)
{
	struct pms_core *core = w->core;
	uint64_t tlb, ready = pms_memory_fetch(&core->memory, w->pc, w->fetch, w->fetch, &tlb);
	w->line = code_line(core, w->pc);
	w->enter = false;
	if (ready > w->fetch) {
		w->fetch = ready;
		core->fe_cause = PMS_COUNTER_FE_SLOT_ICACHE;
	}
}

/* Rename and perhaps execute one instruction. Returns false when the walk is over. */
static bool step(struct walk *w, const struct pms_uop *uop, bool *group_ends)
{
	if (!(uop->flags & PMS_UOP_FUSED_SECOND) && !rename_wrong(w, uop))
		return false;
	count_wrong(w, uop);
	bool done = executes(w, uop);
	if (!done && w->entries[uop->queue]-- == 0) {
		w->cause = PMS_COUNTER_BE_SLOT_IQ;
		return false;
	}
	if (done && (uop->kind == PMS_UOP_LOAD || uop->kind == PMS_UOP_ATOMIC))
		load_wrong(w);
	*group_ends = uop->kind == PMS_UOP_BRANCH && branch_wrong(w, uop, done);
	return true;
}

/* One fetch group. Returns false when the walk is over. */
static bool walk_group(struct walk *w)
{
	struct pms_core *core = w->core;
	for (unsigned i = 0; i < core->params->fetch_width; i++) {
		if (w->enter || (w->pc & 63) == 0)
			enter_line(w);
		const struct pms_uop *uop = w->line ? &w->line->ops[w->pc >> 2 & 15] : NULL;
		if (!uop || uop->kind == PMS_UOP_SERIAL) {
			w->fetched = w->until; /* nothing more comes out of fetch */
			return false;
		}
		w->fetched = w->fetch + core->params->fetch_to_rename;
		if (w->fetched >= w->until || !step(w, uop, &w->enter))
			return false;
		if (w->enter)
			break;
		w->pc += 4;
	}
	w->fetch++;
	core->fe_cause = PMS_COUNTER_FE_SLOT_FETCH;
	return true;
}

static void walk(struct pms_core *core, const struct pms_wrong_path *path, struct walk *w)
{
	w->state = core->predictor.now;
	w->pc = path->pc & ~UINT64_C(3);
	w->fetch = path->fetch;
	w->enter = true;
	if (path->branch)
		pms_predict_follow(&w->state, path->branch_pc, path->branch,
				   path->prediction->taken, path->prediction->next);
	for (unsigned i = 0; i < PMS_READY_COUNT; i++)
		w->late[i] = core->ready[i] >= w->until;
	for (unsigned i = 0; i < PMS_IQ_COUNT; i++)
		w->entries[i] = (int32_t)core->queue_size[i] -
				(int32_t)pms_calendar_occupancy(&core->calendar, (uint8_t)i);
	w->entries[PMS_IQ_NONE] = INT32_MAX;
	core->fe_cause = PMS_COUNTER_FE_SLOT_FETCH;
	while (w->fetch < w->until && walk_group(w))
		;
	PMS_COUNT(core, INST_SPEC, w->insns);
	PMS_COUNT(core, FP_FIXED_OPS_SPEC, w->fp_ops);
	PMS_COUNT(core, OP_SPEC, w->slots);
	core->counters[path->flushed] += w->slots;
}

void pms_walk(struct pms_core *core, const struct pms_wrong_path *path)
{
	struct walk w = { .core = core, .until = path->until, .fetched = path->until };
	w.cause = PMS_COUNTER_BE_SLOT_ROB;
	core->fe_cause = PMS_COUNTER_FE_SLOT_FLUSH;
	if (core->lines)
		walk(core, path, &w);
	if (core->cycle < w.until)
		pms_rename_stall(core, w.until, w.fetched < w.until ? w.fetched : w.until, w.cause);
}
