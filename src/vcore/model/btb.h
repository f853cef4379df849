/* SPDX-License-Identifier: MIT */
/* vcore/model/btb.h - where taken branches go, in levels: a nano buffer, whose targets cost no
 * bubble, a main one, and one behind it where a core has it. Asked at branches only: what is not a
 * branch is never in it, but for the aliases that partial tags make.
 *
 * Main: the branches of an aligned region of 32 bytes share a set, as they are measured to do on
 * Neoverse V1, which keeps four of them: with s sets, pc[5 .. 5+log2(s)) is the set, and the 12
 * bits above it and the place in the region are the tag. So code at distances of s * 128 KiB (256
 * MiB with 2048 sets) aliases, and nothing nearer; the tag's width is chosen. The least recently
 * used branch of a set goes. Far: the same with its own size; what main holds is there as well, but
 * for what was taken too long ago. Nano: fully associative, by the whole address. */
#ifndef PMS_VCORE_MODEL_BTB_H
#define PMS_VCORE_MODEL_BTB_H

#include <stdbool.h>
#include <stdint.h>

#include "vcore/model/parcel.h"
#include "vcore/model/tlb.h"

enum { PMS_BTB_MISS, PMS_BTB_NANO, PMS_BTB_MAIN, PMS_BTB_FAR };

enum { PMS_BTB_LEVELS = 2 }; /* at most, behind nano */

enum { PMS_BTB_REGION_LOG2 = 5, PMS_BTB_TAG_BITS = 12 };

struct pms_btb_goal {
	uint64_t target;
	uint8_t kind; /* enum pms_branch */
};

/* One of the set-associative buffers. */
struct pms_btb_level {
	uint32_t set_mask;
	uint32_t set_log2;
	uint32_t ways;
	uint16_t *tags;	  /* 0: empty */
	uint16_t *stamps; /* see lru.h */
	uint16_t *clocks; /* one a set */
	struct pms_btb_goal *goals;
};

struct pms_btb {
	struct pms_tlb nano;
	struct pms_btb_goal *nano_goals; /* by its entries */
	uint32_t n_levels;
	struct pms_btb_level levels[PMS_BTB_LEVELS]; /* the nearest first */
};

/** An empty nano buffer and a main one. @main_entries / @main_ways must be a power of two,
 * @main_ways at most PMS_LRU_WAYS_MAX; @nano_entries is any number from 1 to 65534.
 * Returns 0, or -1 when out of memory (then there is nothing to release). */
int pms_btb_init(struct pms_btb *b, unsigned nano_entries, unsigned main_entries,
		 unsigned main_ways);

/** Put a far buffer behind them, of such a size. Returns 0, or -1 when out of memory (then the
 * others are as they were). */
int pms_btb_add_far(struct pms_btb *b, unsigned entries, unsigned ways);

/** Free what the buffers own; a zeroed or released one is fine. */
void pms_btb_release(struct pms_btb *b);

/** Look for the branch at @pc. A hit is copied to the nearer ones. @target and @kind: out, written
 * on a hit. Returns where it was, PMS_BTB_MISS for nowhere. */
int pms_btb_lookup(struct pms_btb *b, uint64_t pc, uint64_t *target, uint8_t *kind);

/** What pms_btb_where does when nano does not hold the branch. */
int pms_btb_look_further(struct pms_btb *b, uint64_t pc, uint16_t *hint);

/** Like pms_btb_lookup, of a branch whose target its code tells. @hint: entry of nano that it had
 * when it was looked up last, 0 before; kept up to date. */
static inline int pms_btb_where(struct pms_btb *b, uint64_t pc, uint16_t *hint)
{
	int nano = pms_tlb_find_hinted(&b->nano, pc, hint);
	return nano >= 0 ? PMS_BTB_NANO : pms_btb_look_further(b, pc, hint);
}

/** Returns whether a buffer holds the branch at @pc. Nothing is copied to nano: this is for the
 * second branch of a pair, which is in the first one's entry there. */
bool pms_btb_knows(struct pms_btb *b, uint64_t pc);

/** The branch at @pc was taken, to @target. What nano holds already is left as it is in the
 * others, too: a branch that stays in nano ages there. */
void pms_btb_update(struct pms_btb *b, uint64_t pc, uint64_t target, uint8_t kind);

#endif
