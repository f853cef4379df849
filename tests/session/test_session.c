/* SPDX-License-Identifier: MIT */
/* What is written comes back, to the last field; what is no session is refused and said to be what
 * it is. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <sqlite3.h>

#include "pmuscope/session.h"

struct fixture {
	struct pms_catalog *catalog;
	char directory[64];
	char path[128];
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	if (!f || pms_catalog_load(PMS_TEST_DATA, "small", &f->catalog, NULL))
		return -1;
	strcpy(f->directory, "/tmp/pmuscope-session-XXXXXX");
	if (!mkdtemp(f->directory))
		return -1;
	snprintf(f->path, sizeof(f->path), "%s/a.pms", f->directory);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	unlink(f->path);
	int rc = rmdir(f->directory); /* nothing else was left behind */
	pms_catalog_free(f->catalog);
	free(f);
	return rc;
}

static struct pms_count *count_of(struct pms_counts *counts, struct pms_scope *scope,
				  const char *name)
{
	int64_t event = pms_catalog_find_event(counts->catalog, name);
	assert_true(event >= 0);
	return &scope->counts[event];
}

static char **words(size_t n, const char *const *from)
{
	char **to = calloc(n + 1, sizeof(char *));
	assert_non_null(to);
	for (size_t i = 0; i < n; i++)
		to[i] = strdup(from[i]);
	return to;
}

/* Three rows, one of them without a place; each kind of thing that a profile has, twice. */
static struct pms_profile *make_profile(void)
{
	static const struct pms_profile_kind kinds[] = {
		{ "samples", "Samples", PMS_PROFILE_SAMPLE_COUNT, PMS_PROFILE_NO_SHARE, NULL,
		  PMS_PROFILE_NONE },
		{ "cycles", "Cycles", PMS_PROFILE_CYCLES, PMS_PROFILE_NO_SHARE, NULL, 0 },
		{ "slots_be_rob", "Slots", PMS_PROFILE_SLOTS, PMS_PROFILE_BACKEND,
		  "reorder buffer full", PMS_PROFILE_NONE },
	};
	static const struct pms_object objects[] = {
		{ .kind = PMS_OBJECT_FILE,
		  .path = "/bin/caf\xe9",
		  .build_id = { 0xab, 0, 0x1f },
		  .build_id_size = 3 },
		{ .kind = PMS_OBJECT_JIT, .path = "" },
	};
	static const struct pms_profile_thread threads[] = { { 7, 7, "main" }, { 7, -1, "" } };
	static const struct pms_profile_frame frames[] = { { PMS_PROFILE_NONE, 0, 0x400 },
							   { 0, 1, UINT64_MAX } };
	static const struct pms_profile_place places[] = {
		{ 0, 0x10314, 0, 1 },
		{ 1, UINT64_MAX, PMS_PROFILE_NONE, PMS_PROFILE_NONE },
		{ PMS_PROFILE_NONE, 0, 1, PMS_PROFILE_NONE },
	};
	static const struct pms_profile_edge edges[] = {
		{ 0, 0, 0x10314, 0x10300, PMS_PROFILE_JUMP, 100, 1, 0 },
		{ 0, PMS_PROFILE_NONE, 0x10318, 0, PMS_PROFILE_CALL, UINT64_MAX, 0, 0 },
	};
	struct pms_profile *p = pms_profile_new(PMS_PROFILE_SAMPLED);
	assert_non_null(p);
	p->scale = 2.5;
	p->slots_per_cycle = 8;
	p->left_out = 3;
	for (int i = 0; i < 3; i++)
		assert_int_equal(pms_profile_add_kind(p, &kinds[i]), i);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pms_profile_add_object(p, &objects[i]), i);
		assert_int_equal(pms_profile_add_thread(p, &threads[i]), i);
		assert_int_equal(pms_profile_add_frame(p, &frames[i]), i);
	}
	for (int i = 0; i < 3; i++) {
		assert_int_equal(pms_profile_add_row(p, &places[i]), i);
		for (int kind = i; kind < 3; kind++)
			pms_profile_add(p, i, kind, UINT64_MAX - (uint64_t)(10 * i + kind));
	}
	for (int i = 0; i < 2; i++)
		assert_int_equal(pms_profile_add_edge(p, &edges[i]), 0);
	return p;
}

/* Two threads, one of each kind of count, every field of the provenance set. */
static struct pms_counts *make_counts(const struct pms_catalog *catalog)
{
	static const char *const command[] = { "./prog", "two words", "caf\xe9", "" };
	struct pms_counts *c = pms_counts_new(catalog);
	assert_non_null(c);
	struct pms_provenance *p = &c->provenance;
	strcpy(p->source, "vcore");
	strcpy(p->core, "Small Core");
	strcpy(p->model_version, "1");
	p->modelled = 1;
	p->command = words(4, command);
	p->exit_status = 139;
	p->signal = 11;
	p->counters_available = 6;
	p->file = strdup("counts.txt");
	strcpy(p->modes, "user");
	p->midr = 0x411fd401;
	for (int i = 1; i <= 2; i++) {
		struct pms_scope *s = pms_counts_add_scope(c, PMS_SCOPE_THREAD, i * 1000);
		snprintf(s->name, sizeof(s->name), "worker %d", i);
		*count_of(c, s, "CPU_CYCLES") = (struct pms_count){ .state = PMS_COUNTED,
								    .cls = PMS_COUNT_EXACT,
								    .value = UINT64_MAX - 1 };
		*count_of(c, s, "OP_SPEC") = (struct pms_count){ .state = PMS_COUNTED,
								 .value = 7,
								 .enabled_ns = 100,
								 .running_ns = 33,
								 .scaled = 21.25,
								 .spread = 0.125,
								 .missed = 2.5,
								 .phases = 0.0625,
								 .loose_times = 1 };
		*count_of(c, s, "L2D_TLB") = (struct pms_count){
			.state = PMS_NOT_MODELLED,
			.cls = PMS_COUNT_MODELLED,
			.because = pms_counts_keep(c, "one level of translation"),
		};
		*count_of(c, s, "STALL_SLOT") =
			(struct pms_count){ .state = PMS_NOT_COUNTED, .enabled_ns = 100 };
	}
	*count_of(c, &c->total, "CPU_CYCLES") =
		(struct pms_count){ .state = PMS_COUNTED, .value = 0 };
	assert_int_equal(pms_counts_warn(c, "first"), 0);
	assert_int_equal(pms_counts_warn(c, "second, %s", "with \xff"), 0);
	c->profile = make_profile();
	return c;
}

static void same_text(const char *a, const char *b)
{
	if (!a || !b)
		assert_true(a == b);
	else
		assert_string_equal(a, b);
}

static void same_scope(const struct pms_catalog *catalog, const struct pms_scope *a,
		       const struct pms_scope *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_true(a->id == b->id);
	assert_string_equal(a->name, b->name);
	for (size_t i = 0; i < pms_catalog_events(catalog); i++) {
		const struct pms_count *x = &a->counts[i], *y = &b->counts[i];
		assert_int_equal(x->state, y->state);
		assert_int_equal(x->cls, y->cls);
		assert_true(x->value == y->value);
		assert_true(x->enabled_ns == y->enabled_ns && x->running_ns == y->running_ns);
		assert_true(x->scaled == y->scaled && x->spread == y->spread);
		assert_true(x->missed == y->missed && x->phases == y->phases);
		assert_int_equal(x->loose_times, y->loose_times);
		same_text(x->because, y->because);
	}
}

