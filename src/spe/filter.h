/* SPDX-License-Identifier: MIT */
/* spe/filter.h - which records are meant: expressions over their columns, such as
 *     op==load && total_lat>=100 && !(data_source==dram || cpu==3)
 * compiled once, evaluated over batches. docs/spe.md, section "Filters", has the language.
 * Flow: samples -> [filter] -> aggregate. */
#ifndef PMS_SPE_FILTER_H
#define PMS_SPE_FILTER_H

#include "pmuscope/spe_samples.h"

enum {
	PMS_SPE_FILTER_NESTING = 32, /* parentheses and ! inside one another */
	PMS_SPE_FILTER_LONGEST = 65536
};

struct pms_spe_filter;

/**
 * Compile @text.
 * @encoding: by which data sources have names
 * Errors: -PMS_EPARSE with the column in @text, -PMS_ENOMEM.
 */
int pms_spe_filter_compile(const char *text, enum pms_spe_encoding encoding,
			   struct pms_spe_filter **out, struct pms_error *err);

/** Write 1 to @keep for each record of @rows that is meant, 0 for others. */
void pms_spe_filter_apply(const struct pms_spe_filter *filter,
			  const struct pms_spe_samples_batch *rows, uint8_t keep[PMS_SPE_BATCH]);

/** NULL is fine. */
void pms_spe_filter_free(struct pms_spe_filter *filter);

#endif
