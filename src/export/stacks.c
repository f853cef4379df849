/* SPDX-License-Identifier: MIT */
#include "export/stacks.h"
#include "base/array.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/status.h"
#include "pmuscope/fold.h"

#include <stdio.h>
#include <stdlib.h>

/* The state while stacks are made. */
struct making {
	struct pms_export_stacks *stacks;
	struct pms_numbers children; /* by parent and label */
	struct pms_numbers calls;    /* by thread's stack and frame */
	uint32_t *path;		     /* frames on the way to a call */
};

/* Returns the stack that calls @label from @parent; PMS_NO_ROW when out of memory. */
static uint32_t child_of(struct making *m, uint32_t parent, uint32_t label)
{
	struct pms_export_stacks *s = m->stacks;
	uint64_t key = (uint64_t)parent << 32 | label;
	uint32_t row = pms_numbers_get(&m->children, key);
	if (row != PMS_NO_ROW)
		return row;
	void *room = pms_array_room(s->rows, s->n_rows, sizeof(*s->rows));
	if (!room || s->n_rows == PMS_PROFILE_NONE)
		return PMS_NO_ROW;
	s->rows = room;
	if (pms_numbers_set(&m->children, key, (uint32_t)s->n_rows))
		return PMS_NO_ROW;
	s->rows[s->n_rows] = (struct pms_export_stack){
		parent, label, parent == PMS_PROFILE_NONE ? 1 : s->rows[parent].depth + 1
	};
	return (uint32_t)s->n_rows++;
}

/* Returns the stack of an instruction that was called from @parent, with what it is inlined in. */
static uint32_t spot_stack(struct making *m, uint32_t parent, uint32_t spot)
{
	const struct pms_export_places *p = m->stacks->places;
	for (uint32_t i = p->spots[spot].count; i-- > 0;) {
		parent = child_of(m, parent, p->lines[p->spots[spot].first + i].function);
		if (parent == PMS_NO_ROW)
			break;
	}
	return parent;
}

/* Returns the stack of a call, which is behind the calls that led to it; PMS_NO_ROW when out of
 * memory. Threads are roots, so a call has another stack in each. Of calls nested deeper than
 * viewers follow, the inner ones are left out. */
static uint32_t call_stack(struct making *m, uint32_t root, uint32_t frame)
{
	const struct pms_export_places *p = m->stacks->places;
	const uint64_t thread = (uint64_t)root << 32;
	uint32_t stack = root, n = 0;
	for (uint32_t at = frame; at != PMS_PROFILE_NONE; at = p->profile->frames[at].parent) {
		uint32_t known = pms_numbers_get(&m->calls, thread | at);
		if (known != PMS_NO_ROW) {
			stack = known;
			break;
		}
		m->path[n++] = at;
	}
	while (n > 0) {
		uint32_t at = m->path[--n];
		if (stack == PMS_PROFILE_NONE ||
		    m->stacks->rows[stack].depth < PMS_MOST_EXPORT_DEPTH)
			stack = spot_stack(m, stack, p->frame_spots[at]);
		if (stack == PMS_NO_ROW || pms_numbers_set(&m->calls, thread | at, stack))
			return PMS_NO_ROW;
	}
	return stack;
}

static int make_row(struct making *m, size_t row)
{
	struct pms_export_stacks *s = m->stacks;
	const struct pms_export_places *p = s->places;
	const struct pms_profile_place *place = &p->profile->rows[row].place;
	uint32_t stack = PMS_PROFILE_NONE;
	if (place->thread != PMS_PROFILE_NONE) {
		stack = child_of(m, stack, (uint32_t)p->n_functions + place->thread);
		if (stack == PMS_NO_ROW)
			return -PMS_ENOMEM;
	}
	if (place->frame != PMS_PROFILE_NONE) {
		stack = call_stack(m, stack, place->frame);
		if (stack == PMS_NO_ROW)
			return -PMS_ENOMEM;
	}
	s->row_stacks[row] = spot_stack(m, stack, p->row_spots[row]);
	return s->row_stacks[row] == PMS_NO_ROW ? -PMS_ENOMEM : 0;
}

static int make_causes(struct making *m, size_t row)
{
	struct pms_export_stacks *s = m->stacks;
	const struct pms_export_places *p = s->places;
	uint32_t base = (uint32_t)(p->n_functions + p->profile->n_threads);
	for (uint32_t i = p->profile->rows[row].first; i != PMS_PROFILE_NONE;
	     i = p->profile->cells[i].next) {
		uint32_t kind = p->profile->cells[i].kind;
		if (p->profile->kinds[kind].share == PMS_PROFILE_NO_SHARE)
			continue;
		s->kind_stacks[i] = child_of(m, s->row_stacks[row], base + kind);
		if (s->kind_stacks[i] == PMS_NO_ROW)
			return -PMS_ENOMEM;
	}
	return 0;
}

