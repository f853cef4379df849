/* SPDX-License-Identifier: MIT */
/* vcore/model/stride.h - how far the address of each load or store moves, by program counter.
 * The prefetcher uses it, and so do wrong-path loads, whose real addresses are unknown. */
#ifndef PMS_VCORE_MODEL_STRIDE_H
#define PMS_VCORE_MODEL_STRIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "vcore/model/parcel.h"

enum {
	PMS_STRIDE_CONFIDENCE_MAX = 3,
	PMS_STRIDE_BELIEVED = 2 /* from here on it predicts the next address */
};

struct pms_stride_entry {
	uint64_t pc; /* 0: empty */
	uint64_t last;
	int64_t stride;
	uint64_t confidence; /* 0..3 */
};

struct pms_stride {
	struct pms_stride_entry *entries; /* by low bits of the program counter */
	uint64_t mask;
};

struct pms_stride_hit {
	bool known;	     /* this program counter was in the table; otherwise the rest is 0 */
	uint64_t last;	     /* its address before this one */
	int64_t stride;	     /* bytes, after training */
	unsigned confidence; /* 0..3, after training */
};

/** Make an empty table of @entries, a power of two.
 * Returns 0, or -1 when out of memory (then there is nothing to release). */
int pms_stride_init(struct pms_stride *s, unsigned entries);

/** Free the table's memory; a zeroed or released table is fine. */
void pms_stride_release(struct pms_stride *s);

/** Train with an access of the instruction at @pc to @address. An equal stride raises the
 * confidence. A different one lowers it, and replaces the stride at confidence 0. So the jump to
 * a matrix's next row unlearns nothing. */
static inline struct pms_stride_hit pms_stride_train(struct pms_stride *s, uint64_t pc,
						     uint64_t address)
{
	struct pms_stride_entry *e = &s->entries[pms_parcel(pc) & s->mask];
	if (e->pc != pc) {
		*e = (struct pms_stride_entry){ .pc = pc, .last = address };
		return (struct pms_stride_hit){ 0 };
	}
	uint64_t last = e->last;
	int64_t stride = (int64_t)(address - last);
	e->last = address;
	if (stride == e->stride)
		e->confidence += e->confidence < PMS_STRIDE_CONFIDENCE_MAX;
	else if (e->confidence)
		e->confidence--;
	else
		e->stride = stride;
	return (struct pms_stride_hit){ true, last, e->stride, (unsigned)e->confidence };
}

/** Guess the next address of the instruction at @pc; trains nothing.
 * Returns whether the stride is believed; then @address is the last address plus the stride. */
static inline bool pms_stride_guess(const struct pms_stride *s, uint64_t pc, uint64_t *address)
{
	const struct pms_stride_entry *e = &s->entries[pms_parcel(pc) & s->mask];
	if (e->pc != pc || e->confidence < PMS_STRIDE_BELIEVED)
		return false;
	*address = e->last + (uint64_t)e->stride;
	return true;
}

#endif
