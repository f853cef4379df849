/* SPDX-License-Identifier: MIT */
/* session/load.h - counts while they are read from a session: what the files that do it share. */
#ifndef PMS_SESSION_LOAD_H
#define PMS_SESSION_LOAD_H

#include "session/row.h"

/* What one run counted. Its rows come one after the other. */
struct pms_load_run {
	size_t parent; /* number of its scope or pass */
	size_t *events;
	double *values;
	size_t n;
};

/* The counts of one interval while they are read. */
struct pms_loading {
	struct pms_session *session;
	const struct pms_catalog *catalog;
	int64_t interval; /* 0: the whole */
	struct pms_counts *counts;
	size_t n_words;	 /* of the command */
	int64_t *events; /* by the session's number: index in the catalog; -1: not there */
	size_t n_events; /* numbers are below this */
	struct pms_count **passes; /* n_passes, numbered behind the scopes; borrowed */
	size_t n_passes;
	struct pms_load_run *runs; /* n_runs, numbered behind the passes */
	size_t n_runs;
	size_t n_missing; /* events that the catalog does not have */
	char missing[64]; /* one of them */
	struct pms_error *err;
};

typedef int pms_load_reader(struct pms_loading *l, sqlite3_stmt *row);

/** Give each row of a query to @read. @sql has at most one parameter, the interval. */
int pms_load_each(struct pms_loading *l, const char *sql, pms_load_reader *read);

/** The catalog's index of the event in a column; -1: it has none such. */
int pms_load_event(struct pms_loading *l, sqlite3_stmt *row, int column, int64_t *index);

/** sample.c: which part of the program was counted, and what a sampled run tells of the scatter.
 * Scopes and events are read. */
int pms_load_sample(struct pms_loading *l);

#endif
