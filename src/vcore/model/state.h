/* SPDX-License-Identifier: MIT */
/* vcore/model/state.h - the state of one modelled core, shared by the files that make it up:
 * core.c (the hot loop), fetch.c, rename.h, lsq.c, walk.c. Private to the model. */
#ifndef PMS_VCORE_MODEL_STATE_H
#define PMS_VCORE_MODEL_STATE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "vcore/model/calendar.h"
#include "vcore/model/charge.h"
#include "vcore/model/core.h"
#include "vcore/model/hint.h"
#include "vcore/model/lead.h"
#include "vcore/model/memory.h"
#include "vcore/model/predict.h"
#include "vcore/model/uop.h"

enum {
	PMS_RING = 1024,      /* ring of retire times, as large as the largest reorder buffer */
	PMS_QUEUE_RING = 256, /* an uint8_t wraps round it */
	PMS_AHEAD_RING = 64,
	PMS_STORE_TABLE = 256,
	PMS_FOLLOWED = 64, /* well below the number of lines in a first-level cache */
	PMS_CODE_LINES = 2048
};

/* A store that loads may meet before it is written: one entry for each 8 bytes that it touches. */
struct pms_store_entry {
	uint64_t granule, address;
	uint64_t known;	 /* cycle at which its address is known */
	uint64_t data;	 /* cycle at which its data is ready */
	uint64_t commit; /* cycle at which it is in L1D */
	uint32_t size;
};

/* Entry counts of the issue queues in one word: 8 bits for each queue; the highest bit means too
 * few. */
enum { PMS_WALK_CYCLES = 256 };

static inline uint64_t pms_queue_lane(uint8_t queue)
{
	return queue == PMS_IQ_NONE ? 0 : UINT64_C(1) << 8 * (queue - 1);
}

/* Counts of instructions, one byte each: the instructions themselves in the first word's highest
 * byte, enum pms_spec in the others. No other byte exceeds that one, so only it can overflow. */
enum { PMS_TALLY_INSTS = 7, PMS_TALLY_WORDS = PMS_SPEC_COUNT / 8 + 1 };

static inline unsigned pms_tally_byte(unsigned spec)
{
	return spec + (spec >= PMS_TALLY_INSTS);
}

/* A line of guest code, decoded for wrong paths, with running sums to count any run of its
 * instructions at once. */
struct pms_code_line {
	uint64_t line; /* line number, UINT64_MAX when empty */
	bool mapped;
	bool seldom;		  /* some count is not in the first words of .tally */
	uint8_t windows;	  /* bit: the micro-op cache held this window */
	uint32_t windows_at;	  /* value of mop_fills at that time */
	pms_parcels starts;	  /* bit: an instruction is known to begin there */
	pms_parcels conditionals; /* bit: a conditional branch */
	pms_parcels jumps;	  /* bit: another branch */
	pms_parcels_end stops;	  /* bit: fetch of a wrong path stops before it; the bit behind the
				   * last parcel: the next line */
	uint16_t nano[PMS_LINE_PARCELS];      /* for each branch: entry of the nano target buffer,
					       * see btb.h */
	uint16_t slots[PMS_LINE_PARCELS + 1]; /* slots of the instructions before each */
	uint64_t fp_ops[PMS_LINE_PARCELS +
			1]; /* scalable operations in the upper half, others in the lower */
	uint64_t queued[PMS_LINE_PARCELS + 1]; /* issue queue entries that they take, in lanes */
	uint64_t tally[PMS_LINE_PARCELS + 1][PMS_TALLY_WORDS];
	struct pms_uop ops[PMS_LINE_PARCELS];
};

struct pms_core {
	const struct pms_params *params;
	uint64_t *counters;
	const struct pms_block *block; /* the block being run */
	const struct pms_code_source *code;

	/* Rename: the cursor over slots. */
	uint64_t cycle;
	uint32_t used;	     /* taken slots of `cycle` */
	uint32_t together;   /* next operations that were renamed already */
	uint64_t room_until; /* op_seq up to which all queues except the issue queues have room */
	uint32_t fe_cause;   /* counter for empty slots when fetch is late */
	uint64_t op_seq;     /* macro-ops renamed on the right path */
	uint8_t insn_seq;    /* instructions renamed, modulo 256 */
	uint64_t renamed[PMS_QUEUE_RING]; /* cycle of each instruction's rename, by insn_seq */

