/* SPDX-License-Identifier: MIT */
/* Write a session. All goes in one transaction into a file without a name, and finishing gives
 * the file its name: if the process ends before that, there is no session rather than half of
 * one. A durable session gets its name with the first counts of the whole; from then on each set
 * of counts is a transaction. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "base/utf8.h"
#include "pmuscope/session.h"
#include "session/schema.h"
#include "session/write.h"

static const char *const statements[] = {
	[PUT_EVENT] = "INSERT INTO event VALUES (?, ?, ?)",
	/* A durable session puts its whole again and again. Skip rows that did not change: each
	 * changed page goes to the log. */
	[PUT_INTERVAL] = "INSERT INTO interval VALUES (?, ?) ON CONFLICT DO UPDATE SET "
			 "end_s = excluded.end_s WHERE end_s IS NOT excluded.end_s",
	[PUT_SCOPE] = "INSERT INTO scope VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
		      "(kind, number, name) = (excluded.kind, excluded.number, excluded.name) "
		      "WHERE (kind, number, name) IS NOT "
		      "(excluded.kind, excluded.number, excluded.name)",
	[PUT_COUNT] = "INSERT OR REPLACE INTO count VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[PUT_SCALING] = "INSERT OR REPLACE INTO scaling VALUES (?, ?, ?, ?, ?)",
	[PUT_WARNING] = "INSERT INTO warning VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET "
			"text = excluded.text WHERE text IS NOT excluded.text",
	[PUT_ARGUMENT] = "INSERT INTO argument VALUES (?, ?) ON CONFLICT DO UPDATE SET "
			 "text = excluded.text WHERE text IS NOT excluded.text",
	[PUT_GROUP_COUNT] = "INSERT INTO sample_count VALUES (?, ?, ?, ?)",
};

static int failed(const struct pms_session_writer *w, struct pms_error *err)
{
	if (sqlite3_errcode(w->db) == SQLITE_NOMEM)
		return pms_no_memory(err);
	return pms_fail_at(err, PMS_EIO, w->path, 0, 0, "cannot write the session: %s",
			   sqlite3_errmsg(w->db));
}

/* Bind a text; bytes where it is not UTF-8, which SQLite would accept but other readers would
 * not. */
static int bind_text(sqlite3_stmt *statement, int column, const char *text)
{
	if (!text)
		return sqlite3_bind_null(statement, column);
	if (pms_utf8_valid(text))
		return sqlite3_bind_text(statement, column, text, -1, SQLITE_STATIC);
	return sqlite3_bind_blob64(statement, column, text, strlen(text), SQLITE_STATIC);
}

/* Bind a double; NULL for 0, which stands for none. */
static int bind_double(sqlite3_stmt *statement, int column, double value)
{
	return value > 0 ? sqlite3_bind_double(statement, column, value)
			 : sqlite3_bind_null(statement, column);
}

/* Bind a value for each letter of @types; see write.h. */
static int bind_row(sqlite3_stmt *statement, const char *types, va_list values)
{
	int rc = SQLITE_OK;
	for (int column = 1; types[column - 1] && !rc; column++) {
		switch (types[column - 1]) {
		case 'i':
			rc = sqlite3_bind_int(statement, column, va_arg(values, int));
			break;
		case 'u': /* negative in the file from 2^63 on */
			rc = sqlite3_bind_int64(statement, column,
						(sqlite3_int64)va_arg(values, uint64_t));
			break;
		case 't':
			rc = bind_text(statement, column, va_arg(values, const char *));
			break;
		case 'd':
			rc = bind_double(statement, column, va_arg(values, double));
			break;
		case 'f':
			rc = sqlite3_bind_double(statement, column, va_arg(values, double));
			break;
		default:
			(void)va_arg(values, uint64_t);
			rc = sqlite3_bind_null(statement, column);
			break;
		}
	}
	return rc;
}

int pms_write_row(struct pms_session_writer *w, struct pms_error *err, sqlite3_stmt *statement,
		  const char *types, ...)
{
	va_list values;
	va_start(values, types);
	int rc = bind_row(statement, types, values);
	va_end(values);
	if (!rc && sqlite3_step(statement) != SQLITE_DONE)
		rc = -1;
	if (rc)
		rc = failed(w, err);
	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
	return rc;
}

