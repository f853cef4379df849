/* SPDX-License-Identifier: MIT */
/* pmuscope/measurement.h - counts from any source: opened, read and closed alike.
 * Flow: catalog -> [measurement] -> counts -> analyse -> show.
 *
 * A source is this machine's PMU, the core model, or a file of counts: a session, the output of
 *perf stat, or a file of perf stat record. A measurement finds the catalog of the CPU, looks up the
 * names of events and metrics, and works out what is to be shown of the counts.
 *
 *	struct pms_measurement_options options = { .source = PMS_SOURCE_MODEL };
 *	options.live.target.command = argv;
 *	pms_measurement_open(&options, &m, &err);
 *	pms_measurement_read(m, NULL, NULL, counts, &err);
 *	pms_reports_make(counts[0], pms_measurement_part(m, 0)->selection, 0, &reports, &err);
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

#ifdef __cplusplus
extern "C" {
#endif

/** Takes a sentence that the user should read, and that is no error. @text: borrowed; it may hold
 * names from files as they are (see pms_text_clean). */
typedef void pms_note(void *context, const char *text);

/* Which catalog. */

/** The CPU of a catalog where nothing names one, and nothing is measured on this host. */
#define PMS_DEFAULT_CPU "neoverse-v1"

/** How a catalog is chosen. Zero-initialised: that of this host's CPU, else of the default. */
struct pms_catalog_choice {
	const char *mcpu; /* name of a CPU or a product; NULL: not given */
	const char *spec; /* path of a specification, instead of a CPU; NULL: not given */
	int modelled;	  /* 1: of a CPU that there is a model of, where neither is given */
	pms_note *note;	  /* is told what of @spec was not read; NULL: nobody is */
	void *context;	  /* of note */
};

/** Load the catalog that is chosen. @out: written only on success; free with pms_catalog_free.
 * Returns 0. Errors: as pms_catalog_load_lean and pms_catalog_load_file. */
int pms_catalog_choose(const struct pms_catalog_choice *choice, struct pms_catalog **out,
		       struct pms_error *err);

/** Returns 1 where a metric is in a group of one of the methodology's stages, or no group of the
 * catalog is in any; else 0. The others repeat what these have, or are of another document. */
int pms_metric_is_published(const struct pms_catalog *catalog, size_t metric);

/* What is wanted, and what is shown. */

/** What somebody asks for, by the names that users write. Zero-initialised: what the methodology
 * has. */
struct pms_wanted {
	const char *const *events; /* n_events of them, as pms_live_event takes them */
	size_t n_events;
	const char *const *metrics; /* metrics or groups of them, n_metrics */
	size_t n_metrics;
	int level;  /* deepest level of Stage 1; 0: all */
	int all;    /* 1: every group of metrics, not those of the methodology alone */
	int counts; /* 1: counts come first, as of pmuscope stat: where metrics alone are named,
		     * their events are shown too; and where there is no catalog of this host's
		     * CPU, Linux's own events are counted */
};

/** What is shown of counts. */
struct pms_selection {
	struct pms_analyse_options analyse; /* for pms_analyse */
	size_t *events; /* indices of the counts to show, n_events; none: all counted */
	size_t n_events;
	int no_metrics; /* 1: no metric can be computed of them: the counts alone are shown */
	int is_named;	/* 1: metrics were named, and every group of theirs is shown */
	void *owned;	/* private */
};

/**
 * Work out what to show of a measurement.
 * @wanted: its names are borrowed, and must outlive the result
 * @out:    written only on success; free with pms_selection_free
 * Returns 0. Errors: -PMS_ENAME no such event, metric or group (the hint has the nearest),
 *         -PMS_ENOMEM.
 */
int pms_selection_make(const struct pms_catalog *catalog, const struct pms_wanted *wanted,
		       struct pms_selection **out, struct pms_error *err);