	/* Fetch. */
	uint64_t fetch;		/* cycle of the current group */
	uint32_t group_left;	/* instructions that still fit into it */
	uint32_t width;		/* most instructions of a group in this window */
	uint32_t pending_cause; /* the cause that the next group waits for */
	bool enter;		/* the next instruction does not follow the last one */
	struct pms_lead lead;	/* of prediction */
	struct pms_lead_rules lead_rules;
	uint64_t line_ready; /* cycle at which the current line is there */
	uint32_t line_cause;
	uint64_t redirect; /* nothing was requested before this cycle */
	uint64_t last_asked, line_seq;
	uint64_t walk_refills;		       /* L1I refills when the last wrong path ended */
	uint64_t walk_issues[PMS_WALK_CYCLES]; /* queue entries freed by a wrong path, by cycle,
						* in lanes; all 0 between walks */
	uint64_t ahead[PMS_AHEAD_RING]; /* cycle at which each line was entered, by line_seq */
	uint64_t expected;		/* address after the last instruction that ran */
	uint64_t warm_clock;		/* the memory's time while it is warmed */
	uint64_t warm_line;		/* the instruction line warmed last */
	/* Line numbers seen last in pms_core_follow. Data lines are doubled, plus 1 for a
	 * written line. */
	uint64_t followed_code[PMS_FOLLOWED], followed_data[PMS_FOLLOWED];

	/* Issue. */
	struct pms_calendar calendar;
	uint64_t ready[PMS_READY_COUNT];
	uint64_t pair_issue;		  /* issue cycle of a fused pair's first operation */
	uint32_t ports[PMS_OP_COUNT + 1]; /* by unit; PMS_UNIT_NONE: 0 */
	uint32_t queue_size[1 + PMS_QUEUES_MOST];
	uint64_t queue_sizes; /* the same in lanes, without "no queue" */

	/* Retire. */
	uint64_t retired[PMS_RING];
	uint64_t last_retire;
	uint32_t retire_used;

	/* Loads and stores. */
	uint64_t commit_line;	   /* the line that is written in cycle last_commit */
	uint32_t commit_left;	   /* bytes that may still join that write */
	uint32_t write_ports;	   /* ports, of which a write takes one */
	bool commit_free;	   /* stores are written as they retire, at no cost */
	uint8_t n_loads, n_stores; /* indices of their rings */
	uint64_t load_free[PMS_QUEUE_RING], store_free[PMS_QUEUE_RING];
	uint64_t store_most[PMS_QUEUE_RING]; /* the latest store_free up to each store */
	uint64_t last_commit;
	uint64_t access_floor;	/* no later access may issue before this cycle: barriers, acquire */
	uint64_t release_floor; /* no later acquire may issue before this cycle: stores with
				 * release */
	uint64_t last_access;	/* last cycle in which an access completes */
	struct pms_store_entry stores[PMS_STORE_TABLE];
	uint8_t *order; /* by pc: 0: the load never met an unknown older store */
	uint32_t order_mask;

	struct pms_system system; /* one for each core, so far */
	struct pms_memory memory;
	struct pms_cache mops; /* the micro-op cache, by 32-byte windows */
	uint32_t mop_fills;    /* fills of the micro-op cache, from 1 on */
	struct pms_predictor predictor;
	struct pms_code_line *lines; /* PMS_CODE_LINES, direct-mapped; NULL: no wrong paths */
#ifdef PMS_PLACES
	struct pms_charge charge;
#endif
};

