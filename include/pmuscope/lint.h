/* SPDX-License-Identifier: MIT */
/* pmuscope/lint.h - contradictions within a specification. Beside the flow: it reads files on its
 * own, to find every fault of a file. A loader would stop at the first one. */
#ifndef PMUSCOPE_LINT_H
#define PMUSCOPE_LINT_H

#include <stddef.h>

#include "pmuscope/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pms_lint; /* opaque: what was found in some files */

struct pms_lint_finding {
	const char *file;
	unsigned line, column; /* 1-based */
	const char *path;      /* in the JSON: "metrics.ipc.formula" */
	const char *rule;      /* its fixed name: "unknown-event"; docs/use/lint.md lists all */
	const char *text;      /* one sentence without a full stop */
};

/**
 * Read specifications and look for contradictions.
 * @paths: files, or directories, of which every *.json is read; @n of them. A file holds either a
 *         specification in Arm's published layout, each of which stands by itself, or an array of
 *         events and metrics as Linux perf has them, which are taken together.
 * @out:   written only on success; free with pms_lint_free
 * Returns 0, whatever was found. Errors: -PMS_EIO a file cannot be read; -PMS_EPARSE a file is not
 * JSON, or has neither layout; -PMS_ENOMEM.
 */
int pms_lint_files(const char *const *paths, size_t n, struct pms_lint **out,
		   struct pms_error *err);
void pms_lint_free(struct pms_lint *lint);

/* Borrowed until the lint is freed; in the order of files and lines. Out of range: NULL. */
size_t pms_lint_findings(const struct pms_lint *lint);
const struct pms_lint_finding *pms_lint_finding(const struct pms_lint *lint, size_t i);

#ifdef __cplusplus
}
#endif
#endif
