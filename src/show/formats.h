/* SPDX-License-Identifier: MIT */
/* show/formats.h - the formats of a report and of the lists, for show.c to choose from.
 * Options are complete here: width and separator set, ascii what can be shown. Writing errors are
 * left in the stream; -PMS_ENOMEM is the only one returned. */
#ifndef PMS_SHOW_FORMATS_H
#define PMS_SHOW_FORMATS_H

#include "pmuscope/show.h"

typedef int pms_report_writer(FILE *out, const struct pms_report *report,
			      struct pms_report *const *scopes,
			      const struct pms_show_options *options, struct pms_error *err);

pms_report_writer pms_show_table, pms_show_json, pms_show_csv;

#endif