static void same_profile(const struct pms_profile *a, const struct pms_profile *b)
{
	if (!a || !b) {
		assert_true(a == b);
		return;
	}
	assert_int_equal(a->source, b->source);
	assert_true(a->scale == b->scale && a->left_out == b->left_out);
	assert_int_equal(a->slots_per_cycle, b->slots_per_cycle);
	assert_int_equal(a->n_kinds, b->n_kinds);
	for (size_t i = 0; i < a->n_kinds; i++) {
		const struct pms_profile_kind *x = &a->kinds[i], *y = &b->kinds[i];
		assert_string_equal(x->name, y->name);
		assert_string_equal(x->title, y->title);
		assert_true(x->unit == y->unit && x->share == y->share && x->samples == y->samples);
		same_text(x->cause, y->cause);
	}
	assert_int_equal(a->n_objects, b->n_objects);
	for (size_t i = 0; i < a->n_objects; i++) {
		const struct pms_object *x = &a->objects[i], *y = &b->objects[i];
		assert_string_equal(x->path, y->path);
		assert_true(x->kind == y->kind && x->build_id_size == y->build_id_size);
		assert_memory_equal(x->build_id, y->build_id, sizeof(x->build_id));
	}
	assert_int_equal(a->n_threads, b->n_threads);
	for (size_t i = 0; i < a->n_threads; i++) {
		assert_true(a->threads[i].pid == b->threads[i].pid);
		assert_true(a->threads[i].tid == b->threads[i].tid);
		assert_string_equal(a->threads[i].name, b->threads[i].name);
	}
	assert_int_equal(a->n_frames, b->n_frames);
	for (size_t i = 0; i < a->n_frames; i++) {
		assert_true(a->frames[i].parent == b->frames[i].parent);
		assert_true(a->frames[i].object == b->frames[i].object);
		assert_true(a->frames[i].address == b->frames[i].address);
	}
	assert_int_equal(a->n_rows, b->n_rows);
	for (size_t i = 0; i < a->n_rows; i++) {
		const struct pms_profile_place *x = &a->rows[i].place, *y = &b->rows[i].place;
		assert_true(x->object == y->object && x->address == y->address);
		assert_true(x->thread == y->thread && x->frame == y->frame);
		for (size_t k = 0; k < a->n_kinds; k++)
			assert_true(pms_profile_value(a, i, k) == pms_profile_value(b, i, k));
	}
	assert_int_equal(a->n_edges, b->n_edges);
	for (size_t i = 0; i < a->n_edges; i++) {
		const struct pms_profile_edge *x = &a->edges[i], *y = &b->edges[i];
		assert_true(x->from_object == y->from_object && x->to_object == y->to_object);
		assert_true(x->from == y->from && x->to == y->to && x->branch == y->branch);
		assert_true(x->count == y->count && x->mispredicted == y->mispredicted);
	}
}

static void same_counts(const struct pms_counts *a, const struct pms_counts *b)
{
	if (!a->has_time)
		same_profile(a->profile, b->profile);
	assert_int_equal(a->has_time, b->has_time);
	assert_true(a->time == b->time);
	same_scope(a->catalog, &a->total, &b->total);
	assert_int_equal(a->n_scopes, b->n_scopes);
	for (size_t i = 0; i < a->n_scopes; i++)
		same_scope(a->catalog, &a->scopes[i], &b->scopes[i]);
	assert_int_equal(a->n_warnings, b->n_warnings);
	for (size_t i = 0; i < a->n_warnings; i++)
		assert_string_equal(a->warnings[i], b->warnings[i]);
}

static void same_provenance(const struct pms_provenance *a, const struct pms_provenance *b)
{
	assert_string_equal(a->source, b->source);
	assert_int_equal(a->modelled, b->modelled);
	assert_string_equal(a->core, b->core);
	assert_string_equal(a->model_version, b->model_version);
	assert_int_equal(a->exit_status, b->exit_status);
	assert_int_equal(a->signal, b->signal);
	assert_int_equal(a->counters_available, b->counters_available);
	same_text(a->file, b->file);
	assert_string_equal(a->modes, b->modes);
	assert_true(a->midr == b->midr);
	for (size_t i = 0; a->command[i] || b->command[i]; i++)
		same_text(a->command[i], b->command[i]);
}

static const char *const event_names[] = { "CPU_CYCLES", "OP_SPEC" };
static const char *const metric_names[] = { "ipc" };
static const struct pms_session_view view = { .command = "stat",
					      .events = event_names,
					      .n_events = 2,
					      .metrics = metric_names,
					      .n_metrics = 1,
					      .level = 3,
					      .per_thread = 1 };

static void save(const char *path, const struct pms_counts *total,
		 const struct pms_counts *const *intervals, size_t n)
{
	struct pms_error err = { 0 };
	struct pms_session_writer *w = NULL;
	int rc = pms_session_create(path, &view, &w, &err);
	if (!rc)
		rc = pms_session_add(w, total, &err);
	for (size_t i = 0; i < n && !rc; i++)
		rc = pms_session_add(w, intervals[i], &err);
	if (!rc)
		rc = pms_session_finish(w, &err);
	if (rc)
		fail_msg("%s: %s", err.source, err.text);
}

static struct pms_session *session_open(const char *path)
{
	struct pms_error err = { 0 };
	struct pms_session *s = NULL;
	if (pms_session_open(path, &s, &err))
		fail_msg("%s: %s", err.source, err.text);
	return s;
}

static void everything_comes_back(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog), *second = pms_counts_new(f->catalog);
	struct pms_counts *first = make_counts(f->catalog), *got = NULL;
	const struct pms_counts *intervals[] = { first, second };
	first->has_time = second->has_time = 1;
	first->time = 0.1; /* no sum of powers of two */
	second->time = 0.30000000000000004;
	save(f->path, total, intervals, 2);

	struct pms_session *s = session_open(f->path);
	assert_string_equal(pms_session_cpu(s), "small");
	assert_null(pms_session_spec(s));
	assert_int_equal(pms_session_intervals(s), 2);
	assert_int_equal(pms_session_total(s, f->catalog, &got, NULL), 0);
	same_counts(total, got);
	same_provenance(&total->provenance, &got->provenance);
	pms_counts_free(got);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(pms_session_interval(s, i, f->catalog, &got, NULL), 0);
		same_counts(intervals[i], got);
		pms_counts_free(got);
	}
	assert_int_equal(pms_session_interval(s, 2, f->catalog, &got, NULL), -PMS_EINVAL);
	pms_session_close(s);
	pms_counts_free(total);
	pms_counts_free(first);
	pms_counts_free(second);
}

