/* SPDX-License-Identifier: MIT */
/* vcore/model/core.h - one modelled core: what the front end calls.
 * Flow: guest blocks -> [core] -> counters. The model is driven by instructions, not by cycles:
 * the structures that an operation needs give it the cycles of its fetch, rename, issue,
 * completion and retirement. Every rename slot of every cycle has one fate, with its cause. */
#ifndef PMS_VCORE_MODEL_CORE_H
#define PMS_VCORE_MODEL_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vcore/share/counters.h"
#include "vcore/share/params.h"

struct pms_core;  /* one guest thread's core; used by one thread at a time */
struct pms_block; /* a decoded run of instructions, read-only: shared by all cores */

/** The guest's code for wrong paths; shared by all cores, thread-safe. */
struct pms_code_source {
	/** Copy the 64 bytes at guest address @line (64-byte aligned) to @code.
	 * Returns false when that address is not mapped. */
	bool (*read)(void *context, uint64_t line, void *code);
	void *context;
};

/** One data access as reported by the front end. */
struct pms_access {
	uint64_t address; /* guest virtual */
	uint32_t insn;	  /* index into the block */
	uint16_t size;	  /* bytes */
	uint16_t store;	  /* 1: write */
};

/**
 * Decode a block. @code: the bytes of @count instructions from @pc on; PMS_ISA_LONGEST of them may
 * be read from where the last one begins.
 * Returns NULL when out of memory. Free with pms_block_free.
 */
struct pms_block *pms_block_new(const struct pms_params *params, uint64_t pc, const void *code,
				unsigned count);
void pms_block_free(struct pms_block *block);
/** Returns the block's first address. */
uint64_t pms_block_pc(const struct pms_block *block);
/** Returns whether the front end must report the accesses of instruction @i. */
bool pms_block_accesses(const struct pms_block *block, unsigned i);

/**
 * Make a core with cold caches.
 * @params:   borrowed, must outlive the core
 * @counters: PMS_COUNTER_COUNT of them, borrowed; added to as blocks run
 * @code:     borrowed; NULL: wrong paths are not walked
 * Returns NULL when out of memory.
 */
struct pms_core *pms_core_new(const struct pms_params *params, uint64_t *counters,
			      const struct pms_code_source *code);
void pms_core_free(struct pms_core *core);

/** How a block ended. */
enum pms_block_end {
	PMS_END_NEXT, /* control went on to `next` */
	PMS_END_FAULT /* cut short: a signal handler follows, or nothing */
};

/**
 * Run one block's instructions through the core.
 * @accesses: of its instructions, in order of execution, @n_accesses of them
 * @next:     address of the instruction that ran after the block; with PMS_END_FAULT ignored. With
 *            PMS_END_FAULT, the first instruction whose reported access is missing did not execute,
 *            nor did any behind it.
 */
void pms_core_run(struct pms_core *core, const struct pms_block *block,
		  const struct pms_access *accesses, size_t n_accesses, enum pms_block_end end,
		  uint64_t next);

/** Retire all operations in flight and close the last cycle: the counters are complete. More
 * blocks may follow, after which it must be called again. */
void pms_core_drain(struct pms_core *core);

/* warm.c: cheap modes for long programs. Between pms_core_warm_begin and pms_core_resume time
 * stands still, no operation runs and no wrong path is walked. The memory's structures still
 * count. */

/** Enter the cheap modes: nothing is in flight from here on. */
void pms_core_warm_begin(struct pms_core *core);

/** Warm up with a block: pass its accesses, instruction lines and last branch through the caches,
 * TLBs and predictors. Arguments as pms_core_run. */
void pms_core_warm(struct pms_core *core, const struct pms_block *block,
		   const struct pms_access *accesses, size_t n_accesses, enum pms_block_end end,
		   uint64_t next);

/** Warm up with less work. Predictors see every branch. Caches, TLBs and the prefetcher see only
 * lines that were not among the last ones. Arguments as pms_core_run. */
void pms_core_follow(struct pms_core *core, const struct pms_block *block, enum pms_block_end end,
		     uint64_t next);
void pms_core_follow_data(struct pms_core *core, const struct pms_block *block,
			  const struct pms_access *access);

/** Return to pms_core_run, with nothing in flight. */
void pms_core_resume(struct pms_core *core);

#ifdef PMS_PLACES
#include "vcore/share/ledger.h"

/* charge.c: only in the build that charges. */

/** Keep the core's charges from here on. @thread: its list in @ledger, which is borrowed; @shift:
 * log2 of the rows of an instruction. Returns false when the ledger is full. */
bool pms_core_charge(struct pms_core *core, void *ledger, uint32_t thread, unsigned shift);

/** Make the rows of a block for a thread; NULL: the row of what no instruction is responsible for.
 * Returns NULL when the ledger is full. */
struct pms_ledger_block *pms_core_charge_new(const struct pms_block *block, void *ledger,
					     uint32_t thread, unsigned shift);

/** Returns whether rows are of such a block. */
bool pms_core_charge_same(const struct pms_ledger_block *rows, const struct pms_block *block);

/** Charge the block that runs next to its rows; NULL: to nobody. */
void pms_core_charge_to(struct pms_core *core, struct pms_ledger_block *block);

/** Keep what is charged from here on, or not. @part: 1: as a window's */
void pms_core_charge_part(struct pms_core *core, bool on, unsigned part);
#endif

/** Returns the rename slots passed so far, used or empty: the sum of operations and empty slots
 * between any two blocks. It is CPU_CYCLES times `slots`, without the rest of the current cycle. */
uint64_t pms_core_slots(const struct pms_core *core);

#endif
