/* SPDX-License-Identifier: MIT */
/* show/manual.h - search the project's own pages section by section: users look for words such
 * as "false sharing". Flow: docs/NAME.md -> [manual] -> search. */
#ifndef PMS_SHOW_MANUAL_H
#define PMS_SHOW_MANUAL_H

#include <stddef.h>

/** A section that has all the words. */
struct pms_section {
	char *page;	 /* "docs/use/spe-report.md" */
	char *heading;	 /* the section's heading, or the page's title before the first section */
	int in_heading;	 /* 1: all words are in the heading */
	size_t mentions; /* occurrences of the words */
};

/** Find the sections of a folder's pages, NAME.md, that have all words, whatever their case.
 * Sections with the words in their headings come first, then sections with the most occurrences.
 * A folder or page that cannot be read is skipped.
 * @out: receives an array of at most @most, to be freed with pms_sections_free
 * Returns how many there are, or -PMS_ENOMEM. */
int pms_manual_find(const char *folder, const char *const *words, size_t n_words, size_t most,
		    struct pms_section **out);
void pms_sections_free(struct pms_section *sections, size_t n);

#endif
