/* SPDX-License-Identifier: MIT */
/* vcore/model/indirect.h - the targets of indirect branches: a base table by address, and tagged
 * tables by the path to the branch; the longest path that knows it decides.
 * Source: A. Seznec, "A 64-Kbytes ITTAGE indirect branch predictor", JWAC-2, 2011, for the
 * scheme and use_alt, which is tage.h's. Arm publishes nothing of its own: the kind and the sizes
 * are chosen. */
#ifndef PMS_VCORE_MODEL_INDIRECT_H
#define PMS_VCORE_MODEL_INDIRECT_H

#include <stdbool.h>
#include <stdint.h>

#include "vcore/model/history.h"

/* At most: the first is the base table, which has no tags. Each path has as many targets as the
 * history keeps, or fewer. */
enum { PMS_INDIRECT_TABLES = 6, PMS_INDIRECT_TARGETS = 16, PMS_INDIRECT_OUTCOMES = 64 };

struct pms_indirect_entry {
	uint64_t target; /* 0: none yet */
	uint16_t tag;
	uint8_t confidence; /* 0..3 */
	uint8_t useful;	    /* it was right where the next shorter path was wrong */
};

struct pms_indirect {
	struct pms_indirect_entry *tables; /* n_tables of 1 << log2 */
	uint32_t log2, n_tables;
	/* By table, the low bits of the path and of the outcomes that it sees. */
	struct {
		uint64_t path, outcomes;
	} views[PMS_INDIRECT_TABLES];
	uint8_t use_alt; /* 0..15; from 8 on, entries without confidence predict worse than
			  * shorter paths */
	bool blind;	 /* ignores the path and the outcomes */
};

/* A prediction, with what its update needs. */
struct pms_indirect_look {
	uint64_t target;	   /* the prediction, 0: none */
	uint64_t alternate_target; /* the prediction without the provider */
	uint16_t index[PMS_INDIRECT_TABLES];
	uint16_t tag[PMS_INDIRECT_TABLES];
	uint8_t provider; /* table with the longest path that knows the branch */
};

/** A base table of 1 << @log2 entries, @log2 at most 14, and as many for each path.
 * @targets: the targets that each of @paths paths sees, 1 to PMS_INDIRECT_TARGETS, rising; the
 *	     longest also sees the last @outcomes of conditional branches
 * Returns 0, or -1 when out of memory (then there is nothing to release). */
int pms_indirect_init(struct pms_indirect *t, unsigned log2, const uint32_t *targets,
		      unsigned paths, unsigned outcomes);

/** Free the predictor's tables; a zeroed or released predictor is fine. */
void pms_indirect_release(struct pms_indirect *t);

/** Returns the predicted target of the branch at @pc, 0 when nothing is known. @look: out, for
 * the update. */
uint64_t pms_indirect_predict(const struct pms_indirect *t, const struct pms_history *h,
			      uint64_t pc, struct pms_indirect_look *look);

/** Learn the target of the branch at @pc. Not for wrong paths. */
void pms_indirect_update(struct pms_indirect *t, uint64_t pc, const struct pms_indirect_look *look,
			 uint64_t target);

#endif