static void view_comes_back(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog);
	save(f->path, total, NULL, 0);
	struct pms_session *s = session_open(f->path);
	const struct pms_session_view *v = pms_session_view(s);
	assert_string_equal(v->command, "stat");
	assert_int_equal(v->n_events, 2);
	assert_string_equal(v->events[0], "CPU_CYCLES");
	assert_string_equal(v->events[1], "OP_SPEC");
	assert_int_equal(v->n_metrics, 1);
	assert_string_equal(v->metrics[0], "ipc");
	assert_int_equal(v->level, 3);
	assert_int_equal(v->per_thread, 1);
	assert_int_equal(v->all, 0);
	assert_int_equal(pms_session_intervals(s), 0);
	pms_session_close(s);
	pms_counts_free(total);
}

static void for_the_user_alone(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog);
	struct stat st;
	mode_t before = umask(0);
	save(f->path, total, NULL, 0);
	umask(before);
	assert_int_equal(stat(f->path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	pms_counts_free(total);
}

static void nothing_is_overwritten(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog);
	struct pms_session_writer *w = NULL;
	struct pms_error err = { 0 };
	struct stat st;
	FILE *file = fopen(f->path, "w");
	assert_non_null(file);
	fputs("mine", file);
	fclose(file);
	assert_int_equal(pms_session_check(f->path, &err), -PMS_EIO);
	assert_non_null(strstr(err.text, "overwritten"));
	assert_int_not_equal(err.hint[0], 0);
	assert_int_equal(pms_session_create(f->path, &view, &w, NULL), -PMS_EIO);
	unlink(f->path);

	/* Nor what comes there while it is written. */
	assert_int_equal(pms_session_create(f->path, &view, &w, NULL), 0);
	assert_int_equal(pms_session_add(w, total, NULL), 0);
	assert_int_equal(symlink("nowhere", f->path), 0);
	assert_int_equal(pms_session_finish(w, NULL), -PMS_EIO);
	assert_int_equal(lstat(f->path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	pms_counts_free(total);
}

static int has_nameless_files(const char *directory)
{
	int fd = open(directory, O_TMPFILE | O_RDWR, 0600);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int count_files(const char *directory)
{
	int n = 0;
	DIR *dir = opendir(directory);
	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		n += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
	closedir(dir);
	return n;
}

static void nothing_is_there_until_it_is_whole(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog);
	struct pms_session_writer *w = NULL;
	struct pms_error err = { 0 };
	assert_int_equal(pms_session_check(f->path, NULL), 0);
	assert_int_equal(pms_session_create(f->path, &view, &w, NULL), 0);
	assert_int_equal(pms_session_add(w, total, NULL), 0);
	assert_int_equal(access(f->path, F_OK), -1);
	if (has_nameless_files(f->directory))
		assert_int_equal(count_files(f->directory), 0);
	assert_int_equal(pms_session_add(w, total, &err), -PMS_EINVAL);
	pms_session_discard(w);
	assert_int_equal(access(f->path, F_OK), -1);
	assert_int_equal(pms_session_create(f->path, &view, &w, NULL), 0);
	assert_int_equal(pms_session_finish(w, NULL), -PMS_EINVAL); /* without counts */
	assert_int_equal(access(f->path, F_OK), -1);
	assert_int_equal(pms_session_check("/nowhere/at/all.pms", NULL), -PMS_EIO);
	assert_int_equal(pms_session_check(f->directory, NULL), -PMS_EIO);
	pms_counts_free(total);
}

/* Files of the versions before, which lack tables, are read without what is in them. */
static void earlier_versions_are_read(void **state)
{
	static const char *const sql[] = {
		"PRAGMA user_version = 3; DROP TABLE profile; DROP TABLE profile_value; "
		"DROP TABLE profile_kind; DROP TABLE profile_object; DROP TABLE profile_thread; "
		"DROP TABLE profile_frame; DROP TABLE profile_row; DROP TABLE profile_edge; "
		"DROP VIEW profile_values",
		"PRAGMA user_version = 2; DROP TABLE scaling; DROP TABLE machine",
		"PRAGMA user_version = 1; DROP TABLE sample; DROP TABLE sample_group; "
		"DROP TABLE sample_count; DROP TABLE extent",
	};
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog), *got = NULL;
	save(f->path, total, NULL, 0);
	for (size_t i = 0; i < sizeof(sql) / sizeof(sql[0]); i++) {
		struct pms_session *s = NULL;
		sqlite3 *db = NULL;
		assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, sql[i], NULL, NULL, NULL), SQLITE_OK);
		sqlite3_close(db);
		assert_int_equal(pms_session_open(f->path, &s, NULL), 0);
		assert_int_equal(pms_session_total(s, f->catalog, &got, NULL), 0);
		assert_string_equal(got->provenance.core, total->provenance.core);
		assert_string_equal(got->provenance.modes, i ? "" : "user");
		assert_true(count_of(got, &got->scopes[0], "OP_SPEC")->scaled == 21.25);
		assert_true(count_of(got, &got->scopes[0], "OP_SPEC")->missed == (i ? 0 : 2.5));
		assert_null(got->profile);
		pms_counts_free(got);
		pms_session_close(s);
	}
	unlink(f->path);
	pms_counts_free(total);
}

