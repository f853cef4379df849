/* SPDX-License-Identifier: MIT */
/* A profile: arrays that grow, and a hash table of each. Hashes have keys that no file can foresee,
 * and nothing is walked by its slots: output does not depend on them. */
#include "pmuscope/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/status.h"
#include "symbol/objects.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct pms_profile_private {
	struct pms_arena arena;	    /* texts of kinds and threads */
	struct pms_objects objects; /* paths of objects */
	struct pms_hash_key key;
	struct pms_numbers rows, edges; /* by hash, to the first of the same one */
	struct pms_numbers threads;	/* by pid and tid */
	struct pms_numbers frames;	/* by hash, to the first of the same one */
	uint32_t *next_frame;		/* of the same hash, for each frame */
};

static const char *const sources[] = { "modelled", "sampled", "spe" };
static const char *const units[] = { "events",	   "cycles",  "slots",	    "instructions",
				     "operations", "samples", "nanoseconds" };
static const char *const shares[] = { "none", "retiring", "bad_speculation", "frontend_bound",
				      "backend_bound" };
static const char *const branches[] = { "jump", "call", "return" };

static const char *name_of(const char *const *names, size_t n, size_t i)
{
	return i < n ? names[i] : "?";
}

const char *pms_profile_source_name(enum pms_profile_source source)
{
	return name_of(sources, COUNT(sources), (size_t)source);
}

const char *pms_profile_unit_name(enum pms_profile_unit unit)
{
	return name_of(units, COUNT(units), (size_t)unit);
}

const char *pms_profile_share_name(enum pms_profile_share share)
{
	return name_of(shares, COUNT(shares), (size_t)share);
}

const char *pms_profile_branch_name(enum pms_profile_branch branch)
{
	return name_of(branches, COUNT(branches), (size_t)branch);
}

struct pms_profile *pms_profile_new(enum pms_profile_source source)
{
	struct pms_profile *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->owned = calloc(1, sizeof(*p->owned));
	if (!p->owned) {
		free(p);
		return NULL;
	}
	p->source = source;
	p->scale = 1;
	p->owned->key = pms_hash_draw();
	return p;
}

void pms_profile_free(struct pms_profile *p)
{
	if (!p)
		return;
	pms_arena_release(&p->owned->arena);
	pms_objects_release(&p->owned->objects);
	pms_numbers_release(&p->owned->rows);
	pms_numbers_release(&p->owned->edges);
	pms_numbers_release(&p->owned->threads);
	pms_numbers_release(&p->owned->frames);
	free(p->owned->next_frame);
	free(p->owned);
	free(p->kinds);
	free(p->objects);
	free(p->threads);
	free(p->rows);
	free(p->cells);
	free(p->edges);
	free(p->frames);
	free(p);
}

/* Make room for one more in an array. Returns 0. Errors: -PMS_ENOMEM, -PMS_EINVAL it is full. */
static int grow(void *array, size_t n, size_t size)
{
	void **at = array;
	if (n >= PMS_PROFILE_NONE)
		return -PMS_EINVAL;
	void *room = pms_array_room(*at, n, size);
	if (!room)
		return -PMS_ENOMEM;
	*at = room;
	return 0;
}

/* Kinds, objects, threads ---------------------------------------------------------------------- */

int pms_profile_find_kind(const struct pms_profile *p, const char *name)
{
	for (size_t i = 0; i < p->n_kinds; i++)
		if (!strcmp(p->kinds[i].name, name))
			return (int)i;
	return -PMS_ENAME;
}

/* Returns whether all formats can use the name as it is. */
static int is_name(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
	return n && !name[n];
}

