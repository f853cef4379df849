/* SPDX-License-Identifier: MIT */
/* collect/perfstat/count.h - put a count of perf stat, which perf has scaled up, into a column. */
#ifndef PMS_COLLECT_PERFSTAT_COUNT_H
#define PMS_COLLECT_PERFSTAT_COUNT_H

#include "collect/perfstat/text.h"

/**
 * Put @record into its column.
 * @filled: a bit for each mode already in the count; of two counts of a mode the better is taken,
 *          and counts of different modes are added up
 * @mode:   that bit, of the record
 * @length: of the interval or of everything, s; 0: not told
 * @counts: keep the reason where there is no count
 * Errors: -PMS_ENOMEM
 */
int pms_stat_count_put(struct pms_count *slot, unsigned char *filled, unsigned char mode,
		       const struct pms_stat_record *record, double length,
		       struct pms_counts *counts);

#endif