/* Count, and charge the instruction that runs, ... */
#define PMS_COUNT(core, name, n)                                                                   \
	do {                                                                                       \
		PMS_COUNT_ONLY(core, name, n);                                                     \
		PMS_CHARGE(pms_charge_count(&(core)->charge, PMS_COUNTER_##name, (uint64_t)(n)));  \
	} while (0)
/* ... or leave the charge to the caller. */
#define PMS_COUNT_ONLY(core, name, n) ((core)->counters[PMS_COUNTER_##name] += (uint64_t)(n))

static inline uint64_t pms_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Below, @ready is the scoreboard: the cycle at which each entry's value is ready. Passed as
 * pointer-to-array so that gcc addresses both scoreboards alike (measured). */

/** Returns the cycle, not before @earliest, at which the first three sources are ready: all
 * sources of an operation without PMS_UOP_WIDE. */
static inline uint64_t pms_three_sources(uint64_t (*ready)[PMS_READY_COUNT],
					 const struct pms_uop *uop, uint64_t earliest)
{
	/* In pairs: saves the host a cycle of waiting for the last one. */
	return pms_later(pms_later(earliest, (*ready)[uop->src[0]]),
			 pms_later((*ready)[uop->src[1]], (*ready)[uop->src[2]]));
}

/** Returns the cycle at which all sources are ready. */
static inline uint64_t pms_sources_ready(uint64_t (*ready)[PMS_READY_COUNT],
					 const struct pms_uop *uop, uint64_t earliest)
{
	earliest = pms_three_sources(ready, uop, earliest);
	if (uop->flags & PMS_UOP_WIDE)
		for (unsigned i = 3; i < PMS_UOP_SOURCES; i++)
			earliest = pms_later(earliest, (*ready)[uop->src[i]]);
	return earliest;
}

/** Set the results of an operation without PMS_UOP_WIDE: they are ready in cycle @done. */
static inline void pms_set_two_results(uint64_t (*ready)[PMS_READY_COUNT],
				       const struct pms_uop *uop, uint64_t done)
{
	(*ready)[uop->dst[0]] = done;
	(*ready)[uop->dst[1]] = done;
}

/** Set the results of any operation. */
static inline void pms_set_results(uint64_t (*ready)[PMS_READY_COUNT], const struct pms_uop *uop,
				   uint64_t done)
{
	pms_set_two_results(ready, uop, done);
	if (uop->flags & PMS_UOP_WIDE)
		for (unsigned i = 2; i < uop->n_dst; i++)
			(*ready)[uop->dst[i]] = done;
}

/** Returns whether the micro-op cache held the window of code at @pc; it does from now on. */
static inline bool pms_window_held(struct pms_core *core, uint64_t pc)
{
	uint64_t window = pc / PMS_WINDOW_BYTES, victim;
	uint8_t flags;
	if (pms_cache_find(&core->mops, window) >= 0)
		return true;
	pms_cache_fill(&core->mops, window, &victim, &flags);
	core->mop_fills++;
	return false;
}

/** Returns whether the block's last instruction led to @next; otherwise a signal or a fault did. */
static inline bool pms_block_led_to(const struct pms_block *block, enum pms_block_end end,
				    uint64_t next)
{
	/* No jump for each term: the host could not predict them. */
	bool can_lead = (next == block->next[0]) | (next == block->next[1]) | block->anywhere;
	return end == PMS_END_NEXT && can_lead;
}

/* fetch.c */

/** Restart fetch at a new place, after a taken branch, a flush or an exception. */
void pms_fetch_redirect(struct pms_core *core, uint64_t cycle, enum pms_counter cause);

/** Follow the branch at @pc, predicted taken, to its target. */
void pms_fetch_taken(struct pms_core *core, uint64_t pc, const struct pms_uop *uop,
		     const struct pms_prediction *prediction);

/** Enter the window of code at @pc, and its line if that changes. */
void pms_fetch_window(struct pms_core *core, uint64_t pc);

/** Begin a group of instructions. */
static inline void pms_fetch_group(struct pms_core *core)
{
	const struct pms_params *p = core->params;
	uint64_t next = core->fetch + 1;
	core->fe_cause = core->pending_cause;
	core->pending_cause = PMS_COUNTER_FE_SLOT_FETCH;
	if (core->lead.cycle > next) {
		next = core->lead.cycle;
		core->fe_cause = PMS_COUNTER_FE_SLOT_BTB;
	}
	if (core->line_ready > next) {
		next = core->line_ready;
		core->fe_cause = core->line_cause;
	}
	/* The queue before rename is full until the instruction that many places earlier has
	 * left it. */
	uint64_t room = core->renamed[(uint8_t)(core->insn_seq - p->decode_queue)] + 1;
	if (room > next + p->fetch_to_rename)
		next = room - p->fetch_to_rename;
	core->fetch = next;
	core->group_left = core->width;
}

/** Fetch the next instruction. Returns the first cycle in which it can be renamed. */
static inline uint64_t pms_fetch_one(struct pms_core *core, const struct pms_uop *uop, uint64_t pc)
{
	uint64_t window = pms_window_of(pc, uop);
	if (core->enter || window == pc)
		pms_fetch_window(core, pc);
	if (!PMS_ONE_LENGTH && window > pc) /* the instruction reaches into it */
		pms_fetch_window(core, window);
	if (core->group_left == 0)
		pms_fetch_group(core);
	core->group_left--;
	return core->fetch + core->params->fetch_to_rename;
}

/* lsq.c */

/** The effect of an older store on a load. */
struct pms_forward {
	uint64_t ready; /* not before this cycle; the load's address cycle when no store matters */
	bool forwarded; /* the data comes from the store queue */
	uint64_t flush; /* nonzero: the load ran ahead of a store to its address, detected in
			 * this cycle */
};
struct pms_forward pms_lsq_load(struct pms_core *core, uint64_t pc, uint64_t address, unsigned size,
				uint64_t now);
void pms_lsq_store(struct pms_core *core, uint64_t address, unsigned size, uint64_t known,
		   uint64_t data, uint64_t commit);

/* code.c */

/** Returns the parcel behind the instruction at parcel @i; the line's end, if it reaches into the
 * next line. */
static inline unsigned pms_code_behind(const struct pms_code_line *line, unsigned i)
{
	unsigned behind = i + 1 + (PMS_ONE_LENGTH ? 0 : line->ops[i].more);
	return behind < PMS_LINE_PARCELS ? behind : PMS_LINE_PARCELS;
}

/** Returns the last instruction that begins before parcel @to. */
static inline unsigned pms_code_before(const struct pms_code_line *line, unsigned to)
{
	if (PMS_ONE_LENGTH)
		return to - 1;
	uint64_t starts = line->starts & ((UINT64_C(1) << to) - 1);
	return 63u - (unsigned)__builtin_clzll(starts);
}

/** Returns how many instructions begin in the parcels [@from, @to). */
static inline unsigned pms_code_count(const struct pms_code_line *line, unsigned from, unsigned to)
{
	if (PMS_ONE_LENGTH)
		return to - from;
	uint64_t starts = line->starts & ((UINT64_C(1) << to) - 1);
	return (unsigned)__builtin_popcountll(starts >> from);
}

/** Returns the parcel behind @n instructions from parcel @from on, which the line has. */
static inline unsigned pms_code_skip(const struct pms_code_line *line, unsigned from, unsigned n)
{
	if (PMS_ONE_LENGTH)
		return from + n;
	for (; n; n--)
		from = pms_code_behind(line, from);
	return from;
}

/** Read the line of @pc anew, decoded from @pc on if only so it is known where instructions
 * begin. */
void pms_code_read(struct pms_core *core, struct pms_code_line *entry, uint64_t pc);

/** Returns the line that holds @pc, where an instruction begins. It is borrowed until the next
 * call; NULL when it is not mapped. */
static inline struct pms_code_line *pms_code_line(struct pms_core *core, uint64_t pc)
{
	uint64_t line = pc >> PMS_LINE_LOG2;
	struct pms_code_line *entry = &core->lines[line % PMS_CODE_LINES];
	bool begins = PMS_ONE_LENGTH || entry->starts >> pms_parcel_in_line(pc) & 1;
	if (entry->line != line || !begins)
		pms_code_read(core, entry, pc);
	return entry->mapped ? entry : NULL;
}

/** Find the windows of a line that the micro-op cache holds now. */
void pms_code_windows(const struct pms_core *core, struct pms_code_line *entry);

/* walk.c */

/** A wrong path: where it starts and when it ends. */
struct pms_wrong_path {
	uint64_t pc;
	uint64_t fetch;		  /* cycle of its first group */
	uint64_t predicted;	  /* cycle in which prediction reaches it */
	bool second;		  /* a jump at the end of the first block is predicted already */
	uint64_t until;		  /* cycle of the flush */
	bool runs_on;		  /* it continues behind the last fetched instruction */
	enum pms_counter flushed; /* PMS_COUNTER_FLUSHED_* */
};

/** Fetch, rename and discard the instructions that the core runs through until the flush. On
 * return the rename cursor is at the flush's cycle; histories and return stack are unchanged. */
void pms_walk(struct pms_core *core, const struct pms_wrong_path *path);

#endif
