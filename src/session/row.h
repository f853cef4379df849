/* SPDX-License-Identifier: MIT */
/* session/row.h - an open session, and checked reading of its rows: each column must hold what
 * it should. */
#ifndef PMS_SESSION_ROW_H
#define PMS_SESSION_ROW_H

#include <sqlite3.h>

#include "base/arena.h"
#include "counts/shared.h"
#include "pmuscope/session.h"
#include "session/image.h"
#include "session/schema.h"
#include "session/vfs.h"

/* The queries of each set of counts, prepared once. */
enum pms_row_query {
	PMS_ROW_END,
	PMS_ROW_SCOPES,
	PMS_ROW_COUNTS,
	PMS_ROW_SCALING,
	PMS_ROW_WARNINGS,
	PMS_ROW_EXTENT,
	PMS_ROW_SAMPLES,
	PMS_ROW_GROUPS,
	PMS_ROW_GROUP_COUNTS,
	PMS_ROW_PROFILE,
	PMS_ROW_KINDS,
	PMS_ROW_OBJECTS,
	PMS_ROW_THREADS,
	PMS_ROW_FRAMES,
	PMS_ROW_PLACES,
	PMS_ROW_VALUES,
	PMS_ROW_EDGES,
	PMS_ROW_QUERIES
};

struct pms_session {
	struct pms_arena arena;
	sqlite3 *db;
	struct pms_vfs *vfs;		  /* the file; NULL: the session was given as bytes */
	struct pms_image image;		  /* read instead of the file; without bytes: none */
	const char *name;		  /* name of the file */
	const char *cpu, *version, *spec; /* of the catalog; spec may be NULL */
	struct pms_session_view view;
	size_t n_intervals;
	int layout; /* the file's user_version */
	/* Common to all sets of counts, read by common.c. */
	const char **events; /* names by the session's number, n_events; NULL: unused number */
	size_t n_events;
	struct pms_provenance provenance;   /* without a command; its file's name is in the arena */
	struct pms_shared_command *command; /* n_words; NULL: there is none */
	size_t n_words;
	uint64_t size; /* of the file, bytes */
	uint64_t room; /* the most bytes of one set of counts */
	sqlite3_stmt *queries[PMS_ROW_QUERIES];
};

/** common.c: read what all sets of counts share. Returns 0. Errors: -PMS_EPARSE, -PMS_ENOMEM,
 * -PMS_EIO. */
int pms_session_read_common(struct pms_session *s, struct pms_error *err);

/** Report that the session is damaged, and how. Returns -PMS_EPARSE. */
__attribute__((format(printf, 3, 4))) int
pms_row_damaged(const struct pms_session *s, struct pms_error *err, const char *format, ...);
/** Report that the file is no session. Returns -PMS_EPARSE. */
int pms_row_foreign(const struct pms_session *s, struct pms_error *err);
int pms_row_no_memory(struct pms_error *err);
/** Report SQLite's last error. Returns its status. */
int pms_row_failed(const struct pms_session *s, struct pms_error *err);

int pms_row_prepare(struct pms_session *s, const char *sql, sqlite3_stmt **out,
		    struct pms_error *err);
/** Get a query, prepared and reset. @row: borrowed */
int pms_row_query(struct pms_session *s, enum pms_row_query query, sqlite3_stmt **row,
		  struct pms_error *err);
/** Go to the next row. Returns 1 for a row, 0 at the end, or an error. */
int pms_row_step(struct pms_session *s, sqlite3_stmt *statement, struct pms_error *err);

/* Read a column. Returns 0. Errors: -PMS_EPARSE it is of another type or out of range. */
int pms_row_integer(const struct pms_session *s, sqlite3_stmt *row, int column, int64_t least,
		    int64_t most, int64_t *out, struct pms_error *err);
int pms_row_int(const struct pms_session *s, sqlite3_stmt *row, int column, int least, int most,
		int *out, struct pms_error *err);
/** Read 64 unsigned bits, which SQLite stores as a signed number. */
int pms_row_unsigned(const struct pms_session *s, sqlite3_stmt *row, int column, uint64_t *out,
		     struct pms_error *err);
/** Read a finite number; 0 where the column is empty and @optional. */
int pms_row_double(const struct pms_session *s, sqlite3_stmt *row, int column, int optional,
		   double *out, struct pms_error *err);
/** Read text, or bytes where it is not UTF-8, borrowed until the next step; NULL where the column
 * is empty and @optional. */
int pms_row_text(const struct pms_session *s, sqlite3_stmt *row, int column, int optional,
		 const char **out, struct pms_error *err);
/** Read one of @words, as its number. */
int pms_row_word(const struct pms_session *s, sqlite3_stmt *row, int column,
		 const struct pms_session_words *words, int *out, struct pms_error *err);

#endif
