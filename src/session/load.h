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

/* One pass of a scope. */
struct pms_load_pass {
	size_t parent;		  /* number of the scope */
	size_t index;		  /* among its passes */
	struct pms_count *counts; /* borrowed; NULL: there was no room for it */
};

/* The counts of one interval while they are read. */
struct pms_loading {
	struct pms_session *session;
	const struct pms_catalog *catalog;
	int64_t interval; /* 0: the whole */
	struct pms_counts *counts;
	uint64_t room;	 /* bytes that they may take yet */
	int32_t *events; /* by the session's number: index in the catalog and 1; -1: not there; 0:
			    not looked up */
	size_t n_scopes; /* of the session; those without room are left out */
	struct pms_load_pass *passes; /* n_passes, numbered behind the scopes */
	size_t n_passes;
	size_t n_without, n_bare; /* scopes for whose passes, or sampled groups, there is no room */
	struct pms_load_run *runs; /* n_runs, numbered behind the passes */
	size_t n_runs;
	struct pms_error *err;
};

typedef int pms_load_reader(struct pms_loading *l, sqlite3_stmt *row);

/** Give each row of a query to @read: one of those of row.h, which may have the interval as its
 * parameter. */
int pms_load_each(struct pms_loading *l, enum pms_row_query query, pms_load_reader *read);

/** The catalog's index of the event in a column; -1: it has none such. */
int pms_load_event(struct pms_loading *l, sqlite3_stmt *row, int column, int64_t *index);

/** The total or a scope by its number; NULL: it was left out. */
struct pms_scope *pms_load_scope(const struct pms_loading *l, size_t number);

/** sample.c: which part of the program was counted, and what a sampled run tells of the scatter.
 * Scopes and events are read. */
int pms_load_sample(struct pms_loading *l);

#endif