/* One change to a whole session, and what it is said to be then. */
static const struct {
	const char *sql;
	const char *text;
} spoilt[] = {
	{ "PRAGMA application_id = 1", "not a session" },
	{ "PRAGMA user_version = 0", "not a session" },
	{ "PRAGMA user_version = 5", "version 5" },
	{ "DROP TABLE warning", "table warning" },
	{ "ALTER TABLE warning RENAME COLUMN text TO words", "table warning" },
	{ "DROP TABLE warning; CREATE VIEW warning AS SELECT 0 AS interval, 0 AS position, "
	  "'x' AS text",
	  "table warning" },
	{ "DELETE FROM session", "no" },
	{ "INSERT INTO session SELECT * FROM session", "two" },
	{ "DELETE FROM shown", "none" },
	{ "UPDATE shown SET level = 'x'", "level" },
	{ "UPDATE shown SET level = 100", "level" },
	{ "UPDATE session SET modelled = 2", "modelled" },
	{ "UPDATE session SET core = x'410042'", "core" },
	{ "UPDATE session SET exit_status = 256", "exit_status" },
	{ "UPDATE argument SET position = position + 1 WHERE position = 3", "position" },
	{ "UPDATE interval SET id = 1", "min(id)" },
	{ "INSERT INTO interval VALUES (2, 1.5)", "count(*)" },
	{ "UPDATE scope SET scope = 7 WHERE scope = 2", "scope" },
	{ "UPDATE scope SET kind = 'planet'", "kind" },
	{ "UPDATE scope SET kind = 'total'", "scope" },
	{ "UPDATE count SET scope = 3 WHERE scope = 2", "scope" },
	{ "UPDATE count SET scope = -1 WHERE scope = 2", "scope" },
	{ "DELETE FROM event WHERE name = 'OP_SPEC'", "event" },
	{ "UPDATE event SET id = -id", "id" },
	{ "UPDATE event SET id = 1 << 40 WHERE name = 'OP_SPEC'", "id" },
	{ "UPDATE count SET state = 'lost'", "state" },
	{ "DROP TABLE sample", "table sample" },
	{ "INSERT INTO sample VALUES (99, 1, 1, 1)", "scope" },
	{ "INSERT INTO sample_group VALUES (0, 0, 5.0)", "no sample" },
	{ "INSERT INTO sample VALUES (0, 9, 9, 1); INSERT INTO sample_group VALUES (0, 1, 5.0)",
	  "position" },
	{ "INSERT INTO sample VALUES (0, 9, 9, 1); INSERT INTO sample_group VALUES (0, 0, 0.0)",
	  "without instructions" },
	{ "INSERT INTO sample VALUES (0, 9, 9, 1); INSERT INTO sample_group VALUES (0, 0, 5.0); "
	  "INSERT INTO sample_count VALUES (0, 0, 60000, 1.0)",
	  "event" },
	{ "INSERT INTO sample VALUES (0, 9, 9, 1); INSERT INTO sample_group VALUES (0, 0, 5.0); "
	  "INSERT INTO sample_count VALUES (0, 0, 1, 'x')",
	  "count" },
	{ "INSERT INTO extent VALUES (0, 0, NULL, 'x', 0, 1, 1, 1)", "entries" },
	{ "INSERT INTO scope VALUES (0, 3, 'run', 0, '0'), (0, 4, 'run', 0, '1'), "
	  "(0, 5, 'run', 1, '0')",
	  "runs are not in order" },
	{ "INSERT INTO warning WITH RECURSIVE n(x) AS (VALUES(10) UNION ALL SELECT x + 1 FROM n "
	  "WHERE x < 20000) SELECT 0, x, 'x' FROM n",
	  "more than 16384 warnings" },
	{ "DROP TABLE scaling", "table scaling" },
	{ "UPDATE scaling SET missed = -1.0", "negative" },
	{ "UPDATE scaling SET phases = 'x'", "phases" },
	{ "UPDATE scaling SET scope = 9 WHERE scope = 2", "scope" },
	{ "DROP TABLE machine", "table machine" },
	{ "UPDATE machine SET midr = 'x'", "midr" },
	{ "DROP TABLE profile_value", "table profile_value" },
	{ "DROP TABLE profile", "table profile " },
	{ "INSERT INTO profile SELECT * FROM profile", "two profiles" },
	{ "UPDATE profile SET source = 'guess'", "source" },
	{ "UPDATE profile SET scale = 0.0", "scale" },
	{ "UPDATE profile SET scale = 9e999", "scale" },
	{ "UPDATE profile_kind SET id = id + 7", "id" },
	{ "UPDATE profile_kind SET name = 'same'", "a kind" },
	{ "UPDATE profile_kind SET name = 'a b' WHERE id = 0", "a kind" },
	{ "UPDATE profile_kind SET name = hex(zeroblob(32)) WHERE id = 0", "a kind" },
	{ "UPDATE profile_kind SET title = hex(zeroblob(200)) WHERE id = 0", "a kind" },
	{ "UPDATE profile_kind SET share = 'none of it'", "share" },
	{ "UPDATE profile_kind SET samples = 0 WHERE id = 0", "samples" },
	{ "INSERT INTO profile_kind WITH RECURSIVE n(x) AS (VALUES(3) UNION ALL SELECT x + 1 "
	  "FROM n WHERE x < 200) SELECT x, 'k' || x, '', 'events', 'none', NULL, NULL FROM n",
	  "a kind" },
	{ "UPDATE profile_object SET build_id = '0'", "an object" },
	{ "UPDATE profile_object SET build_id = 'zz'", "an object" },
	{ "UPDATE profile_object SET build_id = hex(zeroblob(21))", "an object" },
	{ "UPDATE profile_object SET path = hex(zeroblob(3000))", "an object" },
	{ "UPDATE profile_object SET kind = 'planet'", "kind" },
	{ "UPDATE profile_thread SET tid = -2", "tid" },
	{ "UPDATE profile_thread SET tid = 7", "a thread" },
	{ "UPDATE profile_frame SET parent = 1 WHERE id = 0", "parent" },
	{ "UPDATE profile_frame SET parent = 1 WHERE id = 1", "parent" },
	{ "UPDATE profile_row SET object = 2", "object" },
	{ "UPDATE profile_row SET frame = -1", "frame" },
	{ "UPDATE profile_row SET object = 0, address = 4, thread = 0, frame = 0", "a row" },
	{ "UPDATE profile_value SET row = 99 WHERE row = 0", "row" },
	{ "UPDATE profile_value SET kind = 99 WHERE kind = 0", "kind" },
	{ "UPDATE profile_value SET value = 1.5", "value" },
	{ "UPDATE profile_edge SET branch = 'jumping'", "branch" },
	{ "UPDATE profile_edge SET to_object = 5", "to_object" },
	{ "UPDATE count SET count = 'many' WHERE state = 'counted'", "count" },
	{ "UPDATE count SET count = NULL WHERE state = 'counted'", "count" },
	{ "UPDATE count SET scaled = 9e999 WHERE scaled", "scaled" },
};

/* Open @path and read the whole, with the status of the first that fails. */
static int try_session(const struct fixture *f, struct pms_error *err)
{
	struct pms_session *s = NULL;
	struct pms_counts *counts = NULL;
	int rc = pms_session_open(f->path, &s, err);
	if (!rc)
		rc = pms_session_total(s, f->catalog, &counts, err);
	pms_counts_free(counts);
	pms_session_close(s);
	return rc;
}

static void alter(const char *path, const char *sql)
{
	sqlite3 *db = NULL;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL))
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

static void what_is_spoilt_is_refused(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog);
	for (size_t i = 0; i < sizeof(spoilt) / sizeof(spoilt[0]); i++) {
		struct pms_error err = { 0 };
		save(f->path, total, NULL, 0);
		alter(f->path, spoilt[i].sql);
		int rc = try_session(f, &err);
		if (rc != -PMS_EPARSE || !strstr(err.text, spoilt[i].text) ||
		    strcmp(err.source, f->path) != 0)
			fail_msg("%s: %d, %s: %s", spoilt[i].sql, rc, err.source, err.text);
		unlink(f->path);
	}
	pms_counts_free(total);
}

/* What is written after a loop of SQL: a profile whose rows take more memory than its file. */
static void a_profile_keeps_its_sums_where_memory_is_short(void **state)
{
	static const char sql[] =
		"DELETE FROM profile_value; DELETE FROM profile_row; DELETE FROM profile_edge; "
		"INSERT INTO profile_row WITH RECURSIVE n(x) AS (VALUES(0) UNION ALL "
		"SELECT x + 1 FROM n WHERE x < 799999) SELECT x, 0, x, NULL, NULL FROM n; "
		"INSERT INTO profile_value SELECT id, 2, 3 FROM profile_row";
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog), *got = NULL;
	struct pms_session *s = NULL;
	save(f->path, total, NULL, 0);
	alter(f->path, sql);
	assert_int_equal(pms_session_open(f->path, &s, NULL), 0);
	assert_int_equal(pms_session_total(s, f->catalog, &got, NULL), 0);
	assert_int_equal(pms_profile_sum(got->profile, 2), 2400000);
	/* One row was added, for what has no place. */
	assert_int_equal(got->profile->left_out + got->profile->n_rows - 1, 800000 + 3);
	assert_true(got->profile->left_out > 10000);
	assert_true(strstr(got->warnings[got->n_warnings - 1], "instructions are left out") !=
		    NULL);
	pms_counts_free(got);
	pms_session_close(s);
	pms_counts_free(total);
	unlink(f->path);
}

