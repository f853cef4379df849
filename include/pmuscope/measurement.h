/* SPDX-License-Identifier: MIT */
/* pmuscope/measurement.h - counts from any source: all opened, read and closed in the same way.
 * Flow: catalog -> [measurement] -> counts -> analyse -> show.
 *
 * A source is this machine's PMU, the core model, or a file of counts: a session, the output of
 * perf stat, or a file of perf stat record. A measurement finds the catalog of the CPU, looks
 * up the names of events and metrics, and selects what to show of the counts.
 *
 * 	struct pms_measurement_options options = { .source = PMS_SOURCE_MODEL };
 * 	options.live.target.command = argv;
 * 	pms_measurement_open(&options, &m, &err);
 * 	pms_measurement_read(m, NULL, NULL, counts, &err);
 * 	pms_reports_make(counts[0], pms_measurement_part(m, 0)->selection, 0, &reports, &err);
 *
 * examples/stage1.c is a whole program. */
#ifndef PMUSCOPE_MEASUREMENT_H
#define PMUSCOPE_MEASUREMENT_H

#include <stddef.h>

#include "pmuscope/analyse.h"
#include "pmuscope/catalog.h"
#include "pmuscope/collect.h"
#include "pmuscope/counts.h"
#include "pmuscope/live.h"
#include "pmuscope/session.h"
#include "pmuscope/why.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Takes a sentence for the user that is no error. @text: borrowed; names from files in it are
 * not cleaned (see pms_text_clean). */
typedef void pms_note(void *context, const char *text);

/* Choosing a catalog. */

/** The CPU whose catalog is used where nothing names a CPU and nothing is measured on this host. */
#define PMS_DEFAULT_CPU "neoverse-v1"

/** How to choose a catalog. Zero-initialised: this host's CPU, else the default CPU. */
struct pms_catalog_choice {
	const char *mcpu; /* name of a CPU or a product; NULL: not given */
	const char *spec; /* path of a specification, instead of a CPU; NULL: not given */
	int modelled;	  /* 1: where neither is given, take a CPU that has a model */
	pms_note *note;	  /* is told which keys of @spec were ignored; NULL: not wanted */
	void *context;	  /* for note */
};

/** Load the chosen catalog. @out: written only on success; free with pms_catalog_free.
 * Returns 0. Errors: as pms_catalog_load_lean and pms_catalog_load_file. */
int pms_catalog_choose(const struct pms_catalog_choice *choice, struct pms_catalog **out,
		       struct pms_error *err);

/** Returns 1 where the metric's group belongs to a stage of the methodology, or the catalog has
 * no such group; else 0. Other metrics repeat these, or come from another document. */
int pms_metric_is_published(const struct pms_catalog *catalog, size_t metric);

/* Selecting what to measure and show. */

/** What a user asks for, by name. Zero-initialised: the metrics of the methodology. */
struct pms_wanted {
	const char *const *events; /* n_events of them, as pms_live_event takes them */
	size_t n_events;
	const char *const *metrics; /* names of metrics or groups, n_metrics */
	size_t n_metrics;
	int level;  /* deepest level of Stage 1; 0: all */
	int all;    /* 1: every group of metrics, not only those of the methodology */
	int counts; /* 1: counts matter most, as for pmuscope stat. Named metrics show their events
		     * too; without a catalog of this host's CPU, Linux's own events are counted */
};

/** What to show of counts. */
struct pms_selection {
	struct pms_analyse_options analyse; /* for pms_analyse */
	size_t *events; /* indices of the counts to show, n_events; none: every counted event */
	size_t n_events;
	int no_metrics; /* 1: no metric can be computed from them: only the counts are shown */
	int is_named;	/* 1: metrics were named, and all their groups are shown */
	void *owned;	/* private */
};

/**
 * Select what to show of a measurement.
 * @wanted: its names are borrowed, and must outlive the result
 * @out:    written only on success; free with pms_selection_free
 * Returns 0. Errors: -PMS_ENAME no such event, metric or group (the hint has the nearest),
 *         -PMS_ENOMEM.
 */
