/* SPDX-License-Identifier: MIT */
/* Nothing in the file is trusted: not that it is a session, not that its rows fit together. Its
 * tables have to be ours to the letter, so that no view or trigger of somebody else's is run. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/status.h"
#include "pmuscope/session.h"
#include "session/row.h"

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

static int get_pragma(struct pms_session *s, const char *sql, int64_t *out, struct pms_error *err)
{
	sqlite3_stmt *row = NULL;
	int rc = pms_row_prepare(s, sql, &row, err);
	int got = rc ? rc : pms_row_step(s, row, err);
	*out = got > 0 ? sqlite3_column_int64(row, 0) : 0;
	sqlite3_finalize(row);
	return got < 0 ? got : 0;
}

static int check_version(struct pms_session *s, struct pms_error *err)
{
	int64_t application, version;
	int rc = get_pragma(s, "PRAGMA application_id", &application, err);
	if (!rc)
		rc = get_pragma(s, "PRAGMA user_version", &version, err);
	if (rc)
		return rc;
	if (application != PMS_SESSION_APPLICATION || version < 1)
		return pms_row_foreign(s, err);
	if (version <= PMS_SESSION_VERSION) {
		s->layout = (int)version;
		return 0;
	}
	rc = pms_fail_at(err, PMS_EPARSE, s->name, 0, 0,
			 "is a session of version %lld; this pmuscope reads those up to %d",
			 (long long)version, PMS_SESSION_VERSION);
	pms_hint(err, "a newer pmuscope wrote it, and reads it");
	return rc;
}

static int check_table(struct pms_session *s, const struct pms_session_table *table,
		       struct pms_error *err)
{
	sqlite3_stmt *row = NULL;
	const char *sql = NULL;
	int rc = pms_row_prepare(s, "SELECT sql FROM sqlite_master WHERE type = ? AND name = ?",
				 &row, err);
	if (!rc && (sqlite3_bind_text(row, 1, table->kind, -1, SQLITE_STATIC) ||
		    sqlite3_bind_text(row, 2, table->name, -1, SQLITE_STATIC)))
		rc = pms_row_failed(s, err);
	int got = rc ? rc : pms_row_step(s, row, err);
	if (got > 0)
		rc = pms_row_text(s, row, 0, 0, &sql, err);
	if (got < 0)
		rc = got;
	else if (!rc && (!sql || strcmp(sql, table->sql) != 0))
		rc = pms_row_damaged(s, err, "its %s %s is missing or altered", table->kind,
				     table->name);
	sqlite3_finalize(row);
	return rc;
}

/* SQLite's own check of the pages, so that what is damaged is no number in a report. */
static int check_pages(struct pms_session *s, struct pms_error *err)
{
	sqlite3_stmt *row = NULL;
	const char *text = "";
	int rc = pms_row_prepare(s, "PRAGMA quick_check(1)", &row, err);
	int got = rc ? rc : pms_row_step(s, row, err);
	if (got > 0)
		got = pms_row_text(s, row, 0, 0, &text, err);
	if (got < 0)
		rc = got;
	else if (!rc && strcmp(text, "ok") != 0)
		rc = pms_row_damaged(s, err, "%s", text);
	sqlite3_finalize(row);
	return rc;
}

static int check(struct pms_session *s, struct pms_error *err)
{
	int rc = check_version(s, err);
	for (size_t i = 0; i < pms_session_n_tables && !rc; i++)
		if (!strcmp(pms_session_tables[i].kind, "table") &&
		    pms_session_tables[i].since <= s->layout)
			rc = check_table(s, &pms_session_tables[i], err);
	return rc ? rc : check_pages(s, err);
}

/* The one row of a table. */
static int one_row(struct pms_session *s, const char *sql, sqlite3_stmt **row,
		   struct pms_error *err)
{
	int rc = pms_row_prepare(s, sql, row, err);
	int got = rc ? rc : pms_row_step(s, *row, err);
	if (got < 0)
		return got;
	return got ? 0 : pms_row_damaged(s, err, "a table that has one row has none");
}

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

/* Intervals are numbered from 1 without a gap; 0 is the whole. */
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
	/* One state of it, from now to the end: somebody may be writing it. */
	int rc = sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL) ? pms_row_failed(s, err) : 0;
	if (!rc)
		rc = check(s, err);
	if (!rc)
		rc = read_cpu(s, err);
	if (!rc)
		rc = read_view(s, err);
	return rc ? rc : read_intervals(s, err);
}

/* Returns NULL when out of memory. */
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

/* Read what is needed at once, or give the session up. */
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

/* To read is enough, unless whoever wrote it was ended while SQLite put it in order, which it does
 * before anything else then. */
static int open_file(struct pms_session *s, const char *name)
{
	int rc = sqlite3_open_v2(name, &s->db, SQLITE_OPEN_READONLY, NULL);
	if (!rc && sqlite3_exec(s->db, "SELECT 1 FROM sqlite_master", NULL, NULL, NULL) ==
			   SQLITE_READONLY) {
		sqlite3_close(s->db);
		s->db = NULL;
		rc = sqlite3_open_v2(name, &s->db, SQLITE_OPEN_READWRITE, NULL);
	}
	return rc;
}

int pms_session_open(const char *path, struct pms_session **out, struct pms_error *err)
{
	struct pms_session *s = session_new(path);
	char *name;
	if (!s)
		return pms_row_no_memory(err);
	/* A name such as "file:x" is to stay a name. */
	if (asprintf(&name, "%s%s", path[0] == '/' ? "" : "./", path) < 0) {
		pms_session_close(s);
		return pms_row_no_memory(err);
	}
	int rc = open_file(s, name);
	free(name);
	return settle(s, rc, out, err);
}

int pms_session_open_bytes(const char *name, const void *bytes, size_t size,
			   struct pms_session **out, struct pms_error *err)
{
	struct pms_session *s = session_new(name);
	unsigned char *copy = sqlite3_malloc64(size ? size : 1);
	if (!s || !copy) {
		sqlite3_free(copy);
		pms_session_close(s);
		return pms_row_no_memory(err);
	}
	memcpy(copy, bytes, size);
	int rc = sqlite3_open_v2(":memory:", &s->db, SQLITE_OPEN_READWRITE, NULL);
	if (rc)
		sqlite3_free(copy);
	else
		rc = sqlite3_deserialize(
			s->db, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
			SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY);
	return settle(s, rc, out, err);
}

void pms_session_close(struct pms_session *s)
{
	if (!s)
		return;
	sqlite3_close(s->db);
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