int pms_write_prepare(struct pms_session_writer *w, const char *sql, sqlite3_stmt **out,
		      struct pms_error *err)
{
	return sqlite3_prepare_v2(w->db, sql, -1, out, NULL) ? failed(w, err) : 0;
}

static int execute(struct pms_session_writer *w, const char *sql, struct pms_error *err)
{
	return sqlite3_exec(w->db, sql, NULL, NULL, NULL) ? failed(w, err) : 0;
}

int pms_session_check(const char *path, struct pms_error *err)
{
	struct pms_session_place place;
	int rc = pms_place_open(&place, path, err);
	pms_place_close(&place);
	return rc;
}

static int prepare_all(struct pms_session_writer *w, struct pms_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < N_STATEMENTS && !rc; i++)
		rc = pms_write_prepare(w, statements[i], &w->statements[i], err);
	return rc;
}

static int create_tables(struct pms_session_writer *w, struct pms_error *err)
{
	char version[128];
	snprintf(version, sizeof(version), "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 PMS_SESSION_APPLICATION, PMS_SESSION_VERSION);
	/* No journal: nobody else knows the file, and an incomplete one is thrown away. */
	int rc = execute(w, "PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL", err);
	/* An interval changes few rows, each of which costs a page: keep pages small. */
	if (!rc && w->is_durable)
		rc = execute(w, "PRAGMA page_size = 1024", err);
	if (!rc)
		rc = execute(w, "BEGIN", err);
	if (!rc)
		rc = execute(w, version, err);
	for (size_t i = 0; i < pms_session_n_tables && !rc; i++)
		rc = execute(w, pms_session_tables[i].sql, err);
	return rc ? rc : prepare_all(w, err);
}

static int put_names(struct pms_session_writer *w, sqlite3_stmt *statement, const char *kind,
		     const char *const *names, size_t n, struct pms_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < n && !rc; i++)
		rc = pms_write_row(w, err, statement, "tut", kind, (uint64_t)i, names[i]);
	return rc;
}

static int put_view(struct pms_session_writer *w, const struct pms_session_view *view,
		    struct pms_error *err)
{
	sqlite3_stmt *shown = NULL, *name = NULL;
	int rc = pms_write_prepare(w, "INSERT INTO shown VALUES (?, ?, ?, ?)", &shown, err);
	if (!rc)
		rc = pms_write_prepare(w, "INSERT INTO shown_name VALUES (?, ?, ?)", &name, err);
	if (!rc)
		rc = pms_write_row(w, err, shown, "tiii", view->command, view->level,
				   view->per_thread, view->all);
	if (!rc)
		rc = put_names(w, name, "event", view->events, view->n_events, err);
	if (!rc)
		rc = put_names(w, name, "metric", view->metrics, view->n_metrics, err);
	sqlite3_finalize(shown);
	sqlite3_finalize(name);
	return rc;
}

/* Open the database. @v: taken over; NULL: out of memory */
static int open_database(struct pms_session_writer *w, struct pms_vfs *v, struct pms_error *err)
{
	w->vfs = v;
	if (!v)
		return pms_no_memory(err);
	return pms_vfs_database(v, &w->db) ? failed(w, err) : 0;
}

static int create_database(struct pms_session_writer *w, struct pms_error *err)
{
	int rc = pms_place_open(&w->place, w->path, err);
	return rc ? rc : open_database(w, pms_vfs_of(w->place.fd), err);
}

/* Start a session of either kind: both have the same tables, and differ in when they are
 * committed. */
static int create(const char *path, const struct pms_session_view *view, int is_durable,
		  struct pms_session_writer **out, struct pms_error *err)
{
	struct pms_session_writer *w = calloc(1, sizeof(*w));
	if (!w || !(w->path = strdup(path))) {
		free(w);
		return pms_no_memory(err);
	}
	w->place = PMS_NO_PLACE;
	w->is_durable = is_durable;
	int rc = create_database(w, err);
	if (!rc)
		rc = create_tables(w, err);
	if (!rc)
		rc = put_view(w, view, err);
	if (rc)
		pms_session_discard(w);
	else
		*out = w;
	return rc;
}

int pms_session_create(const char *path, const struct pms_session_view *view,
		       struct pms_session_writer **out, struct pms_error *err)
{
	return create(path, view, 0, out, err);
}

int pms_session_create_durable(const char *path, const struct pms_session_view *view,
			       struct pms_session_writer **out, struct pms_error *err)
{
	return create(path, view, 1, out, err);
}

