/* SPDX-License-Identifier: MIT */
#include "session/tables.h"

#include <string.h>

#include "base/limits.h"
#include "base/status.h"

static int get_number(struct pms_session *s, const char *sql, int64_t *out, struct pms_error *err)
{
	sqlite3_stmt *row = NULL;
	int rc = pms_row_prepare(s, sql, &row, err);
	int got = rc ? rc : pms_row_step(s, row, err);
	*out = got > 0 ? sqlite3_column_int64(row, 0) : 0;
	sqlite3_finalize(row);
	return got < 0 ? got : 0;
}

/* Bound the schema: SQLite reads all of it before anything else, and needs a hundred times its
 * size in memory. Count SQLite's steps, and stop after what a few hundred rows take. */

enum { STEPS = 64, MOST_CALLS = PMS_MOST_SESSION_TABLES * 32 / STEPS };

static int count_steps(void *context)
{
	int *calls = context;
	return ++*calls > MOST_CALLS;
}

static int too_many(struct pms_session *s, struct pms_error *err)
{
	return pms_row_damaged(s, err, "it has more than %d tables, views and indices",
			       PMS_MOST_SESSION_TABLES);
}

static int check_schema(struct pms_session *s, struct pms_error *err)
{
	int calls = 0;
	int64_t n = 0;
	sqlite3_limit(s->db, SQLITE_LIMIT_SQL_LENGTH, PMS_MOST_SESSION_SQL);
	sqlite3_progress_handler(s->db, STEPS, count_steps, &calls);
	int status =
		sqlite3_exec(s->db, "BEGIN; SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
	sqlite3_progress_handler(s->db, 0, NULL, NULL);
	if (status == SQLITE_INTERRUPT)
		return too_many(s, err);
	if (status)
		return pms_row_failed(s, err);
	int rc = get_number(s, "SELECT count(*) FROM sqlite_master", &n, err);
	return rc || n <= PMS_MOST_SESSION_TABLES ? rc : too_many(s, err);
}

/* Tell other databases and newer versions from a session that can be read. */
static int check_version(struct pms_session *s, struct pms_error *err)
{
	int64_t application, version;
	int rc = get_number(s, "PRAGMA application_id", &application, err);
	if (!rc)
		rc = get_number(s, "PRAGMA user_version", &version, err);
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

/* Accept a table only if its statement is ours to the letter: another could run code of its
 * author. */
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

/* Have SQLite check the table's pages: damage then never becomes a number in a report, and no
 * page is used twice. Checking the whole file would also visit foreign tables and evaluate their
 * expressions. */
static int check_pages(struct pms_session *s, const struct pms_session_table *table,
		       struct pms_error *err)
{
	sqlite3_stmt *row = NULL;
	const char *text = "";
	char sql[64];
	sqlite3_snprintf(sizeof(sql), sql, "PRAGMA quick_check(%Q)", table->name);
	int rc = pms_row_prepare(s, sql, &row, err);
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

int pms_tables_check(struct pms_session *s, struct pms_error *err)
{
	int rc = check_schema(s, err);
	if (!rc)
		rc = check_version(s, err);
	for (int pages = 0; pages < 2; pages++)
		for (size_t i = 0; i < pms_session_n_tables && !rc; i++) {
			const struct pms_session_table *table = &pms_session_tables[i];
			if (strcmp(table->kind, "table") != 0 || table->since > s->layout)
				continue;
			rc = pages ? check_pages(s, table, err) : check_table(s, table, err);
		}
	return rc;
}
