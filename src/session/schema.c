/* SPDX-License-Identifier: MIT */
#include "session/schema.h"

#include <string.h>

const struct pms_session_table pms_session_tables[] = {
	{ "table", "session",
	  "CREATE TABLE session (pmuscope TEXT NOT NULL, created TEXT NOT NULL, "
	  "source TEXT NOT NULL, modelled INTEGER NOT NULL, core TEXT NOT NULL, "
	  "model_version TEXT NOT NULL, file TEXT, exit_status INTEGER NOT NULL, "
	  "signal INTEGER NOT NULL, counters INTEGER NOT NULL, catalog TEXT NOT NULL, "
	  "catalog_version TEXT NOT NULL, specification TEXT)",
	  0 },
	{ "table", "argument",
	  "CREATE TABLE argument (position INTEGER PRIMARY KEY, text TEXT NOT NULL)", 0 },
	{ "table", "shown",
	  "CREATE TABLE shown (command TEXT NOT NULL, level INTEGER NOT NULL, "
	  "per_thread INTEGER NOT NULL, all_groups INTEGER NOT NULL)",
	  0 },
	{ "table", "shown_name",
	  "CREATE TABLE shown_name (kind TEXT NOT NULL, position INTEGER NOT NULL, "
	  "name TEXT NOT NULL, PRIMARY KEY (kind, position)) WITHOUT ROWID",
	  0 },
	{ "table", "event",
	  "CREATE TABLE event (id INTEGER PRIMARY KEY, name TEXT NOT NULL, code INTEGER)", 0 },
	{ "table", "interval", "CREATE TABLE interval (id INTEGER PRIMARY KEY, end_s REAL)", 0 },
	{ "table", "scope",
	  "CREATE TABLE scope (interval INTEGER NOT NULL, scope INTEGER NOT NULL, "
	  "kind TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, "
	  "PRIMARY KEY (interval, scope)) WITHOUT ROWID",
	  0 },
	{ "table", "count",
	  "CREATE TABLE count (interval INTEGER NOT NULL, scope INTEGER NOT NULL, "
	  "event INTEGER NOT NULL, state TEXT NOT NULL, class TEXT NOT NULL, count INTEGER, "
	  "enabled_ns INTEGER NOT NULL, running_ns INTEGER NOT NULL, scaled REAL, spread REAL, "
	  "loose_times INTEGER NOT NULL, because TEXT, PRIMARY KEY (interval, scope, event)) "
	  "WITHOUT ROWID",
	  0 },
	{ "table", "warning",
	  "CREATE TABLE warning (interval INTEGER NOT NULL, position INTEGER NOT NULL, "
	  "text TEXT NOT NULL, PRIMARY KEY (interval, position)) WITHOUT ROWID",
	  0 },
	{ "table", "extent",
	  "CREATE TABLE extent (forward INTEGER NOT NULL, forwarded INTEGER NOT NULL, "
	  "region TEXT, entries INTEGER NOT NULL, outside INTEGER NOT NULL, "
	  "warm INTEGER NOT NULL, detail INTEGER NOT NULL, skip INTEGER NOT NULL)",
	  2 },
	{ "table", "sample",
	  "CREATE TABLE sample (scope INTEGER PRIMARY KEY, instructions INTEGER NOT NULL, "
	  "counted INTEGER NOT NULL, windows INTEGER NOT NULL)",
	  2 },
	{ "table", "sample_group",
	  "CREATE TABLE sample_group (scope INTEGER NOT NULL, position INTEGER NOT NULL, "
	  "size REAL NOT NULL, PRIMARY KEY (scope, position)) WITHOUT ROWID",
	  2 },
	{ "table", "sample_count",
	  "CREATE TABLE sample_count (scope INTEGER NOT NULL, position INTEGER NOT NULL, "
	  "event INTEGER NOT NULL, count REAL NOT NULL, PRIMARY KEY (scope, position, event)) "
	  "WITHOUT ROWID",
	  2 },
	{ "table", "scaling",
	  "CREATE TABLE scaling (interval INTEGER NOT NULL, scope INTEGER NOT NULL, "
	  "event INTEGER NOT NULL, missed REAL NOT NULL, phases REAL NOT NULL, "
	  "PRIMARY KEY (interval, scope, event)) WITHOUT ROWID",
	  3 },
	{ "table", "machine", "CREATE TABLE machine (modes TEXT NOT NULL, midr INTEGER NOT NULL)",
	  3 },
	{ "table", "profile",
	  "CREATE TABLE profile (source TEXT NOT NULL, scale REAL NOT NULL, "
	  "slots_per_cycle INTEGER NOT NULL, left_out INTEGER NOT NULL)",
	  4 },
	{ "table", "profile_kind",
	  "CREATE TABLE profile_kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL, "
	  "title TEXT NOT NULL, unit TEXT NOT NULL, share TEXT NOT NULL, cause TEXT, "
	  "samples INTEGER)",
	  4 },
	{ "table", "profile_object",
	  "CREATE TABLE profile_object (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, "
	  "path TEXT NOT NULL, build_id TEXT NOT NULL)",
	  4 },
	{ "table", "profile_thread",
	  "CREATE TABLE profile_thread (id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, "
	  "tid INTEGER NOT NULL, name TEXT NOT NULL)",
	  4 },
	{ "table", "profile_frame",
	  "CREATE TABLE profile_frame (id INTEGER PRIMARY KEY, parent INTEGER, object INTEGER, "
	  "address INTEGER NOT NULL)",
	  4 },
	{ "table", "profile_row",
	  "CREATE TABLE profile_row (id INTEGER PRIMARY KEY, object INTEGER, "
	  "address INTEGER NOT NULL, thread INTEGER, frame INTEGER)",
	  4 },
	{ "table", "profile_value",
	  "CREATE TABLE profile_value (row INTEGER NOT NULL, kind INTEGER NOT NULL, "
	  "value INTEGER NOT NULL, PRIMARY KEY (row, kind)) WITHOUT ROWID",
	  4 },
	{ "table", "profile_edge",
	  "CREATE TABLE profile_edge (id INTEGER PRIMARY KEY, from_object INTEGER, "
	  "from_address INTEGER NOT NULL, to_object INTEGER, to_address INTEGER NOT NULL, "
	  "branch TEXT NOT NULL, count INTEGER NOT NULL, mispredicted INTEGER NOT NULL)",
	  4 },
	{ "view", "profile_values",
	  "CREATE VIEW profile_values AS SELECT profile_object.path AS object, "
	  "profile_row.address AS address, profile_thread.tid AS tid, "
	  "profile_thread.name AS thread, profile_kind.name AS kind, profile_kind.unit AS unit, "
	  "profile_kind.share AS share, profile_kind.cause AS cause, profile_value.value AS value "
	  "FROM profile_value JOIN profile_row ON profile_row.id = profile_value.row "
	  "JOIN profile_kind ON profile_kind.id = profile_value.kind "
	  "LEFT JOIN profile_object ON profile_object.id = profile_row.object "
	  "LEFT JOIN profile_thread ON profile_thread.id = profile_row.thread",
	  4 },
	{ "view", "counts",
	  "CREATE VIEW counts AS SELECT interval.id AS interval, interval.end_s AS end_s, "
	  "scope.kind AS scope, scope.number AS number, scope.name AS scope_name, "
	  "event.name AS event, event.code AS code, count.state AS state, count.class AS class, "
	  "count.count AS count, count.enabled_ns AS enabled_ns, count.running_ns AS running_ns, "
	  "count.because AS because FROM count JOIN event ON event.id = count.event "
	  "JOIN scope ON scope.interval = count.interval AND scope.scope = count.scope "
	  "JOIN interval ON interval.id = count.interval",
	  0 },
};