/* Put one row of a table that has few. */
static int put_once(struct pms_session_writer *w, struct pms_error *err, const char *sql,
		    const char *types, ...)
{
	sqlite3_stmt *statement = NULL;
	va_list values;
	int rc = pms_write_prepare(w, sql, &statement, err);
	va_start(values, types);
	if (!rc && (bind_row(statement, types, values) || sqlite3_step(statement) != SQLITE_DONE))
		rc = failed(w, err);
	va_end(values);
	sqlite3_finalize(statement);
	return rc;
}

/* Put the session's row with the time alone; put_provenance fills in the rest. */
static int put_created(struct pms_session_writer *w, struct pms_error *err)
{
	char created[32] = "";
	struct tm utc;
	time_t now = time(NULL);
	if (gmtime_r(&now, &utc))
		strftime(created, sizeof(created), "%Y-%m-%dT%H:%M:%SZ", &utc);
	return put_once(
		w, err,
		"INSERT INTO session VALUES ('', ?, '', 0, '', '', NULL, 0, 0, 0, '', '', NULL)",
		"t", created);
}

static int put_arguments(struct pms_session_writer *w, char *const *command, struct pms_error *err)
{
	int rc = 0;
	for (size_t i = 0; !rc && command && command[i]; i++)
		rc = pms_write_row(w, err, w->statements[PUT_ARGUMENT], "ut", (uint64_t)i,
				   command[i]);
	return rc;
}

#define FROM_PROVENANCE                                                                            \
	"(pmuscope, source, modelled, core, model_version, file, exit_status, signal, counters, "  \
	"catalog, catalog_version, specification)"
#define PROVENANCE "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"

/* Fill in the session's only row, which is made at the first call and changed only where it
 * differs. */
static int put_provenance(struct pms_session_writer *w, const struct pms_counts *counts,
			  struct pms_error *err)
{
	static const char change[] = "UPDATE session SET " FROM_PROVENANCE " = " PROVENANCE
				     " WHERE " FROM_PROVENANCE " IS NOT " PROVENANCE;
	const struct pms_provenance *p = &counts->provenance;
	const struct pms_cpu *cpu = pms_catalog_cpu(counts->catalog);
	/* Keep the full path: the session may be read from another directory. */
	char *spec = cpu->file ? realpath(cpu->file, NULL) : NULL;
	sqlite3_stmt *statement = NULL;
	int rc = w->has_total ? 0 : put_created(w, err);
	if (!rc)
		rc = pms_write_prepare(w, change, &statement, err);
	if (!rc)
		rc = pms_write_row(w, err, statement, "ttitttiiuttt", PMS_VERSION, p->source,
				   p->modelled, p->core, p->model_version, p->file, p->exit_status,
				   p->signal, (uint64_t)p->counters_available, cpu->name,
				   cpu->version, spec ? spec : cpu->file);
	sqlite3_finalize(statement);
	free(spec);
	if (!rc && !w->has_total)
		rc = put_once(w, err, "INSERT INTO machine VALUES (?, ?)", "tu", p->modes, p->midr);
	return rc ? rc : put_arguments(w, p->command, err);
}

static int put_event(struct pms_session_writer *w, const struct pms_catalog *catalog, size_t index,
		     struct pms_error *err)
{
	const struct pms_event *event = pms_catalog_event(catalog, index);
	if (w->has_event[index])
		return 0;
	w->has_event[index] = 1;
	return pms_write_row(w, err, w->statements[PUT_EVENT], event->code < 0 ? "ut-" : "utu",
			     (uint64_t)index + 1, event->name, (uint64_t)event->code);
}

/* Whether a count is worth a row: events that nobody asked for are not. */
static int says_something(const struct pms_count *c)
{
	return c->state != PMS_NOT_COUNTED || c->because || c->enabled_ns || c->running_ns;
}

static int put_count(struct pms_session_writer *w, uint64_t interval, uint64_t scope,
		     uint64_t event, const struct pms_count *c, struct pms_error *err)
{
	int counted = c->state == PMS_COUNTED;
	int rc = pms_write_row(w, err, w->statements[PUT_COUNT],
			       counted ? "uuuttuuuddit" : "uuutt-uuddit", interval, scope, event,
			       pms_session_states.words[c->state],
			       pms_session_classes.words[c->cls], c->value, c->enabled_ns,
			       c->running_ns, c->scaled, c->spread, c->loose_times, c->because);
	if (!rc && (c->missed > 0 || c->phases > 0))
		rc = pms_write_row(w, err, w->statements[PUT_SCALING], "uuuff", interval, scope,
				   event, c->missed, c->phases);
	return rc;
}

