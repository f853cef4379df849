/* SPDX-License-Identifier: MIT */
/* Wrong paths: what the core fetches, renames and partly executes until a flush throws it away.
 * The code is the guest's own; register values are not known, so branches go where the predictor
 * sends them, and loads go where their program counter's stride points.
 *
 * An operation executes before the flush if what it reads is there in time and it can still issue:
 * those that can are taken one by one. Behind them come those that cannot, which is most of a
 * path: they are only fetched, renamed and counted, a run at a time. */
#include "vcore/model/rename.h"
#include "vcore/model/state.h"

/* What a walk may change and the flush takes back. */
struct walk {
	struct pms_core *core;
	struct pms_ras ras;
	uint64_t pc, fetch, until;
	uint64_t fetched; /* first cycle in which the next operation could be renamed */
	uint64_t insns, slots, fp_ops;
	uint64_t specs[PMS_SPEC_WORDS]; /* counts not yet in the counters, a byte each */
	uint32_t spec_insns;		/* that they are of: fewer than a byte holds */
	enum pms_counter cause;		/* of the backend's, if it is what stopped the walk */
	uint8_t late[PMS_READY_COUNT];	/* 1: the register's value is not there before the flush */
	int32_t entries[PMS_IQ_COUNT];	/* left in each issue queue for operations that only wait */
	const struct pms_code_line *line;
	bool enter; /* the next instruction is on another line */
};

/* Returns the first cycle with room for @slots more in the reorder buffer, `until` for none. */
static uint64_t rob_room(const struct walk *w, uint64_t slots)
{
	const struct pms_core *core = w->core;
	uint64_t entries = core->params->rob_entries, last = w->slots + slots - 1;
	if (last >= entries)
		return w->until;
	return core->retired[(core->op_seq + last - entries) % PMS_RING];
}

/* Take slots. Returns false when the flush comes first; some may have been taken then. */
static bool rename_wrong(struct walk *w, unsigned slots)
{
	struct pms_core *core = w->core;
	uint64_t want = pms_later(w->fetched, rob_room(w, slots));
	while (slots) {
		if (core->used == core->params->slots)
			want = pms_later(want, core->cycle + 1);
		if (want >= w->until) {
			w->cause = PMS_COUNTER_BE_SLOT_ROB;
			return false;
		}
		if (want > core->cycle)
			pms_rename_stall(core, want, w->fetched, PMS_COUNTER_BE_SLOT_ROB);
		unsigned left = core->params->slots - core->used;
		unsigned now = slots < left ? slots : left;
		core->used += now;
		w->slots += now;
		slots -= now;
	}
	return true;
}

static void flush_specs(struct walk *w)
{
	for (unsigned spec = 0; spec < PMS_SPEC_COUNT; spec++)
		w->core->counters[pms_spec_counter(spec)] +=
			w->specs[spec / 8] >> spec % 8 * 8 & 0xff;
	for (unsigned i = 0; i < PMS_SPEC_WORDS; i++)
		w->specs[i] = 0;
	w->spec_insns = 0;
}

/* Count the instructions [from, to) of the line. */
static void count_run(struct walk *w, unsigned from, unsigned to)
{
	const struct pms_code_line *line = w->line;
	w->insns += to - from;
	w->fp_ops += (uint64_t)(line->fp_ops[to] - line->fp_ops[from]);
	w->spec_insns += to - from;
	if (w->spec_insns > UINT8_MAX)
		flush_specs(w);
	for (unsigned i = 0; i < PMS_SPEC_WORDS; i++)
		w->specs[i] += line->specs[to][i] - line->specs[from][i];
}

/* Returns whether the operation executes before the flush. */
static bool executes(struct walk *w, const struct pms_uop *uop)
{
	const uint8_t *late = w->late;
	bool waits = late[uop->src[0]] | late[uop->src[1]] | late[uop->src[2]] | late[uop->src[3]] |
		     late[uop->src[4]];
	for (unsigned i = 0; i < uop->n_dst; i++)
		w->late[uop->dst[i]] = waits;
	w->late[uop->writeback] = waits;
	w->late[PMS_READY_SINK] = 0;
	return !waits;
}