int pms_profile_add_kind(struct pms_profile *p, const struct pms_profile_kind *kind)
{
	int found = pms_profile_find_kind(p, kind->name);
	if (found >= 0)
		return found;
	if (!is_name(kind->name) || p->n_kinds >= PMS_MOST_PROFILE_KINDS ||
	    (kind->samples != PMS_PROFILE_NONE && kind->samples >= p->n_kinds))
		return -PMS_EINVAL;
	int rc = grow(&p->kinds, p->n_kinds, sizeof(*p->kinds));
	if (rc)
		return rc;
	struct pms_profile_kind copy = *kind;
	copy.name = pms_arena_dup(&p->owned->arena, kind->name);
	copy.title = pms_arena_dup(&p->owned->arena, kind->title ? kind->title : kind->name);
	copy.cause = kind->cause ? pms_arena_dup(&p->owned->arena, kind->cause) : NULL;
	if (!copy.name || !copy.title || (kind->cause && !copy.cause))
		return -PMS_ENOMEM;
	p->kinds[p->n_kinds] = copy;
	return (int)p->n_kinds++;
}

int64_t pms_profile_add_object(struct pms_profile *p, const struct pms_object *object)
{
	uint32_t number = pms_objects_find(&p->owned->objects, object);
	if (number != PMS_NO_ROW)
		return number;
	int rc = grow(&p->objects, p->n_objects, sizeof(*p->objects));
	if (rc)
		return rc;
	number = pms_objects_number(&p->owned->objects, object);
	if (number == PMS_NO_ROW)
		return -PMS_ENOMEM;
	p->objects[number] = p->owned->objects.rows[number].object;
	p->n_objects++;
	return number;
}

int64_t pms_profile_add_thread(struct pms_profile *p, const struct pms_profile_thread *thread)
{
	uint64_t key = (uint64_t)(uint32_t)thread->pid << 32 | (uint32_t)thread->tid;
	uint32_t number = pms_numbers_get(&p->owned->threads, key);
	int is_new = number == PMS_NO_ROW, rc = 0;
	const char *name = "";
	if (!is_new && (!thread->name[0] || !strcmp(p->threads[number].name, thread->name)))
		return number;
	if (is_new)
		rc = grow(&p->threads, p->n_threads, sizeof(*p->threads));
	if (!rc && thread->name[0])
		name = pms_arena_dup(&p->owned->arena, thread->name);
	if (!rc && !name)
		rc = -PMS_ENOMEM;
	if (!rc && is_new) {
		number = (uint32_t)p->n_threads;
		rc = pms_numbers_set(&p->owned->threads, key, number);
	}
	if (rc)
		return rc;
	p->threads[number] = (struct pms_profile_thread){ thread->pid, thread->tid, name };
	p->n_threads += (size_t)is_new;
	return number;
}