/**
 * Work out what to show of counts that somebody else asked for: of the metrics of the methodology,
 * those that have all of their events. Where some are left out, @counts get a warning that says how
 * many. With metrics named, or all: these. Returns, and errors: as above; names are not looked up.
 */
int pms_selection_told(struct pms_counts *counts, const struct pms_wanted *wanted,
		       struct pms_selection **out, struct pms_error *err);
void pms_selection_free(struct pms_selection *selection);

/** Reports of counts: of the total, and of each scope (thread, CPU) when it is asked for. */
struct pms_reports {
	struct pms_report *total;
	struct pms_report **scopes; /* of all scopes that were wanted, n_scopes */
	size_t n_scopes;
	void *owned; /* private */
};

/**
 * Analyse counts.
 * @counts:    borrowed; must outlive the reports, as @selection must
 * @scopes:    1: analyse each scope now, and keep its report; 0: pms_reports_scope does it
 * @out:       written only on success; free with pms_reports_free
 * Returns 0. Errors: as pms_analyse.
 */
int pms_reports_make(const struct pms_counts *counts, const struct pms_selection *selection,
		     int scopes, struct pms_reports **out, struct pms_error *err);
/** The report of scope @i, borrowed until the next call. @reports: a struct pms_reports: with it
 * this is what struct pms_scope_reports wants. Returns NULL on failure, with @err set. */
const struct pms_report *pms_reports_scope(void *reports, size_t i, struct pms_error *err);
void pms_reports_free(struct pms_reports *reports);

/* A measurement. */

enum pms_source {
	PMS_SOURCE_DEFAULT, /* FILE where one is named; else as pms_source_of_host, but the PMU
			     * where more than a command is to be measured */
	PMS_SOURCE_PMU,
	PMS_SOURCE_MODEL,
	PMS_SOURCE_FILE
};

/** Returns PMS_SOURCE_PMU on Arm and RISC-V machines, else PMS_SOURCE_MODEL. */
enum pms_source pms_source_of_host(void);

/** Parts that a measurement has at most: kinds of cores that are told apart. */
enum { PMS_MEASURED_MOST = 8 };

/** What to measure. Zero-initialised members mean the default; strings and arrays are borrowed
 * until the measurement is closed. */
struct pms_measurement_options {
	enum pms_source source;
	const char *file; /* of counts, for PMS_SOURCE_FILE; "-": standard input */
	/* The CPU: at most one of these. None: the file's, else this host's, else the default. */
	struct pms_catalog *catalog; /* borrowed until the measurement is closed; events that it
				      * lacks may be appended to it */
	const char *mcpu, *spec;     /* as of pms_catalog_choice */
	struct pms_wanted wanted;
	/* Of the PMU: target, passes, intervals and the like. The model takes target.command alone,
	 * which it runs once; `modes` and what follows do not apply to it, nor anything to a file.
	 */
	struct pms_live_options live;
	struct pms_vcore_options vcore; /* of the model */
	pms_note *note;			/* NULL: notes are not wanted */
	void *context;			/* of note */
};

struct pms_measurement; /* opaque; owned by the caller of pms_measurement_open */

/** Cores of one kind. The model and a file have one part. */
struct pms_measured_part {
	struct pms_catalog *catalog; /* pms_catalog_add_relations may be called on it */
	const char *pmu; /* as Linux calls it, where there are several kinds of cores; else NULL */
	/* The names of the options as the catalog has them: less those that this kind of cores does
	 * not know and another does; of a session, those that it was made with, where the options
	 * have none. */
	struct pms_wanted wanted;
	const struct pms_selection *selection; /* of a file NULL, until pms_measurement_select */
};

/**
 * Open a source, load the catalogs and look up the names. No program is run.
 * @options: copied; what is said above of its pointers
 * @out:     written only on success; free with pms_measurement_close
 * Returns 0. Errors: -PMS_ENAME an event, metric, CPU or file of a CPU that is not known;
 *         -PMS_EHOST this machine has no PMU that could be measured; -PMS_EIO, -PMS_EPARSE the
 *         file; -PMS_EINVAL a file that is none of counts, or does not tell its CPU; -PMS_ENOMEM.
 */
