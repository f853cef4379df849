/* SPDX-License-Identifier: MIT */
/* show/spe_report.h - the formats of a report of SPE samples, and their common parts. */
#ifndef PMS_SHOW_SPE_REPORT_H
#define PMS_SHOW_SPE_REPORT_H

#include "pmuscope/show.h"
#include "pmuscope/spe_report.h"
#include "show/document.h"
#include "show/formats.h"

typedef int pms_spe_writer(FILE *out, struct pms_spe_report *report, const char *file,
			   const struct pms_show_options *options, struct pms_error *err);

pms_spe_writer pms_show_spe_table, pms_show_spe_json, pms_show_spe_csv;

/** Receives one line about the quality of the sample. */
typedef void pms_spe_quality_line(void *context, const char *name, const char *text);

/** Pass the lines about the sampling quality to @put, in order. */
void pms_spe_quality_lines(const struct pms_spe_report *report, pms_spe_quality_line *put,
			   void *context);

#endif
