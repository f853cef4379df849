/* SPDX-License-Identifier: MIT */
/* Everything goes into a file beside the session's place in one transaction; finishing it moves the
 * file there. Whatever ends the process before that, there is no session rather than half of one.
 * A durable session is put there with the first counts of the whole; from then on each set of
 * counts is a transaction. */
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

#include <sqlite3.h>

#include "base/status.h"
#include "base/utf8.h"
#include "pmuscope/session.h"
#include "session/schema.h"

/* The rows that are written often have their statements prepared once. */
enum statement {
	PUT_EVENT,
	PUT_INTERVAL,
	PUT_SCOPE,
	PUT_COUNT,
	PUT_SCALING,
	PUT_WARNING,
	PUT_GROUP_COUNT,
	N_STATEMENTS
};

static const char *const statements[] = {
	[PUT_EVENT] = "INSERT INTO event VALUES (?, ?, ?)",
	/* The whole of a durable session is put again and again. */
	[PUT_INTERVAL] = "INSERT OR REPLACE INTO interval VALUES (?, ?)",
	[PUT_SCOPE] = "INSERT OR REPLACE INTO scope VALUES (?, ?, ?, ?, ?)",
	[PUT_COUNT] = "INSERT OR REPLACE INTO count VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[PUT_SCALING] = "INSERT OR REPLACE INTO scaling VALUES (?, ?, ?, ?, ?)",
	[PUT_WARNING] = "INSERT OR REPLACE INTO warning VALUES (?, ?, ?)",
	[PUT_GROUP_COUNT] = "INSERT INTO sample_count VALUES (?, ?, ?, ?)",
};

struct pms_session_writer {
	char *path;
	char *temporary;
	sqlite3 *db;
	sqlite3_stmt *statements[N_STATEMENTS];
	unsigned char *has_event; /* by the catalog's index: 1 when it has its row */
	int has_total;
	int is_durable;
	int64_t n_intervals;
};

static int failed(const struct pms_session_writer *w, struct pms_error *err)
{
	if (sqlite3_errcode(w->db) == SQLITE_NOMEM)
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	return pms_fail_at(err, PMS_EIO, w->path, 0, 0, "cannot write the session: %s",
			   sqlite3_errmsg(w->db));
}

/* SQLite takes text on trust, but other readers do not take what is no UTF-8: bytes, then. */
static int bind_text(sqlite3_stmt *statement, int column, const char *text)
{
	if (!text)
		return sqlite3_bind_null(statement, column);
	if (pms_utf8_valid(text))
		return sqlite3_bind_text(statement, column, text, -1, SQLITE_STATIC);
	return sqlite3_bind_blob64(statement, column, text, strlen(text), SQLITE_STATIC);
}

/* A double, or nothing for 0, which stands for none. */
static int bind_double(sqlite3_stmt *statement, int column, double value)
{
	return value > 0 ? sqlite3_bind_double(statement, column, value)
			 : sqlite3_bind_null(statement, column);
}

/* Bind a value for each letter of @types: i int, u uint64_t, t text or NULL, d double that
 * is nothing when 0, f double, - uint64_t that is nothing. */
