/* SPDX-License-Identifier: MIT */
/* pmuscope/show.h - write reports as table, JSON or CSV. Flow: analyse -> [show]. */
#ifndef PMUSCOPE_SHOW_H
#define PMUSCOPE_SHOW_H

#include <stdio.h>

#include "pmuscope/analyse.h"
#include "pmuscope/annotate.h"
#include "pmuscope/catalog.h"
#include "pmuscope/check.h"
#include "pmuscope/collect.h"
#include "pmuscope/core.h"
#include "pmuscope/counts.h"
#include "pmuscope/lint.h"
#include "pmuscope/plan.h"
#include "pmuscope/validate.h"
#include "pmuscope/where.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pms_format { PMS_FORMAT_TABLE, PMS_FORMAT_JSON, PMS_FORMAT_CSV };

/** What the report puts first: the tree and its findings, or the counts. */
enum pms_view { PMS_VIEW_TOPDOWN, PMS_VIEW_STAT };

struct pms_show_options {
	enum pms_format format;
	enum pms_view view;
	unsigned width;	      /* columns of the table; 0: 80 */
	int colour;	      /* 1: ANSI colours */
	int ascii;	      /* 1: no characters beyond ASCII; forced when LC_CTYPE is not UTF-8 */
	char separator;	      /* separator of CSV; 0: ',' */
	const size_t *events; /* PMS_VIEW_STAT: events to show, n_events; none: all counted */
	size_t n_events;
	int scopes;    /* 1: also show each scope (thread, CPU) */
	int continued; /* 1: an interval after the first: write CSV without its heading */
	const char *const *filter; /* wanted rows of a list, n_filter words; none: all */
	size_t n_filter;
	unsigned redraw; /* in a stream: rows of the terminal; intervals are drawn over one another.
			    0: a line each */
	const char *label; /* in a stream: what the total's lines are about; NULL: leave it out */
	int names;	   /* 1: print the names of a list alone, a line each */
	int terminal; /* 1: a person reads the output: clean CSV, too, as pms_text_clean does */
	const struct pms_where *where; /* of a report: its places; NULL: they are not known */
	int all; /* 1: the table shows every Stage 2 group; 0: groups that findings lead to */
};

/** Gets the reports of counts->scopes one at a time: there may be thousands. */
struct pms_scope_reports {
	/* Returns the report of scope @i, borrowed until the next call; NULL on failure, with
	 * @err set. */
	const struct pms_report *(*get)(void *context, size_t i, struct pms_error *err);
	void *context;
};

/** Write one report. The JSON of an interval (counts->has_time) is one line.
 * @total:  report of counts->total
 * @scopes: reports of counts->scopes, or NULL
 * Returns 0. Errors: -PMS_EIO writing failed, -PMS_ENOMEM, -PMS_EINVAL options->format is none,
 * and as @scopes. */
int pms_show_report(FILE *out, const struct pms_report *total,
		    const struct pms_scope_reports *scopes, const struct pms_show_options *options,
		    struct pms_error *err);

/** A table of intervals: opaque, owned by the caller of pms_timeline_new. */
struct pms_timeline;

/** Returns a new, empty table; NULL when out of memory. */
struct pms_timeline *pms_timeline_new(const struct pms_show_options *options);
/** Add an interval: the shares of Level 1, or the first metrics where the report has no shares.
 * All reports are of one catalog and have the same metrics. */
void pms_timeline_add(struct pms_timeline *timeline, const struct pms_report *report);
/** Write the table. Returns 0. Errors: -PMS_EIO writing failed, -PMS_ENOMEM. */
int pms_timeline_put(struct pms_timeline *timeline, FILE *out, struct pms_error *err);
void pms_timeline_free(struct pms_timeline *timeline);

/** Prints intervals as they come, a line each: opaque, owned by the caller of pms_stream_new. */
struct pms_stream;

/** Returns a new stream; NULL when out of memory. */
struct pms_stream *pms_stream_new(const struct pms_show_options *options);
/** Write an interval's line, the first after a heading: the shares of Level 1, else the first
 * metrics, else the first counts, as many as the width holds. With scopes, write a line for the
 * total and for each scope. Redrawn shares have a bar. All reports are of one catalog and have
 * the same metrics.
 * @scopes: one report for each of counts->scopes, or NULL
 * Returns 0. Errors: -PMS_EIO writing failed, -PMS_ENOMEM. */
int pms_stream_put(struct pms_stream *stream, FILE *out, const struct pms_report *report,
		   struct pms_report *const *scopes, struct pms_error *err);
/** Tell a redrawn stream the terminal's size. @anew: 1: something else was written to the
 * terminal: draw the next interval below it */
void pms_stream_fit(struct pms_stream *stream, unsigned width, unsigned rows, int anew);
void pms_stream_free(struct pms_stream *stream);

/** Check interval @i, from 0. The caller frees *out with pms_check_free. Errors: as pms_check. */
typedef int pms_verdict_interval(void *context, size_t i, struct pms_check **out,
				 struct pms_error *err);

/** The result of a check. */
struct pms_verdict {
	const struct pms_check *whole;
	/* Intervals are checked again as they are written: all at once would fill the memory. */
	size_t n_intervals;
	pms_verdict_interval *interval;
	void *context;
	size_t n_rows, n_broken;	 /* sums over all intervals */
	const struct pms_budget *budget; /* NULL: none was given */
	const struct pms_value *values;	 /* values of the whole run, one per row of the budget */
};

/** Write the result of a check. With options->all the table has every relation; else those that
 * are broken and those whose condition is open. Errors: as pms_show_report. */
int pms_show_verdict(FILE *out, const struct pms_verdict *verdict,
		     const struct pms_show_options *options, struct pms_error *err);

