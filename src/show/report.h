/* SPDX-License-Identifier: MIT */
/* show/report.h - the parts of a report. Each adds itself to an outline. */
#ifndef PMS_SHOW_REPORT_H
#define PMS_SHOW_REPORT_H

#include "show/outline.h"

/** The columns of CSV, and their number. */
enum { PMS_REPORT_COLUMNS = 15 };
extern const char *const pms_report_columns[PMS_REPORT_COLUMNS];

/* Add a report's "events" and "metrics" for programs. In CSV each row names its scope. */
void pms_report_put_events(struct pms_out_item *parent, unsigned places,
			   const struct pms_report *report);
void pms_report_put_metrics(struct pms_out_item *parent, unsigned places,
			    const struct pms_report *report);
/** Add the "evidence" of a finding, in the form of metrics. */
void pms_report_put_evidence(struct pms_out_item *parent, const struct pms_report *report,
			     const struct pms_finding *finding);

/* Add the counts, and the tree with its heading, for people. @shown: result of pms_caveat_shown */
void pms_report_say_counts(struct pms_out_item *parent, const struct pms_report *report);
void pms_report_say_tree(struct pms_out_item *parent, const struct pms_report *report,
			 const unsigned char *shown);

/** Add "findings" and "no_finding" for programs, as comments in CSV, and findings for people. */
void pms_report_put_findings(struct pms_out_item *parent, const struct pms_report *report);
void pms_report_say_findings(struct pms_out_item *parent, const struct pms_report *report);

/** Add where in the program slots are lost, if options->where says so: for programs, for people.
 */
void pms_report_put_where(struct pms_out_item *parent);
void pms_report_say_where(struct pms_out_item *parent);

/** Add the places of a finding: where most is lost to its share of Level 1. */
void pms_report_put_places(struct pms_out_item *object, const struct pms_report *report,
			   const struct pms_finding *finding);
void pms_report_say_places(struct pms_out_item *group, const struct pms_report *report,
			   const struct pms_finding *finding);
/** Add the gains with ideal cores, where they are known: for programs, and for people. */
void pms_report_put_gains(struct pms_out_item *parent, const struct pms_report *report);
void pms_report_say_gains(struct pms_out_item *parent, const struct pms_report *report);

/** Returns the key of a comment, "finding"; for an interval with the interval's end. */
const char *pms_report_key(struct pms_out_item *of, const char *what,
			   const struct pms_counts *counts);

/** Returns the name of a scope that has a line of its own. CPUs put together have a name that
 * says more than a number. */
const char *pms_report_scope(struct pms_out_item *of, const struct pms_scope *scope);

#endif
