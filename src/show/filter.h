/* SPDX-License-Identifier: MIT */
/* show/filter.h - choose the rows of a list by their groups, or by a pattern of their names. */
#ifndef PMS_SHOW_FILTER_H
#define PMS_SHOW_FILTER_H

#include "pmuscope/show.h"

struct pms_filter {
	const struct pms_catalog *catalog;
	enum pms_list what;
	const char *const *words; /* a row that matches one of them is wanted; none: all rows */
	size_t n_words;
};

/** Returns whether the event, metric, group or tree node at @index is wanted. */
int pms_filter_takes(const struct pms_filter *filter, size_t index);

/** Check that each word matches something. Errors: -PMS_ENAME (the hint names the nearest). */
int pms_filter_check(const struct pms_filter *filter, struct pms_error *err);

#endif
