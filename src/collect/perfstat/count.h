/* SPDX-License-Identifier: MIT */
/* collect/perfstat/count.h - a count of perf stat becomes one of a column: perf has scaled it up.
 */
#ifndef PMS_COLLECT_PERFSTAT_COUNT_H
#define PMS_COLLECT_PERFSTAT_COUNT_H

#include "collect/perfstat/text.h"

/**
 * Put @record into its column.
 * @filled: a bit for each mode that is in the count already; the better of two of a mode is taken,
 *          those of different modes are added up
 * @mode:   that bit, of the record
 * @length: of the interval or of everything, s; 0: not told
 * @counts: keep the reason where there is no count
 * Errors: -PMS_ENOMEM
 */
int pms_stat_count_put(struct pms_count *slot, unsigned char *filled, unsigned char mode,
		       const struct pms_stat_record *record, double length,
		       struct pms_counts *counts);

#endif