/* What takes minutes for a row, if anything evaluates it. */
#define BOMB "instr(hex(zeroblob(400000)), hex(zeroblob(200000)) || 1)"

/* What others may add beside the tables. None of it is evaluated; where SQLite would do so as it is
 * added, it becomes what it is later. */
#define LATER(sql)                                                                                 \
	"; PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = '" sql "' WHERE name = "     \
	"'mine'"
static const char *const additions[] = {
	"CREATE TABLE mine (a, b NOT NULL AS (a)); INSERT INTO mine (a) VALUES (1), (2)" LATER(
		"CREATE TABLE mine (a, b NOT NULL AS (" BOMB "))"),
	"CREATE TABLE mine (a, CHECK (a)); INSERT INTO mine VALUES (1), (2)" LATER(
		"CREATE TABLE mine (a, CHECK (" BOMB "))"),
	"CREATE VIEW mine AS SELECT " BOMB " AS a FROM count",
	"CREATE TRIGGER mine AFTER INSERT ON count BEGIN SELECT " BOMB " AS a; END",
	"CREATE INDEX mine ON count (event, scope); CREATE INDEX also ON interval (end_s); ANALYZE",
	"CREATE INDEX mine ON count (abs(event)) WHERE scope > 0" LATER(
		"CREATE INDEX mine ON count (" BOMB ") WHERE " BOMB),
	"CREATE VIRTUAL TABLE mine USING fts5(a); INSERT INTO mine VALUES (1)",
};

static void additions_are_left_alone(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog), *got = NULL;
	alarm(60); /* instead of hours */
	for (size_t i = 0; i < sizeof(additions) / sizeof(additions[0]); i++) {
		save(f->path, total, NULL, 0);
		alter(f->path, additions[i]);
		struct pms_session *s = session_open(f->path);
		assert_int_equal(pms_session_total(s, f->catalog, &got, NULL), 0);
		same_counts(total, got);
		pms_counts_free(got);
		pms_session_close(s);
		unlink(f->path);
	}
	alarm(0);
	pms_counts_free(total);
}

static void too_many_additions_are_refused(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog);
	char sql[9000];
	for (int n = 60; n <= 60000; n *= 1000) {
		struct pms_error err = { 0 };
		save(f->path, total, NULL, 0);
		snprintf(
			sql, sizeof(sql),
			"PRAGMA writable_schema = 1; INSERT INTO sqlite_master WITH RECURSIVE n(x) "
			"AS (VALUES(1) UNION ALL SELECT x + 1 FROM n WHERE x < %d) SELECT 'view', "
			"'v' || x, 'v' || x, 0, 'CREATE VIEW v' || x || ' AS SELECT 1' FROM n",
			n);
		alter(f->path, sql);
		assert_int_equal(try_session(f, &err), -PMS_EPARSE);
		assert_non_null(strstr(err.text, "more than 64 tables"));
		unlink(f->path);
	}
	struct pms_error err = { 0 };
	save(f->path, total, NULL, 0);
	snprintf(sql, sizeof(sql), "CREATE VIEW v AS SELECT 1 %8500s AS a", "");
	alter(f->path, sql);
	assert_int_equal(try_session(f, &err), -PMS_EPARSE);
	unlink(f->path);
	pms_counts_free(total);
}

static void spoil_bytes(const char *path, long offset, int whence, const char *bytes)
{
	FILE *file = fopen(path, "r+");
	assert_non_null(file);
	assert_int_equal(fseek(file, offset, whence), 0);
	assert_int_equal(fwrite(bytes, 1, strlen(bytes), file), strlen(bytes));
	fclose(file);
}

static void damaged_files_are_refused(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog);
	struct pms_error err = { 0 };
	struct stat st;
	save(f->path, total, NULL, 0);
	assert_int_equal(stat(f->path, &st), 0);
	assert_int_equal(truncate(f->path, st.st_size - 4096), 0);
	assert_int_equal(try_session(f, &err), -PMS_EPARSE);
	unlink(f->path);

	save(f->path, total, NULL, 0);
	spoil_bytes(f->path, 4096 * 3, SEEK_SET, "\x7f\x7f\x7f\x7f\x7f\x7f");
	err = (struct pms_error){ 0 };
	assert_int_equal(try_session(f, &err), -PMS_EPARSE);
	assert_non_null(strstr(err.text, "damaged"));

	spoil_bytes(f->path, 0, SEEK_SET, "something else altogether");
	err = (struct pms_error){ 0 };
	assert_int_equal(try_session(f, &err), -PMS_EPARSE);
	assert_non_null(strstr(err.text, "not a session"));

	assert_int_equal(truncate(f->path, 0), 0);
	assert_int_equal(try_session(f, NULL), -PMS_EPARSE);
	unlink(f->path);
	assert_int_equal(try_session(f, NULL), -PMS_EIO);
	pms_counts_free(total);
}

/* The catalog may have changed since: what it lacks is said, the rest is there. */
static void another_catalog_is_said(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog), *got = NULL;
	struct pms_catalog *deep = NULL;
	save(f->path, total, NULL, 0);
	struct pms_session *s = session_open(f->path);
	assert_int_equal(pms_catalog_load(PMS_TEST_DATA, "deep", &deep, NULL), 0);
	assert_int_equal(pms_session_total(s, deep, &got, NULL), 0);
	assert_int_equal(got->n_warnings, 4);
	assert_non_null(strstr(got->warnings[2], "not in the catalog of deep"));
	assert_non_null(strstr(got->warnings[3], "small, version 7"));
	pms_counts_free(got);
	pms_session_close(s);
	pms_catalog_free(deep);
	pms_counts_free(total);
}

static void bytes_are_as_good_as_a_file(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog), *got = NULL;
	struct pms_session *s = NULL;
	static char bytes[1 << 20];
	save(f->path, total, NULL, 0);
	FILE *file = fopen(f->path, "r");
	assert_non_null(file);
	size_t size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	assert_int_equal(pms_session_open_bytes("bytes", bytes, size, &s, NULL), 0);
	assert_int_equal(pms_session_total(s, f->catalog, &got, NULL), 0);
	same_counts(total, got);
	pms_counts_free(got);
	pms_session_close(s);
	pms_counts_free(total);
}

/* Two passes of the total, one of the second thread. */
static void passes_come_back(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog), *got = NULL;
	int64_t cycles = pms_catalog_find_event(f->catalog, "CPU_CYCLES");
	struct pms_scope *of[] = { &total->total, &total->total, &total->scopes[1] };
	for (uint64_t i = 0; i < 3; i++)
		pms_scope_add_pass(total, of[i])[cycles] = (struct pms_count){
			.state = PMS_COUNTED, .value = 10 + i, .enabled_ns = 9, .running_ns = 3
		};
	save(f->path, total, NULL, 0);
	struct pms_session *s = session_open(f->path);
	assert_int_equal(pms_session_total(s, f->catalog, &got, NULL), 0);
	same_counts(total, got);
	assert_int_equal(got->total.n_passes, 2);
	assert_int_equal(got->scopes[0].n_passes, 0);
	assert_int_equal(got->scopes[1].n_passes, 1);
	assert_int_equal(got->total.passes[0][cycles].value, 10);
	assert_int_equal(got->total.passes[1][cycles].value, 11);
	assert_int_equal(got->scopes[1].passes[0][cycles].value, 12);
	assert_int_equal(got->scopes[1].passes[0][cycles].running_ns, 3);
	pms_counts_free(got);
	pms_session_close(s);
	pms_counts_free(total);
}