/* Places --------------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct pms_profile *p, const uint64_t *words, size_t n)
{
	return pms_hash_bytes(&p->owned->key, words, n * sizeof(*words));
}

static uint64_t pair(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

static int is_index(uint32_t i, size_t n)
{
	return i == PMS_PROFILE_NONE || i < n;
}

static int same_place(const struct pms_profile_place *a, const struct pms_profile_place *b)
{
	return a->object == b->object && a->address == b->address && a->thread == b->thread &&
	       a->frame == b->frame;
}

int64_t pms_profile_add_row(struct pms_profile *p, const struct pms_profile_place *place)
{
	const uint64_t words[] = { pair(place->object, place->thread), place->address,
				   place->frame };
	uint64_t hash = hash_of(p, words, COUNT(words));
	uint32_t head = pms_numbers_get(&p->owned->rows, hash);
	if (!is_index(place->object, p->n_objects) || !is_index(place->thread, p->n_threads) ||
	    !is_index(place->frame, p->n_frames))
		return -PMS_EINVAL;
	for (uint32_t i = head; i != PMS_NO_ROW; i = p->rows[i].next)
		if (same_place(&p->rows[i].place, place))
			return i;
	int rc = grow(&p->rows, p->n_rows, sizeof(*p->rows));
	if (!rc)
		rc = pms_numbers_set(&p->owned->rows, hash, (uint32_t)p->n_rows);
	if (rc)
		return rc;
	p->rows[p->n_rows] = (struct pms_profile_row){ *place, PMS_PROFILE_NONE, head };
	return (int64_t)p->n_rows++;
}

int64_t pms_profile_add_frame(struct pms_profile *p, const struct pms_profile_frame *frame)
{
	const uint64_t words[] = { pair(frame->object, frame->parent), frame->address };
	uint64_t hash = hash_of(p, words, COUNT(words));
	uint32_t head = pms_numbers_get(&p->owned->frames, hash);
	if (!is_index(frame->object, p->n_objects) || !is_index(frame->parent, p->n_frames))
		return -PMS_EINVAL;
	for (uint32_t i = head; i != PMS_NO_ROW; i = p->owned->next_frame[i])
		if (p->frames[i].parent == frame->parent && p->frames[i].object == frame->object &&
		    p->frames[i].address == frame->address)
			return i;
	int rc = grow(&p->frames, p->n_frames, sizeof(*p->frames));
	if (!rc)
		rc = grow(&p->owned->next_frame, p->n_frames, sizeof(*p->owned->next_frame));
	if (!rc)
		rc = pms_numbers_set(&p->owned->frames, hash, (uint32_t)p->n_frames);
	if (rc)
		return rc;
	p->frames[p->n_frames] = *frame;
	p->owned->next_frame[p->n_frames] = head;
	return (int64_t)p->n_frames++;
}

static uint64_t sum_of(uint64_t a, uint64_t b)
{
	uint64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static int same_edge(const struct pms_profile_edge *a, const struct pms_profile_edge *b)
{
	return a->from == b->from && a->to == b->to && a->from_object == b->from_object &&
	       a->to_object == b->to_object && a->branch == b->branch;
}

int pms_profile_add_edge(struct pms_profile *p, const struct pms_profile_edge *edge)
{
	const uint64_t words[] = { pair(edge->from_object, edge->to_object), edge->from, edge->to,
				   (uint64_t)edge->branch };
	uint64_t hash = hash_of(p, words, COUNT(words));
	uint32_t head = pms_numbers_get(&p->owned->edges, hash);
	if (!is_index(edge->from_object, p->n_objects) || !is_index(edge->to_object, p->n_objects))
		return -PMS_EINVAL;
	for (uint32_t i = head; i != PMS_NO_ROW; i = p->edges[i].next) {
		struct pms_profile_edge *e = &p->edges[i];
		if (!same_edge(e, edge))
			continue;
		e->count = sum_of(e->count, edge->count);
		e->mispredicted = sum_of(e->mispredicted, edge->mispredicted);
		return 0;
	}
	int rc = grow(&p->edges, p->n_edges, sizeof(*p->edges));
	if (!rc)
		rc = pms_numbers_set(&p->owned->edges, hash, (uint32_t)p->n_edges);
	if (rc)
		return rc;
	p->edges[p->n_edges] = *edge;
	p->edges[p->n_edges++].next = head;
	return 0;
}

/* Values --------------------------------------------------------------------------------------- */

/* Returns the row's cell of @kind, or its last one, or PMS_PROFILE_NONE without any. */
static uint32_t find_cell(const struct pms_profile *p, const struct pms_profile_row *row,
			  size_t kind)
{
	uint32_t at = row->first;
	while (at != PMS_PROFILE_NONE && p->cells[at].kind != kind &&
	       p->cells[at].next != PMS_PROFILE_NONE)
		at = p->cells[at].next;
	return at;
}

int pms_profile_add(struct pms_profile *p, int64_t row, int kind, uint64_t value)
{
	if (row < 0 || kind < 0)
		return row < 0 ? (int)row : kind;
	if ((uint64_t)row >= p->n_rows || (size_t)kind >= p->n_kinds)
		return -PMS_EINVAL;
	struct pms_profile_row *r = &p->rows[row];
	uint32_t at = find_cell(p, r, (size_t)kind);
	if (at != PMS_PROFILE_NONE && p->cells[at].kind == (uint32_t)kind) {
		p->cells[at].value = sum_of(p->cells[at].value, value);
		return 0;
	}
	if (!value)
		return 0;
	int rc = grow(&p->cells, p->n_cells, sizeof(*p->cells));
	if (rc)
		return rc;
	uint32_t added = (uint32_t)p->n_cells++;
	p->cells[added] = (struct pms_profile_cell){ value, PMS_PROFILE_NONE, (uint32_t)kind };
	*(at == PMS_PROFILE_NONE ? &r->first : &p->cells[at].next) = added;
	return 0;
}

