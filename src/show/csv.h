/* SPDX-License-Identifier: MIT */
/* show/csv.h - fields of CSV, RFC 4180 with any separator. */
#ifndef PMS_SHOW_CSV_H
#define PMS_SHOW_CSV_H

#include <stdio.h>

/** Write a field and then @end, the separator or a line break. A field that holds the separator, a
 * quote or a line break is quoted; so is one that starts with #, which marks a comment. */
void pms_csv_field(FILE *out, const char *text, char separator, char end);

#endif