const size_t pms_session_n_tables = sizeof(pms_session_tables) / sizeof(pms_session_tables[0]);

static const char *const states[] = { [PMS_NOT_COUNTED] = "not_counted",
				      [PMS_COUNTED] = "counted",
				      [PMS_NOT_SUPPORTED] = "not_supported",
				      [PMS_NOT_MODELLED] = "not_modelled" };
static const char *const classes[] = { [PMS_COUNT_MEASURED] = "measured",
				       [PMS_COUNT_EXACT] = "exact",
				       [PMS_COUNT_MODELLED] = "modelled" };
static const char *const scopes[] = {
	[PMS_SCOPE_TOTAL] = "total", [PMS_SCOPE_CPU] = "cpu",	      [PMS_SCOPE_THREAD] = "thread",
	[PMS_SCOPE_CORE] = "core",   [PMS_SCOPE_CLUSTER] = "cluster", [PMS_SCOPE_CACHE] = "cache",
	[PMS_SCOPE_DIE] = "die",     [PMS_SCOPE_SOCKET] = "socket",   [PMS_SCOPE_NODE] = "node",
	[PMS_SESSION_PASS] = "pass", [PMS_SESSION_RUN] = "run",
};

static const char *const sources[] = { [PMS_PROFILE_MODELLED] = "modelled",
				       [PMS_PROFILE_SAMPLED] = "sampled",
				       [PMS_PROFILE_SPE] = "spe" };