uint64_t pms_profile_value(const struct pms_profile *p, size_t row, size_t kind)
{
	uint32_t at = find_cell(p, &p->rows[row], kind);
	return at != PMS_PROFILE_NONE && p->cells[at].kind == kind ? p->cells[at].value : 0;
}

uint64_t pms_profile_sum(const struct pms_profile *p, size_t kind)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < p->n_cells; i++)
		if (p->cells[i].kind == kind)
			sum = sum_of(sum, p->cells[i].value);
	return sum;
}

/* Sort ----------------------------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_rows(const void *a, const void *b)
{
	const struct pms_profile_place *x = &((const struct pms_profile_row *)a)->place;
	const struct pms_profile_place *y = &((const struct pms_profile_row *)b)->place;
	int order = compare_numbers(x->object, y->object);
	if (!order)
		order = compare_numbers(x->address, y->address);
	if (!order)
		order = compare_numbers(x->thread, y->thread);
	return order ? order : compare_numbers(x->frame, y->frame);
}

static int compare_edges(const void *a, const void *b)
{
	const struct pms_profile_edge *x = a, *y = b;
	int order = compare_numbers(x->from_object, y->from_object);
	if (!order)
		order = compare_numbers(x->from, y->from);
	if (!order)
		order = compare_numbers(x->to_object, y->to_object);
	if (!order)
		order = compare_numbers(x->to, y->to);
	return order ? order : compare_numbers((uint64_t)x->branch, (uint64_t)y->branch);
}

/* Order a row's cells by kind; there are few. */
static void sort_cells(struct pms_profile *p, struct pms_profile_row *row)
{
	uint32_t sorted = PMS_PROFILE_NONE;
	for (uint32_t at = row->first; at != PMS_PROFILE_NONE;) {
		uint32_t next = p->cells[at].next, *link = &sorted;
		while (*link != PMS_PROFILE_NONE && p->cells[*link].kind < p->cells[at].kind)
			link = &p->cells[*link].next;
		p->cells[at].next = *link;
		*link = at;
		at = next;
	}
	row->first = sorted;
}

/* The chains of equal hashes hold indices, which sorting changes: they are made anew where they
 * are needed again. Without memory for that, equal places may get two rows: sums stay right. */
static void index_rows(struct pms_profile *p)
{
	pms_numbers_release(&p->owned->rows);
	for (size_t i = 0; i < p->n_rows; i++) {
		const struct pms_profile_place *place = &p->rows[i].place;
		const uint64_t words[] = { pair(place->object, place->thread), place->address,
					   place->frame };
		uint64_t hash = hash_of(p, words, COUNT(words));
		p->rows[i].next = pms_numbers_get(&p->owned->rows, hash);
		if (pms_numbers_set(&p->owned->rows, hash, (uint32_t)i))
			return;
	}
}

static void index_edges(struct pms_profile *p)
{
	pms_numbers_release(&p->owned->edges);
	for (size_t i = 0; i < p->n_edges; i++) {
		const struct pms_profile_edge *e = &p->edges[i];
		const uint64_t words[] = { pair(e->from_object, e->to_object), e->from, e->to,
					   (uint64_t)e->branch };
		uint64_t hash = hash_of(p, words, COUNT(words));
		p->edges[i].next = pms_numbers_get(&p->owned->edges, hash);
		if (pms_numbers_set(&p->owned->edges, hash, (uint32_t)i))
			return;
	}
}

void pms_profile_sort(struct pms_profile *p)
{
	if (p->n_rows)
		qsort(p->rows, p->n_rows, sizeof(*p->rows), compare_rows);
	if (p->n_edges)
		qsort(p->edges, p->n_edges, sizeof(*p->edges), compare_edges);
	for (size_t i = 0; i < p->n_rows; i++)
		sort_cells(p, &p->rows[i]);
	index_rows(p);
	index_edges(p);
}

/* Merge ---------------------------------------------------------------------------------------- */

/* The indices of @from in @into. */
struct mapped {
	uint32_t *objects, *threads, *frames;
	int *kinds;
};