/** Write the CPUs that have a catalog. Errors: as pms_show_report. */
int pms_show_cpus(FILE *out, const struct pms_catalog *const *catalogs, size_t n,
		  const struct pms_show_options *options, struct pms_error *err);

/** Write what pms_host_checks found about this host. Errors: as pms_show_report. */
int pms_show_checks(FILE *out, const struct pms_host_check *checks, size_t n,
		    const struct pms_show_options *options, struct pms_error *err);

/** Write what a lint found; as a table nothing where it found nothing. Errors: as
 * pms_show_report. */
int pms_show_lint(FILE *out, const struct pms_lint *lint, const struct pms_show_options *options,
		  struct pms_error *err);

enum pms_list { PMS_LIST_EVENTS, PMS_LIST_METRICS, PMS_LIST_GROUPS, PMS_LIST_TREE };

/** Write a list of a catalog's parts. Each word of @options->filter, in any case, is a name, or a
 * pattern of names with * and ?, or the name of a group, whose members are wanted. For events it
 * may also name a metric or a group of metrics, whose events are wanted; for metrics also an
 * event, whose metrics are wanted.
 * Returns 0. Errors: -PMS_ENAME a word that matches nothing, -PMS_EINVAL also where @what is no
 * list, and as pms_show_report. */
int pms_show_list(FILE *out, const struct pms_catalog *catalog, enum pms_list what,
		  const struct pms_show_options *options, struct pms_error *err);

/** Write what has all of @words in its name, title or description, in any case: events, metrics,
 * groups and advice of @catalogs, n of them, the best first; then sections of pages.
 * @docs: the folder of the project's pages, NAME.md; NULL: do not search pages
 * @found: receives the number of matches; may be NULL
 * Returns 0. Errors: as pms_show_report. */
int pms_show_search(FILE *out, const struct pms_catalog *const *catalogs, size_t n,
		    const char *docs, const char *const *words, size_t n_words,
		    const struct pms_show_options *options, size_t *found, struct pms_error *err);

/** Describe in full each thing that @names name: events (by name, alias, 0x11 or r11), metrics,
 * groups, or the CPU. There is no CSV of it.
 * @model: how the core model counts the catalog's events; NULL: there is none
 * Returns 0. Errors: -PMS_ENAME for the first name that matches nothing (the hint names the
 * nearest), -PMS_EINVAL for CSV, and as pms_show_report. */
int pms_show_description(FILE *out, const struct pms_catalog *catalog,
			 const struct pms_vcore_events *model, const char *const *names, size_t n,
			 const struct pms_show_options *options, struct pms_error *err);

/** Write a plan: its passes, with events and metrics, and the proof that fewer do not suffice.
 * Errors: as pms_show_report. */
int pms_show_plan(FILE *out, const struct pms_plan *plan, const struct pms_show_options *options,
		  struct pms_error *err);

/**
 * Write the numbers of a modelled core, its mechanisms, and the ideal cores. JSON: {"pmuscope",
 * "numbers": [{"name", "value", "least", "most", "meaning", "certainty", "source", "changed"}],
 * "mechanisms": [{"name", "on", "without"}], "ideals": [{"name", "title", "meaning", "settings"}]}.
 * CSV has the mechanisms with the certainty "mechanism", as 1 or 0.
 * @options->filter: patterns of names with * and ?; none: all. Returns 0. Errors: -PMS_ENAME a
 * pattern that fits nothing, -PMS_EIO, -PMS_ENOMEM.
 */
int pms_show_core(FILE *out, const struct pms_core_data *core,
		  const struct pms_show_options *options, struct pms_error *err);

/** Write how @n trials of one catalog, at least one, did against their expected figures, with a
 * summary.
 * JSON: {"pmuscope", "catalog", "source", "modelled", "workloads": [{"name", "category",
 * "argued", "dominant", "largest", "agrees", "stage1_agrees", "level1": {NAME: percent},
 * "figures": [{"name", "units", "low", "high", "value", "judgement", "source", "because"}]}],
 * "summary"}.
 * Returns 0. Errors: -PMS_EIO, -PMS_ENOMEM. */
int pms_show_trials(FILE *out, struct pms_trial *const *trials, size_t n,
		    const struct pms_show_options *options, struct pms_error *err);

/** Returns a copy that is safe on a terminal and valid UTF-8; the caller frees it. Control and
 * format characters (bidirectional overrides among them) and bytes that are not UTF-8 become
 * \xNN; line breaks and tabs become a space.
 * @ascii: 1: a character beyond ASCII becomes its nearest look-alike, else '?'
 * Returns NULL when out of memory. */
char *pms_text_clean(const char *text, int ascii);

/** Write a profile that was put together, at most @limit rows of it (0: all).
 * @counts: whose profile it is. Errors: as pms_show_report. */
int pms_show_profile(FILE *out, const struct pms_counts *counts, const struct pms_fold *fold,
		     size_t limit, const struct pms_show_options *options, struct pms_error *err);

/** Write an annotated function or source file. @counts: whose profile it is. Errors: as
 * pms_show_report. */
int pms_show_annotation(FILE *out, const struct pms_counts *counts,
			const struct pms_annotation *annotation,
			const struct pms_show_options *options, struct pms_error *err);

struct pms_spe_report; /* pmuscope/spe_report.h */

struct pms_spe_report_options;

/** Returns the latencies that a report in @format does not use, for the options' no_latencies. */
uint32_t pms_show_spe_report_unused(enum pms_format format,
				    const struct pms_spe_report_options *options);

/** Write a report of SPE samples from the file called @file. Errors: as pms_show_report. */
int pms_show_spe_report(FILE *out, struct pms_spe_report *report, const char *file,
			const struct pms_show_options *options, struct pms_error *err);

#ifdef __cplusplus
}
#endif
#endif
