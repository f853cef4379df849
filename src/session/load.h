/* SPDX-License-Identifier: MIT */
/* session/load.h - the state while counts are loaded from a session, shared by load.c,
 * sample.c and load_profile.c. */
#ifndef PMS_SESSION_LOAD_H
#define PMS_SESSION_LOAD_H

#include "session/row.h"

/* What one run counted. Its rows stand together. */
struct pms_load_run {
	size_t parent; /* number of its scope or pass */
	size_t *events;
	double *values;
	size_t n;
};

/* A pass of a scope. */
struct pms_load_pass {
	size_t parent;		  /* number of the scope */
	size_t index;		  /* its index among the scope's passes */
	struct pms_count *counts; /* borrowed; NULL: there was no room for it */
};

/* The counts of one interval while they are loaded. */
struct pms_loading {
	struct pms_session *session;
	const struct pms_catalog *catalog;
	int64_t interval; /* 0: the whole */
	struct pms_counts *counts;
	uint64_t room;	 /* bytes that the counts may still take */
	int32_t *events; /* by the session's event number: 1 + index in the catalog; -1: not in it;
			    0: not looked up yet */
	size_t n_scopes; /* scopes in the session, the left out ones included */
	struct pms_load_pass *passes; /* n_passes, numbered after the scopes */
	size_t n_passes;
	size_t n_without, n_bare;  /* scopes without room for passes, or for sampled groups */
	struct pms_load_run *runs; /* n_runs, numbered after the passes */
	size_t n_runs;
	size_t n_profile_rows, n_kept_rows; /* rows of the session's profile; those with room */
	size_t n_edges_left_out;
	size_t last_part; /* 1 + the row that lost a part of its values last */
	struct pms_error *err;
};

typedef int pms_load_reader(struct pms_loading *l, sqlite3_stmt *row);

/** Pass each row of a query of row.h to @read. A query with a parameter gets the interval.
 * Returns 0, or as @read. */
int pms_load_each(struct pms_loading *l, enum pms_row_query query, pms_load_reader *read);

/** Find the catalog's index of a column's event. *index: -1: the catalog lacks it. Returns 0.
 * Errors: -PMS_EPARSE the session lacks it. */
int pms_load_event(struct pms_loading *l, sqlite3_stmt *row, int column, int64_t *index);

/** Returns the total or a scope by its number; NULL: it was left out. */
struct pms_scope *pms_load_scope(const struct pms_loading *l, size_t number);

/** sample.c: load which part of the program was counted, and how a sampled run's windows scatter.
 * Call after scopes and events are read. */
int pms_load_sample(struct pms_loading *l);

/** load_profile.c: load where in the program the counts are, in the memory that they left. */
int pms_load_profile(struct pms_loading *l);

#endif