/* Two runs of each of two passes of the total, and what is no whole number. */
static void runs_come_back(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog), *got = NULL;
	size_t events[] = { (size_t)pms_catalog_find_event(f->catalog, "CPU_CYCLES"),
			    (size_t)pms_catalog_find_event(f->catalog, "INST_RETIRED") };
	static const double values[2][4] = { { 10, 20, 30.25, 0 }, { 5, 6, 7, 1e15 } };
	for (size_t pass = 0; pass < 2; pass++) {
		pms_scope_add_pass(total, &total->total);
		memcpy(pms_scope_add_runs(&total->total, pass, events, 2, 2)->values, values[pass],
		       sizeof(values[pass]));
	}
	pms_scope_add_pass(total, &total->scopes[0]);
	pms_scope_add_runs(&total->scopes[0], 0, events, 1, 3)->values[2] = 4;
	save(f->path, total, NULL, 0);
	struct pms_session *s = session_open(f->path);
	assert_int_equal(pms_session_total(s, f->catalog, &got, NULL), 0);
	same_counts(total, got);
	assert_int_equal(got->total.n_runs, 2);
	for (size_t pass = 0; pass < 2; pass++) {
		const struct pms_runs *runs = &got->total.runs[pass];
		assert_int_equal(runs->pass, pass);
		assert_int_equal(runs->n_runs, 2);
		assert_int_equal(runs->n_events, 2);
		for (size_t i = 0; i < 4; i++) {
			size_t model = runs->events[0] == events[0] ? i : i ^ 1;
			assert_true(runs->values[i] == values[pass][model]);
		}
	}
	assert_int_equal(got->scopes[0].n_runs, 1);
	assert_int_equal(got->scopes[0].runs[0].n_runs, 3);
	assert_true(got->scopes[0].runs[0].values[2] == 4);
	assert_int_equal(got->scopes[1].n_runs, 0);
	pms_counts_free(got);
	pms_session_close(s);
	pms_counts_free(total);
}

static int is_cut_off(const struct pms_counts *counts)
{
	for (size_t i = 0; i < counts->n_warnings; i++)
		if (strstr(counts->warnings[i], "cut off"))
			return 1;
	return 0;
}

/* What a reader finds at any moment: the whole until then, and the intervals. */
static void finds(const char *path, const struct pms_catalog *catalog, size_t intervals,
		  uint64_t cycles, int cut_off)
{
	struct pms_counts *got = NULL;
	struct pms_session *s = session_open(path);
	assert_int_equal(pms_session_intervals(s), intervals);
	assert_int_equal(pms_session_total(s, catalog, &got, NULL), 0);
	assert_int_equal(count_of(got, &got->total, "CPU_CYCLES")->value, cycles);
	assert_int_equal(is_cut_off(got), cut_off);
	pms_counts_free(got);
	pms_session_close(s);
}

static void a_durable_session_is_whole_at_every_moment(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog), *interval = pms_counts_new(f->catalog);
	struct pms_session_writer *w = NULL;
	struct stat st;
	interval->has_time = 1;
	assert_int_equal(pms_session_create_durable(f->path, &view, &w, NULL), 0);
	assert_int_equal(stat(f->path, &st), -1); /* rather than one that is no session yet */
	assert_int_equal(pms_session_add(w, total, NULL), 0);
	assert_int_equal(stat(f->path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	finds(f->path, f->catalog, 0, 0, 1);
	for (uint64_t i = 1; i <= 3; i++) {
		interval->time = (double)i;
		count_of(total, &total->total, "CPU_CYCLES")->value = 100 * i;
		assert_int_equal(pms_session_add(w, interval, NULL), 0);
		/* In flight: there when the whole is, too. */
		finds(f->path, f->catalog, (size_t)i - 1, 100 * (i - 1), 1);
		assert_int_equal(pms_session_add(w, total, NULL), 0);
		finds(f->path, f->catalog, (size_t)i, 100 * i, 1);
	}
	assert_int_equal(pms_session_finish(w, NULL), 0);
	finds(f->path, f->catalog, 3, 300, 0); /* and teardown finds one file alone */
	struct pms_session *s = session_open(f->path);
	struct pms_counts *got = NULL;
	assert_int_equal(pms_session_total(s, f->catalog, &got, NULL), 0);
	same_counts(total, got);
	same_provenance(&total->provenance, &got->provenance);
	pms_counts_free(got);
	pms_session_close(s);
	pms_counts_free(interval);
	pms_counts_free(total);
}

/* Counts with this many cycles; of an interval that ends at @time, or of the whole for 0. */
static struct pms_counts *make_cycles(const struct pms_catalog *catalog, uint64_t cycles,
				      double time)
{
	struct pms_counts *c = pms_counts_new(catalog);
	assert_non_null(c);
	strcpy(c->provenance.source, "perf");
	c->has_time = time > 0;
	c->time = time;
	*count_of(c, &c->total, "CPU_CYCLES") =
		(struct pms_count){ .state = PMS_COUNTED, .value = cycles };
	return c;
}

/* Interval @i of a run, of 10 * i cycles, and if @keep, the sum of all up to it. */
static void run_on(struct pms_session_writer *w, const struct pms_catalog *catalog, unsigned i,
		   int keep)
{
	struct pms_counts *interval = make_cycles(catalog, 10 * i, i);
	struct pms_counts *so_far = make_cycles(catalog, 5 * i * (i + 1), 0);
	struct pms_error err = { 0 };
	int rc = pms_session_add(w, interval, &err);
	if (!rc && keep)
		rc = pms_session_add(w, so_far, &err);
	pms_counts_free(interval);
	pms_counts_free(so_far);
	if (rc)
		fail_msg("%s: %s", err.source, err.text);
}

static void has_cycles(const struct fixture *f, struct pms_session *s, size_t interval,
		       uint64_t cycles, size_t n_warnings)
{
	struct pms_counts *counts = NULL;
	assert_int_equal(interval ? pms_session_interval(s, interval - 1, f->catalog, &counts, NULL)
				  : pms_session_total(s, f->catalog, &counts, NULL),
			 0);
	assert_int_equal(count_of(counts, &counts->total, "CPU_CYCLES")->value, cycles);
	assert_int_equal(counts->n_warnings, n_warnings);
	pms_counts_free(counts);
}

static int is_private(const struct fixture *f, const char *suffix)
{
	struct stat st;
	char path[160];
	snprintf(path, sizeof(path), "%s%s", f->path, suffix);
	return !stat(path, &st) && (st.st_mode & 0777) == 0600;
}

static void remove_log(const struct fixture *f)
{
	static const char *const suffixes[] = { "-wal", "-shm" };
	char path[160];
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s%s", f->path, suffixes[i]);
		unlink(path);
	}
}