static uint32_t at(const uint32_t *map, uint32_t i)
{
	return i == PMS_PROFILE_NONE ? i : map[i];
}

static int map_kinds(struct pms_profile *into, const struct pms_profile *from, struct mapped *m)
{
	for (size_t i = 0; i < from->n_kinds; i++) {
		struct pms_profile_kind kind = from->kinds[i];
		if (kind.samples != PMS_PROFILE_NONE)
			kind.samples = (uint32_t)m->kinds[kind.samples];
		m->kinds[i] = pms_profile_add_kind(into, &kind);
		if (m->kinds[i] < 0)
			return m->kinds[i];
	}
	return 0;
}

static int map_all(struct pms_profile *into, const struct pms_profile *from, struct mapped *m)
{
	int rc = map_kinds(into, from, m);
	for (size_t i = 0; i < from->n_objects && !rc; i++) {
		int64_t number = pms_profile_add_object(into, &from->objects[i]);
		m->objects[i] = (uint32_t)number;
		rc = number < 0 ? (int)number : 0;
	}
	for (size_t i = 0; i < from->n_threads && !rc; i++) {
		int64_t number = pms_profile_add_thread(into, &from->threads[i]);
		m->threads[i] = (uint32_t)number;
		rc = number < 0 ? (int)number : 0;
	}
	for (size_t i = 0; i < from->n_frames && !rc; i++) {
		struct pms_profile_frame frame = from->frames[i];
		frame.parent = at(m->frames, frame.parent);
		frame.object = at(m->objects, frame.object);
		int64_t number = pms_profile_add_frame(into, &frame);
		m->frames[i] = (uint32_t)number;
		rc = number < 0 ? (int)number : 0;
	}
	return rc;
}

static int merge_row(struct pms_profile *into, const struct pms_profile *from, size_t i,
		     const struct mapped *m)
{
	struct pms_profile_place place = from->rows[i].place;
	place.object = at(m->objects, place.object);
	place.thread = at(m->threads, place.thread);
	place.frame = at(m->frames, place.frame);
	int64_t row = pms_profile_add_row(into, &place);
	int rc = row < 0 ? (int)row : 0;
	for (uint32_t c = from->rows[i].first; c != PMS_PROFILE_NONE && !rc;
	     c = from->cells[c].next)
		rc = pms_profile_add(into, row, m->kinds[from->cells[c].kind],
				     from->cells[c].value);
	return rc;
}

static int merge_all(struct pms_profile *into, const struct pms_profile *from, struct mapped *m)
{
	int rc = map_all(into, from, m);
	for (size_t i = 0; i < from->n_rows && !rc; i++)
		rc = merge_row(into, from, i, m);
	for (size_t i = 0; i < from->n_edges && !rc; i++) {
		struct pms_profile_edge edge = from->edges[i];
		edge.from_object = at(m->objects, edge.from_object);
		edge.to_object = at(m->objects, edge.to_object);
		rc = pms_profile_add_edge(into, &edge);
	}
	into->left_out = sum_of(into->left_out, from->left_out);
	return rc;
}

int pms_profile_merge(struct pms_profile *into, const struct pms_profile *from,
		      struct pms_error *err)
{
	if (into->source != from->source || into->scale != from->scale)
		return pms_fail(err, PMS_EINVAL,
				"the profiles differ in where their values come from");
	struct mapped m = {
		.objects = calloc(from->n_objects + 1, sizeof(*m.objects)),
		.threads = calloc(from->n_threads + 1, sizeof(*m.threads)),
		.frames = calloc(from->n_frames + 1, sizeof(*m.frames)),
		.kinds = calloc(from->n_kinds + 1, sizeof(*m.kinds)),
	};
	int rc = m.objects && m.threads && m.frames && m.kinds ? merge_all(into, from, &m)
							       : -PMS_ENOMEM;
	free(m.objects);
	free(m.threads);
	free(m.frames);
	free(m.kinds);
	if (rc == -PMS_ENOMEM)
		return pms_no_memory(err);
	return rc ? pms_fail(err, PMS_EINVAL, "the profiles have too many kinds or places") : 0;
}
