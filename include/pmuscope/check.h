/* SPDX-License-Identifier: MIT */
/* pmuscope/check.h - do the counts obey what the documents say of their events? Do the metrics keep
 * a budget? Flow: counts -> [check] -> show. */
#ifndef PMUSCOPE_CHECK_H
#define PMUSCOPE_CHECK_H

#include <stddef.h>

#include "pmuscope/analyse.h"
#include "pmuscope/counts.h"
#include "pmuscope/relation.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pms_check_status { PMS_CHECK_KEPT, PMS_CHECK_BROKEN, PMS_CHECK_UNCHECKED };

/** Why a relation is unchecked. */
enum pms_check_reason {
	PMS_REASON_NONE,	  /* it is not unchecked */
	PMS_REASON_COUNT,	  /* an event of it has no count */
	PMS_REASON_VALUE,	  /* a side has no value: divided by zero */
	PMS_REASON_CONFIGURATION, /* it holds in a configuration that the caller did not confirm */
	PMS_REASON_ERRATUM	  /* the core has, or may have, an erratum that breaks it */
};

struct pms_check_row {
	/* NULL: a rule of the decision tree. Either the shares of Level 1 add up to 100 % (kind
	 * "level_1"), or no child exceeds its node ("tree").
	 */
	const struct pms_relation *relation;
	const char *kind; /* "sum", "equal", "at_least", "subset", "never", "level_1", "tree" */
	const char *sign; /* between the sides: "=", ">=", "<=" */
	const char *lhs, *rhs; /* formulas over events; for rules of the tree, over metrics */
	const char *note;      /* why it holds, or what breaks it */
	enum pms_check_status status;
	enum pms_check_reason reason;
	int has_values;		     /* both sides have one */
	double lhs_value, rhs_value; /* scaled up, where counters were shared */
	double tolerance;	     /* how far apart the sides may be */
	const char *because;	     /* broken: by how much; unchecked: why; kept: NULL */
};

struct pms_check {
	const struct pms_counts *counts; /* borrowed; of intervals NULL once released */
	int has_time;			 /* from the counts: 1: of an interval … */
	double time;			 /* … that ended then, s since counting began */
	struct pms_check_row *rows;
	size_t n_rows;
	size_t n_status[3]; /* by enum pms_check_status */
	void *owned;	    /* private */
};

/** What the caller knows of the machine. Zero-initialised: nothing. */
struct pms_check_options {
	const char *const *configurations; /* names of the configurations that apply,
					      n_configurations of them */
	size_t n_configurations;
	const char *revision; /* of the core, "r3p1"; NULL: as the counts say, if they do */
};

/**
 * Check the total of @counts against the relations of its catalog.
 *
 * The sides of a relation may be as far apart as the counting lets them: not at all where every
 * event was counted all the time; by rounding alone where events shared counters in the same
 * windows; by four standard errors where the windows differ. The standard error follows from the
 * events' shares of the time. Modelled counts are counted all the time.
 *
 * @out: written only on success; free with pms_check_free
 * Returns 0. Errors: -PMS_ENAME a configuration that the catalog does not know; -PMS_EINVAL the
 *         revision is not of the form r3p1; -PMS_ENOMEM.
 */
int pms_check(const struct pms_counts *counts, const struct pms_check_options *options,
	      struct pms_check **out, struct pms_error *err);
void pms_check_free(struct pms_check *check);

/** The limits of a metric, or of an event's count. */
struct pms_budget_row {
	const struct pms_metric *metric; /* of the catalog, or own */
	struct pms_metric *own;		 /* a metric whose formula is the event's name; NULL for the
					    catalog's metrics */
	int has_low, has_high;		 /* 0: that end is open */
	double low, high;		 /* both are included */
	unsigned line;			 /* in the file */
};

struct pms_budget {
	struct pms_budget_row *rows; /* in the order of the file */
	size_t n_rows;
};

/**
 * Read a budget: CSV with the heading metric,low,high. A row names a metric, or an event for its
 * count. Empty lines and lines that start with # are ignored. An empty end is open.
 * @catalog: borrowed until the budget is released
 * @out: release with pms_budget_release, whatever is returned
 * Returns 0. Errors, which name the line: -PMS_EPARSE no such heading, not three fields, not a
 *         number, low above high, a row twice; -PMS_ENAME no such metric or event; -PMS_EIO,
 *         -PMS_ENOMEM.
 */
int pms_budget_load(const char *path, const struct pms_catalog *catalog, struct pms_budget *out,
		    struct pms_error *err);
/** Parse a budget from a text in memory; errors give @name as the file. Returns and errors: as
 * pms_budget_load. */
int pms_budget_parse(const char *name, const char *text, const struct pms_catalog *catalog,
		     struct pms_budget *out, struct pms_error *err);
void pms_budget_release(struct pms_budget *budget);

enum pms_budget_status {
	PMS_BUDGET_KEPT,
	PMS_BUDGET_BELOW,
	PMS_BUDGET_ABOVE,
	PMS_BUDGET_UNDEFINED
};

/** Compare @value, of the row's metric, with its limits. Returns PMS_BUDGET_UNDEFINED when it has
 * no value. */
enum pms_budget_status pms_budget_status(const struct pms_budget_row *row,
					 const struct pms_value *value);

#ifdef __cplusplus
}
#endif
#endif
