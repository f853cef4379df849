/* SPDX-License-Identifier: MIT */
/* vcore/model/history.h - the outcomes and targets of past branches, for the predictors. It is
 * a plain value: a core saves it before a wrong path and restores it by assignment.
 * Flow: branches -> [history] -> tage, indirect.
 * Source: A. Seznec, P. Michaud, "A case for (partially) tagged geometric history length branch
 * prediction", JILP 8, 2006, for histories folded as they grow. */
#ifndef PMS_VCORE_MODEL_HISTORY_H
#define PMS_VCORE_MODEL_HISTORY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Five tagged tables. Their history lengths grow by factors of 2.2 to 2.3. The shortest covers
 * one turn of a small loop; the longest some ten turns of a loop with a dozen branches, well
 * within the 256 bits kept. Arm does not publish its cores' lengths. */
enum {
	PMS_HISTORY_TABLES = 5,
	PMS_HISTORY_LENGTH_0 = 6,
	PMS_HISTORY_LENGTH_1 = 14,
	PMS_HISTORY_LENGTH_2 = 32,
	PMS_HISTORY_LENGTH_3 = 74,
	PMS_HISTORY_LENGTH_4 = 160,
	/* A table's fold: the newest `length` bits, cut into pieces of this width and combined
	 * by exclusive or. It is wide enough for separate bits of an index and a tag. Hardware
	 * keeps two narrow folds instead, which would cost a simulator more. */
	PMS_HISTORY_FOLD = 20,
	PMS_HISTORY_LANE = 21, /* from one fold to the next: one bit more, to rotate */
	PMS_HISTORY_LANES = 3  /* in a word */
};

struct pms_history {
	uint64_t bits[4];  /* outcomes, 1: taken; the newest is bit 0 of the first word */
	uint64_t folds[2]; /* lanes of the tables 0, 1, 2 and 3, 4 */
	uint64_t path;	   /* targets of taken branches that are not conditional, 4 bits each */
};

/* Bit 0 of each lane. Multiplying a number below 2^21 by this copies it into each lane. */
#define PMS_HISTORY_ONES                                                                           \
	(UINT64_C(1) | UINT64_C(1) << PMS_HISTORY_LANE | UINT64_C(1) << 2 * PMS_HISTORY_LANE)

/** Returns table @i's lane of the two words at @lanes. */
static inline uint32_t pms_history_lane(const uint64_t lanes[2], unsigned i)
{
	uint64_t word = lanes[i / PMS_HISTORY_LANES];
	return (uint32_t)(word >> i % PMS_HISTORY_LANES * PMS_HISTORY_LANE) &
	       ((UINT32_C(1) << PMS_HISTORY_LANE) - 1);
}

/* The bit that leaves table @i's history on a push, at its place in the lane after `length`
 * rotations. */
#define PMS_HISTORY_LEAVING(h, i)                                                                  \
	(((h)->bits[(PMS_HISTORY_LENGTH_##i - 1) / 64] >> (PMS_HISTORY_LENGTH_##i - 1) % 64 & 1)   \
	 << ((i) % PMS_HISTORY_LANES * PMS_HISTORY_LANE +                                          \
	     PMS_HISTORY_LENGTH_##i % PMS_HISTORY_FOLD))

/* Update a word's lanes at once: rotate by one, add @bits, remove the bits that leave. */
static inline uint64_t pms_history_fold(uint64_t lanes, uint64_t bits, uint64_t leaving)
{
	uint64_t moved = lanes << 1;
	uint64_t carry = moved >> PMS_HISTORY_FOLD & PMS_HISTORY_ONES;
	return moved ^ carry << PMS_HISTORY_FOLD ^ carry ^ bits ^ leaving;
}

/* Append one bit. */
static inline void pms_history_append(struct pms_history *h, uint64_t bit)
{
	uint64_t bits = -bit & PMS_HISTORY_ONES;
	/* The second word's third lane stays 0. */
	uint64_t two_lanes = (UINT64_C(1) << 2 * PMS_HISTORY_LANE) - 1;
	uint64_t leaving[2] = {
		PMS_HISTORY_LEAVING(h, 0) | PMS_HISTORY_LEAVING(h, 1) | PMS_HISTORY_LEAVING(h, 2),
		PMS_HISTORY_LEAVING(h, 3) | PMS_HISTORY_LEAVING(h, 4),
	};
	h->folds[0] = pms_history_fold(h->folds[0], bits, leaving[0]);
	h->folds[1] = pms_history_fold(h->folds[1], bits & two_lanes, leaving[1]);
	h->bits[3] = h->bits[3] << 1 | h->bits[2] >> 63;
	h->bits[2] = h->bits[2] << 1 | h->bits[1] >> 63;
	h->bits[1] = h->bits[1] << 1 | h->bits[0] >> 63;
	h->bits[0] = h->bits[0] << 1 | bit;
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
	h->path = h->path << 4 ^ hash >> 56;
}

/** Returns whether two histories are the same. */
static inline bool pms_history_equal(const struct pms_history *a, const struct pms_history *b)
{
	return memcmp(a->bits, b->bits, sizeof(a->bits)) == 0 &&
	       memcmp(a->folds, b->folds, sizeof(a->folds)) == 0 && a->path == b->path;
}

#endif
