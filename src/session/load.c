/* SPDX-License-Identifier: MIT */
/* Counts of a session, by a catalog that need not be the one that it was written with. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/status.h"
#include "session/load.h"

int pms_load_each(struct pms_loading *l, const char *sql, pms_load_reader *read)
{
	sqlite3_stmt *row = NULL;
	int rc = pms_row_prepare(l->session, sql, &row, l->err);
	if (!rc && sqlite3_bind_parameter_count(row) &&
	    sqlite3_bind_int64(row, 1, l->interval) != SQLITE_OK)
		rc = pms_row_failed(l->session, l->err);
	while (!rc) {
		rc = pms_row_step(l->session, row, l->err);
		if (rc <= 0)
			break;
		rc = read(l, row);
	}
	sqlite3_finalize(row);
	return rc;
}

/* Numbers of events come in order. */
static int read_event(struct pms_loading *l, sqlite3_stmt *row)
{
	const char *name;
	int64_t id;
	int rc = pms_row_integer(l->session, row, 0, (int64_t)l->n_events, PMS_MOST_SESSION_EVENTS,
				 &id, l->err);
	if (!rc)
		rc = pms_row_text(l->session, row, 1, 0, &name, l->err);
	while (!rc && l->n_events <= (size_t)id) {
		int64_t *room = pms_array_room(l->events, l->n_events, sizeof(room[0]));
		if (!room)
			return pms_row_no_memory(l->err);
		l->events = room;
		l->events[l->n_events++] = -2; /* no event has this number */
	}
	if (rc)
		return rc;
	int64_t index = pms_catalog_find_event(l->catalog, name);
	l->events[id] = index >= 0 ? index : -1;
	if (index < 0 && !l->n_missing++)
		snprintf(l->missing, sizeof(l->missing), "%s", name);
	return 0;
}

/* A pass of the scope that its name gives, which comes before it. */
static int read_pass(struct pms_loading *l, const char *name)
{
	struct pms_counts *counts = l->counts;
	char *end;
	unsigned long parent = strtoul(name, &end, 10);
	if (end == name || *end || parent > counts->n_scopes)
		return pms_row_damaged(l->session, l->err, "it has a pass of no scope");
	struct pms_count **columns = pms_array_room(l->passes, l->n_passes, sizeof(columns[0]));
	if (!columns)
		return pms_row_no_memory(l->err);
	l->passes = columns;
	columns[l->n_passes] =
		pms_scope_add_pass(counts, parent ? &counts->scopes[parent - 1] : &counts->total);
	return columns[l->n_passes++] ? 0 : pms_row_no_memory(l->err);
}

/* A run of the scope or pass that its name gives. */
static int read_run(struct pms_loading *l, const char *name)
{
	char *end;
	unsigned long parent = strtoul(name, &end, 10);
	if (end == name || *end || parent > l->counts->n_scopes + l->n_passes)
		return pms_row_damaged(l->session, l->err, "it has a run of no scope");
	if (l->n_runs >= PMS_MOST_SESSION_RUNS)
		return pms_row_damaged(l->session, l->err, "it has too many runs");
	struct pms_load_run *runs = pms_array_room(l->runs, l->n_runs, sizeof(runs[0]));
	if (!runs)
		return pms_row_no_memory(l->err);
	l->runs = runs;
	runs[l->n_runs++] = (struct pms_load_run){ .parent = parent };
	return 0;
}

/* Scope 0 is the total, for which the counts have room from the start; the others are numbered from
 * 1 without a gap. */
