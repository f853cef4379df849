/* SPDX-License-Identifier: MIT */
/* session/write.h - a session while it is written, shared by write.c and write_profile.c. */
#ifndef PMS_SESSION_WRITE_H
#define PMS_SESSION_WRITE_H

#include <sqlite3.h>

#include "pmuscope/session.h"
#include "session/place.h"
#include "session/vfs.h"

/* Statements for frequent rows, prepared once. */
enum statement {
	PUT_EVENT,
	PUT_INTERVAL,
	PUT_SCOPE,
	PUT_COUNT,
	PUT_SCALING,
	PUT_WARNING,
	PUT_GROUP_COUNT,
	PUT_ARGUMENT,
	N_STATEMENTS
};

struct pms_session_writer {
	char *path;
	struct pms_session_place place; /* where the file is, until it has its name */
	struct pms_vfs *vfs;
	sqlite3 *db;
	sqlite3_stmt *statements[N_STATEMENTS];
	unsigned char *has_event; /* by the catalog's index: 1: its row is written */
	int has_total, has_extent;
	int is_durable;
	int is_in_place; /* 1: the file has its name */
	int64_t n_intervals;
};

/** Prepare a statement, which the caller finalizes. Returns 0. Errors: -PMS_EIO, -PMS_ENOMEM. */
int pms_write_prepare(struct pms_session_writer *w, const char *sql, sqlite3_stmt **out,
		      struct pms_error *err);

/** Run a statement with a value for each letter of @types: i int, u uint64_t, t text or NULL,
 * d double (NULL for 0), f double, - uint64_t bound as NULL.
 * Returns 0. Errors: -PMS_EIO, -PMS_ENOMEM. */
int pms_write_row(struct pms_session_writer *w, struct pms_error *err, sqlite3_stmt *statement,
		  const char *types, ...);

/** Write where in the program the counts of the whole are; replaces what is there.
 * Returns 0. Errors: -PMS_EIO, -PMS_ENOMEM. */
int pms_write_profile(struct pms_session_writer *w, const struct pms_profile *profile,
		      struct pms_error *err);

#endif
