/* SPDX-License-Identifier: MIT */
/* catalog/find.h - look up metrics as users name them: one, or a group. */
#ifndef PMS_CATALOG_FIND_H
#define PMS_CATALOG_FIND_H

#include "pmuscope/catalog.h"

/**
 * Look up what -M names; a group comes first.
 * @group, @metric: the matching one receives an index, the other -1
 * Errors: -PMS_ENAME it is neither; the hint has the nearest name.
 */
int pms_find_metrics(const struct pms_catalog *catalog, const char *name, int64_t *group,
		     int64_t *metric, struct pms_error *err);

/** Room for what pms_find_absent says. */
#define PMS_ABSENT_MAX 512

/**
 * Say why a catalog lacks an event that documents name, and which similar event it has.
 * Returns 0 where nothing is known of the name; @text is meaningless then.
 */
int pms_find_absent(const struct pms_catalog *catalog, const char *name, char text[PMS_ABSENT_MAX]);

#endif
