/* SPDX-License-Identifier: MIT */
/* vcore/model/charge.h - charge what the model counts to the instruction that is responsible, by
 * the rules of docs/model/attribution.md. Flow: model -> [charge] -> ledger.
 *
 * The model is compiled twice. Only the build with PMS_PLACES defined charges: elsewhere what
 * PMS_CHARGE encloses is not compiled.
 * Source: B. Gottschall, L. Eeckhout, M. Jahre, "TIP: Time-Proportional Instruction Profiling",
 * MICRO 2021; the same, "TEA: Time-Proportional Event Analysis", ISCA 2023. */
#ifndef PMS_VCORE_MODEL_CHARGE_H
#define PMS_VCORE_MODEL_CHARGE_H

#ifndef PMS_PLACES
#define PMS_CHARGE(...) ((void)0)
#else
#define PMS_CHARGE(...) __VA_ARGS__

#include <stdbool.h>
#include <stdint.h>

#include "vcore/model/hint.h"
#include "vcore/share/ledger.h"
#include "vcore/share/params.h"

struct pms_core;

enum { PMS_CHARGE_RING = 2048, PMS_CHARGE_STORES = 256 };

/* An operation in flight, or a part of it that retires on its own. Of cycles the lower halves are
 * kept, since no operation is in flight for longer. */
struct pms_charge_op {
	struct pms_ledger_row *row;
	uint32_t ready;	  /* its operands are, and it could issue, */
	uint32_t issue;	  /* it issues, */
	uint32_t known;	  /* a load's address is translated, */
	uint32_t done;	  /* it completes, */
	uint32_t retired; /* it retires */
	uint8_t before;	  /* enum pms_wait until .ready, */
	uint8_t own;	  /* ... from .known until .done */
};

/* Where a load found its line. */
struct pms_charge_found {
	uint64_t known; /* cycle in which its address was translated */
	uint8_t level;	/* enum pms_wait */
};

struct pms_charge {
	bool on;			/* charges are kept */
	bool walks;			/* on a wrong path */
	uint8_t part;			/* 1: windows of a sampled run */
	uint8_t shift;			/* log2 of the rows of an instruction */
	uint8_t from;			/* enum pms_wait: where L2 found its last line */
	uint32_t spare;			/* chunk for values that find no room */
	void *ledger;			/* NULL: none */
	uint32_t thread;		/* its list of blocks */
	struct pms_ledger_block *block; /* that runs */
	struct pms_ledger_row *now;	/* the instruction that runs */
	struct pms_ledger_row *refill;	/* it made the last flush or drain */
	struct pms_ledger_row *nobody;
	struct pms_charge_found found; /* by the last load */
	uint64_t time;		       /* cycles before are charged */
	uint64_t head, tail;	       /* operations in flight, by number */
	uint32_t mask;		       /* of the ring that is used */
	struct pms_charge_op ops[PMS_CHARGE_RING];
	struct {
		struct pms_ledger_row *row;
		uint64_t retired;
	} stores[PMS_CHARGE_STORES];
	uint8_t *l1d_levels, *l2_levels;  /* by entry: where its line came from */
	uint64_t sums[PMS_CHARGED_COUNT]; /* of all charges, kept or not, for check_laws */
	uint64_t cycles;		  /* the same, in parts of a cycle */
};

/* 1 + enum pms_charged of a counter; 0: it is not charged by its name. */
static const uint8_t pms_charge_kinds[PMS_COUNTER_COUNT] = {
#define X(name) [PMS_COUNTER_##name] = 1 + PMS_CHARGED_##name,
	PMS_CHARGED_COUNTERS(X)
#undef X
};

/** Returns the chunk of a row's values of @group, which it has none of yet. */
uint32_t pms_charge_group(struct pms_charge *charge, struct pms_ledger_row *row, unsigned group);

/** Charge @n of a kind to a row. */
static inline void pms_charge_add(struct pms_charge *charge, struct pms_ledger_row *row,
				  unsigned kind, uint64_t n)
{
#ifndef NDEBUG
	charge->sums[kind] += n;
#endif
	if (!charge->on)
		return;
	row += charge->part;
	uint32_t chunk = row->group[kind / PMS_LEDGER_GROUP];
	if (__builtin_expect(!chunk, 0))
		chunk = pms_charge_group(charge, row, kind / PMS_LEDGER_GROUP);
	((uint64_t *)pms_ledger_at(charge->ledger, chunk))[kind % PMS_LEDGER_GROUP] += n;
}

