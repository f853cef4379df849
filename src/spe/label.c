/* SPDX-License-Identifier: MIT */
/* What a row is about, in words. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "spe/report.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Names ---------------------------------------------------------------------------------------- */

static const char *const by_names[PMS_SPE_BYS] = {
	[PMS_SPE_BY_PC] = "pc",
	[PMS_SPE_BY_OBJECT] = "object",
	[PMS_SPE_BY_SOURCE] = "data-source",
	[PMS_SPE_BY_CACHELINE] = "cacheline",
	[PMS_SPE_BY_PAGE] = "page",
	[PMS_SPE_BY_BRANCH] = "branch",
	[PMS_SPE_BY_OP] = "op",
	[PMS_SPE_BY_THREAD] = "thread",
	[PMS_SPE_BY_CPU] = "cpu",
};

const char *pms_spe_by_name(enum pms_spe_by by)
{
	return (unsigned)by < PMS_SPE_BYS ? by_names[by] : "?";
}

int pms_spe_by_find(const char *name, enum pms_spe_by *by)
{
	for (unsigned i = 0; i < PMS_SPE_BYS; i++)
		if (!strcmp(by_names[i], name)) {
			*by = (enum pms_spe_by)i;
			return 1;
		}
	return 0;
}

const char *pms_spe_sharing_name(enum pms_spe_sharing sharing)
{
	static const char *const names[] = {
		[PMS_SPE_SHARING_UNKNOWN] = "not known",
		[PMS_SPE_PRIVATE] = "one thread",
		[PMS_SPE_READ_SHARED] = "read by several",
		[PMS_SPE_TAKEN_IN_TURN] = "one after another",
		[PMS_SPE_TRUE_SHARING] = "true sharing",
		[PMS_SPE_FALSE_SHARING] = "false sharing",
		[PMS_SPE_MIXED_SHARING] = "true and false sharing",
	};
	return (unsigned)sharing < COUNT(names) ? names[sharing] : "?";
}

const struct pms_spe_key *pms_spe_keys(enum pms_spe_by by, size_t *n)
{
	static const struct {
		size_t n;
		struct pms_spe_key keys[PMS_SPE_KEYS_MOST];
	} all[PMS_SPE_BYS] = {
		[PMS_SPE_BY_PC] = { 2, { { "pc", "PC", 0 }, { "object", "Object", 0 } } },
		[PMS_SPE_BY_OBJECT] = { 2, { { "object", "Object", 0 }, { "kind", "Kind", 0 } } },
		[PMS_SPE_BY_SOURCE] = { 2,
					{ { "data_source", "Source", 1 },
					  { "data_source_name", "Name", 0 } } },
		[PMS_SPE_BY_CACHELINE] = { 4,
					   { { "vaddr", "Address", 0 },
					     { "paddr", "Physical", 0 },
					     { "pid", "PID", 1 },
					     { "object", "In", 0 } } },
		[PMS_SPE_BY_PAGE] = { 4,
				      { { "vaddr", "Address", 0 },
					{ "paddr", "Physical", 0 },
					{ "pid", "PID", 1 },
					{ "object", "In", 0 } } },
		[PMS_SPE_BY_BRANCH] = { 3,
					{ { "pc", "Branch", 0 },
					  { "object", "Object", 0 },
					  { "br_tgt", "Target", 0 } } },
		[PMS_SPE_BY_OP] = { 2, { { "op", "Operation", 0 }, { "subclass", "Kind", 0 } } },
		[PMS_SPE_BY_THREAD] = { 3,
					{ { "tid", "TID", 1 },
					  { "pid", "PID", 1 },
					  { "comm", "Name", 0 } } },
		[PMS_SPE_BY_CPU] = { 1, { { "cpu", "CPU", 1 } } },
	};
	*n = all[by].n;
	return all[by].keys;
}

/* Keys ----------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static char *make(struct pms_spe_report *r,
							const char *format, ...)
{
	va_list args;
	char text[256];
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	char *copy = pms_arena_dup(&r->strings, text);
	r->failed |= !copy;
	return copy;
}

/* A number that may be UINT64_MAX, or -1, for none. */
static char *number(struct pms_spe_report *r, uint64_t value)
{
	return value >> 63 ? NULL : make(r, "%" PRIu64, value);
}

/* An instruction: its place in the file that holds it, or its address where there is none. */
static char *place_text(struct pms_spe_report *r, const struct pms_place *place)
{
	return make(r, "0x%" PRIx64, place->object ? place->offset : place->address);
}

static void label_pc(struct pms_spe_report *r, struct pms_key key, const struct pms_group *group)
{
	const struct pms_place *place = &r->aggregate.places.places[key.low];
	(void)group;
	r->row.keys[0] = place_text(r, place);
	r->row.keys[1] = place->object ? place->object->path : NULL;
}

