/* SPDX-License-Identifier: MIT */
/* Write a profile: things get their index as their number, so that rows name them by it. */
#include <stdio.h>

#include "session/schema.h"
#include "session/write.h"

typedef int row_writer(struct pms_session_writer *w, sqlite3_stmt *statement,
		       const struct pms_profile *p, size_t i, struct pms_error *err);

/* Put @n rows by one statement. */
static int put_each(struct pms_session_writer *w, const char *sql, row_writer *write,
		    const struct pms_profile *p, size_t n, struct pms_error *err)
{
	sqlite3_stmt *statement = NULL;
	int rc = n ? pms_write_prepare(w, sql, &statement, err) : 0;
	for (size_t i = 0; i < n && !rc; i++)
		rc = write(w, statement, p, i, err);
	sqlite3_finalize(statement);
	return rc;
}

static int put_head(struct pms_session_writer *w, sqlite3_stmt *statement,
		    const struct pms_profile *p, size_t i, struct pms_error *err)
{
	(void)i;
	return pms_write_row(w, err, statement, "tfuu", pms_session_sources.words[p->source],
			     p->scale, (uint64_t)p->slots_per_cycle, p->left_out);
}

static int put_kind(struct pms_session_writer *w, sqlite3_stmt *statement,
		    const struct pms_profile *p, size_t i, struct pms_error *err)
{
	const struct pms_profile_kind *k = &p->kinds[i];
	return pms_write_row(w, err, statement,
			     k->samples == PMS_PROFILE_NONE ? "uttttt-" : "utttttu", (uint64_t)i,
			     k->name, k->title, pms_session_units.words[k->unit],
			     pms_session_shares.words[k->share], k->cause, (uint64_t)k->samples);
}

static int put_object(struct pms_session_writer *w, sqlite3_stmt *statement,
		      const struct pms_profile *p, size_t i, struct pms_error *err)
{
	const struct pms_object *o = &p->objects[i];
	char id[2 * sizeof(o->build_id) + 1] = "";
	for (size_t k = 0; k < o->build_id_size; k++)
		snprintf(id + 2 * k, 3, "%02x", o->build_id[k]);
	return pms_write_row(w, err, statement, "uttt", (uint64_t)i,
			     pms_session_objects.words[o->kind], o->path, id);
}

static int put_thread(struct pms_session_writer *w, sqlite3_stmt *statement,
		      const struct pms_profile *p, size_t i, struct pms_error *err)
{
	const struct pms_profile_thread *t = &p->threads[i];
	return pms_write_row(w, err, statement, "uiit", (uint64_t)i, t->pid, t->tid, t->name);
}

/* Returns the letter of an index that may be none. */
static char index_type(uint32_t i)
{
	return i == PMS_PROFILE_NONE ? '-' : 'u';
}

static int put_frame(struct pms_session_writer *w, sqlite3_stmt *statement,
		     const struct pms_profile *p, size_t i, struct pms_error *err)
{
	const struct pms_profile_frame *f = &p->frames[i];
	const char types[] = { 'u', index_type(f->parent), index_type(f->object), 'u', 0 };
	return pms_write_row(w, err, statement, types, (uint64_t)i, (uint64_t)f->parent,
			     (uint64_t)f->object, f->address);
}

static int put_row(struct pms_session_writer *w, sqlite3_stmt *statement,
		   const struct pms_profile *p, size_t i, struct pms_error *err)
{
	const struct pms_profile_place *at = &p->rows[i].place;
	const char types[] = {
		'u', index_type(at->object), 'u', index_type(at->thread), index_type(at->frame), 0
	};
	return pms_write_row(w, err, statement, types, (uint64_t)i, (uint64_t)at->object,
			     at->address, (uint64_t)at->thread, (uint64_t)at->frame);
}

static int put_values(struct pms_session_writer *w, sqlite3_stmt *statement,
		      const struct pms_profile *p, size_t i, struct pms_error *err)
{
	int rc = 0;
	for (uint32_t c = p->rows[i].first; c != PMS_PROFILE_NONE && !rc; c = p->cells[c].next)
		rc = pms_write_row(w, err, statement, "uuu", (uint64_t)i,
				   (uint64_t)p->cells[c].kind, p->cells[c].value);
	return rc;
}

static int put_edge(struct pms_session_writer *w, sqlite3_stmt *statement,
		    const struct pms_profile *p, size_t i, struct pms_error *err)
{
	const struct pms_profile_edge *e = &p->edges[i];
	const char types[] = {
		'u', index_type(e->from_object), 'u', index_type(e->to_object), 'u', 't', 'u', 'u',
		0
	};
	return pms_write_row(w, err, statement, types, (uint64_t)i, (uint64_t)e->from_object,
			     e->from, (uint64_t)e->to_object, e->to,
			     pms_session_branches.words[e->branch], e->count, e->mispredicted);
}

int pms_write_profile(struct pms_session_writer *w, const struct pms_profile *p,
		      struct pms_error *err)
{
	const struct {
		const char *clear, *sql;
		row_writer *write;
		size_t n;
	} tables[] = {
		{ "DELETE FROM profile", "INSERT INTO profile VALUES (?, ?, ?, ?)", put_head, 1 },
		{ "DELETE FROM profile_kind",
		  "INSERT INTO profile_kind VALUES (?, ?, ?, ?, ?, ?, ?)", put_kind, p->n_kinds },
		{ "DELETE FROM profile_object", "INSERT INTO profile_object VALUES (?, ?, ?, ?)",
		  put_object, p->n_objects },
		{ "DELETE FROM profile_thread", "INSERT INTO profile_thread VALUES (?, ?, ?, ?)",
		  put_thread, p->n_threads },
		{ "DELETE FROM profile_frame", "INSERT INTO profile_frame VALUES (?, ?, ?, ?)",
		  put_frame, p->n_frames },
		{ "DELETE FROM profile_row", "INSERT INTO profile_row VALUES (?, ?, ?, ?, ?)",
		  put_row, p->n_rows },
		{ "DELETE FROM profile_value", "INSERT INTO profile_value VALUES (?, ?, ?)",
		  put_values, p->n_rows },
		{ "DELETE FROM profile_edge",
		  "INSERT INTO profile_edge VALUES (?, ?, ?, ?, ?, ?, ?, ?)", put_edge,
		  p->n_edges },
	};
	int rc = 0;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && !rc; i++) {
		sqlite3_stmt *clear = NULL;
		rc = pms_write_prepare(w, tables[i].clear, &clear, err);
		if (!rc)
			rc = pms_write_row(w, err, clear, "");
		sqlite3_finalize(clear);
		if (!rc)
			rc = put_each(w, tables[i].sql, tables[i].write, p, tables[i].n, err);
	}
	return rc;
}