static int read_scope(struct pms_loading *l, sqlite3_stmt *row)
{
	struct pms_counts *counts = l->counts;
	const char *name;
	int64_t place, number;
	int kind;
	int rc = pms_row_word(l->session, row, 1, &pms_session_scopes, &kind, l->err);
	int64_t want =
		(int64_t)(counts->n_scopes + l->n_passes + l->n_runs) + (kind != PMS_SCOPE_TOTAL);
	if (!rc)
		rc = pms_row_integer(l->session, row, 0, want, want, &place, l->err);
	if (!rc)
		rc = pms_row_integer(l->session, row, 2, INT64_MIN, INT64_MAX, &number, l->err);
	if (!rc)
		rc = pms_row_text(l->session, row, 3, 0, &name, l->err);
	if (rc || kind == PMS_SCOPE_TOTAL)
		return rc;
	if (kind == PMS_SESSION_RUN)
		return read_run(l, name);
	if (place > PMS_MOST_SESSION_SCOPES)
		return pms_row_damaged(l->session, l->err, "it has too many scopes");
	if (l->n_runs)
		return pms_row_damaged(l->session, l->err, "it has a scope behind a run");
	if (kind == PMS_SESSION_PASS)
		return read_pass(l, name);
	if (l->n_passes)
		return pms_row_damaged(l->session, l->err, "it has a scope behind a pass");
	struct pms_scope *scope = pms_counts_add_scope(counts, (enum pms_scope_kind)kind, number);
	if (!scope)
		return pms_row_no_memory(l->err);
	snprintf(scope->name, sizeof(scope->name), "%s", name);
	return 0;
}

int pms_load_event(struct pms_loading *l, sqlite3_stmt *row, int column, int64_t *index)
{
	int64_t event;
	int rc = pms_row_integer(l->session, row, column, 0, (int64_t)l->n_events - 1, &event,
				 l->err);
	if (!rc && l->events[event] == -2)
		rc = pms_row_damaged(l->session, l->err,
				     "it counts an event that it does not have");
	*index = rc ? -1 : l->events[event];
	return rc;
}

static int read_because(struct pms_loading *l, sqlite3_stmt *row, int column,
			struct pms_count *count)
{
	const char *text;
	int rc = pms_row_text(l->session, row, column, 1, &text, l->err);
	if (rc || !text)
		return rc;
	if (l->counts->n_strings >= PMS_MOST_SESSION_REASONS)
		return pms_row_damaged(l->session, l->err, "it has too many reasons");
	count->because = pms_counts_keep(l->counts, text);
	return count->because ? 0 : pms_row_no_memory(l->err);
}

static int read_values(struct pms_loading *l, sqlite3_stmt *row, struct pms_count *count)
{
	const struct pms_session *s = l->session;
	int state, cls;
	int rc = pms_row_word(s, row, 2, &pms_session_states, &state, l->err);
	if (!rc)
		rc = pms_row_word(s, row, 3, &pms_session_classes, &cls, l->err);
	if (!rc && state == PMS_COUNTED)
		rc = pms_row_unsigned(s, row, 4, &count->value, l->err);
	if (!rc)
		rc = pms_row_unsigned(s, row, 5, &count->enabled_ns, l->err);
	if (!rc)
		rc = pms_row_unsigned(s, row, 6, &count->running_ns, l->err);
	if (!rc)
		rc = pms_row_double(s, row, 7, 1, &count->scaled, l->err);
	if (!rc)
		rc = pms_row_double(s, row, 8, 1, &count->spread, l->err);
	if (!rc)
		rc = pms_row_int(s, row, 9, 0, 1, &count->loose_times, l->err);
	if (rc)
		return rc;
	count->state = (enum pms_count_state)state;
	count->cls = (enum pms_count_class)cls;
	return read_because(l, row, 10, count);
}

static int run_add(struct pms_loading *l, struct pms_load_run *run, size_t event,
		   const struct pms_count *count)
{
	if (count->state != PMS_COUNTED)
		return pms_row_damaged(l->session, l->err, "it has a run that counted nothing");
	size_t *events = pms_array_room(run->events, run->n, sizeof(events[0]));
	if (!events)
		return pms_row_no_memory(l->err);
	run->events = events;
	double *values = pms_array_room(run->values, run->n, sizeof(values[0]));
	if (!values)
		return pms_row_no_memory(l->err);
	run->values = values;
	events[run->n] = event;
	values[run->n++] = count->scaled > 0 ? count->scaled : (double)count->value;
	return 0;
}

