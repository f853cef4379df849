/* SPDX-License-Identifier: MIT */
/* spe/filter.h - choose records by expressions over their columns, such as
 *     op==load && total_lat>=100 && !(data_source==dram || cpu==3)
 * compiled once and evaluated over batches. docs/use/spe-report.md, section "Filters", explains
 * the language.
 * Flow: samples -> [filter] -> aggregate. */
#ifndef PMS_SPE_FILTER_H
#define PMS_SPE_FILTER_H

#include "spe/data.h"
#include "spe/places.h"
#include "pmuscope/symbol.h"

enum { PMS_SPE_FILTER_LONGEST = 65536 }; /* bytes */

struct pms_spe_filter;

/** Where a filter looks up what records do not contain. All are borrowed. */
struct pms_spe_where {
	const struct pms_spe_samples *samples;
	struct pms_symbols *symbols; /* NULL: the filter needs none */
	struct pms_places *places;
	struct pms_data *data; /* NULL: variables are not known */
};

/** Compile @text.
 * @encoding: names data sources
 * Errors: -PMS_EPARSE with the column in @text, -PMS_ENOMEM. */
int pms_spe_filter_compile(const char *text, enum pms_spe_encoding encoding,
			   struct pms_spe_filter **out, struct pms_error *err);

/** Compile the condition that both texts hold: the user's, and one made from options (pick.h).
 * Either may be NULL. */
int pms_spe_filter_compile_both(const char *text, const char *only, enum pms_spe_encoding encoding,
				struct pms_spe_filter **out, struct pms_error *err);

/** Returns whether a column needs symbols of functions and lines. */
int pms_spe_filter_needs_symbols(const struct pms_spe_filter *filter);

/** Write 1 to @keep for each record of @rows that matches, 0 for others.
 * @where: NULL: names of threads, and places, are unknown
 * Errors: -PMS_ENOMEM. */
int pms_spe_filter_apply(struct pms_spe_filter *filter, const struct pms_spe_where *where,
			 const struct pms_spe_samples_batch *rows, uint8_t keep[PMS_SPE_BATCH]);

/** Free the filter, which may be NULL. */
void pms_spe_filter_free(struct pms_spe_filter *filter);

#endif
