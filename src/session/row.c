/* SPDX-License-Identifier: MIT */
#include "session/row.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

int pms_row_damaged(const struct pms_session *s, struct pms_error *err, const char *format, ...)
{
	char why[256];
	va_list args;
	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	return pms_fail_at(err, PMS_EPARSE, s->name, 0, 0, "the session is damaged: %s", why);
}

int pms_row_foreign(const struct pms_session *s, struct pms_error *err)
{
	int rc = pms_fail_at(err, PMS_EPARSE, s->name, 0, 0, "is not a session of pmuscope");
	pms_hint(err, "pmuscope topdown --save FILE writes one");
	return rc;
}

int pms_row_no_memory(struct pms_error *err)
{
	return pms_no_memory(err);
}

/* Report SQLite's last error. */
int pms_row_failed(const struct pms_session *s, struct pms_error *err)
{
	int code = sqlite3_errcode(s->db);
	switch (code & 0xff) {
	case SQLITE_NOMEM: /* SQLite reports this also for impossible sizes in the file */
		return pms_fail_at(err, PMS_ENOMEM, s->name, 0, 0,
				   "memory ran out, or the session is damaged");
	case SQLITE_NOTADB:
		return pms_row_foreign(s, err);
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_READONLY:
		return pms_fail_at(err, PMS_EIO, s->name, 0, 0, "cannot read the session: %s",
				   sqlite3_errmsg(s->db));
	case SQLITE_IOERR:
		if (sqlite3_extended_errcode(s->db) != SQLITE_IOERR_SHORT_READ)
			return pms_fail_at(err, PMS_EIO, s->name, 0, 0,
					   "cannot read the session: %s", sqlite3_errmsg(s->db));
		return pms_row_damaged(s, err, "it is cut short");
	default:
		return pms_row_damaged(s, err, "%s", sqlite3_errmsg(s->db));
	}
}

int pms_row_prepare(struct pms_session *s, const char *sql, sqlite3_stmt **out,
		    struct pms_error *err)
{
	return sqlite3_prepare_v2(s->db, sql, -1, out, NULL) ? pms_row_failed(s, err) : 0;
}

static const char *const queries[] = {
	[PMS_ROW_END] = "SELECT end_s FROM interval WHERE id = ?",
	[PMS_ROW_SCOPES] =
		"SELECT scope, kind, number, name FROM scope WHERE interval = ? ORDER BY scope",
	[PMS_ROW_COUNTS] = "SELECT scope, event, state, class, count, enabled_ns, running_ns, "
			   "scaled, spread, loose_times, because FROM count WHERE interval = ? "
			   "ORDER BY scope, event",
	[PMS_ROW_SCALING] = "SELECT scope, event, missed, phases FROM scaling WHERE interval = ?",
	[PMS_ROW_WARNINGS] = "SELECT text FROM warning WHERE interval = ? ORDER BY position",
	[PMS_ROW_EXTENT] = "SELECT forward, forwarded, region, entries, outside, warm, detail, "
			   "skip FROM extent LIMIT 1",
	[PMS_ROW_SAMPLES] = "SELECT scope, instructions, counted, windows, (SELECT count(*) "
			    "FROM sample_group WHERE sample_group.scope = sample.scope) FROM "
			    "sample",
	[PMS_ROW_GROUPS] = "SELECT scope, position, size FROM sample_group",
	[PMS_ROW_GROUP_COUNTS] = "SELECT scope, position, event, count FROM sample_count",
	[PMS_ROW_PROFILE] = "SELECT source, scale, slots_per_cycle, left_out FROM profile",
	[PMS_ROW_KINDS] = "SELECT id, name, title, unit, share, cause, samples FROM profile_kind "
			  "ORDER BY id",
	[PMS_ROW_OBJECTS] = "SELECT id, kind, path, build_id FROM profile_object ORDER BY id",
	[PMS_ROW_THREADS] = "SELECT id, pid, tid, name FROM profile_thread ORDER BY id",
	[PMS_ROW_FRAMES] = "SELECT id, parent, object, address FROM profile_frame ORDER BY id",
	[PMS_ROW_PLACES] = "SELECT id, object, address, thread, frame FROM profile_row ORDER BY id",
	[PMS_ROW_VALUES] = "SELECT row, kind, value FROM profile_value ORDER BY row, kind",
	[PMS_ROW_EDGES] = "SELECT from_object, from_address, to_object, to_address, branch, count, "
			  "mispredicted FROM profile_edge ORDER BY id",
};

