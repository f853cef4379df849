/* SPDX-License-Identifier: MIT */
/* analyse/report.h - a report while it is being made; what its parts share. */
#ifndef PMS_ANALYSE_REPORT_H
#define PMS_ANALYSE_REPORT_H

#include "base/arena.h"
#include "pmuscope/analyse.h"

/** Behind struct pms_report's `owned`. */
struct pms_report_store {
	struct pms_arena arena;	  /* the report's own memory, and itself */
	struct pms_value *values; /* of every metric of the catalog, by its index */
};

/** Where the texts of undefined values go: the arena of a report, or the counts. */
struct pms_text_keeper {
	struct pms_arena *arena;   /* or NULL */
	struct pms_counts *counts; /* where there is no arena */
};

/** A count that has a value as an operand, scaled up, with the variance of its error. @one_pass: 1:
 * what it is put together with ran in the same windows */
struct pms_operand pms_operand_of(const struct pms_count *count, int one_pass);

/** The value of one metric. See pms_metric_value. */
struct pms_value pms_value_of(struct pms_text_keeper *keeper, const struct pms_catalog *catalog,
			      const struct pms_scope *scope, const struct pms_metric *metric);

/** Fill results. Errors: -PMS_ENAME, -PMS_ENOMEM as pms_analyse. */
int pms_report_rows(struct pms_report *report, const struct pms_catalog *catalog,
		    const struct pms_analyse_options *options, struct pms_error *err);

/** Fill findings, once there are results. Errors: -PMS_ENOMEM. */
int pms_report_findings(struct pms_report *report, const struct pms_catalog *catalog,
			struct pms_error *err);

/** Fill warnings, once there are results. Errors: -PMS_ENOMEM. */
int pms_report_warnings(struct pms_report *report, const struct pms_catalog *catalog,
			struct pms_error *err);

struct pms_report_store *pms_report_store(const struct pms_report *report);

/** 1 when the results hold a row of Stage 1: only then is there anything to walk or to check. */
int pms_report_has_stage_1(const struct pms_report *report);

#endif
