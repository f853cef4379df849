/* SPDX-License-Identifier: MIT */
/* Wrong paths: instructions that the core fetches, renames and partly executes before a flush
 * discards them. The code is the guest's own. Register values are unknown, so the predictor
 * steers branches, and loads follow the stride of their program counter.
 *
 * An operation executes if its sources are ready before the flush and it can still issue.
 * Operations that may execute are walked one by one. The rest, most of a path, are only
 * fetched, renamed and counted, a run at a time. Each holds an issue queue entry, and only
 * executed ones free it. Counts by instruction are added up when the path leaves a line. */
#include <string.h>

#include "vcore/model/rename.h"
#include "vcore/model/state.h"

enum { ISSUES = 128 }; /* remembered before they go to core->walk_issues */

/* State of a walk, which the flush discards. */
struct walk {
	struct pms_core *core;
	struct pms_ras *ras;
	uint64_t fetch, until;
	uint64_t fetched; /* first cycle in which the next operation could be renamed */
	uint64_t slots;
	uint64_t slots_free;		 /* the reorder buffer is known to have room up to here */
	uint64_t tally[PMS_TALLY_WORDS]; /* counts not yet in the counters */
	enum pms_counter cause;		 /* what stalls the backend, if that stopped the walk */
	uint64_t room;			 /* free entries of the issue queues, in lanes, */
	uint64_t room_at;		 /* including those freed up to this cycle */
	uint64_t last_issue;		 /* the latest cycle in core->walk_issues */
	unsigned n_issues;		 /* issues not yet in core->walk_issues */

	uint64_t pc;
	struct pms_code_line *line; /* the line of pc; NULL: not mapped */
	pms_parcels_end ends;	    /* bit: an instruction of the line that is predicted to jump */
	pms_parcels_end stops;	    /* the same, plus the instructions that stop fetch, or the
				     * line's end */
	unsigned counted;	    /* instructions of the line before this one are counted */
	bool seldom;		    /* 1: .tally uses more than its first word */
	bool enter;		    /* the next instruction is on another line */
	bool goes_on;		    /* ... and in the same group */
	struct pms_lead lead;	    /* of prediction */
	bool ras_saved;
	uint8_t ras_top, ras_held; /* the return stack before the walk, */
	struct pms_ras ras_before; /* and its addresses, from the first call on */
	struct issue {
		uint64_t cycle;
		uint8_t queue;
	} issues[ISSUES];
	bool executes; /* 1: some operation may execute, so ready[] holds the core's values and
			* ours */
	uint64_t ready[PMS_READY_COUNT];

