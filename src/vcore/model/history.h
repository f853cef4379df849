/* SPDX-License-Identifier: MIT */
/* vcore/model/history.h - the outcomes and targets of past branches, for the predictors. It is
 * a plain value. Wrong paths leave it alone.
 * Flow: branches -> [history] -> tage, indirect.
 * Source: A. Seznec, P. Michaud, "A case for (partially) tagged geometric history length branch
 * prediction", JILP 8, 2006, for histories folded as they grow. */
#ifndef PMS_VCORE_MODEL_HISTORY_H
#define PMS_VCORE_MODEL_HISTORY_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	PMS_HISTORY_TABLES = 8,	     /* at most: tagged tables, each with a history of its own */
	PMS_HISTORY_TARGET_BITS = 4, /* of each target in the path */
	PMS_HISTORY_MOST = 512,	     /* outcomes kept, and the longest history */
	/* A table's fold: the newest outcomes, cut into pieces of this width and combined by
	 * exclusive or. It is wide enough for separate bits of an index and a tag. Hardware
	 * keeps two narrow folds instead, which would cost a simulator more. */
	PMS_HISTORY_FOLD = 20,
	PMS_HISTORY_LANE = 21, /* from one fold to the next: one bit more, to rotate */
	PMS_HISTORY_LANES = 3, /* in a word */
	PMS_HISTORY_WORDS = (PMS_HISTORY_TABLES + PMS_HISTORY_LANES - 1) / PMS_HISTORY_LANES
};

struct pms_history {
	uint64_t folds[PMS_HISTORY_WORDS]; /* a lane for each table */
	uint64_t recent;		   /* the last 64 outcomes, 1: taken; the newest is bit 0 */
	uint64_t path;			   /* targets of taken branches that are not conditional */
	uint32_t words;			   /* of folds in use */
	uint32_t newest;		   /* place in the ring */
	/* By table: the age of the outcome that leaves its history next, and that bit's place in
	 * the lane after `length` rotations; 0: no such table. */
	uint32_t age[PMS_HISTORY_WORDS * PMS_HISTORY_LANES];
	uint64_t leaves[PMS_HISTORY_WORDS * PMS_HISTORY_LANES];
	int8_t ring[PMS_HISTORY_MOST]; /* outcomes: 0, or -1 for taken, a mask for any bit */
};

/* Bit 0 of each lane. Multiplying a number below 2^21 by this copies it into each lane. */
#define PMS_HISTORY_ONES                                                                           \
	(UINT64_C(1) | UINT64_C(1) << PMS_HISTORY_LANE | UINT64_C(1) << 2 * PMS_HISTORY_LANE)

/** Make an empty history for @tables tables, at most PMS_HISTORY_TABLES, with histories of
 * @lengths outcomes, 1 to PMS_HISTORY_MOST each. A zeroed history serves no table. */
static inline void pms_history_init(struct pms_history *h, const uint32_t *lengths, unsigned tables)
{
	assert(tables <= PMS_HISTORY_TABLES);
	memset(h, 0, sizeof(*h));
	h->words = (tables + PMS_HISTORY_LANES - 1) / PMS_HISTORY_LANES;
	for (unsigned i = 0; i < tables; i++) {
		assert(lengths[i] && lengths[i] <= PMS_HISTORY_MOST);
		h->age[i] = lengths[i] - 1;
		h->leaves[i] = UINT64_C(1) << (i % PMS_HISTORY_LANES * PMS_HISTORY_LANE +
					       lengths[i] % PMS_HISTORY_FOLD);
	}
}

/** Returns table @i's lane of the words at @lanes. */
static inline uint32_t pms_history_lane(const uint64_t *lanes, unsigned i)
{
	uint64_t word = lanes[i / PMS_HISTORY_LANES];
	return (uint32_t)(word >> i % PMS_HISTORY_LANES * PMS_HISTORY_LANE) &
	       ((UINT32_C(1) << PMS_HISTORY_LANE) - 1);
}

/** Returns the outcome of age @age, 0 being the newest: 0, or all bits for taken. */
static inline uint64_t pms_history_outcome(const struct pms_history *h, uint32_t age)
{
	return (uint64_t)h->ring[(h->newest - age) % PMS_HISTORY_MOST];
}

/* Returns the bit that leaves table @i's history on a push, at its place. */
static inline uint64_t pms_history_leaving(const struct pms_history *h, unsigned i)
{
	return h->leaves[i] & pms_history_outcome(h, h->age[i]);
}

/* Append one bit. Each word's lanes are updated at once: rotated by one, with the bit added and the
 * bits that leave removed. Lanes without a table hold nothing of use. */
static inline void pms_history_append(struct pms_history *h, uint64_t bit)
{
	const uint64_t bits = -bit & PMS_HISTORY_ONES;
	for (unsigned w = 0; w < h->words; w++) {
		const unsigned first = w * PMS_HISTORY_LANES;
		uint64_t leaving = pms_history_leaving(h, first) |
				   pms_history_leaving(h, first + 1) |
				   pms_history_leaving(h, first + 2);
		uint64_t moved = h->folds[w] << 1;
		uint64_t carry = moved >> PMS_HISTORY_FOLD & PMS_HISTORY_ONES;
		h->folds[w] = moved ^ carry << PMS_HISTORY_FOLD ^ carry ^ bits ^ leaving;
	}
	h->recent = h->recent << 1 | bit;
	h->newest = (h->newest + 1) % PMS_HISTORY_MOST;
	h->ring[h->newest] = (int8_t) - (int)bit;
}

/** Record the outcome of a conditional branch. The outcome is enough: earlier outcomes determine
 * where the branch is. */
static inline void pms_history_push(struct pms_history *h, uint64_t pc, bool taken)
{
	(void)pc;
	pms_history_append(h, taken);
}

/** Record the target of another branch at @pc. Later outcomes depend on it, so one bit goes into
 * the history. The path takes more bits, because it must tell targets apart. */
static inline void pms_history_push_target(struct pms_history *h, uint64_t pc, uint64_t target)
{
	uint64_t hash = (target ^ pc << 1) * UINT64_C(0x9e3779b97f4a7c15);
	pms_history_append(h, hash >> 63);
	h->path = h->path << PMS_HISTORY_TARGET_BITS ^ hash >> 56;
}

/** Returns whether two histories are the same. */
static inline bool pms_history_equal(const struct pms_history *a, const struct pms_history *b)
{
	return a->newest == b->newest && a->path == b->path &&
	       memcmp(a->ring, b->ring, sizeof(a->ring)) == 0 &&
	       memcmp(a->folds, b->folds, sizeof(a->folds)) == 0;
}

#endif