static int bind_row(sqlite3_stmt *statement, const char *types, va_list values)
{
	int rc = SQLITE_OK;
	for (int column = 1; types[column - 1] && !rc; column++) {
		switch (types[column - 1]) {
		case 'i':
			rc = sqlite3_bind_int(statement, column, va_arg(values, int));
			break;
		case 'u': /* from 2^63 on it is negative in the file */
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

static int put(struct pms_session_writer *w, struct pms_error *err, sqlite3_stmt *statement,
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

static int prepare(struct pms_session_writer *w, const char *sql, sqlite3_stmt **out,
		   struct pms_error *err)
{
	return sqlite3_prepare_v2(w->db, sql, -1, out, NULL) ? failed(w, err) : 0;
}

static int execute(struct pms_session_writer *w, const char *sql, struct pms_error *err)
{
	return sqlite3_exec(w->db, sql, NULL, NULL, NULL) ? failed(w, err) : 0;
}

/* A new file beside @path, for the user alone. Returns a descriptor, or -1 and errno. */
static int open_temporary(const char *path, char **name)
{
	const char *slash = strrchr(path, '/');
	int directory = slash ? (int)(slash - path + 1) : 0;
	if (asprintf(name, "%.*s.pmuscope-XXXXXX", directory, path) < 0) {
		*name = NULL;
		return -1;
	}
	int fd = mkostemp(*name, O_CLOEXEC); /* mode 0600 */
	if (fd < 0) {
		free(*name);
		*name = NULL;
	}
	return fd;
}

static int is_there(const char *path, struct pms_error *err)
{
	int rc = pms_fail_at(err, PMS_EIO, path, 0, 0, "is there already: no file is overwritten");
	pms_hint(err, "give the session another name, or remove the file first");
	return rc;
}

static int cannot_create(const char *path, struct pms_error *err)
{
	return pms_fail_at(err, PMS_EIO, path, 0, 0, "cannot create the session: %s",
			   strerror(errno));
}

int pms_session_check(const char *path, struct pms_error *err)
{
	struct stat st;
	char *temporary;
	if (!lstat(path, &st))
		return is_there(path, err);
	size_t length = strlen(path);
	if (!length || path[length - 1] == '/') {
		errno = EISDIR;
		return cannot_create(path, err);
	}
	int fd = open_temporary(path, &temporary);
	if (fd < 0)
		return cannot_create(path, err);
	close(fd);
	unlink(temporary);
	free(temporary);
	return 0;
}

static int prepare_all(struct pms_session_writer *w, struct pms_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < N_STATEMENTS && !rc; i++)
		rc = prepare(w, statements[i], &w->statements[i], err);
	return rc;
}

static int create_tables(struct pms_session_writer *w, struct pms_error *err)
{
	char version[128];
	snprintf(version, sizeof(version), "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 PMS_SESSION_APPLICATION, PMS_SESSION_VERSION);
	/* No journal: until it is whole, the file is nobody else's and is thrown away. */
	int rc = execute(w, "PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL; BEGIN", err);
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
		rc = put(w, err, statement, "tut", kind, (uint64_t)i, names[i]);
	return rc;
}

static int put_view(struct pms_session_writer *w, const struct pms_session_view *view,
		    struct pms_error *err)
{
	sqlite3_stmt *shown = NULL, *name = NULL;
	int rc = prepare(w, "INSERT INTO shown VALUES (?, ?, ?, ?)", &shown, err);
	if (!rc)
		rc = prepare(w, "INSERT INTO shown_name VALUES (?, ?, ?)", &name, err);
	if (!rc)
		rc = put(w, err, shown, "tiii", view->command, view->level, view->per_thread,
			 view->all);
	if (!rc)
		rc = put_names(w, name, "event", view->events, view->n_events, err);
	if (!rc)
		rc = put_names(w, name, "metric", view->metrics, view->n_metrics, err);
	sqlite3_finalize(shown);
	sqlite3_finalize(name);
	return rc;
}

static int open_database(struct pms_session_writer *w, const char *file, struct pms_error *err)
{
	/* A name such as "file:x" is to stay a name. */
	char *name;
	if (asprintf(&name, "%s%s", file[0] == '/' ? "" : "./", file) < 0)
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	int rc = sqlite3_open_v2(name, &w->db, SQLITE_OPEN_READWRITE, NULL);
	free(name);
	return rc ? failed(w, err) : 0;
}

static int create_database(struct pms_session_writer *w, struct pms_error *err)
{
	struct stat st;
	if (!lstat(w->path, &st))
		return is_there(w->path, err);
	int fd = open_temporary(w->path, &w->temporary);
	if (fd < 0)
		return cannot_create(w->path, err);
	close(fd);
	return open_database(w, w->temporary, err);
}

static int create(const char *path, const struct pms_session_view *view, int is_durable,
		  struct pms_session_writer **out, struct pms_error *err)
{
	struct pms_session_writer *w = calloc(1, sizeof(*w));
	if (!w || !(w->path = strdup(path))) {
		free(w);
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	}
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

/* One row of a table that has few. */
static int put_once(struct pms_session_writer *w, struct pms_error *err, const char *sql,
		    const char *types, ...)
{
	sqlite3_stmt *statement = NULL;
	va_list values;
	int rc = prepare(w, sql, &statement, err);
	va_start(values, types);
	if (!rc && (bind_row(statement, types, values) || sqlite3_step(statement) != SQLITE_DONE))
		rc = failed(w, err);
	va_end(values);
	sqlite3_finalize(statement);
	return rc;
}

static int put_arguments(struct pms_session_writer *w, char *const *command, struct pms_error *err)
{
	sqlite3_stmt *statement = NULL;
	int rc = prepare(w, "INSERT INTO argument VALUES (?, ?)", &statement, err);
	for (size_t i = 0; !rc && command && command[i]; i++)
		rc = put(w, err, statement, "ut", (uint64_t)i, command[i]);
	sqlite3_finalize(statement);
	return rc;
}

static int put_provenance(struct pms_session_writer *w, const struct pms_counts *counts,
			  struct pms_error *err)
{
	const struct pms_provenance *p = &counts->provenance;
	const struct pms_cpu *cpu = pms_catalog_cpu(counts->catalog);
	/* The session may be read from another directory. */
	char *spec = cpu->file ? realpath(cpu->file, NULL) : NULL;
	char created[32] = "";
	struct tm utc;
	time_t now = time(NULL);
	sqlite3_stmt *statement = NULL;
	if (gmtime_r(&now, &utc))
		strftime(created, sizeof(created), "%Y-%m-%dT%H:%M:%SZ", &utc);
	int rc = prepare(w, "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			 &statement, err);
	if (!rc)
		rc = put(w, err, statement, "tttitttiiuttt", PMS_VERSION, created, p->source,
			 p->modelled, p->core, p->model_version, p->file, p->exit_status, p->signal,
			 (uint64_t)p->counters_available, cpu->name, cpu->version,
			 spec ? spec : cpu->file);
	sqlite3_finalize(statement);
	free(spec);
	if (!rc)
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
	return put(w, err, w->statements[PUT_EVENT], event->code < 0 ? "ut-" : "utu",
		   (uint64_t)index + 1, event->name, (uint64_t)event->code);
}

/* Of an event that nobody asked for there is nothing to keep. */
static int says_something(const struct pms_count *c)
{
	return c->state != PMS_NOT_COUNTED || c->because || c->enabled_ns || c->running_ns;
}

static int put_count(struct pms_session_writer *w, uint64_t interval, uint64_t scope,
		     uint64_t event, const struct pms_count *c, struct pms_error *err)
{
	int counted = c->state == PMS_COUNTED;
	int rc = put(w, err, w->statements[PUT_COUNT], counted ? "uuuttuuuddit" : "uuutt-uuddit",
		     interval, scope, event, pms_session_states.words[c->state],
		     pms_session_classes.words[c->cls], c->value, c->enabled_ns, c->running_ns,
		     c->scaled, c->spread, c->loose_times, c->because);
	if (!rc && (c->missed > 0 || c->phases > 0))
		rc = put(w, err, w->statements[PUT_SCALING], "uuuff", interval, scope, event,
			 c->missed, c->phases);
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
	int rc = put(w, err, w->statements[PUT_SCOPE], "uutut", interval, index,
		     pms_session_scopes.words[scope->kind], (uint64_t)scope->id, scope->name);
	return rc ? rc : put_column(w, interval, index, catalog, scope->counts, err);
}

/* The passes of scope @index; their own numbers go on from *@next. */
static int put_passes(struct pms_session_writer *w, uint64_t interval, uint64_t index,
		      uint64_t *next, const struct pms_catalog *catalog,
		      const struct pms_scope *scope, struct pms_error *err)
{
	char parent[32];
	int rc = 0;
	snprintf(parent, sizeof(parent), "%llu", (unsigned long long)index);
	for (size_t i = 0; i < scope->n_passes && !rc; i++, ++*next) {
		rc = put(w, err, w->statements[PUT_SCOPE], "uutut", interval, *next,
			 pms_session_scopes.words[PMS_SESSION_PASS], (uint64_t)i, parent);
		if (!rc)
			rc = put_column(w, interval, *next, catalog, scope->passes[i], err);
	}
	return rc;
}

/* What a run counted, scaled up: where that is no whole number, beside the nearest one. */
static struct pms_count run_count(double value)
{
	double whole = floor(value + 0.5);
	return (struct pms_count){ .state = PMS_COUNTED,
				   .value = whole < 0x1p64 ? (uint64_t)whole : UINT64_MAX,
				   .scaled = whole == value ? 0 : value };
}

/* The runs of scope or pass @parent; their own numbers go on from *@next. */
static int put_runs(struct pms_session_writer *w, uint64_t interval, uint64_t parent,
		    uint64_t *next, const struct pms_catalog *catalog, const struct pms_runs *runs,
		    struct pms_error *err)
{
	char name[32];
	int rc = 0;
	snprintf(name, sizeof(name), "%llu", (unsigned long long)parent);
	for (size_t run = 0; run < runs->n_runs && !rc; run++, ++*next) {
		rc = put(w, err, w->statements[PUT_SCOPE], "uutut", interval, *next,
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

/* @passes: the number of the scope's first pass. */
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

/* Interval 0 is the whole, scope 0 the total; passes have the numbers behind the scopes, then come
 * runs. */
static int put_counts(struct pms_session_writer *w, uint64_t interval,
		      const struct pms_counts *counts, struct pms_error *err)
{
	const struct pms_catalog *catalog = counts->catalog;
	int rc = put(w, err, w->statements[PUT_INTERVAL], counts->has_time ? "uf" : "ud", interval,
		     counts->has_time ? counts->time : 0.0);
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
		rc = put(w, err, w->statements[PUT_WARNING], "uut", interval, (uint64_t)i,
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
			rc = put(w, err, w->statements[PUT_GROUP_COUNT], "uuuf", scope, position,
				 (uint64_t)i + 1, sample->groups[position][i]);
	return rc;
}

static int put_sample(struct pms_session_writer *w, uint64_t index, const struct pms_scope *scope,
		      size_t n_events, struct pms_error *err)
{
	const struct pms_sample *sample = scope->sample;
	if (!sample)
		return 0;
	int rc = put_once(w, err, "INSERT INTO sample VALUES (?, ?, ?, ?)", "uuuu", index,
			  sample->instructions, sample->counted, sample->windows);
	for (size_t g = 0; g < sample->n_groups && !rc; g++)
		rc = put_group(w, index, g, scope, n_events, err);
	return rc;
}

/* Which part of the program was counted. */
static int put_extent(struct pms_session_writer *w, const struct pms_counts *counts,
		      struct pms_error *err)
{
	const struct pms_extent *e = &counts->provenance.extent;
	size_t n_events = pms_catalog_events(counts->catalog);
	int rc = 0;
	if (e->forward || e->region || e->detail)
		rc = put_once(w, err, "INSERT INTO extent VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			      "uutuuuuu", e->forward, e->forwarded, e->region, e->entries,
			      e->outside, e->warm, e->detail, e->skip);
	for (size_t i = 0; i <= counts->n_scopes && !rc; i++)
		rc = put_sample(w, i, i ? &counts->scopes[i - 1] : &counts->total, n_events, err);
	return rc;
}

/* What a reader finds with the whole of a session that was never finished. */
static const char cut_off[] = "the measurement was cut off: these are the counts until then";
enum { CUT_OFF = INT32_MAX }; /* its position, behind all others */

static int put_whole(struct pms_session_writer *w, const struct pms_counts *counts,
		     struct pms_error *err)
{
	int rc = 0;
	if (w->has_total)
		rc = execute(w,
			     "DELETE FROM session; DELETE FROM argument; DELETE FROM extent; "
			     "DELETE FROM sample; DELETE FROM sample_group; "
			     "DELETE FROM sample_count; DELETE FROM machine; "
			     "DELETE FROM scaling WHERE interval = 0",
			     err);
	w->has_total = 1;
	if (!rc)
		rc = put_provenance(w, counts, err);
	if (!rc)
		rc = put_counts(w, 0, counts, err);
	if (!rc)
		rc = put_extent(w, counts, err);
	if (!rc && w->is_durable)
		rc = put(w, err, w->statements[PUT_WARNING], "uut", (uint64_t)0, (uint64_t)CUT_OFF,
			 cut_off);
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
	return rc;
}

/* Move it to its place unless something has come there meanwhile. Not every file system can do both
 * in one step. */
static int put_in_place(struct pms_session_writer *w, struct pms_error *err)
{
	struct stat st;
	int rc = renameat2(AT_FDCWD, w->temporary, AT_FDCWD, w->path, RENAME_NOREPLACE);
	if (rc && (errno == EINVAL || errno == ENOSYS) && lstat(w->path, &st))
		rc = rename(w->temporary, w->path);
	else if (rc && errno != EEXIST && !lstat(w->path, &st))
		errno = EEXIST;
	if (rc)
		return errno == EEXIST ? is_there(w->path, err) : cannot_create(w->path, err);
	free(w->temporary);
	w->temporary = NULL;
	return 0;
}

/* A durable session is whole from the moment that it has its name: what comes after is written
 * ahead first, which no commit waits for the disk with; it is moved to its place seldom, since that
 * does. */
static int go_on_in_place(struct pms_session_writer *w, struct pms_error *err)
{
	int rc = execute(w, "COMMIT; PRAGMA journal_mode = WAL", err);
	if (!rc && close_database(w))
		rc = pms_fail_at(err, PMS_EIO, w->path, 0, 0, "cannot close the session");
	if (!rc)
		rc = put_in_place(w, err);
	if (!rc)
		rc = open_database(w, w->path, err);
	if (!rc)
		rc = execute(w,
			     "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4096; BEGIN",
			     err);
	return rc ? rc : prepare_all(w, err);
}

int pms_session_add(struct pms_session_writer *w, const struct pms_counts *counts,
		    struct pms_error *err)
{
	if (!w->has_event)
		w->has_event = calloc(pms_catalog_events(counts->catalog) + 1, 1);
	if (!w->has_event)
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	if (!counts->has_time && w->has_total && !w->is_durable)
		return pms_fail(err, PMS_EINVAL, "a session has one set of counts of the whole");
	int rc = counts->has_time ? put_counts(w, (uint64_t)++w->n_intervals, counts, err)
				  : put_whole(w, counts, err);
	/* Readers need the whole, so an interval is kept together with the next one. */
	if (rc || !w->is_durable || counts->has_time)
		return rc;
	return w->temporary ? go_on_in_place(w, err) : execute(w, "COMMIT; BEGIN", err);
}

int pms_session_finish(struct pms_session_writer *w, struct pms_error *err)
{
	int rc =
		w->has_total ? 0 : pms_fail(err, PMS_EINVAL, "a session needs counts of the whole");
	if (!rc && w->is_durable)
		rc = execute(w, "DELETE FROM warning WHERE position = 2147483647", err);
	if (!rc)
		rc = execute(w, "COMMIT", err);
	/* One file, as others are. */
	if (!rc && !w->temporary)
		rc = execute(w, "PRAGMA journal_mode = DELETE", err);
	if (!rc && close_database(w))
		rc = pms_fail_at(err, PMS_EIO, w->path, 0, 0, "cannot close the session");
	if (!rc && w->temporary)
		rc = put_in_place(w, err);
	pms_session_discard(w);
	return rc;
}

void pms_session_discard(struct pms_session_writer *w)
{
	if (!w)
		return;
	close_database(w);
	if (w->temporary)
		unlink(w->temporary);
	free(w->temporary);
	free(w->has_event);
	free(w->path);
	free(w);
}