int pms_export_stacks_init(struct pms_export_stacks *out, const struct pms_export_places *places,
			   int causes, struct pms_error *err)
{
	const struct pms_profile *profile = places->profile;
	struct making m = { .stacks = out };
	*out = (struct pms_export_stacks){ .places = places };
	m.path = calloc(profile->n_frames + 1, sizeof(*m.path));
	out->row_stacks = calloc(profile->n_rows + 1, sizeof(*out->row_stacks));
	if (causes)
		out->kind_stacks = calloc(profile->n_cells + 1, sizeof(*out->kind_stacks));
	int rc = m.path && out->row_stacks && (out->kind_stacks || !causes) ? 0 : -PMS_ENOMEM;
	for (size_t i = 0; !rc && i < profile->n_rows; i++) {
		rc = make_row(&m, i);
		if (!rc && causes)
			rc = make_causes(&m, i);
	}
	free(m.path);
	pms_numbers_release(&m.calls);
	pms_numbers_release(&m.children);
	return rc ? pms_no_memory(err) : 0;
}

void pms_export_stacks_release(struct pms_export_stacks *s)
{
	free(s->rows);
	free(s->row_stacks);
	free(s->kind_stacks);
	*s = (struct pms_export_stacks){ 0 };
}

size_t pms_export_deepest(const struct pms_export_stacks *s)
{
	size_t deepest = 0;
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].depth > deepest)
			deepest = s->rows[i].depth;
	return deepest;
}

/* What a thread is called where nobody named it. */
static const char *thread_label(const struct pms_profile_thread *thread, char *buffer, size_t size)
{
	if (thread->name[0])
		return thread->name;
	snprintf(buffer, size, "[thread %d]", (int)thread->tid);
	return buffer;
}

const char *pms_export_label(const struct pms_export_stacks *s, uint32_t label, char *buffer,
			     size_t size)
{
	const struct pms_profile *profile = s->places->profile;
	if (label < s->places->n_functions)
		return s->places->functions[label].name;
	label -= (uint32_t)s->places->n_functions;
	if (label < profile->n_threads)
		return thread_label(&profile->threads[label], buffer, size);
	const struct pms_profile_kind *kind = &profile->kinds[label - profile->n_threads];
	snprintf(buffer, size, "[%s]", kind->cause ? kind->cause : kind->title);
	return buffer;
}

static void weigh_causes(const struct pms_export_stacks *s, size_t row, uint64_t *weights)
{
	const struct pms_profile *profile = s->places->profile;
	for (uint32_t i = profile->rows[row].first; i != PMS_PROFILE_NONE;
	     i = profile->cells[i].next)
		if (profile->kinds[profile->cells[i].kind].share != PMS_PROFILE_NO_SHARE)
			weights[s->kind_stacks[i]] += profile->cells[i].value;
}

uint64_t *pms_export_weigh(const struct pms_export_stacks *s,
			   const struct pms_export_weight *weight)
{
	const struct pms_profile *profile = s->places->profile;
	uint64_t *weights = calloc(s->n_rows + 1, sizeof(*weights));
	uint64_t *values = calloc(profile->n_kinds + 1, sizeof(*values));
	for (size_t row = 0; weights && values && row < profile->n_rows; row++) {
		if (weight->causes) {
			weigh_causes(s, row, weights);
			continue;
		}
		uint32_t first = profile->rows[row].first, i;
		for (i = first; i != PMS_PROFILE_NONE; i = profile->cells[i].next)
			values[profile->cells[i].kind] = profile->cells[i].value;
		weights[s->row_stacks[row]] +=
			pms_profile_measure_get(profile, values, weight->measure);
		for (i = first; i != PMS_PROFILE_NONE; i = profile->cells[i].next)
			values[profile->cells[i].kind] = 0;
	}
	if (!values) {
		free(weights);
		weights = NULL;
	}
	free(values);
	return weights;
}

const char *pms_export_weight_title(const struct pms_export_stacks *s,
				    const struct pms_export_weight *weight)
{
	return weight->causes ? "Slots by cause"
			      : pms_profile_measure(s->places->profile, weight->measure).title;
}
