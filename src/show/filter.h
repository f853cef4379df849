/* SPDX-License-Identifier: MIT */
/* show/filter.h - which rows of a list are wanted: those of groups, or with names like a pattern.
 */
#ifndef PMS_SHOW_FILTER_H
#define PMS_SHOW_FILTER_H

#include "pmuscope/show.h"

struct pms_filter {
	const struct pms_catalog *catalog;
	enum pms_list what;
	const char *const *words; /* a row that fits one of them is wanted; none: all rows */
	size_t n_words;
};

/** Whether the event, metric, group or tree node of this index is wanted. */
int pms_filter_takes(const struct pms_filter *filter, size_t index);

/** Whether each word fits something. Errors: -PMS_ENAME (the hint names the nearest). */
int pms_filter_check(const struct pms_filter *filter, struct pms_error *err);

#endif
