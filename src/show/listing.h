/* SPDX-License-Identifier: MIT */
/* show/listing.h - lists: parts of a catalog, CPUs, the host's checks, findings of a lint. */
#ifndef PMS_SHOW_LISTING_H
#define PMS_SHOW_LISTING_H

#include "show/filter.h"
#include "show/outline.h"

/* Builders of show/render.h; each names the type of its subject. */

/** Subject: struct pms_filter. Errors: as pms_filter_check. */
int pms_build_list(struct pms_outline *outline, void *subject, struct pms_error *err);

struct pms_cpu_list {
	const struct pms_catalog *const *catalogs;
	size_t n;
};

/** Subject: struct pms_cpu_list. */
int pms_build_cpus(struct pms_outline *outline, void *subject, struct pms_error *err);

struct pms_check_list {
	const struct pms_host_check *checks;
	size_t n;
};

/** Subject: struct pms_check_list. People get a paragraph for each check, with the fix where
 * something is missing. */
int pms_build_checks(struct pms_outline *outline, void *subject, struct pms_error *err);

/** Subject: const struct pms_lint. People get no output where nothing was found. */
int pms_build_lint(struct pms_outline *outline, void *subject, struct pms_error *err);

#endif
