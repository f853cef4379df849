/* SPDX-License-Identifier: MIT */
/* Open a session. Nothing in the file is trusted: it may be no session, or its rows may not fit. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/regular.h"
#include "base/status.h"
#include "pmuscope/session.h"
#include "session/row.h"
#include "session/tables.h"

static int keep_text(struct pms_session *s, sqlite3_stmt *row, int column, int optional,
		     const char **out, struct pms_error *err)
{
	const char *text;
	int rc = pms_row_text(s, row, column, optional, &text, err);
	*out = NULL;
	if (rc || !text)
		return rc;
	*out = pms_arena_dup(&s->arena, text);
	return *out ? 0 : pms_row_no_memory(err);
}

/* Get the only row of a table. */
static int one_row(struct pms_session *s, const char *sql, sqlite3_stmt **row,
		   struct pms_error *err)
{
	int rc = pms_row_prepare(s, sql, row, err);
	int got = rc ? rc : pms_row_step(s, *row, err);
	if (got < 0)
		return got;
	return got ? 0 : pms_row_damaged(s, err, "a table that has one row has none");
}

/* Read the names given with -e or -M, to show the session as it was shown then. */
static int read_names(struct pms_session *s, const char *kind, const char *const **names, size_t *n,
		      struct pms_error *err)
{
	sqlite3_stmt *row = NULL;
	const char **list = pms_arena_alloc(&s->arena, PMS_MOST_SESSION_NAMES, sizeof(list[0]));
	int rc = pms_row_prepare(s, "SELECT name FROM shown_name WHERE kind = ? ORDER BY position",
				 &row, err);
	if (!rc && !list)
		rc = pms_row_no_memory(err);
	if (!rc && sqlite3_bind_text(row, 1, kind, -1, SQLITE_STATIC))
		rc = pms_row_failed(s, err);
	int more = rc ? rc : pms_row_step(s, row, err);
	while (more > 0 && !rc) {
		rc = *n < PMS_MOST_SESSION_NAMES ? keep_text(s, row, 0, 0, &list[*n], err)
						 : pms_row_damaged(s, err, "it has too many names");
		++*n;
		more = rc ? rc : pms_row_step(s, row, err);
	}
	sqlite3_finalize(row);
	*names = list;
	return more < 0 ? more : rc;
}

static int read_view(struct pms_session *s, struct pms_error *err)
{
	struct pms_session_view *v = &s->view;
	sqlite3_stmt *row = NULL;
	int rc = one_row(s, "SELECT command, level, per_thread, all_groups FROM shown", &row, err);
	if (!rc)
		rc = keep_text(s, row, 0, 0, &v->command, err);
	if (!rc)
		rc = pms_row_int(s, row, 1, 0, 99, &v->level, err);
	if (!rc)
		rc = pms_row_int(s, row, 2, 0, 1, &v->per_thread, err);
	if (!rc)
		rc = pms_row_int(s, row, 3, 0, 1, &v->all, err);
	sqlite3_finalize(row);
	if (!rc)
		rc = read_names(s, "event", &v->events, &v->n_events, err);
	return rc ? rc : read_names(s, "metric", &v->metrics, &v->n_metrics, err);
}

static int read_cpu(struct pms_session *s, struct pms_error *err)
{
	sqlite3_stmt *row = NULL;
	int rc = one_row(s, "SELECT catalog, catalog_version, specification FROM session", &row,
			 err);
	if (!rc)
		rc = keep_text(s, row, 0, 0, &s->cpu, err);
	if (!rc)
		rc = keep_text(s, row, 1, 0, &s->version, err);
	if (!rc)
		rc = keep_text(s, row, 2, 1, &s->spec, err);
	sqlite3_finalize(row);
	return rc;
}

/* Check that intervals are numbered from 1 without a gap; 0 is the whole. */
static int read_intervals(struct pms_session *s, struct pms_error *err)
{
	sqlite3_stmt *row = NULL;
	int64_t least = 0, most = 0, count = 0;
	int rc = one_row(s, "SELECT min(id), max(id), count(*) FROM interval", &row, err);
	if (!rc)
		rc = pms_row_integer(s, row, 0, 0, 0, &least, err);
	if (!rc)
		rc = pms_row_integer(s, row, 1, 0, INT32_MAX, &most, err);
	if (!rc)
		rc = pms_row_integer(s, row, 2, most + 1, most + 1, &count, err);
	sqlite3_finalize(row);
	s->n_intervals = (size_t)most;
	return rc;
}

