/* SPDX-License-Identifier: MIT */
#include "collect/vrun/places.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/status.h"
#include "collect/vrun/object_file.h"
#include "collect/vrun/tally.h"
#include "vcore/share/ledger.h"

/* columns */

/* Where a column's values are in a row. */
enum from {
	FROM_VALUE, /* .kind */
	FROM_CYCLES,
	FROM_INSTRUCTIONS,
	FROM_RETIRED, /* slots */
	FROM_TRAPPED  /* slots of instructions that never retire */
};

enum { NO_COUNTER = PMS_COUNTER_COUNT };

static const struct column {
	enum from from;
	unsigned kind;	  /* enum pms_charged */
	unsigned counter; /* the sum of all rows */
	const char *name, *title;
	enum pms_profile_unit unit;
	enum pms_profile_share share;
	const char *cause;
} columns[] = {
#define EVENTS(id, name, title)                                                                    \
	{                                                                                          \
		FROM_VALUE, PMS_CHARGED_##id, PMS_COUNTER_##id, name, title, PMS_PROFILE_EVENTS,   \
			0, NULL                                                                    \
	}
#define OTHERS(id, name, title, unit)                                                              \
	{                                                                                          \
		FROM_VALUE, PMS_CHARGED_##id, NO_COUNTER, name, title, unit, 0, NULL               \
	}
#define FRONTEND(id, name, cause)                                                                  \
	{                                                                                          \
		FROM_VALUE, PMS_CHARGED_##id, PMS_COUNTER_##id, "slots_fe_" name,                  \
			"Slots lost: " cause, PMS_PROFILE_SLOTS, PMS_PROFILE_FRONTEND, cause       \
	}
#define FLUSHED(id, name, cause)                                                                   \
	{                                                                                          \
		FROM_VALUE, PMS_CHARGED_##id, PMS_COUNTER_##id, "slots_flushed_" name,             \
			"Slots lost: " cause, PMS_PROFILE_SLOTS, PMS_PROFILE_BAD_SPECULATION,      \
			cause                                                                      \
	}
#define WAIT(id, name, cause)                                                                      \
	{ FROM_VALUE,		PMS_CHARGED_WAIT_SLOTS + PMS_WAIT_##id,                            \
	  NO_COUNTER,		"slots_be_" name,                                                  \
	  "Slots lost: " cause, PMS_PROFILE_SLOTS,                                                 \
	  PMS_PROFILE_BACKEND,	cause },                                                           \
	{                                                                                          \
		FROM_VALUE, PMS_CHARGED_WAIT_CYCLES + PMS_WAIT_##id, NO_COUNTER, "cycles_" name,   \
			"Cycles: " cause, PMS_PROFILE_CYCLES, 0, cause                             \
	}
	{ FROM_CYCLES, 0, PMS_COUNTER_CPU_CYCLES, "cycles", "Cycles", PMS_PROFILE_CYCLES, 0, NULL },
	{ FROM_INSTRUCTIONS, 0, PMS_COUNTER_INST_RETIRED, "instructions", "Instructions",
	  PMS_PROFILE_INSTRUCTIONS, 0, NULL },
	{ FROM_RETIRED, 0, PMS_COUNTER_OP_RETIRED, "slots_retired", "Slots that retired",
	  PMS_PROFILE_SLOTS, PMS_PROFILE_RETIRING, NULL },
	FLUSHED(FLUSHED_BRANCH, "branch", "flushed behind a mispredicted branch"),
	FLUSHED(FLUSHED_ORDER, "order", "flushed behind a load that ran ahead of a store"),
	{ FROM_TRAPPED, 0, PMS_COUNTER_FLUSHED_FAULT, "slots_flushed_fault",
	  "Slots lost: the instruction took an exception instead", PMS_PROFILE_SLOTS,
	  PMS_PROFILE_BAD_SPECULATION, "the instruction took an exception instead" },
	FRONTEND(FE_SLOT_FLUSH, "flush", "refill after a flush"),
	FRONTEND(FE_SLOT_ICACHE, "icache", "waiting for a line of instructions"),
	FRONTEND(FE_SLOT_ITLB, "itlb", "waiting for the translation of code"),
	FRONTEND(FE_SLOT_BTB, "btb", "a branch target that was found late"),
	FRONTEND(FE_SLOT_FETCH, "fetch", "a fetch group ended"),
	FRONTEND(FE_SLOT_SERIAL, "serial", "refill after a system call, an exception or isb"),
	WAIT(DRAM, "dram", "a load waits for memory"),
	WAIT(LAST_LEVEL, "last_level", "a load waits for the last-level cache"),
	WAIT(L2, "l2", "a load waits for L2"),
	WAIT(L1D, "l1d", "a load waits for L1D"),
	WAIT(TLB, "tlb", "a load waits for its translation"),
	WAIT(FORWARD, "forward", "a load waits for a store's data"),
	WAIT(FORWARD_FAIL, "forward_fail", "a store cannot forward to a load"),
	WAIT(STORE, "store", "stores wait to be written"),
	WAIT(DIVIDE, "divide", "a divide or square root"),
	WAIT(VECTOR, "vector", "latency of a floating-point or vector operation"),
	WAIT(INTEGER, "integer", "latency of an integer operation"),
	WAIT(PORT, "port", "no free port"),
	WAIT(ORDER, "order", "a barrier or an acquire"),
	WAIT(SERIAL, "serial", "an operation that runs alone"),
	WAIT(RETIRE, "retire", "retirement is full"),
	WAIT(PIPELINE, "pipeline", "from rename to issue"),
	OTHERS(CYCLES_FRONTEND, "cycles_frontend", "Cycles: nothing in flight, fetch is late",
	       PMS_PROFILE_CYCLES),
	OTHERS(CYCLES_FLUSH, "cycles_flush", "Cycles: nothing in flight after a flush",
	       PMS_PROFILE_CYCLES),
	EVENTS(STALL_FRONTEND, "stall_frontend", "Cycles without an operation: frontend"),
	EVENTS(STALL_BACKEND, "stall_backend", "Cycles without an operation: backend"),
	EVENTS(STALL_BACKEND_MEM, "stall_backend_mem", "... while a load misses L1D"),
	EVENTS(BR_MIS_PRED, "mispredicted", "Mispredicted branches"),
	OTHERS(MISS_DIRECTION, "mispredicted_direction", "Mispredicted directions",
	       PMS_PROFILE_EVENTS),
	OTHERS(MISS_TARGET, "mispredicted_target", "Mispredicted targets", PMS_PROFILE_EVENTS),
	OTHERS(MISS_RETURN, "mispredicted_return", "Mispredicted returns", PMS_PROFILE_EVENTS),
	EVENTS(L1I_CACHE_REFILL, "l1i_refill", "L1I misses"),
	EVENTS(L1I_CACHE_LMISS, "l1i_late", "L1I misses that fetch waited for"),
	EVENTS(L1I_PREFETCH_FILL, "l1i_prefetch", "Lines of code requested ahead"),
	EVENTS(L1I_TLB_REFILL, "l1i_tlb_refill", "L1 instruction TLB misses"),
	EVENTS(ITLB_WALK, "itlb_walk", "Table walks for code"),
	EVENTS(L1D_CACHE_REFILL_RD, "l1d_refill_rd", "L1D misses of loads"),
	EVENTS(L1D_CACHE_REFILL_WR, "l1d_refill_wr", "L1D misses of stores"),
	EVENTS(L1D_CACHE_REFILL_INNER, "l1d_refill_inner", "L1D misses that L2 had"),
	EVENTS(L1D_CACHE_REFILL_OUTER, "l1d_refill_outer", "L1D misses from beyond L2"),
	EVENTS(L1D_CACHE_LMISS_RD, "l1d_late_rd", "L1D misses that loads waited for"),
	EVENTS(L1D_CACHE_WB_VICTIM, "l1d_written_back", "L1D lines written back"),
	EVENTS(L1D_PREFETCH_FILL, "l1d_prefetch", "L1D lines prefetched"),
	EVENTS(L2D_NEXT_LINE, "l2_prefetch", "Next lines requested by L2"),
	EVENTS(L1D_TLB_REFILL_RD, "l1d_tlb_refill_rd", "L1 data TLB misses of loads"),
	EVENTS(L1D_TLB_REFILL_WR, "l1d_tlb_refill_wr", "L1 data TLB misses of stores"),
	EVENTS(L2D_TLB_RD, "l2_tlb_rd", "L2 TLB lookups to read"),
	EVENTS(L2D_TLB_WR, "l2_tlb_wr", "L2 TLB lookups to write"),
	EVENTS(L2D_TLB_REFILL_RD, "l2_tlb_refill_rd", "L2 TLB misses to read"),
	EVENTS(L2D_TLB_REFILL_WR, "l2_tlb_refill_wr", "L2 TLB misses to write"),
	EVENTS(DTLB_WALK, "dtlb_walk", "Table walks for data"),
	EVENTS(L2D_CACHE_REFILL_RD, "l2_refill_rd", "L2 misses to read"),
	EVENTS(L2D_CACHE_REFILL_WR, "l2_refill_wr", "L2 misses to write"),
	EVENTS(L2D_CACHE_LMISS_RD, "l2_late_rd", "L2 misses on demand"),
	EVENTS(L2D_CACHE_WB_VICTIM, "l2_written_back", "L2 lines written back"),
	EVENTS(LL_CACHE_RD, "last_level_rd", "Last-level reads"),
	EVENTS(LL_CACHE_MISS_RD, "last_level_miss_rd", "Last-level read misses"),
	EVENTS(BUS_RD_BEATS, "bus_rd", "Bus beats read"),
	EVENTS(BUS_WR_BEATS, "bus_wr", "Bus beats written"),
	EVENTS(UNALIGNED_LD_SPEC, "unaligned_ld", "Unaligned loads"),
	EVENTS(UNALIGNED_ST_SPEC, "unaligned_st", "Unaligned stores"),
	OTHERS(FORWARD_FAILS, "forward_fails", "Loads that a store could not forward to",
	       PMS_PROFILE_EVENTS),
	OTHERS(ORDER_FLUSHES, "order_flushes", "Loads that ran ahead of a store",
	       PMS_PROFILE_EVENTS),
	OTHERS(SERIALS, "serials", "Operations that drained the core", PMS_PROFILE_EVENTS),
	EVENTS(EXC_TAKEN, "exceptions", "Exceptions taken"),
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* the ledger, of which nothing is trusted */

/* A value of the start of a run, and one of its windows. */
struct parts {
	uint64_t part[2];
};

struct place {
	uint32_t object; /* of the profile */
	uint64_t address;
};

struct known_object {
	uint32_t chunk, object;
	bool in_file;
	struct pms_object_file file;
	char *path;
};

/* The start of a block, for the targets of branches. */
struct start {
	uint64_t pc;
	struct place place;
};

struct book {
	const struct pms_share *share;
	const char *ledger, *program;
	uint32_t chunks;
	bool sampled;
	long double factor; /* what windows stand for */
	struct parts sums[COLUMNS];
	__int128 left[COLUMNS];	      /* not yet given to a row, in the column's parts */
	long double left_of[COLUMNS]; /* the same, of sampled runs */
	struct known_object *objects;
	size_t n_objects;
	struct start *starts;
	size_t n_starts;
	struct pms_profile *profile;
};

/* Returns @n chunks from @chunk on; NULL where there are none. */
static const void *chunks_at(const struct book *b, uint32_t chunk, uint64_t n)
{
	return chunk && chunk < b->chunks && n <= b->chunks - chunk
		       ? b->ledger + (uint64_t)chunk * PMS_LEDGER_CHUNK
		       : NULL;
}

static const struct pms_ledger_block *block_at(const struct book *b, uint32_t chunk)
{
	const struct pms_ledger_block *block = chunks_at(b, chunk, 2);
	if (!block || block->shift > 1 ||
	    !chunks_at(b, chunk, 1 + ((uint64_t)(block->count + !block->count) << block->shift)))
		return NULL;
	return block;
}

static uint64_t value_of(const struct book *b, const struct pms_ledger_row *row, unsigned kind)
{
	const uint64_t *values = chunks_at(b, row->group[kind / PMS_LEDGER_GROUP], 1);
	return values ? values[kind % PMS_LEDGER_GROUP] : 0;
}

static uint64_t row_value(const struct book *b, const struct pms_ledger_row *row, uint64_t whole,
			  const struct column *column)
{
	const bool traps = row->flags & PMS_ROW_TRAPS;
	const uint64_t runs = whole + row->alone;
	switch (column->from) {
	case FROM_VALUE:
		return value_of(b, row, column->kind);
	case FROM_CYCLES:
		return row->cycles;
	case FROM_INSTRUCTIONS:
		return traps ? 0 : runs;
	case FROM_RETIRED:
		return traps ? 0 : runs * row->slots;
	default:
		return traps ? runs * row->slots : 0;
	}
}

static struct parts row_parts(const struct book *b, const struct pms_ledger_block *block,
			      uint32_t i, const struct column *column)
{
	const struct pms_ledger_row *row = &pms_ledger_rows(block)[i << block->shift];
	struct parts parts = { { 0 } };
	for (unsigned part = 0; part < 1u << block->shift; part++) {
		struct pms_ledger_row one = row[part];
		one.slots = row->slots;
		one.flags = row->flags;
		parts.part[part] =
			row_value(b, &one, block->count ? block->whole[part] : 0, column);
	}
	return parts;
}

/* Called for each block of each thread. Returns 0, or an error. */
typedef int visit(struct book *b, const struct pms_ledger_block *block, uint32_t thread);

static int blocks_visit(struct book *b, visit *each)
{
	const struct pms_ledger_head *head = (const void *)b->ledger;
	uint32_t most = b->chunks; /* a list that the program wrote into may have no end */
	int rc = 0;
	for (uint32_t thread = 0; thread < pms_tally_threads(b->share) && !rc; thread++) {
		uint32_t at = atomic_load(&head->blocks[thread]);
		while (at && !rc) {
			const struct pms_ledger_block *block = block_at(b, at);
			if (!block || !most--)
				return -PMS_EIO;
			rc = each(b, block, thread);
			at = block->next;
		}
	}
	return rc;
}

/* sums */

static int block_sum(struct book *b, const struct pms_ledger_block *block, uint32_t thread)
{
	(void)thread;
	for (uint32_t i = 0; i < block->count + !block->count; i++)
		for (unsigned c = 0; c < COLUMNS; c++) {
			struct parts parts = row_parts(b, block, i, &columns[c]);
			b->sums[c].part[0] += parts.part[0];
			b->sums[c].part[1] += parts.part[1];
		}
	return 0;
}

/* Returns what the counter of a column counted, in the column's parts. */
static struct parts counted(const struct book *b, const struct column *column)
{
	struct parts all = { { 0 } };
	for (uint32_t i = 0; i < pms_tally_threads(b->share); i++) {
		const struct pms_share_thread *thread = &b->share->threads[i];
		uint64_t windows = 0;
		for (unsigned g = 0; g < PMS_SHARE_GROUPS; g++)
			windows += (uint64_t)thread->groups[g][column->counter];
		all.part[0] += thread->counters[column->counter] - windows;
		all.part[1] += windows;
	}
	for (unsigned part = 0; part < 2 && column->from == FROM_CYCLES; part++)
		all.part[part] *= PMS_LEDGER_CYCLE;
	return all;
}

/* Find what one instruction of a window stands for: see pms_tally_sample. */
static void factor_find(struct book *b)
{
	uint64_t ran = 0;
	static const struct column insns = { .counter = PMS_COUNTER_INST_RETIRED };
	struct parts in = counted(b, &insns);
	for (uint32_t i = 0; i < pms_tally_threads(b->share); i++)
		ran += b->share->threads[i].instructions;
	b->sampled = b->share->extent.detail != 0;
	b->factor = 1;
	if (b->sampled && in.part[1] && ran != in.part[0] + in.part[1])
		b->factor = (long double)(ran - in.part[0]) / (long double)in.part[1];
}

/* Returns whether charges may be missing: a thread was killed, or the ledger was full. */
static bool is_cut(const struct book *b)
{
	const struct pms_ledger_head *head = (const void *)b->ledger;
	bool cut = atomic_load(&head->refused) != 0;
	for (uint32_t i = 0; i < pms_tally_threads(b->share); i++)
		cut |= atomic_load(&b->share->threads[i].state) != PMS_THREAD_ENDED;
	return cut;
}

/* What was counted and charged to nobody: what is missing, and the rest of cycles at the borders of
 * windows. It is given to the row without an object; where charges are ahead, the next rows lack
 * it. All else adds up. */
static void rest_find(struct book *b)
{
	const bool cut = is_cut(b),
		   windows_only = b->share->extent.detail || b->share->extent.n_regions;
	for (unsigned c = 0; c < COLUMNS; c++) {
		bool borders = windows_only && (columns[c].from == FROM_CYCLES ||
						columns[c].counter == PMS_COUNTER_FE_SLOT_FETCH);
		if (columns[c].counter == NO_COUNTER || (!cut && !borders))
			continue;
		struct parts all = counted(b, &columns[c]);
		__int128 start = (__int128)all.part[0] - b->sums[c].part[0];
		__int128 windows = (__int128)all.part[1] - b->sums[c].part[1];
		b->left[c] = start + windows;
		b->left_of[c] = (long double)start + (long double)windows * b->factor;
	}
}

/* Returns a whole number to add to a row, so that the sum of all is the whole: what is less than
 * one is left to the next row. */
static uint64_t give(struct book *b, unsigned c, struct parts parts)
{
	const uint64_t unit = columns[c].from == FROM_CYCLES ? PMS_LEDGER_CYCLE : 1;
	if (!b->sampled) {
		b->left[c] += parts.part[0];
		uint64_t whole = b->left[c] > 0 ? (uint64_t)(b->left[c] / unit) : 0;
		b->left[c] -= (__int128)whole * unit;
		return whole;
	}
	b->left_of[c] += (long double)parts.part[0] + (long double)parts.part[1] * b->factor;
	long double whole = floorl(b->left_of[c] / unit + 1e-6L);
	if (whole <= 0)
		return 0;
	b->left_of[c] -= whole * unit;
	return (uint64_t)whole;
}

/* places */

static int object_add(struct book *b, uint32_t chunk, uint32_t *out)
{
	const struct pms_ledger_object *object = chunks_at(b, chunk, 1);
	struct pms_object other = { .kind = PMS_OBJECT_JIT, .path = "//anon" };
	if (!object || object->length > PATH_MAX ||
	    !chunks_at(b, chunk, (sizeof(*object) + object->length) / PMS_LEDGER_CHUNK + 1))
		return -PMS_EIO;
	struct known_object *more = realloc(b->objects, (b->n_objects + 1) * sizeof(*more));
	if (!more)
		return -PMS_ENOMEM;
	b->objects = more;
	struct known_object *known = &more[b->n_objects];
	*known = (struct known_object){ .chunk = chunk, .in_file = object->length != 0 };
	known->path = strndup(object->path, object->length);
	if (!known->path)
		return -PMS_ENOMEM;
	if (known->in_file)
		pms_object_file_read(known->path, &known->file);
	b->n_objects++;
	int64_t n =
		pms_profile_add_object(b->profile, known->in_file ? &known->file.object : &other);
	known->object = (uint32_t)n;
	*out = (uint32_t)b->n_objects - 1;
	return n < 0 ? (int)n : 0;
}

static int object_find(struct book *b, uint32_t chunk, uint32_t *out)
{
	for (size_t i = 0; i < b->n_objects; i++)
		if (b->objects[i].chunk == chunk) {
			*out = (uint32_t)i;
			return 0;
		}
	return object_add(b, chunk, out);
}

/* Find the place of the byte @at of a block. */
static int place_find(struct book *b, const struct pms_ledger_block *block, uint64_t at,
		      struct place *out)
{
	uint32_t i;
	if (!block->object) {
		*out = (struct place){ PMS_PROFILE_NONE, 0 };
		return 0;
	}
	int rc = object_find(b, block->object, &i);
	if (rc)
		return rc;
	const struct known_object *object = &b->objects[i];
	uint64_t offset = block->offset + at;
	*out = (struct place){ object->object,
			       object->in_file ? pms_object_file_address(&object->file, offset)
					       : offset };
	return 0;
}

static int64_t thread_add(struct book *b, uint32_t i)
{
	const struct pms_share_thread *thread = &b->share->threads[i];
	char name[sizeof(thread->name) + 1];
	snprintf(name, sizeof(name), "%.*s", (int)sizeof(thread->name), thread->name);
	const char *slash = strrchr(b->program, '/');
	const char *first = i ? "" : slash ? slash + 1 : b->program;
	return pms_profile_add_thread(
		b->profile, &(struct pms_profile_thread){ .pid = -1,
							  .tid = (int32_t)i + 1,
							  .name = name[0] ? name : first });
}

/* rows */

static int row_add(struct book *b, const struct pms_profile_place *place, const struct parts *parts)
{
	int64_t row = -1;
	int rc = 0;
	for (unsigned c = 0; c < COLUMNS && !rc; c++) {
		uint64_t value = give(b, c, parts[c]);
		if (!value)
			continue;
		if (row < 0)
			row = pms_profile_add_row(b->profile, place);
		rc = pms_profile_add(b->profile, row, (int)c, value);
	}
	return rc;
}

static int block_add(struct book *b, const struct pms_ledger_block *block, uint32_t thread)
{
	struct parts parts[COLUMNS];
	int64_t t = thread_add(b, thread);
	int rc = t < 0 ? (int)t : 0;
	for (uint32_t i = 0; i < block->count + !block->count && !rc; i++) {
		struct place at;
		rc = place_find(b, block, pms_ledger_rows(block)[i << block->shift].at, &at);
		for (unsigned c = 0; c < COLUMNS; c++)
			parts[c] = row_parts(b, block, i, &columns[c]);
		if (!rc)
			rc = row_add(b,
				     &(struct pms_profile_place){ at.object, at.address,
								  (uint32_t)t, PMS_PROFILE_NONE },
				     parts);
	}
	return rc;
}

/* Give what nobody was charged for. */
static int rest_add(struct book *b, bool last)
{
	static const struct pms_profile_place nowhere = { PMS_PROFILE_NONE, 0, PMS_PROFILE_NONE,
							  PMS_PROFILE_NONE };
	static const struct parts none[COLUMNS];
	for (unsigned c = 0; c < COLUMNS && last; c++)
		b->left_of[c] += b->sampled && b->left_of[c] > 0 ? 0.5L : 0;
	return row_add(b, &nowhere, none);
}

/* edges */

static int start_note(struct book *b, const struct pms_ledger_block *block, uint32_t thread)
{
	(void)thread;
	if (!block->count)
		return 0;
	if (!(b->n_starts & (b->n_starts - 1))) {
		size_t room = b->n_starts ? 2 * b->n_starts : 1;
		struct start *more = realloc(b->starts, room * sizeof(*more));
		if (!more)
			return -PMS_ENOMEM;
		b->starts = more;
	}
	struct start *start = &b->starts[b->n_starts++];
	start->pc = block->pc;
	return place_find(b, block, 0, &start->place);
}

static int by_pc(const void *a, const void *b)
{
	const struct start *x = a, *y = b;
	return (x->pc > y->pc) - (x->pc < y->pc);
}

/* Returns the place of @pc, where a branch of @block went. */
static struct place target_of(const struct book *b, const struct pms_ledger_block *block,
			      struct place from, uint64_t from_pc, uint64_t pc)
{
	const struct start key = { .pc = pc };
	const struct start *start =
		b->n_starts ? bsearch(&key, b->starts, b->n_starts, sizeof(key), by_pc) : NULL;
	if (start)
		return start->place;
	bool near = pc - block->pc < 4096; /* it went nowhere: the last thing that ran */
	return near ? (struct place){ from.object, from.address + (pc - from_pc) }
		    : (struct place){ PMS_PROFILE_NONE, pc };
}

static int block_edges(struct book *b, const struct pms_ledger_block *block, uint32_t thread)
{
	(void)thread;
	uint32_t most = b->chunks;
	if (!block->count || !block->edges)
		return 0;
	const struct pms_ledger_row *last =
		&pms_ledger_rows(block)[(block->count - 1) << block->shift];
	struct place from;
	int rc = place_find(b, block, last->at, &from);
	for (uint32_t at = block->edges; at && !rc;) {
		const struct pms_ledger_edge *edge = chunks_at(b, at, 1);
		if (!edge || !most--)
			return -PMS_EIO;
		struct place to = target_of(b, block, from, block->pc + last->at, edge->to);
		long double windows = b->factor;
		struct pms_profile_edge out = {
			.from_object = from.object,
			.from = from.address,
			.to_object = to.object,
			.to = to.address,
			.branch = last->flags & PMS_ROW_CALLS	  ? PMS_PROFILE_CALL
				  : last->flags & PMS_ROW_RETURNS ? PMS_PROFILE_RETURN
								  : PMS_PROFILE_JUMP,
			.count = edge->count[0] +
				 (uint64_t)llroundl((long double)edge->count[1] * windows),
			.mispredicted = edge->missed[0] +
					(uint64_t)llroundl((long double)edge->missed[1] * windows),
		};
		if (out.count)
			rc = pms_profile_add_edge(b->profile, &out);
		at = edge->next;
	}
	return rc;
}

static int edges_add(struct book *b)
{
	int rc = blocks_visit(b, start_note);
	if (rc)
		return rc;
	if (b->n_starts)
		qsort(b->starts, b->n_starts, sizeof(*b->starts), by_pc);
	return blocks_visit(b, block_edges);
}

static int kinds_add(struct pms_profile *profile)
{
	int rc = 0;
	for (unsigned c = 0; c < COLUMNS && rc >= 0; c++)
		rc = pms_profile_add_kind(
			profile, &(struct pms_profile_kind){ .name = columns[c].name,
							     .title = columns[c].title,
							     .unit = columns[c].unit,
							     .share = columns[c].share,
							     .cause = columns[c].cause,
							     .samples = PMS_PROFILE_NONE });
	return rc < 0 ? rc : 0;
}

static int fill(struct book *b)
{
	int rc = kinds_add(b->profile);
	factor_find(b);
	if (!rc)
		rc = blocks_visit(b, block_sum);
	rest_find(b);
	if (!rc)
		rc = rest_add(b, false);
	if (!rc)
		rc = blocks_visit(b, block_add);
	if (!rc)
		rc = rest_add(b, true);
	if (!rc)
		rc = edges_add(b);
	if (!rc)
		pms_profile_sort(b->profile);
	return rc;
}

int pms_places_make(const struct pms_share *share, const void *ledger, uint32_t chunks,
		    const char *program, struct pms_profile **out, struct pms_error *err)
{
	const struct pms_ledger_head *head = ledger;
	uint32_t used = atomic_load(&head->used);
	struct book *b = calloc(1, sizeof(*b));
	if (!b)
		return pms_no_memory(err);
	b->share = share;
	b->ledger = ledger;
	b->program = program;
	b->chunks = used < chunks ? used : chunks;
	b->profile = pms_profile_new(PMS_PROFILE_MODELLED);
	int rc = b->profile ? 0 : -PMS_ENOMEM;
	if (!rc) {
		b->profile->slots_per_cycle = share->params.slots;
		rc = fill(b);
	}
	for (size_t i = 0; i < b->n_objects; i++)
		free(b->objects[i].path);
	free(b->objects);
	free(b->starts);
	if (rc)
		pms_profile_free(b->profile);
	else
		*out = b->profile;
	free(b);
	if (rc == -PMS_ENOMEM)
		return pms_no_memory(err);
	return rc ? pms_fail(err, PMS_EIO,
			     "the program wrote into the memory that it is charged "
			     "in: there is no profile")
		  : 0;
}
