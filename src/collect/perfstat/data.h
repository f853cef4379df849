/* SPDX-License-Identifier: MIT */
/* collect/perfstat/data.h - what perf stat record wrote as a list of counts, in the form of the
 * text of perf stat.
 * Source: the files of perf 6.1; tools/lib/perf/include/perf/event.h of Linux for the records. */
#ifndef PMS_COLLECT_PERFSTAT_DATA_H
#define PMS_COLLECT_PERFSTAT_DATA_H

#include "collect/perfstat/text.h"
#include "pmuscope/perfdata.h"

/**
 * Read the counts of @file from its first record to its end. Release @text whatever is returned.
 * Errors: as pms_perf_stat_open_data.
 */
int pms_stat_data_read(struct pms_perfdata *file, const char *source,
		       const struct pms_catalog *catalog, struct pms_stat_text *text,
		       struct pms_error *err);

#endif