/* The counts of a scope or a pass, by its number. */
static struct pms_count *column_of(const struct pms_loading *l, size_t place)
{
	size_t n_scopes = l->counts->n_scopes;
	return !place		  ? l->counts->total.counts
	       : place > n_scopes ? l->passes[place - n_scopes - 1]
				  : l->counts->scopes[place - 1].counts;
}

/* Put a count where it belongs. @place: number of a scope, a pass or a run */
static int put_count(struct pms_loading *l, size_t place, size_t event,
		     const struct pms_count *count)
{
	size_t first_run = l->counts->n_scopes + l->n_passes + 1;
	if (place >= first_run)
		return run_add(l, &l->runs[place - first_run], event, count);
	column_of(l, place)[event] = *count;
	return 0;
}

/* What is known of a sum's error, of a count that has been read. */
static int read_scaling(struct pms_loading *l, sqlite3_stmt *row)
{
	int64_t place, event;
	double missed, phases;
	size_t n_scopes = l->counts->n_scopes;
	int rc = pms_row_integer(l->session, row, 0, 0, (int64_t)(n_scopes + l->n_passes), &place,
				 l->err);
	if (!rc)
		rc = pms_load_event(l, row, 1, &event);
	if (!rc)
		rc = pms_row_double(l->session, row, 2, 0, &missed, l->err);
	if (!rc)
		rc = pms_row_double(l->session, row, 3, 0, &phases, l->err);
	if (!rc && (missed < 0 || phases < 0))
		rc = pms_row_damaged(l->session, l->err, "it has a negative error");
	if (rc || event < 0)
		return rc;
	struct pms_count *count = &column_of(l, (size_t)place)[event];
	count->missed = missed;
	count->phases = phases;
	return 0;
}

static int read_count(struct pms_loading *l, sqlite3_stmt *row)
{
	int64_t place, event;
	struct pms_count count = { 0 };
	size_t last = l->counts->n_scopes + l->n_passes + l->n_runs;
	int rc = pms_row_integer(l->session, row, 0, 0, (int64_t)last, &place, l->err);
	if (!rc)
		rc = pms_load_event(l, row, 1, &event);
	if (!rc)
		rc = read_values(l, row, &count);
	if (rc || event < 0)
		return rc;
	return put_count(l, (size_t)place, (size_t)event, &count);
}

/* The scope that a number stands for, or whose pass it is. @pass: which */
static struct pms_scope *scope_of(struct pms_loading *l, size_t number, size_t *pass)
{
	struct pms_counts *counts = l->counts;
	*pass = 0;
	if (number <= counts->n_scopes)
		return number ? &counts->scopes[number - 1] : &counts->total;
	const struct pms_count *column = l->passes[number - counts->n_scopes - 1];
	for (size_t i = 0; i <= counts->n_scopes; i++) {
		struct pms_scope *scope = i ? &counts->scopes[i - 1] : &counts->total;
		for (*pass = 0; *pass < scope->n_passes; ++*pass)
			if (scope->passes[*pass] == column)
				return scope;
	}
	return NULL;
}

/* Runs from @first up to @end, of one parent, all of whose events are the same. */
static int gather(struct pms_loading *l, size_t first, size_t end)
{
	const struct pms_load_run *model = &l->runs[first];
	size_t pass, n = model->n;
	struct pms_scope *scope = scope_of(l, model->parent, &pass);
	for (size_t i = first; i < end; i++)
		if (l->runs[i].n != n || (n && memcmp(l->runs[i].events, model->events,
						      n * sizeof(model->events[0])) != 0))
			return pms_row_damaged(l->session, l->err, "its runs do not fit together");
	struct pms_runs *runs =
		scope ? pms_scope_add_runs(scope, pass, model->events, n, end - first) : NULL;
	if (!runs)
		return pms_row_no_memory(l->err);
	for (size_t i = first; i < end && n; i++)
		memcpy(runs->values + (i - first) * n, l->runs[i].values,
		       n * sizeof(runs->values[0]));
	return 0;
}

