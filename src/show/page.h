/* SPDX-License-Identifier: MIT */
/* show/page.h - the running text of the table format: headings, paragraphs and notes, at a width,
 * with one error to check at the end. */
#ifndef PMS_SHOW_PAGE_H
#define PMS_SHOW_PAGE_H

#include <stdio.h>

#include "pmuscope/show.h"

/** Texts, each once, in the order of their first use. */
struct pms_notes {
	char **texts;
	size_t count;
};

struct pms_page {
	FILE *out;
	const struct pms_show_options *options;
	struct pms_notes notes;	    /* numbered from 1: belong under what they are about */
	struct pms_notes footnotes; /* lettered from a: belong at the end */
	int failed;		    /* out of memory */
};

void pms_page_init(struct pms_page *page, FILE *out, const struct pms_show_options *options);
void pms_page_release(struct pms_page *page);

/** Wrapped as well, and in bold where there are colours. */
__attribute__((format(printf, 2, 3))) void pms_page_heading(struct pms_page *page,
							    const char *format, ...);
/** A line that is not wrapped: what is to be pasted stays whole. */
__attribute__((format(printf, 2, 3))) void pms_page_line(struct pms_page *page, const char *format,
							 ...);
/** A wrapped paragraph. @first stands before its first line, the others are indented as far. */
__attribute__((format(printf, 3, 4))) void pms_page_text(struct pms_page *page, const char *first,
							 const char *format, ...);

/** Room for the letters of a footnote. */
#define PMS_LETTERS_MAX 8

/** The letters of the @i-th footnote, from 0: a, b, … z, aa, ab, … */
void pms_page_letters(char text[PMS_LETTERS_MAX], size_t i);
/** The index of the footnote @text, which is new or one of before; 0 when out of memory. */
size_t pms_page_footnote(struct pms_page *page, const char *text);
/** Write the footnotes, with an empty line before them when there are any. */
void pms_page_put_footnotes(struct pms_page *page);

/** The number of the note @text, which is new or one of before. Returns 0 when out of memory. */
size_t pms_page_note(struct pms_page *page, const char *text);
/** Write the notes since the last call, with an empty line before them when there are any. */
void pms_page_put_notes(struct pms_page *page);

#endif
