/* SPDX-License-Identifier: MIT */
/* pmuscope/where.h - the few places of a profile that a report names: functions that lose most,
 * and the lines that lose most to a cause.
 * Flow: profile, symbols -> [where] -> show. */
#ifndef PMUSCOPE_WHERE_H
#define PMUSCOPE_WHERE_H

#include "pmuscope/fold.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PMS_WHERE_MOST = 8, PMS_WHERE_LINES = 3 };

/** A line of source, or a function where its lines are not known. */
struct pms_where_line {
	const char *file;     /* NULL: not known */
	unsigned line;	      /* 0: not known */
	const char *function; /* never NULL */
	uint64_t slots;	      /* lost there */
};

struct pms_where_row {
	const char *function;	     /* NULL: no instruction is responsible */
	uint32_t object;	     /* PMS_PROFILE_NONE likewise */
	const uint64_t *values;	     /* one for each kind */
	struct pms_where_line worst; /* of the function; slots 0: none lost any */
};

/** Strings and values are borrowed from the profile and the symbols, and live until
 * pms_where_free. */
struct pms_where {
	const struct pms_profile *profile;	   /* borrowed */
	const uint64_t *totals;			   /* of the whole profile, one for each kind */
	size_t cycles;				   /* the measure that functions are sorted by */
	struct pms_where_row rows[PMS_WHERE_MOST]; /* n_rows, the most cycles first */
	size_t n_rows;
	size_t n_more; /* functions that are left out */
	struct pms_where_private *owned;
};

/** Find the places of @profile, which is borrowed until pms_where_free. Files of symbols are
 * looked for as by pms_symbols_open. @options: NULL for none
 * Returns 0. Errors: -PMS_ENOMEM. */
int pms_where_make(const struct pms_profile *profile, const struct pms_symbols_options *options,
		   struct pms_where **out, struct pms_error *err);
void pms_where_free(struct pms_where *places);

/** Find the lines that lost most by a measure of the profile (pms_profile_measure).
 * @measure: its name
 * @lines:   out, the most first
 * @all:     out, what the whole program lost
 * Returns the number of lines: 0 where none lost any, or the profile has no such measure. */
size_t pms_where_lines(const struct pms_where *places, const char *measure,
		       struct pms_where_line lines[PMS_WHERE_LINES], uint64_t *all);

#ifdef __cplusplus
}
#endif
#endif