static void load_wrong(struct walk *w, const struct pms_uop *uop)
{
	struct pms_core *core = w->core;
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

static void count_branch(struct pms_core *core, const struct pms_uop *uop, bool taken)
{
	bool indirect = uop->branch >= PMS_BRANCH_INDIRECT;
	core->counters[indirect ? PMS_COUNTER_BR_INDIRECT_SPEC : PMS_COUNTER_BR_IMMED_SPEC]++;
	PMS_COUNT(core, BR_RETURN_SPEC, uop->branch == PMS_BRANCH_RETURN);
	PMS_COUNT(core, PC_WRITE_SPEC, taken);
	PMS_COUNT(core, BR_PRED, 1); /* nothing shows that it was wrong */
}

/* Go where the predictor says; w->enter tells that the group ends there. */
static void branch_wrong(struct walk *w, const struct pms_uop *uop, bool resolves)
{
	struct pms_core *core = w->core;
	struct pms_prediction prediction;
	pms_predict_wrong(&core->predictor, &w->ras, w->pc, uop, &prediction);
	if (resolves)
		count_branch(core, uop, prediction.taken);
	if (prediction.taken) {
		w->fetch += pms_branch_bubble(core->params, prediction.btb);
		w->enter = true;
	}
	w->pc = prediction.next & ~UINT64_C(3);
}

static void enter_line(struct walk *w)
{
	struct pms_core *core = w->core;
	uint64_t tlb, ready = pms_memory_fetch(&core->memory, w->pc, w->fetch, w->fetch, &tlb);
	w->line = pms_code_line(core, w->pc);
	w->enter = false;
	if (ready > w->fetch) {
		w->fetch = ready;
		core->fe_cause = PMS_COUNTER_FE_SLOT_ICACHE;
	}
	w->fetched = w->fetch + core->params->fetch_to_rename;
}

/* One instruction that may yet execute. Returns false when the walk is over. */
static bool step(struct walk *w, unsigned i)
{
	const struct pms_uop *uop = &w->line->ops[i];
	unsigned slots = w->line->slots[i + 1] - (unsigned)w->line->slots[i];
	if (slots && !rename_wrong(w, slots))
		return false;
	count_run(w, i, i + 1);
	bool done = executes(w, uop);
	if (!done && w->entries[uop->queue]-- == 0) {
		w->cause = PMS_COUNTER_BE_SLOT_IQ;
		return false;
	}
	if (done && (uop->kind == PMS_UOP_LOAD || uop->kind == PMS_UOP_ATOMIC))
		load_wrong(w, uop);
	if (uop->kind == PMS_UOP_BRANCH)
		branch_wrong(w, uop, done);
	else
		w->pc += 4;
	return true;
}

/* A run of at most @most instructions that come too late to execute, up to and with the first
 * branch. Returns how many, 0 when the walk is over. */
static unsigned run(struct walk *w, unsigned i, unsigned most)
{
	const struct pms_code_line *line = w->line;
	unsigned end = (unsigned)__builtin_ctz((unsigned)line->ends >> i | 1u << (16 - i)) + i;
	bool branch = end < 16 && end - i < most;
	unsigned to = branch ? end + 1 : end - i < most ? end : i + most;
	unsigned slots = line->slots[to] - (unsigned)line->slots[i];
	if (slots && !rename_wrong(w, slots))
		return 0;
	count_run(w, i, to);
	w->pc += 4 * (uint64_t)(to - i - branch);
	if (branch)
		branch_wrong(w, &line->ops[end], false);
	return to - i;
}

/* One fetch group. Returns false when the walk is over. */
static bool walk_group(struct walk *w)
{
	struct pms_core *core = w->core;
	const unsigned width = core->params->fetch_width;
	w->fetched = w->fetch + core->params->fetch_to_rename;
	for (unsigned n = 0; n < width && !(n && w->enter);) {
		if (w->enter || (w->pc & 63) == 0)
			enter_line(w);
		unsigned i = w->pc >> 2 & 15;
		if (!w->line || w->line->ops[i].kind == PMS_UOP_SERIAL)
			w->fetched = w->until; /* nothing more comes out of fetch */
		if (w->fetched >= w->until)
			return false;
		bool early = pms_later(core->cycle, w->fetched) + core->params->rename_to_issue <
			     w->until;
		unsigned taken = early ? step(w, i) : run(w, i, width - n);
		if (!taken)
			return false;
		n += taken;
	}
	w->fetch++;
	core->fe_cause = PMS_COUNTER_FE_SLOT_FETCH;
	return true;
}

static void walk(struct pms_core *core, const struct pms_wrong_path *path, struct walk *w)
{
	w->ras = core->predictor.now.ras;
	w->pc = path->pc & ~UINT64_C(3);
	w->fetch = path->fetch;
	w->enter = true;
	for (unsigned i = 0; i < PMS_READY_COUNT; i++)
		w->late[i] = core->ready[i] >= w->until;
	for (unsigned i = 0; i < PMS_IQ_COUNT; i++)
		w->entries[i] = (int32_t)core->queue_size[i] -
				(int32_t)pms_calendar_occupancy(&core->calendar, (uint8_t)i);
	w->entries[PMS_IQ_NONE] = INT32_MAX;
	core->fe_cause = PMS_COUNTER_FE_SLOT_FETCH;
	while (w->fetch < w->until && walk_group(w))
		;
	flush_specs(w);
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
