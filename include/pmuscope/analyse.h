/* SPDX-License-Identifier: MIT */
/* pmuscope/analyse.h - metrics, the walk of the decision tree, and its findings.
 * Flow: counts -> [analyse] -> show.
 * Source: "Arm Neoverse V1 Core: Performance Analysis Methodology", section 3.2; the rules of the
 * walk are in docs/use/methodology.md. */
#ifndef PMUSCOPE_ANALYSE_H
#define PMUSCOPE_ANALYSE_H

#include <stddef.h>

#include "pmuscope/catalog.h"
#include "pmuscope/counts.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pms_value_state { PMS_VALUE_UNDEFINED = 0, PMS_VALUE_EXACT, PMS_VALUE_SCALED };

struct pms_value {
	enum pms_value_state state;
	double value;	  /* in the metric's units; meaningless when undefined */
	double low, high; /* 95 % interval; equal to value when exact and of one run; -INFINITY and
			     INFINITY where the error is not known */
	double run_pct;	  /* least running share of its events, percent; 100 when exact */
	const char *because; /* why it is undefined ("divides by L2D_TLB, which is 0"); else NULL */
};

/** One metric as shown: a metric that is in two groups is two rows. */
struct pms_result {
	size_t metric, group; /* indices into the catalog */
	int stage;	      /* 1 or 2 */
	int level;	      /* depth in the Stage 1 tree, 1 at the root; 0 for Stage 2 */
	struct pms_value value;
	double base; /* of a ratio: the count that it divides by, per 1000 instructions; 0: no
			ratio, or not known */
};

/** A ratio whose base is below this count per 1000 instructions says little. Even if each went to
 * memory (some 300 cycles), they would take 3 % of the time at one instruction a cycle. */
#define PMS_HARDLY_ANY 0.1

/** Returns 1 when the row's value says little, because it is a share of hardly any accesses. */
static inline int pms_result_is_of_hardly_any(const struct pms_result *result)
{
	return result->value.state != PMS_VALUE_UNDEFINED && result->base > 0 &&
	       result->base < PMS_HARDLY_ANY;
}

enum pms_severity { PMS_SEVERITY_INFO, PMS_SEVERITY_MODERATE, PMS_SEVERITY_HIGH };

struct pms_finding {
	size_t node;	    /* index of the tree node that the walk ended at */
	const size_t *path; /* tree nodes from a root to `node`, n_path of them */
	size_t n_path;
	int64_t group; /* Stage 2 metric group to look at next, -1: none */
	double value;  /* of the node's metric, in its units */
	double share;  /* percent of what the root is a share of (slots, cycles): the part of the
			  node's loss that the advice puts down to its cause */
	int is_gain;   /* 1: share is what an ideal core gains, in percent of the cycles */
	double unexplained; /* the part of the node's loss that no child explains, percent of the
			       same; 0 where no child has a value */
	enum pms_severity severity;
	const struct pms_advice *advice; /* NULL when the catalog has none, or when missing counts
					    leave open whether its general advice applies */
	const size_t *missing; /* indices of events that were not counted and would tell its causes
				  apart, n_missing of them */
	size_t n_missing;
	const size_t *evidence; /* indices into report->results: the defined, shown numbers that led
				   to this finding */
	size_t n_evidence;
};

/** What a report covers. Zero-initialised: everything. */
struct pms_analyse_options {
	const char *const *names; /* metrics or metric groups (-M), n_names of them; none: all */
	size_t n_names;
	int level; /* deepest Stage 1 level shown (-l); 0: all */
	/* For a scope: the report of the total of the same counts, whose list of impossible zeros
	 * is reused. Borrowed for the call. NULL: search for such zeros. */
	const struct pms_report *total;
};

struct pms_report {
	const struct pms_counts *counts; /* borrowed: must outlive the report */
	const struct pms_scope *scope;	 /* the column that it is about */
	struct pms_result *results;	 /* Stage 1 first, then Stage 2 in the catalog's order */
	size_t n_results;
	struct pms_finding *findings; /* up to three, the most costly first; none without Stage 1 */
	size_t n_findings;
	const char *no_finding; /* why there are none, where there is Stage 1; else NULL */
	char **warnings;	/* about the numbers: negative shares, Level 1 not closing, … */
	size_t n_warnings;
	size_t n_first; /* the first warnings, which put all numbers in doubt: show them before any
			   number */
	void *owned;	/* private */
};

/**
 * Evaluate the metrics of one scope and walk the tree.
 * @scope: &counts->total or one of counts->scopes
 * @out:   written only on success; free with pms_report_free
 * Returns 0. Errors: -PMS_ENAME a name in @options is neither a metric nor a metric group (the hint
 *         names the nearest), or is a metric in no group; -PMS_ENOMEM.
 */
int pms_analyse(const struct pms_counts *counts, const struct pms_scope *scope,
		const struct pms_analyse_options *options, struct pms_report **out,
		struct pms_error *err);
void pms_report_free(struct pms_report *report);

/** Compute the 95 % interval of an event's count in @scope: scaled up, sampled, or a mean over
 * runs. An unknown end is infinite. Returns 1, or 0 where the count is exact or missing. */
int pms_count_interval(const struct pms_scope *scope, size_t event, double *low, double *high);

/** Compute the 95 % interval of an event's count in @scope, which was sampled. Returns 1, or 0
 * where the interval is not known or there is no count. */
int pms_sample_interval(const struct pms_scope *scope, size_t event, double *low, double *high);

/** Evaluate one metric over one scope; `because` is kept by @counts. Returns 0 or -PMS_ENOMEM. */
int pms_metric_value(struct pms_counts *counts, const struct pms_scope *scope,
		     const struct pms_metric *metric, struct pms_value *out);

#ifdef __cplusplus
}
#endif
#endif
