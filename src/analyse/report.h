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
	double *bases;		  /* the base of each metric: pms_base_of */
	/* By event: the relation that contradicts its 0. NULL: nothing is doubted, or another
	 * report has the list. */
	const struct pms_relation **doubted;
};

/** Keeps the texts of undefined values: in the arena of a report, or in the counts. */
struct pms_text_keeper {
	struct pms_arena *arena;   /* or NULL */
	struct pms_counts *counts; /* where there is no arena */
	int failed;		   /* 1: out of memory; the values are of no use */
};

/** Make an operand of a known count: scaled up, with the variance of its error. @one_pass: 1: the
 * other operands ran in the same windows; @widening: factor of its scatter over runs, 0: leave the
 * scatter out */
struct pms_operand pms_operand_of(const struct pms_count *count, int one_pass, double widening);

/** Both ends of a 95 % interval. */
struct pms_ends {
	double low, high;
};

/** Returns the ends of a known count's interval. @one_pass, @widening: as of pms_operand_of */
struct pms_ends pms_count_ends(const struct pms_count *count, int one_pass, double widening);
/** Returns the ends of a formula's interval, from its operands' ends, in slot order. @operands:
 * changed during the call, and restored */
struct pms_ends pms_formula_ends(const struct pms_formula *program, struct pms_operand *operands,
				 const struct pms_ends *ends, double value);

/** Half of a 95 % interval of a normal distribution, in deviations. */
#define PMS_NORMAL_95 1.959963984540054

/** Returns half of a 95 % interval in standard errors, of a mean of @n values whose scatter is
 * estimated from them; @n is 2 or more. */
double pms_student_95(size_t n);
/**
 * Half of the 95 % interval of a metric, from its values in the single runs.
 * @counts: the counts of @scope to compute the metric from
 * @half:   written only when there are two runs at least in which it has a value: 1 is returned
 * then
 * Errors: -PMS_ENOMEM.
 */
int pms_runs_half(const struct pms_scope *scope, const struct pms_count *counts,
		  const struct pms_metric *metric, double *half);
/** Returns the factor that widens the scatter given with the counts, because few runs tell it; 1
 * where the number of runs is not known. */
double pms_runs_widening(const struct pms_scope *scope);

/** Returns the value of one metric. See pms_metric_value. Sets @keeper->failed when out of
 * memory. */
struct pms_value pms_value_of(struct pms_text_keeper *keeper, const struct pms_catalog *catalog,
			      const struct pms_scope *scope, const struct pms_metric *metric);

/** Drop counts from the report that read 0 but cannot be 0. @total: the report of the same counts'
 * total, which has searched for them already; or NULL. Errors: -PMS_ENOMEM. */
int pms_report_doubt(struct pms_report *report, const struct pms_report *total,
		     struct pms_error *err);

/** Returns the count that a ratio divides by, per 1000 instructions; 0: no ratio, or not known;
 * below 0: out of memory. */
double pms_base_of(const struct pms_catalog *catalog, const struct pms_scope *scope,
		   const struct pms_metric *metric);

/** Fill results. Errors: -PMS_ENAME, -PMS_ENOMEM as pms_analyse. */
int pms_report_rows(struct pms_report *report, const struct pms_catalog *catalog,
		    const struct pms_analyse_options *options, struct pms_error *err);

/** Fill findings, once there are results. Errors: -PMS_ENOMEM. */
int pms_report_findings(struct pms_report *report, const struct pms_catalog *catalog,
			struct pms_error *err);

/** Fill warnings, once there are results. Errors: -PMS_ENOMEM. */
int pms_report_warnings(struct pms_report *report, const struct pms_catalog *catalog,
			struct pms_error *err);

/** Returns 1 when the metric is a share of the slots, of which a whole Level 1 explains 100 %. */
int pms_metric_is_slot_share(const struct pms_metric *metric);

struct pms_report_store *pms_report_store(const struct pms_report *report);

/** Returns 1 when the results hold a row of Stage 1: only then is there a tree to walk or check. */
int pms_report_has_stage_1(const struct pms_report *report);

#endif
