/* SPDX-License-Identifier: MIT */
/* Load the profile of a session. Its rows may ask for more memory than the counts left: what
 * further ones counted goes to the row without an object, so that sums stay. */
#include <string.h>

#include "base/limits.h"
#include "session/load.h"

static struct pms_profile *profile_of(const struct pms_loading *l)
{
	return l->counts->profile;
}

/* Report why the profile could not take what a row of the file holds. */
static int refused(struct pms_loading *l, int status, const char *what)
{
	if (status == -PMS_ENOMEM)
		return pms_row_no_memory(l->err);
	return pms_row_damaged(l->session, l->err, "its profile has %s that does not fit", what);
}

/* Take memory for one more. Returns 0 where there is none left. */
static int take_room(struct pms_loading *l, uint64_t bytes)
{
	if (l->room < bytes)
		return 0;
	l->room -= bytes;
	return 1;
}

/* Read the number of a thing, which are numbered from 0 without a gap. */
static int read_number(struct pms_loading *l, sqlite3_stmt *row, size_t want)
{
	int64_t number;
	return pms_row_integer(l->session, row, 0, (int64_t)want, (int64_t)want, &number, l->err);
}

/* Read an index below @n; PMS_PROFILE_NONE where the column is empty. */
static int read_index(struct pms_loading *l, sqlite3_stmt *row, int column, size_t n, uint32_t *out)
{
	int64_t value;
	*out = PMS_PROFILE_NONE;
	if (sqlite3_column_type(row, column) == SQLITE_NULL)
		return 0;
	int rc = pms_row_integer(l->session, row, column, 0, (int64_t)n - 1, &value, l->err);
	if (!rc)
		*out = (uint32_t)value;
	return rc;
}

static int read_head(struct pms_loading *l, sqlite3_stmt *row)
{
	const struct pms_session *s = l->session;
	struct pms_profile *p = profile_of(l);
	int source, slots = 0;
	if (p)
		return pms_row_damaged(s, l->err, "it has two profiles");
	int rc = pms_row_word(s, row, 0, &pms_session_sources, &source, l->err);
	if (rc)
		return rc;
	p = l->counts->profile = pms_profile_new((enum pms_profile_source)source);
	if (!p)
		return pms_row_no_memory(l->err);
	rc = pms_row_double(s, row, 1, 0, &p->scale, l->err);
	if (!rc && !(p->scale > 0))
		rc = pms_row_damaged(s, l->err, "its profile has a scale that is not positive");
	if (!rc)
		rc = pms_row_int(s, row, 2, 0, 1024, &slots, l->err);
	p->slots_per_cycle = (unsigned)slots;
	return rc ? rc : pms_row_unsigned(s, row, 3, &p->left_out, l->err);
}

static int read_kind(struct pms_loading *l, sqlite3_stmt *row)
{
	const struct pms_session *s = l->session;
	struct pms_profile *p = profile_of(l);
	struct pms_profile_kind kind = { 0 };
	char name[64], title[256];
	const char *text;
	int unit, share;
	int rc = read_number(l, row, p->n_kinds);
	if (!rc)
		rc = pms_row_text(s, row, 1, 0, &text, l->err);
	if (!rc && strlen(text) >= sizeof(name))
		return refused(l, 0, "a kind");
	if (!rc)
		kind.name = strcpy(name, text);
	if (!rc)
		rc = pms_row_text(s, row, 2, 0, &text, l->err);
	if (!rc && strlen(text) >= sizeof(title))
		return refused(l, 0, "a kind");
	if (!rc)
		kind.title = strcpy(title, text);
	if (!rc)
		rc = pms_row_word(s, row, 3, &pms_session_units, &unit, l->err);
	if (!rc)
		rc = pms_row_word(s, row, 4, &pms_session_shares, &share, l->err);
	if (!rc)
		rc = read_index(l, row, 6, p->n_kinds, &kind.samples);
	if (!rc)
		rc = pms_row_text(s, row, 5, 1, &kind.cause, l->err);
	if (rc)
		return rc;
	kind.unit = (enum pms_profile_unit)unit;
	kind.share = (enum pms_profile_share)share;
	size_t before = p->n_kinds;
	int added = pms_profile_add_kind(p, &kind);
	return added == (int)before ? 0 : refused(l, added, "a kind");
}