static int gather_runs(struct pms_loading *l)
{
	int rc = 0;
	for (size_t i = 0, end; i < l->n_runs && !rc; i = end) {
		end = i + 1;
		while (end < l->n_runs && l->runs[end].parent == l->runs[i].parent)
			end++;
		rc = gather(l, i, end);
	}
	return rc;
}

static int read_warning(struct pms_loading *l, sqlite3_stmt *row)
{
	const char *text;
	int rc = pms_row_text(l->session, row, 0, 0, &text, l->err);
	if (!rc && pms_counts_warn(l->counts, "%s", text))
		rc = pms_row_no_memory(l->err);
	return rc;
}

static int read_end(struct pms_loading *l, sqlite3_stmt *row)
{
	l->counts->has_time = 1;
	return pms_row_double(l->session, row, 0, 0, &l->counts->time, l->err);
}

/* A text into an array of @size bytes. */
static int copy_text(struct pms_loading *l, sqlite3_stmt *row, int column, char *out, size_t size)
{
	const char *text;
	int rc = pms_row_text(l->session, row, column, 0, &text, l->err);
	if (!rc)
		snprintf(out, size, "%s", text);
	return rc;
}

static int read_provenance(struct pms_loading *l, sqlite3_stmt *row)
{
	struct pms_provenance *p = &l->counts->provenance;
	const struct pms_session *s = l->session;
	const char *file = NULL;
	int64_t counters;
	int rc = copy_text(l, row, 0, p->source, sizeof(p->source));
	if (!rc)
		rc = pms_row_int(s, row, 1, 0, 1, &p->modelled, l->err);
	if (!rc)
		rc = copy_text(l, row, 2, p->core, sizeof(p->core));
	if (!rc)
		rc = copy_text(l, row, 3, p->model_version, sizeof(p->model_version));
	if (!rc)
		rc = pms_row_text(s, row, 4, 1, &file, l->err);
	if (!rc)
		rc = pms_row_int(s, row, 5, 0, 255, &p->exit_status, l->err);
	if (!rc)
		rc = pms_row_int(s, row, 6, 0, 127, &p->signal, l->err);
	if (!rc)
		rc = pms_row_integer(s, row, 7, 0, UINT16_MAX, &counters, l->err);
	if (rc)
		return rc;
	p->counters_available = (unsigned)counters;
	if (p->file) /* a second row: the first stays */
		return pms_row_damaged(s, l->err, "it has two provenances");
	p->file = file ? strdup(file) : NULL;
	return file && !p->file ? pms_row_no_memory(l->err) : 0;
}

/* What the counts of a PMU have beside their source. */
static int read_machine(struct pms_loading *l, sqlite3_stmt *row)
{
	struct pms_provenance *p = &l->counts->provenance;
	int rc = copy_text(l, row, 0, p->modes, sizeof(p->modes));
	return rc ? rc : pms_row_unsigned(l->session, row, 1, &p->midr, l->err);
}

/* Words of the command come in order, from 0 without a gap; a NULL follows the last. */
static int read_argument(struct pms_loading *l, sqlite3_stmt *row)
{
	struct pms_provenance *p = &l->counts->provenance;
	size_t n = l->n_words;
	const char *text;
	int64_t place;
	int rc = pms_row_integer(l->session, row, 0, (int64_t)n, (int64_t)n, &place, l->err);
	if (!rc && n >= PMS_MOST_SESSION_WORDS)
		rc = pms_row_damaged(l->session, l->err, "its command has too many words");
	if (!rc)
		rc = pms_row_text(l->session, row, 1, 0, &text, l->err);
	if (rc)
		return rc;
	char **room = reallocarray(p->command, n + 2, sizeof(room[0]));
	if (!room)
		return pms_row_no_memory(l->err);
	p->command = room;
	p->command[n] = strdup(text);
	l->n_words += p->command[n] != NULL;
	p->command[n + 1] = NULL;
	return p->command[n] ? 0 : pms_row_no_memory(l->err);
}

