/* SPDX-License-Identifier: MIT */
/* spe/filter.h - which records are meant: expressions over their columns, such as
 *     op==load && total_lat>=100 && !(data_source==dram || cpu==3)
 * compiled once, evaluated over batches. docs/use/spe-report.md, section "Filters", has the language.
 * Flow: samples -> [filter] -> aggregate. */
#ifndef PMS_SPE_FILTER_H
#define PMS_SPE_FILTER_H

#include "spe/data.h"
#include "spe/places.h"
#include "pmuscope/symbol.h"

enum {
	PMS_SPE_FILTER_NESTING = 32, /* parentheses and ! inside one another */
	PMS_SPE_FILTER_LONGEST = 65536
};

struct pms_spe_filter;

/** Where a filter looks up what records do not say themselves. All are borrowed. */
struct pms_spe_where {
	const struct pms_spe_samples *samples;
	struct pms_symbols *symbols; /* NULL: the filter needs none */
	struct pms_places *places;
	struct pms_data *data; /* NULL: variables are not known */
};

/**
 * Compile @text.
 * @encoding: by which data sources have names
 * Errors: -PMS_EPARSE with the column in @text, -PMS_ENOMEM.
 */
int pms_spe_filter_compile(const char *text, enum pms_spe_encoding encoding,
			   struct pms_spe_filter **out, struct pms_error *err);

/** The same, of what both texts mean: the user's, and one that was made of options (pick.h). Either
 * may be NULL. */
int pms_spe_filter_compile_both(const char *text, const char *only, enum pms_spe_encoding encoding,
				struct pms_spe_filter **out, struct pms_error *err);

/** Whether it has a column that needs symbols of functions and lines. */
int pms_spe_filter_needs_symbols(const struct pms_spe_filter *filter);

/**
 * Write 1 to @keep for each record of @rows that is meant, 0 for others.
 * @where: NULL: names of threads, and places, are not known
 * Errors: -PMS_ENOMEM
 */
int pms_spe_filter_apply(struct pms_spe_filter *filter, const struct pms_spe_where *where,
			 const struct pms_spe_samples_batch *rows, uint8_t keep[PMS_SPE_BATCH]);

/** NULL is fine. */
void pms_spe_filter_free(struct pms_spe_filter *filter);

#endif
