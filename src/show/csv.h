/* SPDX-License-Identifier: MIT */
/* show/csv.h - fields of CSV, RFC 4180 with any separator. A field that a spreadsheet
 * would take for a formula gets an apostrophe in front: see base/field.h. */
#ifndef PMS_SHOW_CSV_H
#define PMS_SHOW_CSV_H

#include <stdio.h>

#include "pmuscope/show.h"

/** Write a row of @n fields and a line break. Quoted are fields that hold the separator, a quote
 * or a line break, and fields that start with #, which marks a comment. */
void pms_csv_row(FILE *out, const char *const *fields, size_t n,
		 const struct pms_show_options *options);

/** Write a comment line, "# key: text"; any text is safe. @key: NULL: write the text alone */
void pms_csv_comment(FILE *out, const char *key, const char *text);

#endif