/* Read a build-id: two hexadecimal digits for each byte. Returns whether it is one. */
static int read_build_id(const char *text, struct pms_object *object)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = strlen(text);
	if (n % 2 || n > 2 * sizeof(object->build_id) || strspn(text, digits) != n)
		return 0;
	for (size_t i = 0; i < n; i += 2)
		object->build_id[i / 2] = (uint8_t)((strchr(digits, text[i]) - digits) << 4 |
						    (strchr(digits, text[i + 1]) - digits));
	object->build_id_size = (uint8_t)(n / 2);
	return 1;
}

static int read_object(struct pms_loading *l, sqlite3_stmt *row)
{
	const struct pms_session *s = l->session;
	struct pms_profile *p = profile_of(l);
	struct pms_object object = { 0 };
	const char *id;
	int kind;
	int rc = read_number(l, row, p->n_objects);
	if (!rc)
		rc = pms_row_word(s, row, 1, &pms_session_objects, &kind, l->err);
	if (!rc)
		rc = pms_row_text(s, row, 2, 0, &object.path, l->err);
	if (!rc)
		rc = pms_row_text(s, row, 3, 0, &id, l->err);
	if (rc)
		return rc;
	object.kind = (enum pms_object_kind)kind;
	if (!read_build_id(id, &object) || strlen(object.path) >= PMS_MOST_OBJECT_PATH ||
	    p->n_objects >= PMS_MOST_PROFILE_OBJECTS)
		return refused(l, 0, "an object");
	size_t before = p->n_objects;
	int64_t added = pms_profile_add_object(p, &object);
	return added == (int64_t)before ? 0 : refused(l, (int)added, "an object");
}

static int read_thread(struct pms_loading *l, sqlite3_stmt *row)
{
	const struct pms_session *s = l->session;
	struct pms_profile *p = profile_of(l);
	struct pms_profile_thread thread;
	int rc = read_number(l, row, p->n_threads);
	if (!rc)
		rc = pms_row_int(s, row, 1, -1, INT32_MAX, &thread.pid, l->err);
	if (!rc)
		rc = pms_row_int(s, row, 2, -1, INT32_MAX, &thread.tid, l->err);
	if (!rc)
		rc = pms_row_text(s, row, 3, 0, &thread.name, l->err);
	if (rc)
		return rc;
	size_t before = p->n_threads;
	int64_t added = before < PMS_MOST_SESSION_SCOPES && strlen(thread.name) < 256
				? pms_profile_add_thread(p, &thread)
				: -PMS_EINVAL;
	return added == (int64_t)before ? 0 : refused(l, (int)added, "a thread");
}

static int read_frame(struct pms_loading *l, sqlite3_stmt *row)
{
	struct pms_profile *p = profile_of(l);
	struct pms_profile_frame frame;
	int rc = read_number(l, row, p->n_frames);
	if (!rc)
		rc = read_index(l, row, 1, p->n_frames, &frame.parent);
	if (!rc)
		rc = read_index(l, row, 2, p->n_objects, &frame.object);
	if (!rc)
		rc = pms_row_unsigned(l->session, row, 3, &frame.address, l->err);
	if (rc)
		return rc;
	size_t before = p->n_frames;
	int64_t added = take_room(l, PMS_PROFILE_FRAME_BYTES) ? pms_profile_add_frame(p, &frame)
							      : -PMS_EINVAL;
	return added == (int64_t)before ? 0 : refused(l, (int)added, "a call path");
}

static int read_row(struct pms_loading *l, sqlite3_stmt *row)
{
	struct pms_profile *p = profile_of(l);
	struct pms_profile_place place;
	int rc = read_number(l, row, l->n_profile_rows);
	if (!rc)
		rc = read_index(l, row, 1, p->n_objects, &place.object);
	if (!rc)
		rc = pms_row_unsigned(l->session, row, 2, &place.address, l->err);
	if (!rc)
		rc = read_index(l, row, 3, p->n_threads, &place.thread);
	if (!rc)
		rc = read_index(l, row, 4, p->n_frames, &place.frame);
	if (rc)
		return rc;
	l->n_profile_rows++;
	if (!take_room(l, PMS_PROFILE_ROW_BYTES + PMS_PROFILE_CELL_BYTES)) { /* its first value */
		p->left_out++;
		return 0;
	}
	size_t before = p->n_rows;
	int64_t added = pms_profile_add_row(p, &place);
	return added == (int64_t)before ? 0 : refused(l, (int)added, "a row");
}

