/* SPDX-License-Identifier: MIT */
/* vcore/model/btb.h - the targets of taken branches, in levels: a nano buffer without a bubble,
 * a main one, and in some cores a far one. Only branches look here. Other instructions are
 * never held, except as aliases of partial tags.
 *
 * Main: the branches of an aligned region of 32 bytes share a set. Measurements show this on
 * Neoverse V1, which keeps four of them. With s sets, pc[5 .. 5+log2(s)) is the set, and the
 * place in the region and the bits above it are the tag, of 15 bits: 12 are above it where
 * parcels have 4 bytes. Then code at distances of s * 128 KiB (256 MiB with 2048 sets) aliases,
 * and nothing nearer; the tag's width is chosen. The least recently used branch of a set is
 * replaced. Far: the same with its own size; it also holds main's branches, unless they were
 * taken too long ago. Nano: fully associative, by the whole address. */
#ifndef PMS_VCORE_MODEL_BTB_H
#define PMS_VCORE_MODEL_BTB_H

#include <stdbool.h>
#include <stdint.h>

#include "vcore/model/parcel.h"
#include "vcore/model/tlb.h"

enum { PMS_BTB_MISS, PMS_BTB_NANO, PMS_BTB_MAIN, PMS_BTB_FAR };

enum { PMS_BTB_LEVELS = 2 }; /* at most, behind nano */

enum {
	PMS_BTB_REGION_LOG2 = 5,
	PMS_BTB_PLACE_BITS = PMS_BTB_REGION_LOG2 - PMS_ISA_PARCEL_LOG2,
	PMS_BTB_TAG_BITS = 15 - PMS_BTB_PLACE_BITS
};

struct pms_btb_goal {
	uint64_t target;
	uint8_t kind; /* enum pms_branch */
};

/* A set-associative buffer. */
struct pms_btb_level {
	uint32_t set_mask;
	uint32_t set_log2;
	uint32_t ways;
	uint16_t *tags;	  /* 0: empty */
	uint16_t *stamps; /* see lru.h */
	uint16_t *clocks; /* one for each set */
	struct pms_btb_goal *goals;
};

struct pms_btb {
	struct pms_tlb nano;
	struct pms_btb_goal *nano_goals; /* one for each entry of nano */
	uint32_t n_levels;
	struct pms_btb_level levels[PMS_BTB_LEVELS]; /* the nearest first */
};

/** Make an empty nano buffer and a main one. @main_entries / @main_ways must be a power of two,
 * @main_ways at most PMS_LRU_WAYS_MAX; @nano_entries is any number from 1 to 65534.
 * Returns 0, or -1 when out of memory (then there is nothing to release). */
int pms_btb_init(struct pms_btb *b, unsigned nano_entries, unsigned main_entries,
		 unsigned main_ways);

/** Add a far buffer of this size. Returns 0, or -1 when out of memory (then the others are
 * unchanged). */
int pms_btb_add_far(struct pms_btb *b, unsigned entries, unsigned ways);

/** Free the buffers' memory; zeroed or released buffers are fine. */
void pms_btb_release(struct pms_btb *b);

/** Look for the branch at @pc, and copy a hit to the nearer buffers. @target and @kind: out,
 * written on a hit. Returns the buffer that held it, or PMS_BTB_MISS. */
int pms_btb_lookup(struct pms_btb *b, uint64_t pc, uint64_t *target, uint8_t *kind);

/** Do what pms_btb_where does, when nano does not hold the branch. */
int pms_btb_look_further(struct pms_btb *b, uint64_t pc, uint16_t *hint);

/** Look for a branch whose code gives its target. @hint: its entry of nano at the last lookup, at
 * first 0; kept up to date. Returns as pms_btb_lookup. */
static inline int pms_btb_where(struct pms_btb *b, uint64_t pc, uint16_t *hint)
{
	int nano = pms_tlb_find_hinted(&b->nano, pc, hint);
	return nano >= 0 ? PMS_BTB_NANO : pms_btb_look_further(b, pc, hint);
}

/** Returns whether a buffer holds the branch at @pc. Nothing is copied to nano, where the second
 * branch of a pair shares the first one's entry. */
bool pms_btb_knows(struct pms_btb *b, uint64_t pc);

/** Learn that the branch at @pc was taken to @target. A branch already in nano is left alone in
 * the other buffers: it ages there. */
void pms_btb_update(struct pms_btb *b, uint64_t pc, uint64_t target, uint8_t kind);

#endif
