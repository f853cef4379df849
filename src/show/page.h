/* SPDX-License-Identifier: MIT */
/* show/page.h - running text of the table format: headings, paragraphs and notes, wrapped at a
 * width. Errors are checked once, at the end. */
#ifndef PMS_SHOW_PAGE_H
#define PMS_SHOW_PAGE_H

#include <stdio.h>

#include "pmuscope/show.h"

/** Texts without repeats, in the order of their first use. */
struct pms_notes {
	char **texts;
	size_t count;
};

struct pms_page {
	FILE *out;
	const struct pms_show_options *options;
	struct pms_notes notes;	    /* numbered from 1, printed below what they explain */
	struct pms_notes footnotes; /* lettered from a, printed at the end */
	int failed;		    /* out of memory */
};

void pms_page_init(struct pms_page *page, FILE *out, const struct pms_show_options *options);
void pms_page_release(struct pms_page *page);

/** Write a heading, wrapped, and bold where there are colours. */
__attribute__((format(printf, 2, 3))) void pms_page_heading(struct pms_page *page,
							    const char *format, ...);
/** Write a line without wrapping it: a command to be pasted stays whole. */
__attribute__((format(printf, 2, 3))) void pms_page_line(struct pms_page *page, const char *format,
							 ...);
/** Write a wrapped paragraph. @first stands before its first line; the others are indented as
 * far. */
__attribute__((format(printf, 3, 4))) void pms_page_text(struct pms_page *page, const char *first,
							 const char *format, ...);

/** Bytes for a footnote's letters. */
#define PMS_LETTERS_MAX 8

/** Write the letters of the @i-th footnote, from 0: a, b, … z, aa, ab, … */
void pms_page_letters(char text[PMS_LETTERS_MAX], size_t i);
/** Returns the index of the footnote @text, which is added if it is new; 0 when out of memory. */
size_t pms_page_footnote(struct pms_page *page, const char *text);
/** Write the footnotes, with an empty line before them when there are any. */
void pms_page_put_footnotes(struct pms_page *page);

/** Returns the number of the note @text, which is added if it is new; 0 when out of memory. */
size_t pms_page_note(struct pms_page *page, const char *text);
/** Write the notes added since the last call, with an empty line before them when there are any. */
void pms_page_put_notes(struct pms_page *page);

#endif
