/* SPDX-License-Identifier: MIT */
/* show/csv.h - fields of CSV, RFC 4180 with any separator. Spreadsheets take a text that begins
 * with
 * =, +, - or @ for a formula; such a field, unless it is a number, gets an apostrophe in front,
 * which makes it text to them. One that begins with apostrophes and then such a character gets one
 * more, so that taking one away gives every text back. */
#ifndef PMS_SHOW_CSV_H
#define PMS_SHOW_CSV_H

#include <stdio.h>

#include "pmuscope/counts.h"
#include "pmuscope/show.h"

/** Write a row of @n fields and a line break. A field that holds the separator, a quote or a line
 * break is quoted; so is one that starts with #, which marks a comment. */
void pms_csv_row(FILE *out, const char *const *fields, size_t n,
		 const struct pms_show_options *options);

/** Whether @text is to have an apostrophe in front. */
int pms_csv_is_formula(const char *text);

/** Write a comment line, "# key: text", whatever is in @text. */
void pms_csv_comment(FILE *out, const char *key, const char *text);

/** The comment for the catalog: "name version". */
void pms_csv_catalog(FILE *out, const struct pms_catalog *catalog);

/** Write where counts come from as comments, which stand before the first row. Errors: -PMS_ENOMEM.
 */
int pms_csv_provenance(FILE *out, const struct pms_counts *counts);

#endif
