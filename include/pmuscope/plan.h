/* SPDX-License-Identifier: MIT */
/* pmuscope/plan.h - put events into as few passes as possible. Events of a pass are counted at the
 * same time. Each metric gets all of its events from one pass.
 * Flow: catalog -> [plan] -> collect -> counts. docs/development/plan.md has the method and the
 * proofs. */
#ifndef PMUSCOPE_PLAN_H
#define PMUSCOPE_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/catalog.h"

#ifdef __cplusplus
extern "C" {
#endif

/** No core has more programmable counters: PMCR_EL0.N is 31 at most, mhpmcounter3 to 31 are 29. */
#define PMS_MOST_COUNTERS 31

struct pms_plan_options {
	const char *const *names; /* metrics or metric groups (-M), n_names of them; none: those of
				   * all groups that are in a stage of the methodology, or of all
				   * groups where none is */
	size_t n_names;
	const size_t *events; /* indices of events to count too, in any pass; n_events */
	size_t n_events;
	int no_metrics;	   /* 1: with n_names 0, the events alone */
	unsigned counters; /* 1 to PMS_MOST_COUNTERS; 0: as many as the catalog says */
	uint64_t effort; /* how long to search for a better plan, or for a proof that there is none,
			    in steps of well under a microsecond; 0: PMS_PLAN_EFFORT. The same
			    number gives the same plan on every machine. */
};

/** A few seconds; plans of whole catalogs mostly take less than a hundredth of one. */
#define PMS_PLAN_EFFORT 20000000

/** Events that are counted at the same time. */
struct pms_pass {
	size_t *events; /* indices: events of fixed counters first, then the others in the catalog's
			   order */
	size_t n_events;
	size_t *metrics; /* indices: metrics to read from this pass. Each metric is in one pass */
	size_t n_metrics;
	unsigned counters; /* programmable counters in use: n_events without the fixed events */
};

#define PMS_NO_PASS ((size_t)-1)

struct pms_plan {
	const struct pms_catalog *catalog; /* borrowed: must outlive the plan */
	unsigned counters;		   /* programmable ones, in each pass */
	struct pms_pass *passes; /* in the order of the metrics; the pass of Level 1 is first */
	size_t n_passes;
	size_t n_metrics;   /* over all passes */
	size_t lower_bound; /* proved: no plan has fewer passes */
	int optimal;	    /* 1: n_passes is lower_bound; 0: the effort was used up before that */
	size_t *fixed;	    /* needed events that have a counter of their own; every pass has them.
			       n_fixed of them */
	size_t n_fixed;
	size_t *split; /* metrics with more events than there are counters, n_split of them: no pass
			  lists them; their events are in several passes */
	size_t n_split;
	size_t level1; /* the pass with all wanted metrics of Level 1; PMS_NO_PASS: they are in
			  several passes, or none is wanted */
	size_t stage1; /* the same for all metrics of Stage 1 */
};

/**
 * Make a plan. Events with a fixed counter take no programmable one; every pass has them when a
 * metric needs them. The metrics of Level 1 share a pass when that costs no extra pass, and
 * likewise the metrics of Stage 1.
 * @options: NULL: all defaults
 * @out:     written only on success; free with pms_plan_free
 * Returns 0. Errors: -PMS_ENAME a name is neither a metric nor a group of them, -PMS_EINVAL
 * counters or an event out of range, -PMS_ENOMEM.
 */
int pms_plan_make(const struct pms_catalog *catalog, const struct pms_plan_options *options,
		  struct pms_plan **out, struct pms_error *err);
void pms_plan_free(struct pms_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
