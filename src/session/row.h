/* SPDX-License-Identifier: MIT */
/* session/row.h - an open session, and reading its rows: each column is checked to hold what it
 * should. */
#ifndef PMS_SESSION_ROW_H
#define PMS_SESSION_ROW_H

#include <sqlite3.h>

#include "base/arena.h"
#include "counts/shared.h"
#include "pmuscope/session.h"
#include "session/image.h"
#include "session/schema.h"
#include "session/vfs.h"

/* What is asked for each set of counts: prepared once. */
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
	PMS_ROW_QUERIES
};

struct pms_session {
	struct pms_arena arena;
	sqlite3 *db;
	struct pms_vfs *vfs;		  /* of the file; NULL: it was given as bytes */
	struct pms_image image;		  /* that is read instead of it; without bytes: none */
	const char *name;		  /* of the file */
	const char *cpu, *version, *spec; /* of the catalog; spec may be NULL */
	struct pms_session_view view;
	size_t n_intervals;
	int layout; /* of the file: its user_version */
	/* What all sets of counts have: common.c. */
	const char **events; /* names by the session's number, n_events; NULL: it has none such */
	size_t n_events;
	struct pms_provenance provenance;   /* without a command; its file is in the arena */
	struct pms_shared_command *command; /* n_words; NULL: there is none */
	size_t n_words;
	uint64_t room; /* bytes that a set of counts may take */
	sqlite3_stmt *queries[PMS_ROW_QUERIES];
};

/** common.c: read what all sets of counts have. */
int pms_session_read_common(struct pms_session *s, struct pms_error *err);

/** Say that the session is damaged, and how. Returns -PMS_EPARSE. */
__attribute__((format(printf, 3, 4))) int
pms_row_damaged(const struct pms_session *s, struct pms_error *err, const char *format, ...);
/** Say that the file is none. Returns -PMS_EPARSE. */
int pms_row_foreign(const struct pms_session *s, struct pms_error *err);
int pms_row_no_memory(struct pms_error *err);
/** Say what SQLite has to say of the last call. */
int pms_row_failed(const struct pms_session *s, struct pms_error *err);

int pms_row_prepare(struct pms_session *s, const char *sql, sqlite3_stmt **out,
		    struct pms_error *err);
/** Have a query ready from the start. @row: borrowed */
int pms_row_query(struct pms_session *s, enum pms_row_query query, sqlite3_stmt **row,
		  struct pms_error *err);
/** Go to the next row. Returns 1 for a row, 0 at the end, or an error. */
int pms_row_step(struct pms_session *s, sqlite3_stmt *statement, struct pms_error *err);

/* A column's value. Errors: -PMS_EPARSE it is of another type or out of range. */
int pms_row_integer(const struct pms_session *s, sqlite3_stmt *row, int column, int64_t least,
		    int64_t most, int64_t *out, struct pms_error *err);
int pms_row_int(const struct pms_session *s, sqlite3_stmt *row, int column, int least, int most,
		int *out, struct pms_error *err);
/** 64 bits without a sign, of which SQLite knows only those with one. */
int pms_row_unsigned(const struct pms_session *s, sqlite3_stmt *row, int column, uint64_t *out,
		     struct pms_error *err);
/** A finite number; 0 where there is none and @optional. */
int pms_row_double(const struct pms_session *s, sqlite3_stmt *row, int column, int optional,
		   double *out, struct pms_error *err);
/** Text, or bytes for what is no UTF-8, borrowed until the next step; NULL where there is none and
 * @optional. */
int pms_row_text(const struct pms_session *s, sqlite3_stmt *row, int column, int optional,
		 const char **out, struct pms_error *err);
/** The number of one of @words. */
int pms_row_word(const struct pms_session *s, sqlite3_stmt *row, int column,
		 const struct pms_session_words *words, int *out, struct pms_error *err);

#endif