int pms_measurement_open(const struct pms_measurement_options *options,
			 struct pms_measurement **out, struct pms_error *err);
void pms_measurement_close(struct pms_measurement *m);

/** Returns where the counts come from; never PMS_SOURCE_DEFAULT. */
enum pms_source pms_measurement_source(const struct pms_measurement *m);
/** Returns how many parts there are, 1 to PMS_MEASURED_MOST. */
size_t pms_measurement_parts(const struct pms_measurement *m);
/** Part @i, borrowed until the measurement is closed. */
const struct pms_measured_part *pms_measurement_part(const struct pms_measurement *m, size_t i);

/** Work out what to show of a file's counts: the selection of part 0. Of the others that is done.
 * Returns 0. Errors: as pms_selection_make. */
int pms_measurement_select(struct pms_measurement *m, struct pms_error *err);

/**
 * Get ready to measure: probe the PMU's counters and plan the passes. pms_measurement_read does it
 * where it was not done. A file is ready, and a model.
 * Returns 0. Errors: as pms_live_open.
 */
int pms_measurement_prepare(struct pms_measurement *m, struct pms_error *err);
/** The plan of part @i, borrowed; NULL: there is none, or not yet (pms_measurement_prepare). */
const struct pms_plan *pms_measurement_plan(const struct pms_measurement *m, size_t i);

/**
 * Read to the end: run the command, or measure what runs, or go through the file.
 * @put:    takes counts of each interval, one for each part, in the order of time; NULL: they are
 *          not wanted
 * @totals: receives counts of the whole, one for each part; free with pms_counts_free. Written when
 *          the measurement has started, whatever became of it; NULL: they are not wanted
 * Of a file it may be called again; the PMU and the model measure anew then.
 * Returns 0. Errors: as pms_measurement_prepare, pms_live_run and pms_collect_vcore; -PMS_EINVAL
 *         also where the function that options.vcore.region names was never called; -PMS_EIO,
 *         -PMS_EPARSE the file; what @put gave.
 */
int pms_measurement_read(struct pms_measurement *m, pms_live_put *put, void *context,
			 struct pms_counts **totals, struct pms_error *err);

/**
 * Load what documents say of the events of part @i, where @counts has a 0 to hold against it:
 * reports of them then say which zeros cannot be. Without it that is left out.
 * Returns 0. Errors: as pms_catalog_add_relations.
 */
int pms_measurement_relate(struct pms_measurement *m, size_t i, const struct pms_counts *counts,
			   struct pms_error *err);

/** Counts of part @i of the whole until now, from within @put of the PMU: see pms_live_so_far. Of
 * another source: -PMS_EINVAL. */
int pms_measurement_so_far(struct pms_measurement *m, size_t i, struct pms_counts **out,
			   struct pms_error *err);
/** The signal that came to end a measurement by the PMU; 0: none. */
int pms_measurement_interrupted(const struct pms_measurement *m);

/* Of a file. */

/** Returns the number of intervals in the file; 0: it has the whole alone, or is no file. */
size_t pms_measurement_intervals(const struct pms_measurement *m);
/** Counts of interval @i; free with pms_counts_free. @out: written only on success. Returns 0.
 * Errors: -PMS_EINVAL no such interval, -PMS_EIO, -PMS_EPARSE, -PMS_ENOMEM. */
int pms_measurement_interval(struct pms_measurement *m, size_t i, struct pms_counts **out,
			     struct pms_error *err);
/** How the counts of a session were shown when they were saved, borrowed; NULL: it is none. */
const struct pms_session_view *pms_measurement_view(const struct pms_measurement *m);

#ifdef __cplusplus
}
#endif
#endif