static void label_object(struct pms_spe_report *r, struct pms_key key,
			 const struct pms_group *group)
{
	(void)group;
	if (key.low == UINT32_MAX)
		return;
	const struct pms_object *object = pms_spe_samples_object(r->samples, key.low);
	r->row.keys[0] = object->path;
	r->row.keys[1] = pms_object_kind_name(object->kind);
}

static void label_source(struct pms_spe_report *r, struct pms_key key,
			 const struct pms_group *group)
{
	(void)group;
	r->row.keys[0] = number(r, key.low);
	r->row.keys[1] = key.low >> 63 ? NULL : pms_spe_source_name(r->encoding, (unsigned)key.low);
}

static void label_data(struct pms_spe_report *r, struct pms_key key, const struct pms_group *group)
{
	unsigned shift = r->aggregate.by == PMS_SPE_BY_PAGE ? PMS_PAGE_SHIFT : PMS_LINE_SHIFT;
	int physical = key.high == PMS_KEY_PHYSICAL;
	struct pms_place place;
	if (group->address)
		r->row.keys[0] = make(r, "0x%" PRIx64, group->address >> shift << shift);
	if (physical)
		r->row.keys[1] = make(r, "0x%" PRIx64, key.low << shift);
	if (!physical && !(key.high >> 31))
		r->row.keys[2] = number(r, key.high);
	if (group->address &&
	    pms_spe_samples_place(r->samples, group->space, group->address, &place))
		r->row.keys[3] = place.object->path;
}

static void label_branch(struct pms_spe_report *r, struct pms_key key,
			 const struct pms_group *group)
{
	label_pc(r, key, group);
	if (r->row.n_touches)
		r->row.keys[2] = r->row.touches[0].place;
}

static void label_op(struct pms_spe_report *r, struct pms_key key, const struct pms_group *group)
{
	(void)group;
	if (key.low >> 63)
		return;
	r->row.keys[0] = pms_spe_op_word_name((unsigned)(key.low >> 8));
	r->row.keys[1] =
		pms_spe_column_find("subclass", 8)->word(r->encoding, (unsigned)(key.low & 0xff));
}

static void label_thread(struct pms_spe_report *r, struct pms_key key,
			 const struct pms_group *group)
{
	const struct pms_spe_thread *thread = pms_spe_samples_thread(r->samples, (uint32_t)key.low);
	(void)group;
	if (!thread)
		return;
	r->row.keys[0] = number(r, (uint64_t)(int64_t)thread->tid);
	r->row.keys[1] = number(r, (uint64_t)(int64_t)thread->pid);
	r->row.keys[2] = thread->comm[0] ? thread->comm : NULL;
}

static void label_cpu(struct pms_spe_report *r, struct pms_key key, const struct pms_group *group)
{
	(void)group;
	r->row.keys[0] = number(r, key.low);
}

/* Touches -------------------------------------------------------------------------------------- */

static void fill_touch(struct pms_spe_report *r, const struct pms_touch *from,
		       struct pms_spe_touch *to)
{
	const struct pms_spe_thread *thread = pms_spe_samples_thread(r->samples, from->thread);
	*to = (struct pms_spe_touch){ .pid = thread ? thread->pid : -1,
				      .tid = from->tid,
				      .comm = thread ? thread->comm : "",
				      .offset = from->offset,
				      .store = from->store,
				      .count = from->count };
	if (from->place != PMS_TABLE_NONE)
		to->place = place_text(r, &r->aggregate.places.places[from->place]);
}

static void fill_touches(struct pms_spe_report *r, uint32_t group)
{
	const struct pms_touch *from;
	size_t n = pms_touches_of(&r->aggregate.touches, group, &from);
	struct pms_spe_touch *touches = pms_arena_alloc(&r->strings, n, sizeof(*touches));
	if (!touches) {
		r->failed = 1;
		return;
	}
	for (size_t i = 0; i < n; i++)
		fill_touch(r, &from[i], &touches[i]);
	r->row.touches = touches;
	r->row.n_touches = n;
	r->row.targets = r->aggregate.by == PMS_SPE_BY_BRANCH ? n : 0;
}

void pms_spe_label_row(struct pms_spe_report *r, uint32_t group)
{
	static void (*const label[PMS_SPE_BYS])(struct pms_spe_report *, struct pms_key,
						const struct pms_group *) = {
		[PMS_SPE_BY_PC] = label_pc,	    [PMS_SPE_BY_OBJECT] = label_object,
		[PMS_SPE_BY_SOURCE] = label_source, [PMS_SPE_BY_CACHELINE] = label_data,
		[PMS_SPE_BY_PAGE] = label_data,	    [PMS_SPE_BY_BRANCH] = label_branch,
		[PMS_SPE_BY_OP] = label_op,	    [PMS_SPE_BY_THREAD] = label_thread,
		[PMS_SPE_BY_CPU] = label_cpu,
	};
	fill_touches(r, group);
	label[r->aggregate.by](r, r->aggregate.keys[group],
			       pms_aggregate_group(&r->aggregate, group));
}