static int put_column(struct pms_session_writer *w, uint64_t interval, uint64_t index,
		      const struct pms_catalog *catalog, const struct pms_count *counts,
		      struct pms_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < pms_catalog_events(catalog) && !rc; i++) {
		const struct pms_count *count = &counts[i];
		if (!says_something(count))
			continue;
		rc = put_event(w, catalog, i, err);
		if (!rc)
			rc = put_count(w, interval, index, (uint64_t)i + 1, count, err);
	}
	return rc;
}

static int put_scope(struct pms_session_writer *w, uint64_t interval, uint64_t index,
		     const struct pms_catalog *catalog, const struct pms_scope *scope,
		     struct pms_error *err)
{
	int rc = pms_write_row(w, err, w->statements[PUT_SCOPE], "uutut", interval, index,
			       pms_session_scopes.words[scope->kind], (uint64_t)scope->id,
			       scope->name);
	return rc ? rc : put_column(w, interval, index, catalog, scope->counts, err);
}

/* Put the passes of scope @index, numbered from *@next on. */
static int put_passes(struct pms_session_writer *w, uint64_t interval, uint64_t index,
		      uint64_t *next, const struct pms_catalog *catalog,
		      const struct pms_scope *scope, struct pms_error *err)
{
	char parent[32];
	int rc = 0;
	snprintf(parent, sizeof(parent), "%llu", (unsigned long long)index);
	for (size_t i = 0; i < scope->n_passes && !rc; i++, ++*next) {
		rc = pms_write_row(w, err, w->statements[PUT_SCOPE], "uutut", interval, *next,
				   pms_session_scopes.words[PMS_SESSION_PASS], (uint64_t)i, parent);
		if (!rc)
			rc = put_column(w, interval, *next, catalog, scope->passes[i], err);
	}
	return rc;
}

/* Returns a run's scaled count: the nearest whole number, and the exact value if that differs. */
static struct pms_count run_count(double value)
{
	double whole = floor(value + 0.5);
	return (struct pms_count){ .state = PMS_COUNTED,
				   .value = whole < 0x1p64 ? (uint64_t)whole : UINT64_MAX,
				   .scaled = whole == value ? 0 : value };
}

/* Put the runs of scope or pass @parent, numbered from *@next on. */
static int put_runs(struct pms_session_writer *w, uint64_t interval, uint64_t parent,
		    uint64_t *next, const struct pms_catalog *catalog, const struct pms_runs *runs,
		    struct pms_error *err)
{
	char name[32];
	int rc = 0;
	snprintf(name, sizeof(name), "%llu", (unsigned long long)parent);
	for (size_t run = 0; run < runs->n_runs && !rc; run++, ++*next) {
		rc = pms_write_row(w, err, w->statements[PUT_SCOPE], "uutut", interval, *next,
				   pms_session_scopes.words[PMS_SESSION_RUN], (uint64_t)run, name);
		for (size_t i = 0; i < runs->n_events && !rc; i++) {
			struct pms_count count = run_count(runs->values[run * runs->n_events + i]);
			rc = put_event(w, catalog, runs->events[i], err);
			if (!rc)
				rc = put_count(w, interval, *next, (uint64_t)runs->events[i] + 1,
					       &count, err);
		}
	}
	return rc;
}

/* Put the runs of a scope and its passes. @passes: number of the scope's first pass */
static int put_all_runs(struct pms_session_writer *w, uint64_t interval, uint64_t index,
			uint64_t passes, uint64_t *next, const struct pms_catalog *catalog,
			const struct pms_scope *scope, struct pms_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < scope->n_runs && !rc; i++)
		rc = put_runs(w, interval, scope->n_passes ? passes + scope->runs[i].pass : index,
			      next, catalog, &scope->runs[i], err);
	return rc;
}

static const struct pms_scope *scope_at(const struct pms_counts *counts, size_t i)
{
	return i ? &counts->scopes[i - 1] : &counts->total;
}

/* Put a set of counts. Interval 0 is the whole, scope 0 the total; numbers of passes follow
 * those of scopes, then come runs. */