	bool touches; /* 1: the walk accesses L1I and its TLB */
	bool cold; /* 1: lines missed since the last walk, so the cycle of their request matters */
	uint64_t line_seq, last_asked, redirect; /* copies of the core's, which stay unchanged */
	uint64_t ahead[PMS_AHEAD_RING];		 /* for the lines of this path */
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

/* Returns the first cycle in which one slot can be taken, such that all @slots have room. */
static uint64_t first_cycle(const struct walk *w, unsigned slots)
{
	const struct pms_core *core = w->core;
	uint64_t free = core->cycle + (core->used == core->params->slots);
	return pms_later(free, pms_later(w->fetched, rob_room(w, slots)));
}

/* Returns the lanes of the calendar's queues, without "no queue". */
static uint64_t lanes(uint64_t bytes)
{
	return bytes >> 8;
}

static bool has_entries(const struct walk *w, uint64_t entries)
{
	return !((w->room - entries) & UINT64_C(0x0080808080808080));
}

/* Sort the pending issues by cycle. */
static PMS_APART void sort_issues(struct walk *w)
{
	for (unsigned i = 0; i < w->n_issues; i++) {
		const struct issue *issue = &w->issues[i];
		if (issue->cycle - w->room_at >= PMS_WALK_CYCLES) /* too late to be freed during
								   * any walk */
			continue;
		w->core->walk_issues[issue->cycle % PMS_WALK_CYCLES] +=
			pms_queue_lane(issue->queue);
		w->last_issue = pms_later(w->last_issue, issue->cycle);
	}
	w->n_issues = 0;
}

/* Free the entries of operations that issue up to @cycle. */
static void free_entries(struct walk *w, uint64_t cycle)
{
	struct pms_core *core = w->core;
	while (w->room_at < cycle) {
		uint64_t at = ++w->room_at;
		uint64_t *issues = &core->walk_issues[at % PMS_WALK_CYCLES];
		w->room += *issues + lanes(core->calendar.release[at % PMS_CALENDAR_CYCLES]);
		*issues = 0;
	}
}

/* Returns the first cycle from @cycle on with room for @entries in the issue queues; `until`
 * when the flush comes first. */
static PMS_APART uint64_t queue_room(struct walk *w, uint64_t entries, uint64_t cycle)
{
	uint64_t end = w->core->calendar.now + PMS_CALENDAR_CYCLES;
	sort_issues(w);
	for (; cycle < w->until && cycle < end; cycle++) {
		free_entries(w, cycle);
		if (has_entries(w, entries))
			return cycle;
	}
	return w->until;
}

/* Take slots, from cycle @room on. Returns false when the flush comes first; some slots may be
 * taken by then. */
static PMS_APART bool rename_wrong(struct walk *w, uint64_t room, unsigned slots)
{
	struct pms_core *core = w->core;
	uint64_t want = first_cycle(w, slots);
	enum pms_counter cause = room > want ? PMS_COUNTER_BE_SLOT_IQ : PMS_COUNTER_BE_SLOT_ROB;
	want = pms_later(want, room);
	while (slots) {
		if (want >= w->until) {
			w->cause = cause;
			return false;
		}
		/* Leave the calendar: the flush moves it there in one step. */
		if (want > core->cycle)
			pms_rename_pass(core, want, w->fetched, cause);
		unsigned left = core->params->slots - core->used;
		unsigned now = slots < left ? slots : left;
		core->used += now;
		w->slots += now;
		slots -= now;
		want = core->cycle + 1;
	}
	return true;
}

static void count_tally(struct walk *w, unsigned byte, enum pms_counter counter)
{
	w->core->counters[counter] += w->tally[byte / 8] >> byte % 8 * 8 & 0xff;
}

/* Add the walk's counts to the counters. */
static PMS_APART void flush_tally(struct walk *w)
{
	for (unsigned spec = 0; spec < PMS_TALLY_INSTS && spec < PMS_SPEC_COUNT; spec++)
		count_tally(w, spec, pms_spec_counter(spec));
	count_tally(w, PMS_TALLY_INSTS, PMS_COUNTER_INST_SPEC);
	w->tally[0] = 0;
	if (!w->seldom)
		return;
	for (unsigned spec = PMS_TALLY_INSTS; spec < PMS_SPEC_COUNT; spec++)
		count_tally(w, pms_tally_byte(spec), pms_spec_counter(spec));
	for (unsigned i = 1; i < PMS_TALLY_WORDS; i++)
		w->tally[i] = 0;
	w->seldom = false;
}

static void count_seldom(struct walk *w, unsigned to)
{
	const struct pms_code_line *line = w->line;
	unsigned from = w->counted;
	w->seldom = true;
	uint64_t fp_ops = line->fp_ops[to] - line->fp_ops[from];
	PMS_COUNT(w->core, FP_FIXED_OPS_SPEC, fp_ops & UINT32_MAX);
	PMS_COUNT(w->core, FP_SCALE_OPS_SPEC, fp_ops >> 32);
	for (unsigned i = 1; i < PMS_TALLY_WORDS; i++)
		w->tally[i] += line->tally[to][i] - line->tally[from][i];
}

/* Count the line's uncounted instructions up to @to. */
static void count_until(struct walk *w, unsigned to)
{
	const struct pms_code_line *line = w->line;
	uint64_t more = line->tally[to][0] - line->tally[w->counted][0];
	if (__builtin_add_overflow(w->tally[0], more, &more)) {
		flush_tally(w);
		more = line->tally[to][0] - line->tally[w->counted][0];
	}
	w->tally[0] = more;
	if (line->seldom)
		count_seldom(w, to);
	w->counted = to;
}

/* Note when the operation frees its queue entry. Most walks never look. */
static void leave_queue(struct walk *w, uint8_t queue, uint64_t issue)
{
	if (w->n_issues == ISSUES)
		sort_issues(w);
	w->issues[w->n_issues++] = (struct issue){ issue, queue };
}

/* Returns the cycle of the load's data; a load with unknown address is taken to hit L1D. */
static uint64_t load_wrong(struct walk *w, const struct pms_uop *uop, uint64_t pc, uint64_t issue)
{
	struct pms_core *core = w->core;
	uint64_t address;
	if (pms_without(core->params, PMS_MECHANISM_WRONG_PATH_LOADS))
		return issue + uop->latency;
	if (uop->mem & PMS_MEM_LITERAL) {
		address = pc + (uint64_t)(int64_t)uop->disp;
	} else if (!core->params->stride_entries ||
		   !pms_stride_guess(&core->memory.stride, pc, &address)) {
		PMS_COUNT(core, UNKNOWN_WRONG_PATH, 1);
		return issue + uop->latency;
	}
	return pms_memory_load(&core->memory, address, issue) + uop->latency;
}

static void count_branch(struct pms_core *core, const struct pms_uop *uop, bool taken)
{
	bool indirect = uop->branch >= PMS_BRANCH_INDIRECT;
	core->counters[indirect ? PMS_COUNTER_BR_INDIRECT_SPEC : PMS_COUNTER_BR_IMMED_SPEC]++;
	PMS_COUNT(core, BR_RETURN_SPEC, uop->branch == PMS_BRANCH_RETURN);
	PMS_COUNT(core, PC_WRITE_SPEC, taken);
	PMS_COUNT(core, BR_PRED, 1); /* nothing shows that the prediction was wrong */
}

/* Let prediction follow the branch at w->pc to its target. */
static inline void follow_target(struct walk *w, const struct pms_uop *uop, int btb,
				 unsigned bubble)
{
	const struct pms_lead_rules *rules = &w->core->lead_rules;
	if (btb == PMS_BTB_MISS) {
		w->redirect = w->fetch + 1 + bubble;
		pms_lead_restart(&w->lead, w->redirect);
	} else if (pms_lead_follow(&w->lead, rules, w->pc, uop->branch, bubble, w->fetch)) {
		w->goes_on = true;
	}
}

/* Follow the branch at w->pc where the predictor sends it, and end the group. It must not be a
 * conditional branch that falls through. */
static PMS_APART void follow_branch(struct walk *w, const struct pms_uop *uop)
{
	struct pms_core *core = w->core;
	struct pms_prediction prediction;
	bool calls = uop->branch == PMS_BRANCH_CALL || uop->branch == PMS_BRANCH_INDIRECT_CALL;
	if (calls && !w->ras_saved) {
		pms_ras_copy(&w->ras_before, w->ras);
		w->ras_saved = true;
	}
	pms_predict_taken(&core->predictor, w->pc, uop, &prediction);
	if (!prediction.runs_on)
		follow_target(w, uop, prediction.btb,
			      pms_predict_bubble(core->params, &prediction));
	w->pc = pms_parcel_start(prediction.next);
	w->enter = !prediction.runs_on;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Follow a branch as follow_branch does, quickly where its code gives the target. */
static void take_branch(struct walk *w, unsigned at)
{
	struct pms_core *core = w->core;
	const struct pms_uop *uop = &w->line->ops[at];
	bool direct = uop->branch == PMS_BRANCH_COND || uop->branch == PMS_BRANCH_JUMP;
	uint64_t target = w->pc + (uint64_t)(int64_t)uop->disp;
	if (!direct || !target) {
		follow_branch(w, uop);
		return;
	}
	int where = PMS_BTB_NANO; /* predicted with the branch before it */
	if (!pms_lead_together(&w->lead, w->pc, uop->branch))
		where = pms_btb_where(&core->predictor.btb, w->pc, &w->line->nano[at]);
	follow_target(w, uop, where, pms_btb_bubble(core->params, where));
	w->pc = target;
	w->enter = true;
}

/* Returns the cycle in which the next line is requested: fetch runs ahead as on the right path. */
static uint64_t asked(const struct walk *w)
{
	const struct pms_core *core = w->core;
	uint64_t behind = w->line_seq - core->params->fetch_ahead_lines;
	assert(behind < w->line_seq);
	const uint64_t *ahead = behind < core->line_seq ? core->ahead : w->ahead;
	return pms_later(w->redirect, pms_later(ahead[behind % PMS_AHEAD_RING], w->last_asked + 1));
}

/* Find the line of w->pc, to go on in it. */
static void find_line(struct walk *w)
{
	struct pms_core *core = w->core;
	w->line = pms_code_line(core, w->pc);
	if (!w->line)
		return;
	if (w->line->windows_at != core->mop_fills)
		pms_code_windows(core, w->line);
	unsigned taken =
		pms_tage_usual(&core->predictor.tage, w->pc & ~(uint64_t)(PMS_LINE_BYTES - 1));
	w->ends = w->line->jumps | (w->line->conditionals & taken);
	w->stops = w->ends | w->line->stops;
}

/* Fetch the next line with its cost in cycles, and go on in it. */
static void enter_line(struct walk *w)
{
	struct pms_core *core = w->core;
	uint64_t early = w->fetch, ready = w->fetch, tlb;
	w->lead.from = w->enter ? w->pc : w->lead.from;
	w->goes_on = false;
	if (w->cold)
		w->last_asked = early = sooner(asked(w), w->fetch);
	if (w->touches)
		ready = pms_memory_fetch(&core->memory, w->pc, early, w->fetch, &tlb);
	if (w->cold)
		w->ahead[w->line_seq++ % PMS_AHEAD_RING] = ready;
	find_line(w);
	w->counted = pms_parcel_in_line(w->pc);
	w->enter = false;
	if (ready > w->fetch) {
		w->fetch = ready;
		w->fetched = ready + core->params->fetch_to_rename;
		core->fe_cause = PMS_COUNTER_FE_SLOT_ICACHE;
	}
}

/* Returns how many instructions fit into a group that begins here: as many as the micro-op cache
 * holds, or as many as are decoded. Wrong paths do not fill that cache. */
static unsigned width(const struct walk *w)
{
	const struct pms_params *p = w->core->params;
	return w->line->windows >> (w->pc / PMS_WINDOW_BYTES % 2) & 1 ? p->fetch_width
								      : p->decode_width;
}

/* Returns whether the path has left its line for the next one, and has yet to enter that. */
static bool is_behind(const struct walk *w)
{
	if (PMS_ONE_LENGTH)
		return pms_line_begins(w->pc);
	return w->line && w->pc >> PMS_LINE_LOG2 != w->line->line;
}

/* Go on behind the instructions of the line up to @to. @taken: the last one is a branch, predicted
 * taken. */
static void go_on(struct walk *w, unsigned to, bool taken)
{
	unsigned from = pms_parcel_in_line(w->pc), last = pms_code_before(w->line, to);
	w->pc += PMS_ISA_PARCEL * (uint64_t)(last - from);
	if (taken)
		take_branch(w, last);
	else
		w->pc += pms_uop_bytes(&w->line->ops[last]);
}

/* Go on behind the renamed instructions of the line up to @to. */
static void pass(struct walk *w, unsigned to, bool taken)
{
	if (taken || to == PMS_LINE_PARCELS)
		count_until(w, to);
	go_on(w, to, taken);
}

/* Execute an operation whose sources are ready in time. Returns the cycle of its results.
 * @taken: it is a branch predicted taken. */
static uint64_t execute_one(struct walk *w, const struct pms_uop *uop, uint64_t pc, bool taken,
			    uint64_t issue)
{
	leave_queue(w, uop->queue, issue);
	if (uop->kind == PMS_UOP_LOAD || uop->kind == PMS_UOP_ATOMIC)
		return load_wrong(w, uop, pc, issue);
	if (uop->kind == PMS_UOP_BRANCH)
		count_branch(w->core, uop, taken);
	return issue + uop->latency;
}

/* A memcpy of a constant size this large is slow to start. */
static void copy_ready(uint64_t to[PMS_READY_COUNT], const uint64_t from[PMS_READY_COUNT])
{
	enum { BLOCK = 8 };
	unsigned i = 0;
	for (; i + BLOCK <= PMS_READY_COUNT; i += BLOCK)
		memcpy(&to[i], &from[i], BLOCK * sizeof(*to));
	memcpy(&to[i], &from[i], PMS_READY_COUNT % BLOCK * sizeof(*to));
}

/* Execute the operations of [from, to) that can execute; they are renamed. Latencies are those
 * of the right path, apart from busy ports. */
static void execute(struct walk *w, unsigned from, unsigned to, bool taken)
{
	const struct pms_core *core = w->core;
	const uint64_t earliest = core->cycle + core->params->rename_to_issue;
	const unsigned last = pms_code_before(w->line, to);
	if (!w->executes)
		copy_ready(w->ready, core->ready);
	w->executes = true;
	for (unsigned i = from; i < to; i = pms_code_behind(w->line, i)) {
		const struct pms_uop *uop = &w->line->ops[i];
		uint64_t pc = w->pc + PMS_ISA_PARCEL * (uint64_t)(i - from);
		uint64_t issue = pms_sources_ready(&w->ready, uop, earliest), done = w->until;
		if (issue < w->until)
			done = execute_one(w, uop, pc, taken && i == last, issue);
		pms_set_results(&w->ready, uop, done);
		w->ready[uop->writeback] = issue + 1;
	}
}

/* Returns the end of the run of instructions from @from on, of at most @most. The run ends
 * behind the first branch predicted taken, which sets *taken, or before an instruction that
 * stops fetch. */
static inline unsigned run_end(const struct walk *w, unsigned from, unsigned most, bool *taken)
{
	unsigned stop = from + pms_first_parcel(w->stops >> from);
	*taken = false;
	if (pms_code_count(w->line, from, stop) >= most)
		return pms_code_skip(w->line, from, most);
	*taken = w->ends >> stop & 1;
	return *taken ? pms_code_behind(w->line, stop) : stop;
}

/* Returns whether the reorder buffer has room for @slots more in cycle @start. Free room stays
 * free, so a look ahead saves later checks. */
static bool has_rob(struct walk *w, uint64_t start, unsigned slots)
{
	if (w->slots + slots <= w->slots_free)
		return true;
	if (rob_room(w, slots) > start)
		return false;
	if (rob_room(w, slots + PMS_TOGETHER_AHEAD) <= start)
		w->slots_free = w->slots + slots + PMS_TOGETHER_AHEAD;
	return true;
}

/* Take @slots in cycle @start, the earliest, if they fit and have room. Returns whether they do. */
static bool rename_at_once(struct walk *w, uint64_t start, unsigned slots)
{
	struct pms_core *core = w->core;
	unsigned used = start > core->cycle ? 0 : core->used;
	if (used + slots > core->params->slots || !has_rob(w, start, slots))
		return false;
	if (start > core->cycle) /* fetch delivers only then */
		pms_rename_pass(core, start, start, PMS_COUNTER_BE_SLOT_ROB);
	core->used = used + slots;
	w->slots += slots;
	return true;
}

/* Returns the end of the longest part of [from, to) to rename before looking further, when not
 * all fits into one cycle. It reaches to the first branch, or is one instruction if that may
 * still execute. */
static unsigned piece_end(const struct pms_code_line *line, unsigned from, unsigned to, bool early)
{
	pms_parcels_end branches = line->conditionals | line->jumps;
	unsigned first = from;
	if (!early) {
		branches |= (pms_parcels_end)1 << (PMS_LINE_PARCELS - 1);
		first += pms_first_parcel(branches >> from);
	}
	unsigned end = pms_code_behind(line, first);
	return end < to ? end : to;
}

/* Rename a part of [from, *to) of the line, which does not fit at once; set *to to its end, and
 * *taken. Returns false when the flush comes first. */
static PMS_APART bool rename_part(struct walk *w, uint64_t start, bool early, unsigned from,
				  unsigned *to, bool *taken)
{
	const struct pms_code_line *line = w->line;
	bool fits = has_entries(w, line->queued[*to] - line->queued[from]);
	unsigned piece = piece_end(line, from, *to, early || !fits);
	*taken = *taken && piece == *to;
	*to = piece;
	uint64_t entries = line->queued[piece] - line->queued[from];
	uint64_t room = fits ? start : queue_room(w, entries, start);
	w->room -= entries;
	return rename_wrong(w, room, line->slots[piece] - (unsigned)line->slots[from]);
}

/* Walk a run of at most @most instructions of the line. Returns how many, 0 when the walk is
 * over. */
static unsigned run(struct walk *w, unsigned most)
{
	struct pms_core *core = w->core;
	unsigned from = pms_parcel_in_line(w->pc);
	bool taken;
	unsigned to = run_end(w, from, most, &taken);
	if (to == from) {
		w->fetched = w->until; /* fetch delivers nothing more */
		return 0;
	}
	const struct pms_code_line *line = w->line;
	uint64_t start = pms_later(core->cycle, w->fetched);
	bool early = start + core->params->rename_to_issue < w->until;
	unsigned slots = line->slots[to] - (unsigned)line->slots[from];
	uint64_t entries = line->queued[to] - line->queued[from];
	if (slots && has_entries(w, entries) && rename_at_once(w, start, slots))
		w->room -= entries;
	else if (!rename_part(w, start, early, from, &to, &taken))
		return 0;
	if (early)
		execute(w, from, to, taken);
	const unsigned n = pms_code_count(line, from, to);
	pass(w, to, taken);
	return n;
}

/* Walk one fetch group. Returns false when the walk is over. */
static bool walk_group(struct walk *w)
{
	struct pms_core *core = w->core;
	unsigned left = 0;
	w->fetched = w->fetch + core->params->fetch_to_rename;
	do {
		if (w->enter || is_behind(w))
			enter_line(w);
		if (!w->line)
			w->fetched = w->until;
		if (w->fetched >= w->until)
			return false;
		left = left ? left : width(w);
		unsigned passed = run(w, left);
		if (!passed)
			return false;
		left -= passed;
	} while (left && (!w->enter || w->goes_on));
	w->fetch = pms_later(w->fetch + 1, w->lead.cycle);
	core->fe_cause = PMS_COUNTER_FE_SLOT_FETCH;
	return true;
}

/* Request the lines that fetch had asked for by the flush but never entered: those behind the
 * last line, up to the first branch predicted taken. */
static PMS_APART void ask_ahead(struct walk *w)
{
	struct pms_core *core = w->core;
	uint64_t last = w->line_seq + core->params->fetch_ahead_lines - 1;
	bool taken = w->enter;
	while (!taken && w->line && w->line_seq < last) {
		unsigned from = pms_parcel_in_line(w->pc);
		uint64_t at = asked(w);
		bool passed = is_behind(w) && w->counted == PMS_LINE_PARCELS;
		if (at >= w->until ||
		    (!passed && run_end(w, from, PMS_LINE_PARCELS, &taken) < PMS_LINE_PARCELS) ||
		    taken)
			return;
		if (!passed)
			go_on(w, PMS_LINE_PARCELS, false);
		if (!pms_memory_fetch_ahead(&core->memory, w->pc, at))
			return;
		find_line(w);
		w->counted = 0;
		w->last_asked = at;
		w->ahead[w->line_seq++ % PMS_AHEAD_RING] = w->until;
	}
}

/* Set the walk's state to the core's, so that the core's own stays as it is. */
static void begin(struct walk *w, uint64_t pc, bool runs_on)
{
	struct pms_core *core = w->core;
	w->goes_on = false;
	w->ras = &core->predictor.now.ras;
	w->ras_top = w->ras->top;
	w->ras_held = w->ras->held;
	w->ras_saved = false;
	w->pc = pms_parcel_start(pc);
	w->enter = !runs_on || pms_line_begins(w->pc);
	w->line = NULL;
	if (!w->enter) {
		find_line(w);
		w->counted = pms_parcel_in_line(w->pc);
	}
	w->line_seq = core->line_seq;
	w->last_asked = core->last_asked;
	w->redirect = core->redirect;
	w->touches = !pms_without(core->params, PMS_MECHANISM_WRONG_PATH_FETCH);
	w->cold = w->touches && core->params->fetch_ahead_lines &&
		  core->counters[PMS_COUNTER_L1I_CACHE_REFILL] != core->walk_refills;
	w->slots = w->slots_free = 0;
	for (unsigned i = 0; i < PMS_TALLY_WORDS; i++)
		w->tally[i] = 0;
	w->seldom = false;
	w->executes = false;
	w->room = core->queue_sizes - lanes(core->calendar.occupied);
	w->room_at = w->last_issue = core->calendar.now;
	w->n_issues = 0;
}

/* Pass the instructions that fetch takes at once, at most @most, without renaming them. Returns
 * how many; 0 when nothing more comes. */
static unsigned read_on(struct walk *w, unsigned most)
{
	unsigned from = pms_parcel_in_line(w->pc);
	bool taken;
	unsigned to = run_end(w, from, most, &taken), n = pms_code_count(w->line, from, to);
	w->counted = to;
	if (n)
		go_on(w, to, taken);
	return n;
}

/* Read up to @room instructions in groups, until cycle @until. */
static void read_groups(struct walk *w, unsigned room, uint64_t until)
{
	for (unsigned left = 0, passed; w->fetch < until && room; room -= passed) {
		/* At the start of a line, if the one before was passed, not just entered. */
		if (w->enter || (is_behind(w) && w->counted))
			enter_line(w);
		if (!w->line || w->fetch >= until)
			return;
		left = left ? left : width(w);
		passed = read_on(w, room < left ? room : left);
		if (!passed)
			return;
		left = w->enter && !w->goes_on ? 0 : left - passed;
		if (!left)
			w->fetch = pms_later(w->fetch + 1, w->lead.cycle);
	}
}

/* Count in L1I and its TLB what fetch reads until the flush and rename never sees. This is done
 * only if lines miss, since it takes the model time. Fetch waits while the queue behind it is
 * full: when rename has no room, or decode is slower. */
static PMS_APART void fetch_on(struct walk *w, bool stalled)
{
	const struct pms_params *p = w->core->params;
	if (!stalled)
		read_groups(w, UINT32_MAX, w->until);
	if (stalled || (w->line && width(w) < p->fetch_width))
		read_groups(w, p->decode_queue, UINT64_MAX);
}

/* Add the walk's counts, and restore what the core must not notice. */
static void finish(struct walk *w, enum pms_counter flushed)
{
	struct pms_core *core = w->core;
	const enum pms_counter cause = core->fe_cause;
	const uint64_t fetched = w->fetched;
	if (!w->enter && w->line && !is_behind(w))
		count_until(w, pms_parcel_in_line(w->pc));
	flush_tally(w);
	for (uint64_t at = w->room_at + 1; at <= w->last_issue; at++)
		core->walk_issues[at % PMS_WALK_CYCLES] = 0;
	PMS_COUNT(core, OP_SPEC, w->slots);
	core->counters[flushed] += w->slots;
	PMS_CHARGE(pms_charge_count(&core->charge, flushed, w->slots));
	if (w->cold && !pms_without(core->params, PMS_MECHANISM_FETCH_ON))
		fetch_on(w, fetched < w->until);
	core->fe_cause = cause; /* as when the last operation was renamed */
	w->fetched = fetched;
	if (w->ras_saved)
		pms_ras_copy(w->ras, &w->ras_before);
	w->ras->top = w->ras_top;
	w->ras->held = w->ras_held;
}

/* Law 10: no wrong path leaves entries of issue queues to the next one. */
static void check_issues(const struct pms_core *core)
{
#ifndef NDEBUG
	for (unsigned i = 0; i < PMS_WALK_CYCLES; i++)
		assert(!core->walk_issues[i]);
#else
	(void)core;
#endif
}

PMS_HOT void pms_walk(struct pms_core *core, const struct pms_wrong_path *path)
{
	struct walk w;
#ifndef NDEBUG
	const struct pms_speculation before = core->predictor.now;
#endif
	w.core = core;
	w.until = w.fetched = path->until;
	w.fetch = path->fetch;
	w.lead.cycle = path->predicted;
	w.lead.from = core->lead.from;
	w.lead.second = path->second;
	w.cause = PMS_COUNTER_BE_SLOT_ROB;
	PMS_CHARGE(core->charge.refill = core->charge.now);
	PMS_CHARGE(core->charge.walks = true);
	core->fe_cause = PMS_COUNTER_FE_SLOT_FLUSH;
	if (core->lines) {
		begin(&w, path->pc, path->runs_on);
		core->fe_cause = PMS_COUNTER_FE_SLOT_FETCH;
		while (w.fetch < w.until && walk_group(&w))
			;
		finish(&w, path->flushed);
		if (w.cold)
			ask_ahead(&w);
		core->walk_refills = core->counters[PMS_COUNTER_L1I_CACHE_REFILL];
	}
	/* Law 10: the flush leaves nothing behind in the histories and the return stack. */
	assert(pms_history_equal(&before.history, &core->predictor.now.history));
	assert(pms_ras_equal(&before.ras, &core->predictor.now.ras));
	check_issues(core);
	assert(core->cycle < w.until);
	pms_rename_stall(core, w.until, w.fetched < w.until ? w.fetched : w.until, w.cause);
	PMS_CHARGE(core->charge.walks = false);
}
