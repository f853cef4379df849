/* SPDX-License-Identifier: MIT */
/* vcore/model/tage.h - the direction of conditional branches: a base table of two-bit counters
 * and tagged tables over longer and longer histories; the longest history that knows the branch
 * decides.
 * Source: as history.h; A. Seznec, "A new case for the TAGE branch predictor", MICRO 2011, for
 * use_alt and the ageing of useful bits. Arm says only that its predictors use histories: the
 * kind and the sizes are chosen. */
#ifndef PMS_VCORE_MODEL_TAGE_H
#define PMS_VCORE_MODEL_TAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vcore/model/history.h"
#include "vcore/model/parcel.h"

enum { PMS_TAGE_LINE = PMS_LINE_PARCELS };

struct pms_tage {
	uint8_t *base;	    /* 0..3; 2 and 3 say taken */
	uint8_t *usual;	    /* the same, but trained by every branch, whichever table provided */
	pms_parcels *lines; /* the direction of each usual counter, one bit each, grouped by line of
			     * code */
	uint16_t *tables;   /* n_tables of them, one after another; see tage.c */
	unsigned n_tables;
	size_t table_mask; /* entries of one table, less one */
	uint64_t seen;	   /* mask over the history's folds; 0: ignores them */
	uint64_t keyed;	   /* mask over the tables' keys; 0: no branch has an entry */
	uint32_t base_mask;
	uint32_t lfsr;	 /* picks the table for a new entry */
	uint16_t failed; /* allocations that found no place, minus those that did */
	uint8_t use_alt; /* 0..15; from 8 on, new entries predict worse than the tables below */
};

/* A prediction, with what its update needs. */
struct pms_tage_look {
	uint64_t keys[PMS_HISTORY_WORDS]; /* address and history, in lanes: index and tag, see
					     tage.c */
	uint8_t provider;		  /* table that decided, from 1; 0: base */
	uint8_t alternate;		  /* table that would have decided without it */
	bool taken;			  /* the prediction */
	bool provider_taken;		  /* what the provider said */
	bool alternate_taken;
	bool fresh; /* the provider is new: never sure, never useful */
};

/** A base table of 1 << @base_log2 counters, and @tables tagged ones, 1 to PMS_HISTORY_TABLES, of
 * 1 << @table_log2 entries, for a history of as many tables. Logarithms are at most 16. All
 * branches start weakly not taken: fetch runs on where nothing is known.
 * Returns 0, or -1 when out of memory (then there is nothing to release). */
int pms_tage_init(struct pms_tage *t, unsigned base_log2, unsigned tables, unsigned table_log2);

/** Ignore the histories: index the tables by the branch alone. Only for a new predictor. */
void pms_tage_forget(struct pms_tage *t);

/** Ignore the tagged tables. Only for a new predictor. */
void pms_tage_base_only(struct pms_tage *t);

/** Free the predictor's tables; a zeroed or released predictor is fine. */
void pms_tage_release(struct pms_tage *t);

/** Returns whether the branch at @pc will be taken. @look: out, for the update. */
bool pms_tage_predict(const struct pms_tage *t, const struct pms_history *h, uint64_t pc,
		      struct pms_tage_look *look);

/** Returns the usual directions of the branches in the line of code at @line, a multiple of 64.
 * Bit i: the branch in parcel i is usually taken. */
static inline unsigned pms_tage_usual(const struct pms_tage *t, uint64_t line)
{
	return t->lines[(pms_parcel(line) & t->base_mask) / PMS_TAGE_LINE];
}

/** Learn what the branch did. Not for wrong paths. */
void pms_tage_update(struct pms_tage *t, uint64_t pc, const struct pms_tage_look *look, bool taken);

#endif
