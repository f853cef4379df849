/* SPDX-License-Identifier: MIT */
/* Load counts of a session by a catalog, which may differ from the one that wrote the session. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/status.h"
#include "session/load.h"

int pms_load_each(struct pms_loading *l, enum pms_row_query query, pms_load_reader *read)
{
	sqlite3_stmt *row = NULL;
	int rc = pms_row_query(l->session, query, &row, l->err);
	if (!rc && sqlite3_bind_parameter_count(row) &&
	    sqlite3_bind_int64(row, 1, l->interval) != SQLITE_OK)
		rc = pms_row_failed(l->session, l->err);
	while (!rc) {
		rc = pms_row_step(l->session, row, l->err);
		if (rc <= 0)
			break;
		rc = read(l, row);
	}
	sqlite3_reset(row);
	return rc;
}

/* Returns the bytes of one column of counts. */
static uint64_t column_size(const struct pms_loading *l)
{
	return (pms_catalog_events(l->catalog) + 1) * sizeof(struct pms_count);
}

/* Returns the bytes of a scope: its counts, and about as much for a report of it. */
static uint64_t scope_size(const struct pms_loading *l)
{
	return column_size(l) + pms_catalog_metrics(l->catalog) * PMS_MOST_SESSION_METRIC;
}

struct pms_scope *pms_load_scope(const struct pms_loading *l, size_t number)
{
	return !number			       ? &l->counts->total
	       : number <= l->counts->n_scopes ? &l->counts->scopes[number - 1]
					       : NULL;
}

/* Read a pass. Its name is the number of its scope, which comes before it. */
static int read_pass(struct pms_loading *l, const char *name)
{
	char *end;
	unsigned long parent = strtoul(name, &end, 10);
	if (end == name || *end || parent > l->n_scopes)
		return pms_row_damaged(l->session, l->err, "it has a pass of no scope");
	struct pms_load_pass *passes = pms_array_room(l->passes, l->n_passes, sizeof(passes[0]));
	if (!passes)
		return pms_row_no_memory(l->err);
	l->passes = passes;
	passes[l->n_passes++] = (struct pms_load_pass){ .parent = parent };
	return 0;
}

/* Give passes to the first scopes, as far as there is room. Passes make metrics sharper; a scope
 * without them uses the counts of the whole. */
static void choose_passes(struct pms_loading *l, size_t *n_of)
{
	uint64_t size = column_size(l);
	for (size_t k = 0; k < l->n_passes; k++)
		n_of[l->passes[k].parent]++;
	for (size_t i = 0; i <= l->n_scopes; i++) {
		if (n_of[i] * size <= l->room) {
			l->room -= n_of[i] * size;
		} else {
			n_of[i] = 0;
			l->n_without++;
		}
	}
}

static int add_passes(struct pms_loading *l)
{
	size_t *n_of = calloc(l->n_scopes + 1, sizeof(n_of[0]));
	int rc = n_of ? 0 : pms_row_no_memory(l->err);
	if (n_of)
		choose_passes(l, n_of);
	for (size_t k = 0; k < l->n_passes && !rc; k++) {
		struct pms_load_pass *pass = &l->passes[k];
		struct pms_scope *scope = pms_load_scope(l, pass->parent);
		if (!scope || !n_of[pass->parent])
			continue;
		pass->index = scope->n_passes;
		pass->counts = pms_scope_add_pass(l->counts, scope);
		if (!pass->counts)
			rc = pms_row_no_memory(l->err);
	}
	free(n_of);
	return rc;
}