static int put_counts(struct pms_session_writer *w, uint64_t interval,
		      const struct pms_counts *counts, struct pms_error *err)
{
	const struct pms_catalog *catalog = counts->catalog;
	int rc = pms_write_row(w, err, w->statements[PUT_INTERVAL], counts->has_time ? "uf" : "ud",
			       interval, counts->has_time ? counts->time : 0.0);
	if (!rc)
		rc = put_scope(w, interval, 0, catalog, &counts->total, err);
	for (size_t i = 0; i < counts->n_scopes && !rc; i++)
		rc = put_scope(w, interval, i + 1, catalog, &counts->scopes[i], err);
	uint64_t next = counts->n_scopes + 1, passes = next;
	for (size_t i = 0; i <= counts->n_scopes && !rc; i++)
		rc = put_passes(w, interval, i, &next, catalog, scope_at(counts, i), err);
	for (size_t i = 0; i <= counts->n_scopes && !rc; i++) {
		const struct pms_scope *scope = scope_at(counts, i);
		rc = put_all_runs(w, interval, i, passes, &next, catalog, scope, err);
		passes += scope->n_passes;
	}
	for (size_t i = 0; i < counts->n_warnings && !rc; i++)
		rc = pms_write_row(w, err, w->statements[PUT_WARNING], "uut", interval, (uint64_t)i,
				   counts->warnings[i]);
	return rc;
}

static int put_group(struct pms_session_writer *w, uint64_t scope, uint64_t position,
		     const struct pms_scope *of, size_t n_events, struct pms_error *err)
{
	const struct pms_sample *sample = of->sample;
	int rc = put_once(w, err, "INSERT INTO sample_group VALUES (?, ?, ?)", "uuf", scope,
			  position, sample->sizes[position]);
	for (size_t i = 0; i < n_events && !rc; i++)
		if (of->counts[i].state == PMS_COUNTED)
			rc = pms_write_row(w, err, w->statements[PUT_GROUP_COUNT], "uuuf", scope,
					   position, (uint64_t)i + 1, sample->groups[position][i]);
	return rc;
}

static int put_sample(struct pms_session_writer *w, uint64_t index, const struct pms_scope *scope,
		      size_t n_events, struct pms_error *err)
{
	const struct pms_sample *sample = scope->sample;
	if (!sample)
		return 0;
	w->has_extent = 1;
	int rc = put_once(w, err, "INSERT INTO sample VALUES (?, ?, ?, ?)", "uuuu", index,
			  sample->instructions, sample->counted, sample->windows);
	for (size_t g = 0; g < sample->n_groups && !rc; g++)
		rc = put_group(w, index, g, scope, n_events, err);
	return rc;
}

/* Put which part of the program was counted. */
static int put_extent(struct pms_session_writer *w, const struct pms_counts *counts,
		      struct pms_error *err)
{
	const struct pms_extent *e = &counts->provenance.extent;
	size_t n_events = pms_catalog_events(counts->catalog);
	int rc = 0;
	w->has_extent |= e->forward || e->region || e->detail;
	if (e->forward || e->region || e->detail)
		rc = put_once(w, err, "INSERT INTO extent VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			      "uutuuuuu", e->forward, e->forwarded, e->region, e->entries,
			      e->outside, e->warm, e->detail, e->skip);
	for (size_t i = 0; i <= counts->n_scopes && !rc; i++)
		rc = put_sample(w, i, i ? &counts->scopes[i - 1] : &counts->total, n_events, err);
	return rc;
}

/* The warning in the whole of a session that was never finished. */
static const char cut_off[] = "the measurement was cut off: these are the counts until then";
enum { CUT_OFF = INT32_MAX }; /* its position, after all others */

/* Replace the counts of the whole. Rows that may vanish are deleted first, all others are
 * updated. */
static int put_whole(struct pms_session_writer *w, const struct pms_counts *counts,
		     struct pms_error *err)
{
	int rc = 0;
	/* Delete only where there is something: even an empty delete writes pages. */
	if (w->has_extent)
		rc = execute(w,
			     "DELETE FROM extent; DELETE FROM sample; DELETE FROM sample_group; "
			     "DELETE FROM sample_count",
			     err);
	if (!rc && w->has_total)
		rc = execute(w, "DELETE FROM scaling WHERE interval = 0", err);
	if (!rc)
		rc = put_provenance(w, counts, err);
	w->has_total = 1;
	if (!rc)
		rc = put_counts(w, 0, counts, err);
	if (!rc)
		rc = put_extent(w, counts, err);
	if (!rc && counts->profile)
		rc = pms_write_profile(w, counts->profile, err);
	if (!rc && w->is_durable)
		rc = pms_write_row(w, err, w->statements[PUT_WARNING], "uut", (uint64_t)0,
				   (uint64_t)CUT_OFF, cut_off);
	return rc;
}

