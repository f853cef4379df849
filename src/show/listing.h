/* SPDX-License-Identifier: MIT */
/* show/listing.h - the lists: a catalog's parts, CPUs, the host's checks, the findings of a lint.
 */
#ifndef PMS_SHOW_LISTING_H
#define PMS_SHOW_LISTING_H

#include "show/filter.h"
#include "show/outline.h"

/* Builders of show/render.h; each says what its subject is. */

/** struct pms_filter. Errors: those of pms_filter_check. */
int pms_build_list(struct pms_outline *outline, void *subject, struct pms_error *err);

struct pms_cpu_list {
	const struct pms_catalog *const *catalogs;
	size_t n;
};

/** struct pms_cpu_list. */
int pms_build_cpus(struct pms_outline *outline, void *subject, struct pms_error *err);

struct pms_check_list {
	const struct pms_host_check *checks;
	size_t n;
};

/** struct pms_check_list. For a person a paragraph each, with the fix where something is missing.
 */
int pms_build_checks(struct pms_outline *outline, void *subject, struct pms_error *err);

/** const struct pms_lint. For a person nothing at all where nothing was found. */
int pms_build_lint(struct pms_outline *outline, void *subject, struct pms_error *err);

#endif