int pms_selection_make(const struct pms_catalog *catalog, const struct pms_wanted *wanted,
		       struct pms_selection **out, struct pms_error *err);
/** Select what to show of existing counts: the methodology's metrics whose events were all
 * counted. Named metrics, or `all`, are shown in any case. @counts get a warning that says how
 * many metrics are left out. Returns and errors: as pms_selection_make, but names are not looked
 * up. */
int pms_selection_told(struct pms_counts *counts, const struct pms_wanted *wanted,
		       struct pms_selection **out, struct pms_error *err);
void pms_selection_free(struct pms_selection *selection);

/** Reports of counts: one of the total, and one of each scope (thread, CPU) on request. */
struct pms_reports {
	struct pms_report *total;
	struct pms_report **scopes; /* the reports of all scopes, n_scopes; none unless asked for */
	size_t n_scopes;
	void *owned; /* private */
};

/**
 * Analyse counts.
 * @counts:    borrowed; must outlive the reports, as @selection must
 * @scopes:    1: analyse each scope now and keep its report; 0: leave it to pms_reports_scope
 * @out:       written only on success; free with pms_reports_free
 * Returns 0. Errors: as pms_analyse.
 */
int pms_reports_make(const struct pms_counts *counts, const struct pms_selection *selection,
		     int scopes, struct pms_reports **out, struct pms_error *err);
/** Returns the report of scope @i, borrowed until the next call, or NULL with @err set. @reports
 * is a struct pms_reports; both fit struct pms_scope_reports. */
const struct pms_report *pms_reports_scope(void *reports, size_t i, struct pms_error *err);
void pms_reports_free(struct pms_reports *reports);

/* Measuring. */

enum pms_source {
	PMS_SOURCE_DEFAULT, /* FILE where one is named; PMU where more than a command
			     * is measured; else as pms_source_of_host */
	PMS_SOURCE_PMU,
	PMS_SOURCE_MODEL,
	PMS_SOURCE_FILE
};

/** Returns PMS_SOURCE_PMU on Arm and RISC-V machines, else PMS_SOURCE_MODEL. */
enum pms_source pms_source_of_host(void);

/** The most parts of a measurement, which are kinds of cores. */
enum { PMS_MEASURED_MOST = 8 };

/** What to measure. Zero-initialised members mean the default; strings and arrays are borrowed
 * until the measurement is closed. */
struct pms_measurement_options {
	enum pms_source source;
	const char *file; /* file of counts, for PMS_SOURCE_FILE; "-": standard input */
	/* The CPU: at most one of these. None: the file's CPU, else this host's, else the
	 * default. */
	struct pms_catalog *catalog; /* borrowed until the measurement is closed; missing events may
				      * be appended */
	const char *mcpu, *spec;     /* as in pms_catalog_choice */
	struct pms_wanted wanted;
	/* For the PMU: target, passes, intervals and the like. The model takes only
	 * target.command, which it runs once; a file takes nothing. */
	struct pms_live_options live;
	struct pms_vcore_options vcore; /* for the model */
	int why; /* 1: of the model: run the program on ideal cores, too, for counts->gains */
	pms_why_progress *progress; /* is told of their runs; NULL: not wanted */
	pms_note *note;		    /* NULL: notes are not wanted */
	void *context;		    /* for note and progress */
};

struct pms_measurement; /* opaque; owned by the caller of pms_measurement_open */

/** Cores of one kind. The model and a file have one part. */
struct pms_measured_part {
	struct pms_catalog *catalog; /* may be passed to pms_catalog_add_relations */
	const char *pmu; /* its name in Linux, where there are several kinds of cores; else NULL */
	/* The wanted names as the catalog spells them. Names that only other kinds of cores know
	 * are left out. Without names in the options, a session's own names are used. */
	struct pms_wanted wanted;
	const struct pms_selection *selection; /* for a file NULL until pms_measurement_select */
};

