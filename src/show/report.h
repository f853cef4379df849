/* SPDX-License-Identifier: MIT */
/* show/report.h - the parts of a report, each of which adds itself to an outline. */
#ifndef PMS_SHOW_REPORT_H
#define PMS_SHOW_REPORT_H

#include "show/outline.h"

/** Columns of CSV, and how many. */
enum { PMS_REPORT_COLUMNS = 15 };
extern const char *const pms_report_columns[PMS_REPORT_COLUMNS];

/* For programs: "events" and "metrics" of a report. In CSV each row says of what scope it is. */
void pms_report_put_events(struct pms_out_item *parent, unsigned places,
			   const struct pms_report *report);
void pms_report_put_metrics(struct pms_out_item *parent, unsigned places,
			    const struct pms_report *report);
/** "evidence" of a finding, as metrics are. */
void pms_report_put_evidence(struct pms_out_item *parent, const struct pms_report *report,
			     const struct pms_finding *finding);

/* For people: the counts, and the tree with its heading. @shown: of pms_caveat_shown */
void pms_report_say_counts(struct pms_out_item *parent, const struct pms_report *report);
void pms_report_say_tree(struct pms_out_item *parent, const struct pms_report *report,
			 const unsigned char *shown);

/** "findings" and "no_finding"; comments of them; for people those of a tree. */
void pms_report_put_findings(struct pms_out_item *parent, const struct pms_report *report);
void pms_report_say_findings(struct pms_out_item *parent, const struct pms_report *report);

/** What a comment is about, "finding": of an interval with its end. */
const char *pms_report_key(struct pms_out_item *of, const char *what,
			   const struct pms_counts *counts);

/** The name of a scope that has a line: of CPUs together it says more than their number. */
const char *pms_report_scope(struct pms_out_item *of, const struct pms_scope *scope);

#endif
