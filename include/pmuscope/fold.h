/* SPDX-License-Identifier: MIT */
/* pmuscope/fold.h - the rows of a profile put together: by function, line, instruction and so on.
 * Flow: profile, symbols -> [fold] -> show. */
#ifndef PMUSCOPE_FOLD_H
#define PMUSCOPE_FOLD_H

#include "pmuscope/profile.h"
#include "pmuscope/symbol.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What rows are put together by. */
enum pms_fold_by {
	PMS_FOLD_FUNCTION,    /* with what is inlined into it */
	PMS_FOLD_LINE,	      /* of source code, of inlined functions their own; a function where
				 there are no lines */
	PMS_FOLD_INSTRUCTION, /* of an object, whichever thread ran it */
	PMS_FOLD_OBJECT,
	PMS_FOLD_THREAD
};
enum { PMS_FOLDS = PMS_FOLD_THREAD + 1 };

/** Returns "function" and so on; "?" for an unknown value. Static storage. */
const char *pms_fold_by_name(enum pms_fold_by by);
/** Returns 1 with what @name means in *by, 0 for an unknown name. */
int pms_fold_by_find(const char *name, enum pms_fold_by *by);

/** A number that can be asked of folded rows: each kind of the profile, and sums of kinds. */
struct pms_profile_measure {
	const char *name;  /* the kind's; "slots", "lost", or the name of a share of Level 1 */
	const char *title; /* for people */
	enum pms_profile_unit unit;
};

/** Returns how many measures there are: the kinds come first, then the sums. A profile without
 * slots has no sums. */
size_t pms_profile_measures(const struct pms_profile *profile);
/** Returns the @i-th measure; borrowed from @profile. */
struct pms_profile_measure pms_profile_measure(const struct pms_profile *profile, size_t i);
/** Returns the index of the measure @name. Errors: -PMS_ENAME, and the hint has the nearest. */
int pms_profile_measure_find(const struct pms_profile *profile, const char *name,
			     struct pms_error *err);
/** Returns the measure that rows are sorted by, unless said otherwise: cycles, else the first kind
 * that counted anything. */
size_t pms_profile_measure_usual(const struct pms_profile *profile);
/** Returns the @i-th measure of a row with @values, one for each kind. */
uint64_t pms_profile_measure_get(const struct pms_profile *profile, const uint64_t *values,
				 size_t i);
/** Returns the slots of @share in @values. */
uint64_t pms_profile_slots(const struct pms_profile *profile, const uint64_t *values,
			   enum pms_profile_share share);
/** Returns the slots in @values that were lost: of all shares but PMS_PROFILE_RETIRING. */
uint64_t pms_profile_lost(const struct pms_profile *profile, const uint64_t *values);
/** Returns the kind that most slots in @values were lost to, PMS_PROFILE_NONE: none were. */
uint32_t pms_profile_worst(const struct pms_profile *profile, const uint64_t *values);

struct pms_fold_row {
	uint32_t object;      /* PMS_PROFILE_NONE: no instruction is responsible, or, of threads,
				 objects are not told apart */
	uint32_t thread;      /* of PMS_FOLD_THREAD; else PMS_PROFILE_NONE */
	uint64_t address;     /* the lowest of the row's, as in struct pms_profile_place */
	const char *function; /* its name or a word in brackets; of a line the innermost. NULL where
				 functions are not told apart, and where there is no object */
	const char *file;     /* of lines and instructions; NULL: not known */
	unsigned line;	      /* 0: not known */
	size_t instructions;  /* rows of the profile that are put together here */
	uint64_t *values;     /* one for each kind */
};

struct pms_fold {
	const struct pms_profile *profile; /* borrowed */
	enum pms_fold_by by;
	size_t sort;		   /* measure */
	struct pms_fold_row *rows; /* the greatest first */
	size_t n_rows;
	uint64_t *totals;		/* of all rows of the profile, one for each kind */
	uint64_t *kept;			/* of the rows that are in the fold, likewise */
	struct pms_fold_private *owned; /* private */
};

/** Decides whether a row of the profile is folded. @symbol: of PMS_FOLD_FUNCTION, LINE and
 * INSTRUCTION; else NULL. Returns 1, 0 to leave the row out, or an error. */
typedef int pms_fold_pick(void *context, const struct pms_profile *profile, size_t row,
			  const struct pms_symbol *symbol);

struct pms_fold_options {
	enum pms_fold_by by;
	const char *sort;    /* name of a measure, the greatest first; NULL: the usual one */
	const char *filter;  /* an expression that rows of the profile match, in the language of
				`spe report`; docs/use/annotate.md has its columns. NULL: all */
	pms_fold_pick *pick; /* NULL: all rows */
	void *context;
};

/** Put the rows of @profile together.
 * @profile: borrowed until the fold is freed, as @symbols are
 * @symbols: NULL: functions and lines are not known
 * @out:     written only on success; free with pms_fold_free
 * Returns 0. Errors: -PMS_ENAME no such measure, -PMS_EPARSE in the filter, with the column,
 * -PMS_ENOMEM, and as options->pick. */
int pms_fold_make(const struct pms_profile *profile, struct pms_symbols *symbols,
		  const struct pms_fold_options *options, struct pms_fold **out,
		  struct pms_error *err);
void pms_fold_free(struct pms_fold *fold);

#ifdef __cplusplus
}
#endif
#endif
