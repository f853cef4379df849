/* SPDX-License-Identifier: MIT */
/* show/shares.h - show several reports side by side, a line each, with their shares of Level 1. */
#ifndef PMS_SHOW_SHARES_H
#define PMS_SHOW_SHARES_H

#include "show/outline.h"

enum { PMS_MOST_SHARES = 8 };

/** The columns, as indices of a report's results. Reports of the same metrics share the indices. */
struct pms_shares {
	size_t results[PMS_MOST_SHARES];
	size_t n;
	const char *units; /* unit of the last column; all are shares of the same whole */
};

/** Find the shares of Level 1; none where the report has none. */
void pms_shares_find(struct pms_shares *shares, const struct pms_report *report);

/** Make a table for people. @first: title of the first column, borrowed. */
struct pms_out_item *pms_shares_table(struct pms_out_item *parent, const struct pms_report *report,
				      const struct pms_shares *shares, const char *first);
/** Add a report's row. @first: text of the first column, borrowed. */
void pms_shares_row(struct pms_out_item *table, const struct pms_report *report,
		    const struct pms_shares *shares, const char *first);

#endif