static int read_head(struct pms_session *s, struct pms_error *err)
{
	sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, PMS_MOST_SESSION_TEXT);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	/* The check begins a transaction: all reads see one state of the file until the end. */
	int rc = pms_tables_check(s, err);
	if (!rc)
		rc = read_cpu(s, err);
	if (!rc)
		rc = read_view(s, err);
	if (!rc)
		rc = read_intervals(s, err);
	return rc ? rc : pms_session_read_common(s, err);
}

/* Returns a session without a database; NULL when out of memory. */
static struct pms_session *session_new(const char *name)
{
	struct pms_session *s = calloc(1, sizeof(*s));
	if (s)
		s->name = pms_arena_dup(&s->arena, name);
	if (s && s->name)
		return s;
	pms_session_close(s);
	return NULL;
}

/* Read the head of the session, or give the session up. @rc: result of opening the database */
static int settle(struct pms_session *s, int rc, struct pms_session **out, struct pms_error *err)
{
	if (rc)
		rc = s->db ? pms_row_failed(s, err) : pms_row_no_memory(err);
	else
		rc = read_head(s, err);
	if (rc)
		pms_session_close(s);
	else
		*out = s;
	return rc;
}

/* Bound the memory of counts by the file's size, with an allowance for small files. */
static void set_room(struct pms_session *s, uint64_t size)
{
	s->size = size;
	s->room = PMS_MOST_SESSION_COUNTS + 2 * size;
}

/* Open a database in memory on the session's image. */
static int open_image(struct pms_session *s)
{
	int rc = sqlite3_open_v2(":memory:", &s->db, SQLITE_OPEN_READWRITE, NULL);
	return rc ? rc
		  : sqlite3_deserialize(s->db, "main", s->image.bytes, (sqlite3_int64)s->image.size,
					(sqlite3_int64)s->image.size, SQLITE_DESERIALIZE_READONLY);
}

/* Open the file for reading without letting SQLite see files beside it: a foreign journal or log
 * could make SQLite change, delete and create files. */
int pms_session_open(const char *path, struct pms_session **out, struct pms_error *err)
{
	struct pms_session *s = session_new(path);
	if (!s)
		return pms_row_no_memory(err);
	int rc = 0;
	if (pms_vfs_open(path, &s->vfs))
		rc = errno == ENOMEM
			     ? pms_row_no_memory(err)
			     : pms_fail_at(err, PMS_EIO, path, 0, 0, "cannot read the session: %s",
					   pms_regular_reason(errno));
	int copied = rc ? rc : pms_image_read(s->vfs, path, &s->image, err);
	if (copied < 0) {
		pms_session_close(s);
		return copied;
	}
	sqlite3_int64 size = copied ? (sqlite3_int64)s->image.size : pms_vfs_size(s->vfs);
	set_room(s, size < 0 ? 0 : (uint64_t)size);
	return settle(s, copied ? open_image(s) : pms_vfs_database(s->vfs, &s->db), out, err);
}

int pms_session_open_bytes(const char *name, const void *bytes, size_t size,
			   struct pms_session **out, struct pms_error *err)
{
	struct pms_session *s = session_new(name);
	if (!s)
		return pms_row_no_memory(err);
	s->image = (struct pms_image){ .bytes = malloc(size ? size : 1), .size = size };
	if (!s->image.bytes) {
		pms_session_close(s);
		return pms_row_no_memory(err);
	}
	memcpy(s->image.bytes, bytes, size);
	pms_image_settle(s->image.bytes, size);
	set_room(s, size);
	return settle(s, open_image(s), out, err);
}

void pms_session_close(struct pms_session *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < PMS_ROW_QUERIES; i++)
		sqlite3_finalize(s->queries[i]);
	pms_shared_command_release(s->command);
	free(s->events);
	sqlite3_close(s->db);
	pms_vfs_free(s->vfs);
	free(s->image.bytes);
	pms_arena_release(&s->arena);
	free(s);
}

const char *pms_session_cpu(const struct pms_session *s)
{
	return s->cpu;
}

const char *pms_session_spec(const struct pms_session *s)
{
	return s->spec;
}

const struct pms_session_view *pms_session_view(const struct pms_session *s)
{
	return &s->view;
}

size_t pms_session_intervals(const struct pms_session *s)
{
	return s->n_intervals;
}
