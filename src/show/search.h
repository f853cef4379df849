/* SPDX-License-Identifier: MIT */
/* show/search.h - find what has all the words in its name, title or text. */
#ifndef PMS_SHOW_SEARCH_H
#define PMS_SHOW_SEARCH_H

#include "show/outline.h"

struct pms_sought {
	const struct pms_catalog *const *catalogs;
	size_t n;
	const char *docs; /* folder of the project's pages; NULL: do not search them */
	const char *const *words;
	size_t n_words;
	size_t found; /* receives the number of matches */
};

/** A builder of show/render.h for struct pms_sought. Matches in names come first, then in titles,
 * then in descriptions; sections of pages follow. */
int pms_build_search(struct pms_outline *outline, void *subject, struct pms_error *err);

#endif
