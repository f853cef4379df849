/* SPDX-License-Identifier: MIT */
/* show/search.h - what has all of some words in its name, its title or its text. */
#ifndef PMS_SHOW_SEARCH_H
#define PMS_SHOW_SEARCH_H

#include "show/outline.h"

struct pms_sought {
	const struct pms_catalog *const *catalogs;
	size_t n;
	const char *docs; /* the folder of the project's pages; NULL: they are not searched */
	const char *const *words;
	size_t n_words;
	size_t found; /* receives how many there are */
};

/** A builder of show/render.h, of struct pms_sought: the best first, the name before the title
 * before the description; then sections of pages. */
int pms_build_search(struct pms_outline *outline, void *subject, struct pms_error *err);

#endif
