/* SPDX-License-Identifier: MIT */
/* show/search.h - what has all of some words in its name, its title or its text. */
#ifndef PMS_SHOW_SEARCH_H
#define PMS_SHOW_SEARCH_H

#include "show/list.h"

/** Fill @list, which is always to be released, with what is found in @catalogs: best first, the
 * name before the title before the description; then sections of the pages in @docs, where that is
 * not NULL. Returns how much that is. */
size_t pms_search(struct pms_list_table *list, const struct pms_catalog *const *catalogs, size_t n,
		  const char *docs, const char *const *words, size_t n_words);

#endif
