/* SPDX-License-Identifier: MIT */
/* show/manual.h - the project's own pages, section by section, so that search finds the words that
 * people have: "false sharing". Flow: docs/NAME.md -> [manual] -> search. */
#ifndef PMS_SHOW_MANUAL_H
#define PMS_SHOW_MANUAL_H

#include <stddef.h>

/** A section that has all the words that were looked for. */
struct pms_section {
	char *page;	 /* "docs/use/spe-report.md" */
	char *heading;	 /* of the section, or the page's where it comes before all sections */
	int in_heading;	 /* 1: all words are in the heading */
	size_t mentions; /* how often the words occur */
};

/**
 * Find the sections of a folder's pages, NAME.md, that have all words, whatever their case; those
 * with the words in the heading first, then those that mention them most. Pages that cannot be read
 * are passed over, and so is a folder that is not there.
 * @out: an array of at most @most, to be freed with pms_sections_free
 * Returns how many there are, or -PMS_ENOMEM.
 */
int pms_manual_find(const char *folder, const char *const *words, size_t n_words, size_t most,
		    struct pms_section **out);
void pms_sections_free(struct pms_section *sections, size_t n);

#endif