/** Charge @n of a counter to the instruction that runs, if the counter is charged by its name. */
static inline void pms_charge_count(struct pms_charge *charge, enum pms_counter counter, uint64_t n)
{
	if (pms_charge_kinds[counter] && n)
		pms_charge_add(charge, charge->now, pms_charge_kinds[counter] - 1u, n);
}

static inline void pms_charge_cycles(struct pms_charge *charge, struct pms_ledger_row *row,
				     uint64_t parts)
{
#ifndef NDEBUG
	charge->cycles += parts;
#endif
	if (charge->on)
		row[charge->part].cycles += parts;
}

/** Let instruction @i of the block run. */
static inline void pms_charge_insn(struct pms_charge *charge, uint32_t i)
{
	if (charge->block)
		charge->now = pms_ledger_rows(charge->block) + ((uint64_t)i << charge->shift);
}

/** Returns the operation that runs, until it retires. */
static inline struct pms_charge_op *pms_charge_next(struct pms_charge *charge)
{
	return &charge->ops[charge->tail & charge->mask];
}

/** Note when the operation that runs could issue, and does. */
static inline void pms_charge_issue(struct pms_charge *charge, uint64_t ready, uint64_t issue,
				    uint8_t own)
{
	struct pms_charge_op *op = pms_charge_next(charge);
	op->ready = (uint32_t)ready;
	op->issue = op->known = (uint32_t)issue;
	op->before = PMS_WAIT_PIPELINE;
	op->own = own;
}

/** Note that a load found its line. */
static inline void pms_charge_found(struct pms_charge *charge, uint8_t level, uint64_t known)
{
	charge->found.level = level;
	charge->found.known = known;
}

/** Note that the load that runs, issued in cycle @issue, gets its data by @wait; PMS_WAIT_COUNT:
 * from where its line was found. */
static inline void pms_charge_load(struct pms_charge *charge, uint64_t issue, unsigned wait)
{
	bool cached = wait == PMS_WAIT_COUNT;
	struct pms_charge_op *op = pms_charge_next(charge);
	op->issue = (uint32_t)issue;
	op->known = (uint32_t)(cached ? charge->found.known : issue);
	op->own = cached ? charge->found.level : (uint8_t)wait;
}

/** Note that the store that runs retires in cycle @retired. @n: its place in the store queue */
static inline void pms_charge_store(struct pms_charge *charge, uint8_t n, uint64_t retired)
{
	charge->stores[n].row = charge->now;
	charge->stores[n].retired = retired;
}

/** Charge the cycles up to @to, in which no slot was empty. */
void pms_charge_catch_up(struct pms_charge *charge, uint64_t to);

/** Note that the operation that runs, or a part of it, retires in cycle @retired. @cycle: the
 * rename cursor's */
static inline void pms_charge_retire(struct pms_charge *charge, uint64_t done, uint64_t retired,
				     uint64_t cycle)
{
	struct pms_charge_op *op = pms_charge_next(charge);
	op->row = charge->now;
	op->done = (uint32_t)done;
	op->retired = (uint32_t)retired;
	if (++charge->tail - charge->head > charge->mask - 64)
		pms_charge_catch_up(charge, cycle);
}

/** Begin another part of the operation that retired last. */
static inline void pms_charge_again(struct pms_charge *charge)
{
	*pms_charge_next(charge) = charge->ops[(charge->tail - 1) & charge->mask];
}

/** Charge what pms_rename_pass counts, with its arguments, before it does. */
void pms_charge_pass(struct pms_core *core, uint64_t to, uint64_t fetched, enum pms_counter cause);

/** Count a block of which @count instructions ran. */
void pms_charge_block(struct pms_charge *charge, uint32_t count, bool whole);

/** Count the branch that runs: it went to @to. */
void pms_charge_edge(struct pms_charge *charge, uint64_t to, bool missed);

/** Charge the misprediction of the branch that runs. @branch: enum pms_branch */
void pms_charge_miss(struct pms_charge *charge, uint8_t branch);

/** Prepare a core's charges; nothing is kept yet. Returns 0, or -1 when out of memory. */
int pms_charge_init(struct pms_charge *charge, const struct pms_params *params);
void pms_charge_release(struct pms_charge *charge);

/** Assert that all charges add up to the counters, when nothing is in flight. */
void pms_charge_check(const struct pms_charge *charge, const uint64_t *counters);

#endif
#endif