static void a_kill_costs_what_was_not_kept(void **state)
{
	struct fixture *f = *state;
	struct pms_session_writer *w = NULL;
	int status = 0;
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		if (pms_session_create_durable(f->path, &view, &w, NULL))
			_exit(1);
		for (unsigned i = 1; i <= 4; i++)
			run_on(w, f->catalog, i, i <= 3);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_true(is_private(f, "") && is_private(f, "-wal"));
	struct pms_session *s = session_open(f->path);
	assert_int_equal(pms_session_intervals(s), 3);
	has_cycles(f, s, 0, 10 + 20 + 30, 1);
	has_cycles(f, s, 3, 30, 0);
	pms_session_close(s);
	assert_true(is_private(f, "-wal"));
	remove_log(f); /* as who copies the file alone */
	s = session_open(f->path);
	struct pms_counts *got = NULL;
	assert_int_equal(pms_session_total(s, f->catalog, &got, NULL), 0);
	assert_true(is_cut_off(got));
	assert_non_null(strstr(got->warnings[got->n_warnings - 1], "a.pms-wal beside it"));
	pms_counts_free(got);
	pms_session_close(s);
}

static void a_run_that_ended_is_one_file(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *whole = make_cycles(f->catalog, 35, 0);
	struct pms_session_writer *w = NULL;
	char log[160];
	snprintf(log, sizeof(log), "%s-wal", f->path);
	assert_int_equal(pms_session_create_durable(f->path, &view, &w, NULL), 0);
	run_on(w, f->catalog, 1, 1);
	struct pms_session *s = session_open(f->path);
	run_on(w, f->catalog, 2, 1);
	assert_int_equal(pms_session_intervals(s), 1); /* what it was when it was opened */
	has_cycles(f, s, 0, 10, 1);
	pms_session_close(s);
	assert_int_equal(pms_session_add(w, whole, NULL), 0);
	assert_int_equal(pms_session_finish(w, NULL), 0);
	assert_int_equal(access(log, F_OK), -1);
	s = session_open(f->path);
	assert_int_equal(pms_session_intervals(s), 2);
	has_cycles(f, s, 0, 35, 0);
	pms_session_close(s);
	pms_counts_free(whole);
}

/* What a session left beside its name is not taken for the next one's. */
static void leftovers_are_refused(void **state)
{
	static const char *const suffixes[] = { "-wal", "-journal", "-shm" };
	struct fixture *f = *state;
	struct pms_session_writer *w = NULL;
	for (size_t i = 0; i < 3; i++) {
		struct pms_error err = { 0 };
		char left[160];
		snprintf(left, sizeof(left), "%s%s", f->path, suffixes[i]);
		FILE *file = fopen(left, "w");
		assert_non_null(file);
		fclose(file);
		assert_int_equal(pms_session_check(f->path, &err), -PMS_EIO);
		assert_non_null(strstr(err.text, suffixes[i]));
		assert_int_not_equal(err.hint[0], 0);
		assert_int_equal(pms_session_create(f->path, &view, &w, NULL), -PMS_EIO);
		assert_int_equal(pms_session_create_durable(f->path, &view, &w, NULL), -PMS_EIO);
		unlink(left);
	}
	assert_int_equal(count_files(f->directory), 0);
}

/* Another program that reads by SQLite, which keeps the log in use, is no failure. */
static void a_reader_at_the_end_is_no_failure(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *whole = make_cycles(f->catalog, 35, 0);
	struct pms_session_writer *w = NULL;
	struct pms_error err = { 0 };
	sqlite3 *db = NULL;
	assert_int_equal(pms_session_create_durable(f->path, &view, &w, NULL), 0);
	run_on(w, f->catalog, 1, 1);
	assert_int_equal(sqlite3_open_v2(f->path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN; SELECT * FROM count", NULL, NULL, NULL), 0);
	assert_int_equal(pms_session_add(w, whole, NULL), 0);
	if (pms_session_finish(w, &err))
		fail_msg("%s: %s", err.source, err.text);
	struct pms_session *s = session_open(f->path);
	has_cycles(f, s, 0, 35, 0);
	pms_session_close(s);
	sqlite3_close(db);
	s = session_open(f->path);
	has_cycles(f, s, 0, 35, 0);
	pms_session_close(s);
	remove_log(f);
	pms_counts_free(whole);
}

static long long size_of(const char *path, const char *suffix)
{
	char name[160];
	struct stat st;
	snprintf(name, sizeof(name), "%s%s", path, suffix);
	return stat(name, &st) ? 0 : (long long)st.st_size;
}

/* An interval of one event, which is kept with the whole until then, writes a few small pages:
 * those of the interval's row, its scope's, its count's and the whole's count, and now and then one
 * more where a page is full. */
static void an_interval_writes_little(void **state)
{
	enum { INTERVALS = 100, MOST = 8 << 10 };
	struct fixture *f = *state;
	struct pms_session_writer *w = NULL;
	assert_int_equal(pms_session_create_durable(f->path, &view, &w, NULL), 0);
	run_on(w, f->catalog, 1, 1);
	long long before = size_of(f->path, "-wal");
	for (unsigned i = 2; i < 2 + INTERVALS; i++)
		run_on(w, f->catalog, i, 1);
	long long written = size_of(f->path, "-wal") - before;
	if (written > (long long)INTERVALS * MOST)
		fail_msg("%lld bytes an interval", written / INTERVALS);
	assert_int_equal(pms_session_finish(w, NULL), 0);
}

#define UP_TO(n) "WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM n WHERE x < " n ") "

static void read_all_intervals(const struct fixture *f, struct pms_session *s)
{
	for (size_t i = 0; i < pms_session_intervals(s); i++) {
		struct pms_counts *counts = NULL;
		assert_int_equal(pms_session_interval(s, i, f->catalog, &counts, NULL), 0);
		assert_string_equal(counts->provenance.command[1], "two words");
		assert_int_equal(counts->total.counts[0].state, PMS_NOT_COUNTED);
		pms_counts_free(counts);
	}
}

/* Each interval is read in a time that has to do with itself alone: not with all events there are,
 * nor with the words of the command. It was an hour for these. */
static void intervals_cost_what_they_have(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog);
	save(f->path, total, NULL, 0);
	alter(f->path,
	      "INSERT INTO event " UP_TO(
		      "60000") "SELECT x + 1000, 'E' || x, NULL FROM n; "
			       "INSERT INTO argument " UP_TO(
				       "60000") "SELECT x + 3, 'word' FROM n; "
						"INSERT INTO interval " UP_TO(
							"10000") "SELECT x, x * 1.0 FROM n; "
								 "INSERT INTO scope " UP_TO(
									 "10000") "SELECT x, 0, "
										  "'total', 0, '' "
										  "FROM n");
	alarm(100);
	struct pms_session *s = session_open(f->path);
	assert_int_equal(pms_session_intervals(s), 10000);
	read_all_intervals(f, s);
	alarm(0);
	pms_session_close(s);
	pms_counts_free(total);
}

/* Counts may outlive the session that they come from, and each other. */
static void counts_outlive_their_session(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog), *first = make_counts(f->catalog);
	const struct pms_counts *intervals[] = { first };
	struct pms_counts *got[3];
	first->has_time = 1;
	first->time = 1;
	save(f->path, total, intervals, 1);
	struct pms_session *s = session_open(f->path);
	assert_int_equal(pms_session_total(s, f->catalog, &got[0], NULL), 0);
	assert_int_equal(pms_session_interval(s, 0, f->catalog, &got[1], NULL), 0);
	assert_int_equal(pms_session_total(s, f->catalog, &got[2], NULL), 0);
	pms_session_close(s);
	for (size_t i = 0; i < 3; i++) {
		same_provenance(&total->provenance, &got[i]->provenance);
		pms_counts_free(got[i]);
	}
	pms_counts_free(total);
	pms_counts_free(first);
}