int pms_row_query(struct pms_session *s, enum pms_row_query query, sqlite3_stmt **row,
		  struct pms_error *err)
{
	sqlite3_stmt **kept = &s->queries[query];
	int rc = *kept ? 0 : pms_row_prepare(s, queries[query], kept, err);
	*row = *kept;
	return rc;
}

/* Go to the next row. Returns 1 for a row, 0 at the end, or an error. */
int pms_row_step(struct pms_session *s, sqlite3_stmt *statement, struct pms_error *err)
{
	int rc = sqlite3_step(statement);
	return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 : pms_row_failed(s, err);
}

/* Read a whole number. Errors: -PMS_EPARSE not a number, or out of range. */
int pms_row_integer(const struct pms_session *s, sqlite3_stmt *row, int column, int64_t least,
		    int64_t most, int64_t *out, struct pms_error *err)
{
	*out = sqlite3_column_int64(row, column);
	if (sqlite3_column_type(row, column) == SQLITE_INTEGER && *out >= least && *out <= most)
		return 0;
	return pms_row_damaged(s, err, "its column %s holds something else than a number that fits",
			       sqlite3_column_name(row, column));
}

int pms_row_int(const struct pms_session *s, sqlite3_stmt *row, int column, int least, int most,
		int *out, struct pms_error *err)
{
	int64_t value;
	int rc = pms_row_integer(s, row, column, least, most, &value, err);
	*out = rc ? 0 : (int)value;
	return rc;
}

/* Read 64 unsigned bits, which SQLite stores as a signed number. */
int pms_row_unsigned(const struct pms_session *s, sqlite3_stmt *row, int column, uint64_t *out,
		     struct pms_error *err)
{
	int64_t value;
	int rc = pms_row_integer(s, row, column, INT64_MIN, INT64_MAX, &value, err);
	*out = rc ? 0 : (uint64_t)value;
	return rc;
}

/* Read a finite number; 0 where the column is empty and @optional. */
int pms_row_double(const struct pms_session *s, sqlite3_stmt *row, int column, int optional,
		   double *out, struct pms_error *err)
{
	int type = sqlite3_column_type(row, column);
	*out = type == SQLITE_NULL ? 0 : sqlite3_column_double(row, column);
	if ((type == SQLITE_NULL && optional) || (type == SQLITE_FLOAT && *out - *out == 0))
		return 0;
	return pms_row_damaged(s, err, "its column %s holds something else than a number",
			       sqlite3_column_name(row, column));
}

/* Read text, or bytes where it is not UTF-8, borrowed until the next step; NULL where the column
 * is empty and @optional. */
int pms_row_text(const struct pms_session *s, sqlite3_stmt *row, int column, int optional,
		 const char **out, struct pms_error *err)
{
	int type = sqlite3_column_type(row, column);
	*out = NULL;
	if (type == SQLITE_NULL && optional)
		return 0;
	if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
		*out = (const char *)sqlite3_column_text(row, column);
		if (!*out)
			return pms_row_no_memory(err);
		if (strlen(*out) == (size_t)sqlite3_column_bytes(row, column))
			return 0;
	}
	return pms_row_damaged(s, err, "its column %s holds something else than text",
			       sqlite3_column_name(row, column));
}

int pms_row_word(const struct pms_session *s, sqlite3_stmt *row, int column,
		 const struct pms_session_words *words, int *out, struct pms_error *err)
{
	const char *text;
	int rc = pms_row_text(s, row, column, 0, &text, err);
	if (rc)
		return rc;
	*out = pms_session_word(words, text);
	return *out >= 0 ? 0
			 : pms_row_damaged(s, err, "its column %s holds a word that is not known",
					   sqlite3_column_name(row, column));
}