/* Returns the row of what has no place. */
static int64_t row_of_nothing(struct pms_profile *p)
{
	const struct pms_profile_place nowhere = { PMS_PROFILE_NONE, 0, PMS_PROFILE_NONE,
						   PMS_PROFILE_NONE };
	return pms_profile_add_row(p, &nowhere);
}

static int read_value(struct pms_loading *l, sqlite3_stmt *row)
{
	struct pms_profile *p = profile_of(l);
	uint32_t at, kind;
	uint64_t value = 0;
	int rc = read_index(l, row, 0, l->n_profile_rows, &at);
	if (!rc)
		rc = read_index(l, row, 1, p->n_kinds, &kind);
	if (!rc && (at == PMS_PROFILE_NONE || kind == PMS_PROFILE_NONE))
		return refused(l, 0, "a value");
	if (!rc)
		rc = pms_row_unsigned(l->session, row, 2, &value, l->err);
	if (rc)
		return rc;
	int is_kept = at < l->n_kept_rows;
	int fits = is_kept &&
		   (p->rows[at].first == PMS_PROFILE_NONE || take_room(l, PMS_PROFILE_CELL_BYTES));
	if (is_kept && !fits && l->last_part != at + 1) {
		l->last_part = at + 1;
		p->left_out++;
	}
	rc = pms_profile_add(p, fits ? (int64_t)at : row_of_nothing(p), (int)kind, value);
	return rc ? refused(l, rc, "a value") : 0;
}

static int read_edge(struct pms_loading *l, sqlite3_stmt *row)
{
	const struct pms_session *s = l->session;
	struct pms_profile *p = profile_of(l);
	struct pms_profile_edge edge = { 0 };
	int branch;
	int rc = read_index(l, row, 0, p->n_objects, &edge.from_object);
	if (!rc)
		rc = pms_row_unsigned(s, row, 1, &edge.from, l->err);
	if (!rc)
		rc = read_index(l, row, 2, p->n_objects, &edge.to_object);
	if (!rc)
		rc = pms_row_unsigned(s, row, 3, &edge.to, l->err);
	if (!rc)
		rc = pms_row_word(s, row, 4, &pms_session_branches, &branch, l->err);
	if (!rc)
		rc = pms_row_unsigned(s, row, 5, &edge.count, l->err);
	if (!rc)
		rc = pms_row_unsigned(s, row, 6, &edge.mispredicted, l->err);
	if (rc)
		return rc;
	edge.branch = (enum pms_profile_branch)branch;
	if (!take_room(l, PMS_PROFILE_EDGE_BYTES)) {
		l->n_edges_left_out++;
		return 0;
	}
	rc = pms_profile_add_edge(p, &edge);
	return rc ? refused(l, rc, "a branch") : 0;
}

static int warn_of_left_out(struct pms_loading *l, uint64_t before)
{
	int failed = 0;
	if (profile_of(l)->left_out > before)
		failed = pms_counts_warn(l->counts,
					 "the places of %llu instructions are left out: they take "
					 "more than %d MiB and three times the file",
					 (unsigned long long)(profile_of(l)->left_out - before),
					 PMS_MOST_SESSION_COUNTS >> 20);
	if (l->n_edges_left_out)
		failed |=
			pms_counts_warn(l->counts,
					"%zu branches of the profile are left out: they take more "
					"than %d MiB and three times the file",
					l->n_edges_left_out, PMS_MOST_SESSION_COUNTS >> 20);
	return failed ? pms_row_no_memory(l->err) : 0;
}

int pms_load_profile(struct pms_loading *l)
{
	static const struct {
		enum pms_row_query query;
		pms_load_reader *read;
	} tables[] = {
		{ PMS_ROW_KINDS, read_kind },	  { PMS_ROW_OBJECTS, read_object },
		{ PMS_ROW_THREADS, read_thread }, { PMS_ROW_FRAMES, read_frame },
		{ PMS_ROW_PLACES, read_row },
	};
	int rc = pms_load_each(l, PMS_ROW_PROFILE, read_head);
	if (rc || !profile_of(l))
		return rc;
	uint64_t before = profile_of(l)->left_out;
	l->room += l->session->size;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && !rc; i++)
		rc = pms_load_each(l, tables[i].query, tables[i].read);
	l->n_kept_rows = profile_of(l)->n_rows;
	if (!rc)
		rc = pms_load_each(l, PMS_ROW_VALUES, read_value);
	if (!rc)
		rc = pms_load_each(l, PMS_ROW_EDGES, read_edge);
	return rc ? rc : warn_of_left_out(l, before);
}