/* What the whole has beside the numbers, and what a reader should know of the catalog. */
static int read_whole(struct pms_loading *l)
{
	const struct pms_cpu *cpu = pms_catalog_cpu(l->catalog);
	int rc = pms_load_each(l, "SELECT text FROM warning WHERE interval = ? ORDER BY position",
			       read_warning);
	int failed = 0;
	if (!rc && !l->interval && l->session->image.log_missing)
		failed = pms_counts_warn(l->counts,
					 "the session was not finished, and has no %s-wal beside "
					 "it: if it was copied without, what that held is missing",
					 l->session->name);
	if (!rc && !l->interval && l->n_missing)
		failed |= pms_counts_warn(
			l->counts, "%zu events of the session are not in the catalog of %s (%s)",
			l->n_missing, cpu->name, l->missing);
	if (!rc && !l->interval &&
	    (strcmp(cpu->name, l->session->cpu) != 0 ||
	     strcmp(cpu->version, l->session->version) != 0))
		failed |= pms_counts_warn(l->counts,
					  "the counts were taken by the catalog of %s, version %s; "
					  "this is by that of %s, version %s",
					  l->session->cpu, l->session->version, cpu->name,
					  cpu->version);
	return rc ? rc : failed ? pms_row_no_memory(l->err) : 0;
}

static int read_all(struct pms_loading *l)
{
	int rc = pms_load_each(l, "SELECT id, name FROM event ORDER BY id", read_event);
	if (!rc)
		rc = pms_load_each(
			l,
			"SELECT source, modelled, core, model_version, file, exit_status, signal, "
			"counters FROM session",
			read_provenance);
	if (!rc && l->session->layout >= 3)
		rc = pms_load_each(l, "SELECT modes, midr FROM machine LIMIT 1", read_machine);
	if (!rc)
		rc = pms_load_each(l, "SELECT position, text FROM argument ORDER BY position",
				   read_argument);
	if (!rc && l->interval)
		rc = pms_load_each(l, "SELECT end_s FROM interval WHERE id = ?", read_end);
	if (!rc)
		rc = pms_load_each(
			l,
			"SELECT scope, kind, number, name FROM scope WHERE interval = ? ORDER BY "
			"scope",
			read_scope);
	if (!rc)
		rc = pms_load_each(
			l,
			"SELECT scope, event, state, class, count, enabled_ns, running_ns, "
			"scaled, spread, loose_times, because FROM count WHERE interval = ? "
			"ORDER BY scope, event",
			read_count);
	if (!rc && l->session->layout >= 3)
		rc = pms_load_each(
			l, "SELECT scope, event, missed, phases FROM scaling WHERE interval = ?",
			read_scaling);
	if (!rc)
		rc = gather_runs(l);
	if (!rc && !l->interval && l->session->layout >= 2)
		rc = pms_load_sample(l);
	return rc ? rc : read_whole(l);
}

static int load(struct pms_session *s, int64_t interval, const struct pms_catalog *catalog,
		struct pms_counts **out, struct pms_error *err)
{
	struct pms_loading l = {
		.session = s, .catalog = catalog, .interval = interval, .err = err
	};
	l.counts = pms_counts_new(catalog);
	int rc = l.counts ? read_all(&l) : pms_row_no_memory(err);
	for (size_t i = 0; i < l.n_runs; i++) {
		free(l.runs[i].events);
		free(l.runs[i].values);
	}
	free(l.runs);
	free(l.events);
	free(l.passes);
	if (rc)
		pms_counts_free(l.counts);
	else
		*out = l.counts;
	return rc;
}

int pms_session_total(struct pms_session *session, const struct pms_catalog *catalog,
		      struct pms_counts **out, struct pms_error *err)
{
	return load(session, 0, catalog, out, err);
}

int pms_session_interval(struct pms_session *session, size_t i, const struct pms_catalog *catalog,
			 struct pms_counts **out, struct pms_error *err)
{
	if (i >= session->n_intervals)
		return pms_fail(err, PMS_EINVAL, "the session has no interval %zu", i);
	return load(session, (int64_t)i + 1, catalog, out, err);
}
