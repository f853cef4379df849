/* SPDX-License-Identifier: MIT */
/* vcore/model/history.h - what the branch predictors know of the way here. A value: a core saves
 * it before a wrong path and restores it by assignment.
 * Flow: branches -> [history] -> tage, indirect.
 * Source: A. Seznec, P. Michaud, "A case for (partially) tagged geometric history length branch
 * prediction", JILP 8, 2006, for histories folded as they grow. */
#ifndef PMS_VCORE_MODEL_HISTORY_H
#define PMS_VCORE_MODEL_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

/* Five tagged tables. The lengths grow by 2.2 to 2.3: the shortest sees one turn of a small loop,
 * the longest some ten turns of a loop body with a dozen branches and is well within the 256 bits
 * kept. What Arm's cores use is not published. */
enum {
	PMS_HISTORY_TABLES = 5,
	PMS_HISTORY_LENGTH_0 = 6,
	PMS_HISTORY_LENGTH_1 = 14,
	PMS_HISTORY_LENGTH_2 = 32,
	PMS_HISTORY_LENGTH_3 = 74,
	PMS_HISTORY_LENGTH_4 = 160,
	/* The newest `length` bits, cut into pieces of this width, exclusive-ored together; the two
	 * widths have no common factor, so that histories that fold to the same index have
	 * different tags. */
	PMS_HISTORY_INDEX_WIDTH = 10,
	PMS_HISTORY_TAG_WIDTH = 11,
	PMS_HISTORY_LANE = 12 /* bits from one table's fold to the next: one more than the widest */
};

struct pms_history {
	uint64_t bits[4];     /* outcomes, 1: taken; the newest is bit 0 of the first word */
	uint64_t index_folds; /* a lane a table */
	uint64_t tag_folds;
	uint64_t path; /* targets of taken branches that are not conditional: 4 bits each */
};

/* Bit 0 of each lane. */
#define PMS_HISTORY_ONES                                                                           \
	(UINT64_C(1) | UINT64_C(1) << PMS_HISTORY_LANE | UINT64_C(1) << 2 * PMS_HISTORY_LANE |     \
	 UINT64_C(1) << 3 * PMS_HISTORY_LANE | UINT64_C(1) << 4 * PMS_HISTORY_LANE)

/** Returns table @i's lane of @folds. */
static inline unsigned pms_history_lane(uint64_t folds, unsigned i)
{
	return (unsigned)(folds >> i * PMS_HISTORY_LANE) & ((1u << PMS_HISTORY_LANE) - 1);
}

/* The bit that leaves table @i's history when one is pushed, at the place of its lane where it
 * has arrived after `length` rotations. */
#define PMS_HISTORY_LEAVING(h, i, width)                                                           \
	(((h)->bits[(PMS_HISTORY_LENGTH_##i - 1) / 64] >> (PMS_HISTORY_LENGTH_##i - 1) % 64 & 1)   \
	 << ((i)*PMS_HISTORY_LANE + PMS_HISTORY_LENGTH_##i % (width)))
#define PMS_HISTORY_ALL_LEAVING(h, width)                                                          \
	(PMS_HISTORY_LEAVING(h, 0, width) | PMS_HISTORY_LEAVING(h, 1, width) |                     \
	 PMS_HISTORY_LEAVING(h, 2, width) | PMS_HISTORY_LEAVING(h, 3, width) |                     \
	 PMS_HISTORY_LEAVING(h, 4, width))

/* All lanes at once: rotate by one in @width bits, add @bit, take out what leaves. */
static inline uint64_t pms_history_fold(uint64_t folds, unsigned width, uint64_t bit,
					uint64_t leaving)
{
	uint64_t moved = folds << 1;
	uint64_t carry = moved >> width & PMS_HISTORY_ONES;
	return moved ^ carry << width ^ carry ^ (bit ? PMS_HISTORY_ONES : 0) ^ leaving;
}

/* Append one bit. */
static inline void pms_history_append(struct pms_history *h, uint64_t bit)
{
	uint64_t index_leaving = PMS_HISTORY_ALL_LEAVING(h, PMS_HISTORY_INDEX_WIDTH);
	uint64_t tag_leaving = PMS_HISTORY_ALL_LEAVING(h, PMS_HISTORY_TAG_WIDTH);
	h->index_folds =
		pms_history_fold(h->index_folds, PMS_HISTORY_INDEX_WIDTH, bit, index_leaving);
	h->tag_folds = pms_history_fold(h->tag_folds, PMS_HISTORY_TAG_WIDTH, bit, tag_leaving);
	h->bits[3] = h->bits[3] << 1 | h->bits[2] >> 63;
	h->bits[2] = h->bits[2] << 1 | h->bits[1] >> 63;
	h->bits[1] = h->bits[1] << 1 | h->bits[0] >> 63;
	h->bits[0] = h->bits[0] << 1 | bit;
}

/** A conditional branch went this way. The outcome says it all: where the branch stands follows
 * from the outcomes before it. */
static inline void pms_history_push(struct pms_history *h, uint64_t pc, bool taken)
{
	(void)pc;
	pms_history_append(h, taken);
}

/** Another branch at @pc went to @target. Outcomes after it depend on where it went, so one bit
 * goes into the history; the path takes more, since it must tell targets apart. */
static inline void pms_history_push_target(struct pms_history *h, uint64_t pc, uint64_t target)
{
	uint64_t hash = (target ^ pc << 1) * UINT64_C(0x9e3779b97f4a7c15);
	pms_history_append(h, hash >> 63);
	h->path = h->path << 4 ^ hash >> 56;
}

#endif
