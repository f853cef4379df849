/* SPDX-License-Identifier: MIT */
/* An SQLite file: the table "spe" with a row a record, and "spe_column" that says what its columns
 * are. All in one transaction, without a journal: until it is whole, the file is nobody else's. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/status.h"
#include "base/utf8.h"
#include "session/vfs.h"
#include "spe/export.h"

enum { SQL_MOST = 1 << 13 };

struct pms_spe_database {
	const char *path;
	int fd;
	struct pms_vfs *vfs;
	const struct pms_spe_chosen *chosen;
	sqlite3 *db;
	sqlite3_stmt *insert;
};

static int failed(const struct pms_spe_database *d, struct pms_error *err)
{
	if (sqlite3_errcode(d->db) == SQLITE_NOMEM)
		return pms_no_memory(err);
	int number = sqlite3_system_errno(d->db);
	return pms_fail(err, PMS_EIO, "cannot write the database: %s%s%s", sqlite3_errmsg(d->db),
			number ? ": " : "", number ? strerror(number) : "");
}

static int execute(struct pms_spe_database *d, const char *sql, struct pms_error *err)
{
	return sqlite3_exec(d->db, sql, NULL, NULL, NULL) ? failed(d, err) : 0;
}

static int prepare(struct pms_spe_database *d, const char *sql, sqlite3_stmt **out,
		   struct pms_error *err)
{
	return sqlite3_prepare_v2(d->db, sql, -1, out, NULL) ? failed(d, err) : 0;
}

/* "CREATE TABLE spe (cpu INTEGER, ...)" and "INSERT INTO spe VALUES (?, ...)" */
static int create_table(struct pms_spe_database *d, struct pms_error *err)
{
	char create[SQL_MOST] = "CREATE TABLE spe (", insert[SQL_MOST] = "INSERT INTO spe VALUES (";
	char *c = create + strlen(create), *n = insert + strlen(insert);
	for (size_t i = 0; i < d->chosen->count; i++) {
		const struct pms_spe_cell *cell = &pms_spe_cells[d->chosen->cell[i]];
		c += snprintf(c, (size_t)(create + SQL_MOST - c), "%s\"%s\" %s%s", i ? ", " : "",
			      cell->name, cell->type < PMS_SPE_WORD ? "INTEGER" : "TEXT",
			      cell->always ? " NOT NULL" : "");
		n += snprintf(n, (size_t)(insert + SQL_MOST - n), "%s?", i ? ", " : "");
	}
	snprintf(c, (size_t)(create + SQL_MOST - c), ")");
	snprintf(n, (size_t)(insert + SQL_MOST - n), ")");
	int status = execute(d, create, err);
	return status ? status : prepare(d, insert, &d->insert, err);
}

static int describe_columns(struct pms_spe_database *d, struct pms_error *err)
{
	sqlite3_stmt *statement = NULL;
	int status = execute(d,
			     "CREATE TABLE spe_column (name TEXT PRIMARY KEY, unit TEXT NOT NULL, "
			     "meaning TEXT NOT NULL) WITHOUT ROWID",
			     err);
	if (!status)
		status = prepare(d, "INSERT INTO spe_column VALUES (?, ?, ?)", &statement, err);
	for (size_t i = 0; i < d->chosen->count && !status; i++) {
		const struct pms_spe_cell *cell = &pms_spe_cells[d->chosen->cell[i]];
		const char *const words[] = { cell->name, cell->unit, cell->meaning };
		for (int k = 0; k < 3 && !status; k++)
			status = sqlite3_bind_text(statement, k + 1, words[k], -1, SQLITE_STATIC)
					 ? failed(d, err)
					 : 0;
		if (!status && sqlite3_step(statement) != SQLITE_DONE)
			status = failed(d, err);
		sqlite3_reset(statement);
	}
	sqlite3_finalize(statement);
	return status;
}

/* SQLite gets the file itself: what somebody puts in its place meanwhile is not written. */
static int open_file(struct pms_spe_database *d, struct pms_error *err)
{
	struct stat st;
	d->fd = open(d->path, O_RDWR | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (d->fd < 0 || fstat(d->fd, &st))
		return pms_fail(err, PMS_EIO, "cannot write the database: %s", strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size || st.st_nlink > 1 || st.st_uid != geteuid())
		return pms_fail(err, PMS_EIO,
				"cannot write the database: it is no empty file of one's own");
	d->vfs = pms_vfs_of(d->fd);
	if (!d->vfs)
		return pms_no_memory(err);
	return pms_vfs_database(d->vfs, &d->db) ? failed(d, err) : 0;
}

int pms_spe_database_open(const struct pms_spe_export_options *options,
			  const struct pms_spe_chosen *chosen, struct pms_spe_database **out,
			  struct pms_error *err)
{
	struct pms_spe_database *d = calloc(1, sizeof(*d));
	if (!d)
		return pms_no_memory(err);
	d->path = options->database;
	d->fd = -1;
	d->chosen = chosen;
	int status = open_file(d, err);
	if (!status)
		status = execute(d, "PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL; BEGIN",
				 err);
	if (!status)
		status = create_table(d, err);
	if (!status)
		status = describe_columns(d, err);
	if (status)
		pms_spe_database_close(d);
	else
		*out = d;
	return status;
}

/* Numbers from 2^63 on are negative in the file. Text that is no UTF-8, which readers do not take,
 * is kept as bytes. */
static int bind(sqlite3_stmt *statement, int column, const struct pms_spe_cells *cells,
		unsigned cell)
{
	enum pms_spe_type_of_cell type = pms_spe_cells[cell].type;
	const char *text = cells->text[cell];
	if (type < PMS_SPE_WORD)
		return sqlite3_bind_int64(statement, column, (sqlite3_int64)cells->number[cell]);
	if (type == PMS_SPE_TEXT && !pms_utf8_valid(text))
		return sqlite3_bind_blob64(statement, column, text, strlen(text), SQLITE_STATIC);
	return sqlite3_bind_text(statement, column, text, -1, SQLITE_STATIC);
}

int pms_spe_database_row(struct pms_spe_database *d, const struct pms_spe_cells *cells,
			 struct pms_error *err)
{
	int rc = SQLITE_OK;
	for (size_t i = 0; i < d->chosen->count && !rc; i++)
		if (pms_spe_cell_there(cells, d->chosen->cell[i]))
			rc = bind(d->insert, (int)i + 1, cells, d->chosen->cell[i]);
	int status = rc || sqlite3_step(d->insert) != SQLITE_DONE ? failed(d, err) : 0;
	sqlite3_reset(d->insert);
	sqlite3_clear_bindings(d->insert); /* to nothing, for the next row's cells */
	return status;
}

int pms_spe_database_finish(struct pms_spe_database *d, struct pms_error *err)
{
	int status = execute(d, "COMMIT", err);
	sqlite3_finalize(d->insert);
	d->insert = NULL;
	if (!status && sqlite3_close(d->db))
		return failed(d, err);
	if (!status)
		d->db = NULL;
	return status;
}

void pms_spe_database_close(struct pms_spe_database *d)
{
	if (!d)
		return;
	sqlite3_finalize(d->insert);
	sqlite3_close(d->db);
	pms_vfs_free(d->vfs);
	if (d->fd >= 0)
		close(d->fd);
	free(d);
}
