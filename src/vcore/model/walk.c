/* SPDX-License-Identifier: MIT */
/* Wrong paths: what the core fetches, renames and partly executes until a flush throws it away.
 * The code is the guest's own; register values are not known, so branches go where the predictor
 * sends them, and loads go where their program counter's stride points. */
#include "vcore/model/rename.h"
#include "vcore/model/state.h"

#include <string.h>

/* What a walk may change and the flush takes back. */
struct walk {
	struct pms_core *core;
	struct pms_speculation state;
	uint64_t ready[PMS_READY_COUNT];
	uint64_t pc, fetch, until;
	uint32_t waiting[PMS_IQ_COUNT]; /* queue entries held by operations that do not issue before
					   it */
	uint32_t renamed;		/* slots taken */
	uint64_t fetched;	/* first cycle in which the next operation could be renamed */
	enum pms_counter cause; /* of the backend's, if it is what stopped the walk */
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

/* Returns the first cycle with room for one more operation, `until` if there will be none. */
static uint64_t room(struct walk *w, const struct pms_uop *uop)
{
	struct pms_core *core = w->core;
	uint64_t seq = core->op_seq + w->renamed - core->params->rob_entries;
	uint64_t rob =
		(int64_t)(seq - core->op_seq) >= 0 ? w->until : core->retired[seq % PMS_RING];
	w->cause = PMS_COUNTER_BE_SLOT_ROB;
	if (rob < w->until && uop->room_queue != PMS_IQ_NONE &&
	    pms_calendar_occupancy(&core->calendar, uop->room_queue) +
			    w->waiting[uop->room_queue] >=
		    core->queue_size[uop->room_queue]) {
		w->cause = PMS_COUNTER_BE_SLOT_IQ;
		return w->until;
	}
	return rob;
}

/* Take the operation's slots. Returns false when the flush comes first. */
static bool rename_wrong(struct walk *w, const struct pms_uop *uop)
{
	struct pms_core *core = w->core;
	if (uop->flags & PMS_UOP_FUSED_SECOND)
		return true;
	for (unsigned i = 0; i < uop->slots; i++) {
		uint64_t want = pms_later(w->fetched, room(w, uop));
		if (core->used == core->params->slots)
			want = pms_later(want, core->cycle + 1);
		if (want >= w->until)
			return false;
		if (want > core->cycle)
			pms_rename_stall(core, want, w->fetched, w->cause);
		core->used++;
		w->renamed++;
	}
	return true;
}

static void count_wrong(struct pms_core *core, const struct pms_uop *uop)
{
	PMS_COUNT(core, INST_SPEC, 1);
	if (uop->spec)
		core->counters[uop->spec]++;
	for (uint32_t rest = uop->specs; rest; rest &= rest - 1)
		core->counters[pms_spec_counter((unsigned)__builtin_ctz(rest))]++;
	PMS_COUNT(core, FP_FIXED_OPS_SPEC, uop->fp_ops);
}

/* A load whose address is ready in time goes to the cache. Returns when its data is there. */
static uint64_t load_wrong(struct walk *w, const struct pms_uop *uop, uint64_t issue)
{
	struct pms_core *core = w->core;
	uint64_t address;
	if (uop->mem & PMS_MEM_LITERAL)
		address = w->pc + (uint64_t)(int64_t)uop->disp;
	else if (!core->params->stride_entries ||
		 !pms_stride_guess(&core->memory.stride, w->pc, &address)) {
		PMS_COUNT(core, UNKNOWN_WRONG_PATH, 1);
		return issue + core->params->l1d_latency;
	}
	return pms_memory_load(&core->memory, address, issue) + core->params->l1d_latency;
}

/* By dataflow alone: ports are left to the right path. Returns the cycle of its result. */
static uint64_t execute_wrong(struct walk *w, const struct pms_uop *uop)
{
	uint64_t issue = w->core->cycle + w->core->params->rename_to_issue;
	for (unsigned i = 0; i < sizeof(uop->src); i++)
		issue = pms_later(issue, w->ready[uop->src[i]]);
	uint64_t done = issue + uop->latency;
	if (issue >= w->until)
		w->waiting[uop->queue]++;
	else if (uop->kind == PMS_UOP_LOAD || uop->kind == PMS_UOP_ATOMIC)
		done += load_wrong(w, uop, issue) - issue;
	if (uop->kind == PMS_UOP_LOAD && issue >= w->until)
		done += w->core->params->l1d_latency;
	for (unsigned i = 0; i < uop->n_dst; i++)
		w->ready[uop->dst[i]] = done;
	if (uop->writeback != PMS_READY_SINK)
		w->ready[uop->writeback] = issue + 1;
	return done;
}

/* Go where the predictor says. Returns whether the group ends: the branch is predicted taken. */
static bool branch_wrong(struct walk *w, const struct pms_uop *uop, uint64_t done)
{
	struct pms_core *core = w->core;
	struct pms_prediction prediction;
	pms_predict(&core->predictor, &w->state, w->pc, uop, &prediction);
	pms_predict_follow(&w->state, w->pc, uop, prediction.taken, prediction.next);
	if (done < w->until) {
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

/* One fetch group. Returns false when the walk is over. */
static bool walk_group(struct walk *w, const struct pms_code_line **line, bool *enter)
{
	struct pms_core *core = w->core;
	unsigned width = core->params->fetch_width;
	for (unsigned i = 0; i < width; i++) {
		if (*enter || (w->pc & 63) == 0) {
			uint64_t tlb;
			uint64_t ready =
				pms_memory_fetch(&core->memory, w->pc, w->fetch, w->fetch, &tlb);
			*line = code_line(core, w->pc);
			*enter = false;
			if (ready > w->fetch) {
				w->fetch = ready;
				core->fe_cause = PMS_COUNTER_FE_SLOT_ICACHE;
			}
		}
		w->fetched = w->fetch + core->params->fetch_to_rename;
		const struct pms_uop *uop = *line ? &(*line)->ops[w->pc >> 2 & 15] : NULL;
		if (!uop || uop->kind == PMS_UOP_SERIAL) {
			w->fetched = w->until; /* nothing more comes out of fetch */
			return false;
		}
		if (w->fetched >= w->until || !rename_wrong(w, uop))
			return false;
		count_wrong(core, uop);
		uint64_t done = execute_wrong(w, uop);
		if (uop->kind == PMS_UOP_BRANCH) {
			if (branch_wrong(w, uop, done)) {
				*enter = true;
				break;
			}
		}
		w->pc += 4;
	}
	w->fetch++;
	core->fe_cause = PMS_COUNTER_FE_SLOT_FETCH;
	return true;
}

void pms_walk(struct pms_core *core, uint64_t pc, uint64_t fetch, uint64_t until,
	      enum pms_counter flushed)
{
	struct walk w = { .core = core,
			  .state = core->predictor.now,
			  .pc = pc & ~UINT64_C(3),
			  .fetch = fetch,
			  .until = until };
	const struct pms_code_line *line = NULL;
	bool enter = true;
	core->fe_cause = PMS_COUNTER_FE_SLOT_FLUSH;
	w.fetched = until;
	w.cause = PMS_COUNTER_BE_SLOT_ROB;
	if (core->lines) {
		core->fe_cause = PMS_COUNTER_FE_SLOT_FETCH;
		memcpy(w.ready, core->ready, sizeof(w.ready));
		while (w.fetch < until && walk_group(&w, &line, &enter))
			;
	}
	PMS_COUNT(core, OP_SPEC, w.renamed);
	core->counters[flushed] += w.renamed;
	if (core->cycle < until)
		pms_rename_stall(core, until, w.fetched < until ? w.fetched : until, w.cause);
}