/**
 * Open a source, load the catalogs and look up the names. No program is run.
 * @options: copied; its pointers stay borrowed, as described above
 * @out:     written only on success; free with pms_measurement_close
 * Returns 0. Errors: -PMS_ENAME an unknown event, metric, CPU or file of a CPU; -PMS_EHOST this
 *         machine has no PMU that could be used; -PMS_EIO, -PMS_EPARSE the file; -PMS_EINVAL a file
 *         without counts, or one that does not name its CPU; -PMS_ENOMEM.
 */
int pms_measurement_open(const struct pms_measurement_options *options,
			 struct pms_measurement **out, struct pms_error *err);
void pms_measurement_close(struct pms_measurement *m);

/** Returns where the counts come from; never PMS_SOURCE_DEFAULT. */
enum pms_source pms_measurement_source(const struct pms_measurement *m);
/** Returns how many parts there are, 1 to PMS_MEASURED_MOST. */
size_t pms_measurement_parts(const struct pms_measurement *m);
/** Returns part @i, borrowed until the measurement is closed. */
const struct pms_measured_part *pms_measurement_part(const struct pms_measurement *m, size_t i);

/** Select what to show of a file's counts: sets the selection of part 0. Other sources have
 * theirs already. Returns 0. Errors: as pms_selection_make. */
int pms_measurement_select(struct pms_measurement *m, struct pms_error *err);

/**
 * Get ready to measure: probe the PMU's counters and plan the passes. pms_measurement_read does it
 * if you have not. Files and the model need no preparation.
 * Returns 0. Errors: as pms_live_open.
 */
int pms_measurement_prepare(struct pms_measurement *m, struct pms_error *err);
/** Returns the plan of part @i, borrowed; NULL: there is none, or not before
 * pms_measurement_prepare. */
const struct pms_plan *pms_measurement_plan(const struct pms_measurement *m, size_t i);

/**
 * Read to the end: run the command, measure what runs, or go through the file.
 * @put:    takes the counts of each interval, one for each part, in order of time; NULL: not wanted
 * @totals: receives the counts of the whole, one for each part; free with pms_counts_free. Written
 *          once the measurement has started, even if it fails later; NULL: not wanted
 * A second call reads a file again; the PMU and the model measure anew.
 * Returns 0. Errors: as pms_measurement_prepare, pms_live_run and pms_collect_vcore; -PMS_EINVAL
 *         also where the function that options.vcore.region names was never called; -PMS_EIO,
 *         -PMS_EPARSE the file; the error that @put returned.
 */
int pms_measurement_read(struct pms_measurement *m, pms_live_put *put, void *context,
			 struct pms_counts **totals, struct pms_error *err);

/**
 * Load the documented relations between the events of part @i, if @counts has a 0 to check. Reports
 * then name zeros that cannot be true.
 * Returns 0. Errors: as pms_catalog_add_relations.
 */
int pms_measurement_relate(struct pms_measurement *m, size_t i, const struct pms_counts *counts,
			   struct pms_error *err);

/** Make the counts of part @i from the start until now, from within @put of the PMU: see
 * pms_live_so_far. Errors: -PMS_EINVAL another source, -PMS_ENOMEM. */
int pms_measurement_so_far(struct pms_measurement *m, size_t i, struct pms_counts **out,
			   struct pms_error *err);
/** Returns the signal that ended a measurement by the PMU; 0: none. */
int pms_measurement_interrupted(const struct pms_measurement *m);

/* Files. */

/** Returns the number of intervals in the file; 0: none, or no file. */
size_t pms_measurement_intervals(const struct pms_measurement *m);
/** Make the counts of interval @i; free with pms_counts_free. @out: written only on success.
 * Returns 0.
 * Errors: -PMS_EINVAL no such interval, -PMS_EIO, -PMS_EPARSE, -PMS_ENOMEM. */
int pms_measurement_interval(struct pms_measurement *m, size_t i, struct pms_counts **out,
			     struct pms_error *err);
/** Returns how a session's counts were shown when they were saved, borrowed; NULL: no session. */
const struct pms_session_view *pms_measurement_view(const struct pms_measurement *m);

#ifdef __cplusplus
}
#endif
#endif