static int close_database(struct pms_session_writer *w)
{
	for (size_t i = 0; i < N_STATEMENTS; i++) {
		sqlite3_finalize(w->statements[i]);
		w->statements[i] = NULL;
	}
	int rc = sqlite3_close(w->db);
	w->db = NULL;
	pms_vfs_free(w->vfs);
	w->vfs = NULL;
	return rc;
}

static int close_whole(struct pms_session_writer *w, struct pms_error *err)
{
	if (close_database(w))
		return pms_fail_at(err, PMS_EIO, w->path, 0, 0, "cannot close the session");
	return 0;
}

/* Name the durable session, which is whole from then on, and go on with a log: commits then
 * never wait for the disk. Moving the log into the file does wait, so it is done seldom. */
static int go_on_in_place(struct pms_session_writer *w, struct pms_error *err)
{
	int rc = execute(w, "COMMIT", err);
	if (!rc)
		rc = close_whole(w, err);
	if (!rc)
		rc = pms_place_set_log(&w->place, 1, err);
	if (!rc)
		rc = pms_place_settle(&w->place, err);
	if (rc)
		return rc;
	w->is_in_place = 1;
	rc = open_database(w, pms_vfs_in_place(w->place.fd, w->place.whole), err);
	if (!rc)
		rc = execute(
			w, "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 16384; BEGIN",
			err);
	return rc ? rc : prepare_all(w, err);
}

/* Refuse to write to a file that was removed: the counts would be lost without a word. */
static int check_in_place(const struct pms_session_writer *w, struct pms_error *err)
{
	struct stat st;
	if (!w->is_in_place || fstat(w->place.fd, &st) || st.st_nlink)
		return 0;
	return pms_fail_at(err, PMS_EIO, w->path, 0, 0,
			   "cannot write the session: its file was removed");
}

int pms_session_add(struct pms_session_writer *w, const struct pms_counts *counts,
		    struct pms_error *err)
{
	if (check_in_place(w, err))
		return -PMS_EIO;
	if (!w->has_event)
		w->has_event = calloc(pms_catalog_events(counts->catalog) + 1, 1);
	if (!w->has_event)
		return pms_no_memory(err);
	if (!counts->has_time && w->has_total && !w->is_durable)
		return pms_fail(err, PMS_EINVAL, "a session has one set of counts of the whole");
	int rc = counts->has_time ? put_counts(w, (uint64_t)++w->n_intervals, counts, err)
				  : put_whole(w, counts, err);
	/* Commit with the whole, which readers need: an interval waits for the next whole. */
	if (rc || !w->is_durable || counts->has_time)
		return rc;
	return w->is_in_place ? execute(w, "COMMIT; BEGIN", err) : go_on_in_place(w, err);
}

int pms_session_finish(struct pms_session_writer *w, struct pms_error *err)
{
	int rc =
		w->has_total ? 0 : pms_fail(err, PMS_EINVAL, "a session needs counts of the whole");
	if (!rc && w->is_durable)
		rc = execute(w, "DELETE FROM warning WHERE position = 2147483647", err);
	if (!rc)
		rc = execute(w, "COMMIT", err);
	if (!rc && w->is_in_place)
		rc = execute(w, "PRAGMA wal_checkpoint(TRUNCATE)", err);
	if (!rc)
		rc = close_whole(w, err);
	/* Leave a single file, without a log, unless somebody is reading it with SQLite right
	 * now. */
	if (!rc && w->is_in_place)
		rc = pms_place_set_log(&w->place, 0, err);
	else if (!rc)
		rc = pms_place_settle(&w->place, err);
	pms_session_discard(w);
	return rc;
}

void pms_session_discard(struct pms_session_writer *w)
{
	if (!w)
		return;
	close_database(w);
	pms_place_close(&w->place); /* after SQLite: closing the file would drop SQLite's locks */
	free(w->has_event);
	free(w->path);
	free(w);
}