/* Different reasons are found among thousands as fast as among few. */
static void reasons_are_found(void **state)
{
	struct fixture *f = *state;
	struct pms_counts *total = make_counts(f->catalog), *got = NULL;
	save(f->path, total, NULL, 0);
	alter(f->path,
	      "INSERT INTO event " UP_TO(
		      "60000") "SELECT x + 1000, 'INST_RETIRED', NULL FROM n; "
			       "INSERT INTO count " UP_TO(
				       "60000") "SELECT y.scope, y.scope, x + 1000, "
						"'not_counted', 'measured', NULL, 0, 0, NULL, "
						"NULL, 0, 'because of ' || (x % 16000) "
						"FROM n, (SELECT 0 AS scope) AS y; "
						"INSERT INTO count SELECT 0, 1, event, state, "
						"class, count, enabled_ns, running_ns, "
						"scaled, spread, loose_times, because FROM count "
						"WHERE scope = 0 AND event > 1000; "
						"INSERT INTO count SELECT 0, 2, event, state, "
						"class, count, enabled_ns, running_ns, "
						"scaled, spread, loose_times, because FROM count "
						"WHERE scope = 0 AND event > 1000");
	alarm(25);
	struct pms_session *s = session_open(f->path);
	assert_int_equal(pms_session_total(s, f->catalog, &got, NULL), 0);
	assert_string_equal(count_of(got, &got->scopes[1], "INST_RETIRED")->because,
			    "because of 12000");
	alarm(0);
	pms_counts_free(got);
	pms_session_close(s);
	pms_counts_free(total);
}

static int is_warned(const struct pms_counts *counts, const char *text)
{
	for (size_t i = 0; i < counts->n_warnings; i++)
		if (strstr(counts->warnings[i], text))
			return 1;
	return 0;
}

/* A thread takes as much memory as it has events in the catalog. What would take more than there is
 * room for is left out, and said; the total is whole. */
static void what_has_no_room_is_left_out(void **state)
{
	struct fixture *f = *state;
	struct pms_catalog *catalog = NULL;
	struct pms_counts *total, *got = NULL;
	assert_int_equal(pms_catalog_load(PMS_SOURCE, "neoverse-v1", &catalog, NULL), 0);
	total = pms_counts_new(catalog);
	count_of(total, &total->total, "CPU_CYCLES")->state = PMS_COUNTED;
	count_of(total, &total->total, "CPU_CYCLES")->value = 5;
	save(f->path, total, NULL, 0);
	alter(f->path,
	      "INSERT INTO scope " UP_TO(
		      "10000") "SELECT 0, x, 'thread', x, '' FROM n; "
			       "INSERT INTO count SELECT 0, 10000, event, state, class, 7, "
			       "enabled_ns, "
			       "running_ns, scaled, spread, loose_times, because FROM count");
	struct pms_session *s = session_open(f->path);
	assert_int_equal(pms_session_total(s, catalog, &got, NULL), 0);
	assert_in_range(got->n_scopes, 1000, 3000);
	assert_int_equal(got->scopes[got->n_scopes - 1].id, got->n_scopes);
	assert_int_equal(count_of(got, &got->total, "CPU_CYCLES")->value, 5);
	assert_true(is_warned(got, "of the session's 10000 threads or CPUs are left out"));
	pms_counts_free(got);
	pms_session_close(s);
	unlink(f->path);

	/* The passes of some, with their runs. */
	save(f->path, total, NULL, 0);
	alter(f->path, "INSERT INTO scope " UP_TO(
			       "300") "SELECT 0, x, 'thread', x, '' FROM n; "
				      "INSERT INTO scope " UP_TO(
					      "6000") "SELECT 0, x + 300, 'pass', (x - 1) % 20, (x "
						      "- 1) / 20 + 1 FROM n; "
						      "INSERT INTO scope VALUES (0, 6301, 'run', "
						      "0, '301'), (0, 6302, 'run', 0, '6300'); "
						      "INSERT INTO count SELECT 0, x, event, "
						      "state, class, 7, enabled_ns, "
						      "running_ns, scaled, spread, loose_times, "
						      "because FROM count, "
						      "(SELECT 301 AS x UNION SELECT 6300 UNION "
						      "SELECT 6301 UNION SELECT 6302)");
	s = session_open(f->path);
	assert_int_equal(pms_session_total(s, catalog, &got, NULL), 0);
	assert_int_equal(got->n_scopes, 300);
	assert_int_equal(got->scopes[0].n_passes, 20);
	assert_int_equal(got->scopes[0].n_runs, 1);
	assert_int_equal(count_of(got, &got->scopes[0], "CPU_CYCLES")->state, PMS_NOT_COUNTED);
	assert_int_equal(
		got->scopes[0].passes[0][pms_catalog_find_event(catalog, "CPU_CYCLES")].value, 7);
	assert_int_equal(got->scopes[299].n_passes, 0);
	assert_int_equal(got->scopes[299].n_runs, 0);
	assert_true(is_warned(got, "threads or CPUs take too much memory: their metrics"));
	pms_counts_free(got);
	pms_session_close(s);
	pms_counts_free(total);
	pms_catalog_free(catalog);
}

static void what_was_kept_stays(void **state)
{
	struct fixture *f = *state;
	struct pms_session_writer *w = NULL;
	assert_int_equal(pms_session_create_durable(f->path, &view, &w, NULL), 0);
	run_on(w, f->catalog, 1, 1);
	run_on(w, f->catalog, 2, 0);
	pms_session_discard(w);
	struct pms_session *s = session_open(f->path);
	assert_int_equal(pms_session_intervals(s), 1);
	pms_session_close(s);
	remove_log(f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(everything_comes_back),
		TEST(view_comes_back),
		TEST(passes_come_back),
		TEST(runs_come_back),
		TEST(a_durable_session_is_whole_at_every_moment),
		TEST(for_the_user_alone),
		TEST(nothing_is_overwritten),
		TEST(nothing_is_there_until_it_is_whole),
		TEST(earlier_versions_are_read),
		TEST(what_is_spoilt_is_refused),
		TEST(a_profile_keeps_its_sums_where_memory_is_short),
		TEST(additions_are_left_alone),
		TEST(too_many_additions_are_refused),
		TEST(damaged_files_are_refused),
		TEST(another_catalog_is_said),
		TEST(bytes_are_as_good_as_a_file),
		TEST(a_kill_costs_what_was_not_kept),
		TEST(a_run_that_ended_is_one_file),
		TEST(what_was_kept_stays),
		TEST(intervals_cost_what_they_have),
		TEST(counts_outlive_their_session),
		TEST(reasons_are_found),
		TEST(what_has_no_room_is_left_out),
		TEST(leftovers_are_refused),
		TEST(a_reader_at_the_end_is_no_failure),
		TEST(an_interval_writes_little),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