/* Read a run. Its name is the number of its scope or pass. */
static int read_run(struct pms_loading *l, const char *name)
{
	char *end;
	unsigned long parent = strtoul(name, &end, 10);
	if (end == name || *end || parent > l->n_scopes + l->n_passes)
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

/* Add a scope if there is room. After the first without room, all others are left out. */
static int add_scope(struct pms_loading *l, enum pms_scope_kind kind, int64_t number,
		     const char *name)
{
	if (l->n_scopes++ > l->counts->n_scopes || scope_size(l) > l->room)
		return 0;
	struct pms_scope *scope = pms_counts_add_scope(l->counts, kind, number);
	if (!scope)
		return pms_row_no_memory(l->err);
	l->room -= scope_size(l);
	snprintf(scope->name, sizeof(scope->name), "%s", name);
	return 0;
}

/* Read a scope. Number 0 is the total, which the counts always have; the others are numbered
 * from 1 without a gap. */
static int read_scope(struct pms_loading *l, sqlite3_stmt *row)
{
	const char *name;
	int64_t place, number;
	int kind;
	int rc = pms_row_word(l->session, row, 1, &pms_session_scopes, &kind, l->err);
	int64_t want = (int64_t)(l->n_scopes + l->n_passes + l->n_runs) + (kind != PMS_SCOPE_TOTAL);
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
		return pms_row_damaged(l->session, l->err, "it has more than %d scopes",
				       PMS_MOST_SESSION_SCOPES);
	if (l->n_runs)
		return pms_row_damaged(l->session, l->err, "it has a scope behind a run");
	if (kind == PMS_SESSION_PASS)
		return read_pass(l, name);
	if (l->n_passes)
		return pms_row_damaged(l->session, l->err, "it has a scope behind a pass");
	return add_scope(l, (enum pms_scope_kind)kind, number, name);
}

/* Look up each event in the catalog once, when its first row comes. */
int pms_load_event(struct pms_loading *l, sqlite3_stmt *row, int column, int64_t *index)
{
	const struct pms_session *s = l->session;
	int64_t event;
	*index = -1;
	int rc = pms_row_integer(s, row, column, 0, (int64_t)s->n_events - 1, &event, l->err);
	if (!rc && !s->events[event])
		rc = pms_row_damaged(s, l->err, "it counts an event that it does not have");
	if (rc)
		return rc;
	if (!l->events[event]) {
		int64_t found = pms_catalog_find_event(l->catalog, s->events[event]);
		l->events[event] = found < 0 ? -1 : (int32_t)found + 1;
	}
	*index = l->events[event] < 0 ? -1 : l->events[event] - 1;
	return 0;
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

/* Read a count's columns. A value of an event that was not counted is ignored. */
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

/* Returns the counts of a scope or pass by its number; NULL: there was no room for it. */
static struct pms_count *column_of(const struct pms_loading *l, size_t number)
{
	if (number > l->n_scopes)
		return l->passes[number - l->n_scopes - 1].counts;
	struct pms_scope *scope = pms_load_scope(l, number);
	return scope ? scope->counts : NULL;
}

/* Store a count. @place: number of a scope, a pass or a run */
static int put_count(struct pms_loading *l, size_t place, size_t event,
		     const struct pms_count *count)
{
	size_t first_run = l->n_scopes + l->n_passes + 1;
	if (place >= first_run)
		return run_add(l, &l->runs[place - first_run], event, count);
	struct pms_count *column = column_of(l, place);
	if (column)
		column[event] = *count;
	return 0;
}

/* Read the error of a scaled sum into a count that has been read. */
static int read_scaling(struct pms_loading *l, sqlite3_stmt *row)
{
	int64_t place, event;
	double missed, phases;
	int rc = pms_row_integer(l->session, row, 0, 0, (int64_t)(l->n_scopes + l->n_passes),
				 &place, l->err);
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
	struct pms_count *column = column_of(l, (size_t)place);
	if (column) {
		column[event].missed = missed;
		column[event].phases = phases;
	}
	return 0;
}

static int read_count(struct pms_loading *l, sqlite3_stmt *row)
{
	int64_t place, event;
	struct pms_count count = { 0 };
	size_t last = l->n_scopes + l->n_passes + l->n_runs;
	int rc = pms_row_integer(l->session, row, 0, 0, (int64_t)last, &place, l->err);
	if (!rc)
		rc = pms_load_event(l, row, 1, &event);
	if (!rc)
		rc = read_values(l, row, &count);
	if (rc || event < 0)
		return rc;
	return put_count(l, (size_t)place, (size_t)event, &count);
}

/* Returns the scope of a number, or the scope whose pass it is. @pass: receives the pass */
static struct pms_scope *scope_of(const struct pms_loading *l, size_t number, size_t *pass)
{
	*pass = 0;
	if (number <= l->n_scopes)
		return pms_load_scope(l, number);
	*pass = l->passes[number - l->n_scopes - 1].index;
	return pms_load_scope(l, l->passes[number - l->n_scopes - 1].parent);
}

/* Join the runs from @first up to @end, which have one parent. All must have counted the same
 * events. */
static int gather(struct pms_loading *l, size_t first, size_t end)
{
	const struct pms_load_run *model = &l->runs[first];
	size_t pass, n = model->n;
	struct pms_scope *scope = scope_of(l, model->parent, &pass);
	for (size_t i = first; i < end; i++)
		if (l->runs[i].n != n || (n && memcmp(l->runs[i].events, model->events,
						      n * sizeof(model->events[0])) != 0))
			return pms_row_damaged(l->session, l->err, "its runs do not fit together");
	struct pms_runs *runs = pms_scope_add_runs(scope, pass, model->events, n, end - first);
	if (!runs)
		return pms_row_no_memory(l->err);
	for (size_t i = first; i < end && n; i++)
		memcpy(runs->values + (i - first) * n, l->runs[i].values,
		       n * sizeof(runs->values[0]));
	return 0;
}

/* Give each scope or pass its runs, which must stand together. Runs of a parent that had no room
 * are dropped. */
static int gather_runs(struct pms_loading *l)
{
	char *has_runs = calloc(l->n_scopes + l->n_passes + 1, 1);
	int rc = has_runs ? 0 : pms_row_no_memory(l->err);
	for (size_t i = 0, end; i < l->n_runs && !rc; i = end) {
		size_t parent = l->runs[i].parent;
		for (end = i + 1; end < l->n_runs && l->runs[end].parent == parent;)
			end++;
		if (has_runs[parent]++)
			rc = pms_row_damaged(l->session, l->err, "its runs are not in order");
		else if (column_of(l, parent))
			rc = gather(l, i, end);
	}
	free(has_runs);
	return rc;
}

static int read_warning(struct pms_loading *l, sqlite3_stmt *row)
{
	const char *text;
	int rc = pms_row_text(l->session, row, 0, 0, &text, l->err);
	if (!rc && l->counts->n_warnings >= PMS_MOST_SESSION_WARNINGS)
		rc = pms_row_damaged(l->session, l->err, "it has more than %d warnings",
				     PMS_MOST_SESSION_WARNINGS);
	if (!rc && pms_counts_warn(l->counts, "%s", text))
		rc = pms_row_no_memory(l->err);
	return rc;
}

static int read_end(struct pms_loading *l, sqlite3_stmt *row)
{
	l->counts->has_time = 1;
	return pms_row_double(l->session, row, 0, 0, &l->counts->time, l->err);
}

/* Count the session's events that the catalog lacks. @one: receives the name of the first */
static size_t count_missing(const struct pms_loading *l, const char **one)
{
	const struct pms_session *s = l->session;
	size_t n = 0;
	for (size_t i = 0; i < s->n_events; i++) {
		if (!s->events[i] || pms_catalog_find_event(l->catalog, s->events[i]) >= 0)
			continue;
		if (!n++)
			*one = s->events[i];
	}
	return n;
}

/* Warn of all that could mislead whoever reads the whole. */
static int warn_of_whole(struct pms_loading *l)
{
	const struct pms_session *s = l->session;
	const struct pms_cpu *cpu = pms_catalog_cpu(l->catalog);
	const char *one = NULL;
	size_t n_missing = count_missing(l, &one);
	int failed = 0;
	if (s->image.log_missing)
		failed = pms_counts_warn(l->counts,
					 "the session was not finished, and has no %s-wal beside "
					 "it: if it was copied without, what that held is missing",
					 s->name);
	if (l->n_scopes > l->counts->n_scopes)
		failed |= pms_counts_warn(l->counts,
					  "%zu of the session's %zu threads or CPUs are left out: "
					  "they take more than %d MiB and twice the file",
					  l->n_scopes - l->counts->n_scopes, l->n_scopes,
					  PMS_MOST_SESSION_COUNTS >> 20);
	if (l->n_without)
		failed |= pms_counts_warn(l->counts,
					  "the passes of %zu threads or CPUs take too much memory: "
					  "their metrics are those of all passes together",
					  l->n_without);
	if (l->n_bare)
		failed |=
			pms_counts_warn(l->counts,
					"how the windows of %zu threads or CPUs scatter takes too "
					"much memory: their intervals are not known",
					l->n_bare);
	if (n_missing)
		failed |= pms_counts_warn(
			l->counts, "%zu events of the session are not in the catalog of %s (%s)",
			n_missing, cpu->name, one);
	if (strcmp(cpu->name, s->cpu) != 0 || strcmp(cpu->version, s->version) != 0)
		failed |= pms_counts_warn(l->counts,
					  "the counts were taken by the catalog of %s, version %s; "
					  "this is by that of %s, version %s",
					  s->cpu, s->version, cpu->name, cpu->version);
	return failed ? pms_row_no_memory(l->err) : 0;
}

static int read_common(struct pms_loading *l)
{
	const struct pms_session *s = l->session;
	struct pms_provenance *p = &l->counts->provenance;
	*p = s->provenance;
	p->file = s->provenance.file ? strdup(s->provenance.file) : NULL;
	if (s->command)
		pms_counts_share_command(l->counts, s->command);
	l->events = calloc(s->n_events + 1, sizeof(l->events[0]));
	l->room = s->room;
	return !l->events || (s->provenance.file && !p->file) ? pms_row_no_memory(l->err) : 0;
}

/* Read the parts in an order in which each row's parent is there before it. */
static int read_all(struct pms_loading *l)
{
	int rc = read_common(l);
	if (!rc && l->interval)
		rc = pms_load_each(l, PMS_ROW_END, read_end);
	if (!rc)
		rc = pms_load_each(l, PMS_ROW_SCOPES, read_scope);
	if (!rc)
		rc = add_passes(l);
	if (!rc)
		rc = pms_load_each(l, PMS_ROW_COUNTS, read_count);
	if (!rc && l->session->layout >= 3)
		rc = pms_load_each(l, PMS_ROW_SCALING, read_scaling);
	if (!rc)
		rc = gather_runs(l);
	if (!rc && !l->interval && l->session->layout >= 2)
		rc = pms_load_sample(l);
	if (!rc)
		rc = pms_load_each(l, PMS_ROW_WARNINGS, read_warning);
	if (!rc && !l->interval && l->session->layout >= 4)
		rc = pms_load_profile(l);
	return rc || l->interval ? rc : warn_of_whole(l);
}

/* Load one set of counts, and free what only reading needed, even on failure. */
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
