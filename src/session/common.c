/* SPDX-License-Identifier: MIT */
/* Read what all sets of counts of a session share: event names, the source of the counts, and
 * the command. They are read once: a session may have as many intervals as events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/status.h"
#include "session/row.h"

typedef int reader(struct pms_session *s, sqlite3_stmt *row, struct pms_error *err);

static int read_each(struct pms_session *s, const char *sql, reader *read, struct pms_error *err)
{
	sqlite3_stmt *row = NULL;
	int rc = pms_row_prepare(s, sql, &row, err);
	while (!rc) {
		rc = pms_row_step(s, row, err);
		if (rc <= 0)
			break;
		rc = read(s, row, err);
	}
	sqlite3_finalize(row);
	return rc;
}

/* Read an event; their numbers ascend. */
static int read_event(struct pms_session *s, sqlite3_stmt *row, struct pms_error *err)
{
	const char *name;
	int64_t id;
	int rc =
		pms_row_integer(s, row, 0, (int64_t)s->n_events, PMS_MOST_SESSION_EVENTS, &id, err);
	if (!rc)
		rc = pms_row_text(s, row, 1, 0, &name, err);
	while (!rc && s->n_events <= (size_t)id) {
		const char **room = pms_array_room(s->events, s->n_events, sizeof(room[0]));
		if (!room)
			return pms_row_no_memory(err);
		s->events = room;
		s->events[s->n_events++] = NULL;
	}
	if (rc)
		return rc;
	s->events[id] = pms_arena_dup(&s->arena, name);
	return s->events[id] ? 0 : pms_row_no_memory(err);
}

/* Copy a text into an array of @size bytes. */
static int copy_text(struct pms_session *s, sqlite3_stmt *row, int column, char *out, size_t size,
		     struct pms_error *err)
{
	const char *text;
	int rc = pms_row_text(s, row, column, 0, &text, err);
	if (!rc)
		snprintf(out, size, "%s", text);
	return rc;
}

/* Read where the counts come from. Each value is bounded: a damaged file must not reach a
 * report. */
static int read_provenance(struct pms_session *s, sqlite3_stmt *row, struct pms_error *err)
{
	struct pms_provenance *p = &s->provenance;
	const char *file = NULL;
	int64_t counters;
	if (p->source[0]) /* a second row must not replace the first */
		return pms_row_damaged(s, err, "it has two provenances");
	int rc = copy_text(s, row, 0, p->source, sizeof(p->source), err);
	if (!rc)
		rc = pms_row_int(s, row, 1, 0, 1, &p->modelled, err);
	if (!rc)
		rc = copy_text(s, row, 2, p->core, sizeof(p->core), err);
	if (!rc)
		rc = copy_text(s, row, 3, p->model_version, sizeof(p->model_version), err);
	if (!rc)
		rc = pms_row_text(s, row, 4, 1, &file, err);
	if (!rc && file && !(p->file = pms_arena_dup(&s->arena, file)))
		rc = pms_row_no_memory(err);
	if (!rc)
		rc = pms_row_int(s, row, 5, 0, 255, &p->exit_status, err);
	if (!rc)
		rc = pms_row_int(s, row, 6, 0, 127, &p->signal, err);
	if (!rc)
		rc = pms_row_integer(s, row, 7, 0, UINT16_MAX, &counters, err);
	p->counters_available = rc ? 0 : (unsigned)counters;
	return rc;
}

/* Read what only a PMU's counts have: modes and the CPU's identity. */
static int read_machine(struct pms_session *s, sqlite3_stmt *row, struct pms_error *err)
{
	struct pms_provenance *p = &s->provenance;
	int rc = copy_text(s, row, 0, p->modes, sizeof(p->modes), err);
	return rc ? rc : pms_row_unsigned(s, row, 1, &p->midr, err);
}

/* Append a word of the command. Words are numbered from 0 without a gap; a NULL follows the
 * last. */
static int read_argument(struct pms_session *s, sqlite3_stmt *row, struct pms_error *err)
{
	const char *text;
	int64_t place;
	if (!s->command && !(s->command = calloc(1, sizeof(*s->command))))
		return pms_row_no_memory(err);
	s->command->users = 1;
	size_t n = s->n_words;
	int rc = pms_row_integer(s, row, 0, (int64_t)n, (int64_t)n, &place, err);
	if (!rc && n >= PMS_MOST_SESSION_WORDS)
		rc = pms_row_damaged(s, err, "its command has more than %d words",
				     PMS_MOST_SESSION_WORDS);
	if (!rc)
		rc = pms_row_text(s, row, 1, 0, &text, err);
	if (rc)
		return rc;
	/* Room for the word, then for the NULL. */
	char **room = pms_array_room(s->command->words, n, sizeof(room[0]));
	if (room) {
		s->command->words = room;
		room[n] = NULL;
		room = pms_array_room(room, n + 1, sizeof(room[0]));
	}
	if (!room)
		return pms_row_no_memory(err);
	s->command->words = room;
	room[n] = strdup(text);
	s->n_words += room[n] != NULL;
	room[n + 1] = NULL;
	return room[n] ? 0 : pms_row_no_memory(err);
}

int pms_session_read_common(struct pms_session *s, struct pms_error *err)
{
	int rc = read_each(s, "SELECT id, name FROM event ORDER BY id", read_event, err);
	if (!rc)
		rc = read_each(s,
			       "SELECT source, modelled, core, model_version, file, exit_status, "
			       "signal, counters FROM session",
			       read_provenance, err);
	if (!rc && s->layout >= 3)
		rc = read_each(s, "SELECT modes, midr FROM machine LIMIT 1", read_machine, err);
	return rc ? rc
		  : read_each(s, "SELECT position, text FROM argument ORDER BY position",
			      read_argument, err);
}
