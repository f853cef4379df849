/* SPDX-License-Identifier: MIT */
/* show/listing.h - what the lists hold: a catalog's parts, CPUs, the host's checks. */
#ifndef PMS_SHOW_LISTING_H
#define PMS_SHOW_LISTING_H

#include "show/filter.h"
#include "show/list.h"

/* Each fills @list, which is always to be released; it says itself when memory ran out. */
void pms_listing_catalog(struct pms_list_table *list, const struct pms_filter *filter);
void pms_listing_cpus(struct pms_list_table *list, const struct pms_catalog *const *catalogs,
		      size_t n);
void pms_listing_checks(struct pms_list_table *list, const struct pms_host_check *checks, size_t n);

/** What a lint found, and the same for a person: nothing at all where nothing was found. */
void pms_listing_lint(struct pms_list_table *list, const struct pms_lint *lint);
int pms_listing_lint_text(FILE *out, const struct pms_lint *lint,
			  const struct pms_show_options *options, struct pms_error *err);

/** The checks for a person: a paragraph each, with the fix where something is missing. */
int pms_listing_checks_text(FILE *out, const struct pms_host_check *checks, size_t n,
			    const struct pms_show_options *options, struct pms_error *err);

#endif