static const char *const units[] = { [PMS_PROFILE_EVENTS] = "events",
				     [PMS_PROFILE_CYCLES] = "cycles",
				     [PMS_PROFILE_SLOTS] = "slots",
				     [PMS_PROFILE_INSTRUCTIONS] = "instructions",
				     [PMS_PROFILE_OPERATIONS] = "operations",
				     [PMS_PROFILE_SAMPLE_COUNT] = "samples",
				     [PMS_PROFILE_NANOSECONDS] = "nanoseconds" };
static const char *const shares[] = { [PMS_PROFILE_NO_SHARE] = "none",
				      [PMS_PROFILE_RETIRING] = "retiring",
				      [PMS_PROFILE_BAD_SPECULATION] = "bad_speculation",
				      [PMS_PROFILE_FRONTEND] = "frontend_bound",
				      [PMS_PROFILE_BACKEND] = "backend_bound" };
static const char *const branches[] = {
	[PMS_PROFILE_JUMP] = "jump", [PMS_PROFILE_CALL] = "call", [PMS_PROFILE_RETURN] = "return"
};
static const char *const objects[] = {
	[PMS_OBJECT_FILE] = "file", [PMS_OBJECT_KERNEL] = "kernel", [PMS_OBJECT_MODULE] = "module",
	[PMS_OBJECT_VDSO] = "vdso", [PMS_OBJECT_JIT] = "jit",	    [PMS_OBJECT_STACK] = "stack",
	[PMS_OBJECT_HEAP] = "heap", [PMS_OBJECT_OTHER] = "other"
};

#define WORDS(list)                                                                                \
	{                                                                                          \
		list, sizeof(list) / sizeof((list)[0])                                             \
	}

const struct pms_session_words pms_session_states = WORDS(states);
const struct pms_session_words pms_session_classes = WORDS(classes);
const struct pms_session_words pms_session_scopes = WORDS(scopes);
const struct pms_session_words pms_session_sources = WORDS(sources);
const struct pms_session_words pms_session_units = WORDS(units);
const struct pms_session_words pms_session_shares = WORDS(shares);
const struct pms_session_words pms_session_branches = WORDS(branches);
const struct pms_session_words pms_session_objects = WORDS(objects);

int pms_session_word(const struct pms_session_words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (!strcmp(words->words[i], word))
			return (int)i;
	return -1;
}
