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
	[PMS_SPE_BY_LINE] = "line",
	[PMS_SPE_BY_SYMBOL] = "symbol",
	[PMS_SPE_BY_PC] = "pc",
	[PMS_SPE_BY_OBJECT] = "object",
	[PMS_SPE_BY_SOURCE] = "data-source",
	[PMS_SPE_BY_CACHELINE] = "cacheline",
	[PMS_SPE_BY_PAGE] = "page",
	[PMS_SPE_BY_VARIABLE] = "data-symbol",
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

const char *pms_spe_access_name(enum pms_spe_access access)
{
	static const char *const names[] = {
		[PMS_SPE_READS] = "load", [PMS_SPE_WRITES] = "store", [PMS_SPE_ATOMIC] = "atomic"
	};
	return (unsigned)access < COUNT(names) ? names[access] : "?";
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
		[PMS_SPE_BY_LINE] = { 4,
				      { { "file", "File", 0 },
					{ "line", "Line", 1 },
					{ "symbol", "Function", 0 },
					{ "object", "Object", 0 } } },
		[PMS_SPE_BY_SYMBOL] = { 2,
					{ { "symbol", "Function", 0 },
					  { "object", "Object", 0 } } },
		[PMS_SPE_BY_PC] = { 6,
				    { { "pc", "PC", 0 },
				      { "address", "Address", 0 },
				      { "object", "Object", 0 },
				      { "symbol", "Function", 0 },
				      { "file", "File", 0 },
				      { "line", "Line", 1 } } },
		[PMS_SPE_BY_OBJECT] = { 2, { { "object", "Object", 0 }, { "kind", "Kind", 0 } } },
		[PMS_SPE_BY_SOURCE] = { 2,
					{ { "data_source", "Source", 1 },
					  { "data_source_name", "Name", 0 } } },
		[PMS_SPE_BY_CACHELINE] = { 5,
					   { { "vaddr", "Address", 0 },
					     { "paddr", "Physical", 0 },
					     { "pid", "PID", 1 },
					     { "object", "In", 0 },
					     { "data_symbol", "Variable", 0 } } },
		[PMS_SPE_BY_PAGE] = { 4,
				      { { "vaddr", "Address", 0 },
					{ "paddr", "Physical", 0 },
					{ "pid", "PID", 1 },
					{ "object", "In", 0 } } },
		[PMS_SPE_BY_VARIABLE] = { 2,
					  { { "data_symbol", "Variable", 0 },
					    { "object", "Object", 0 } } },
		[PMS_SPE_BY_BRANCH] = { 7,
					{ { "pc", "Branch", 0 },
					  { "address", "Address", 0 },
					  { "object", "Object", 0 },
					  { "symbol", "Function", 0 },
					  { "file", "File", 0 },
					  { "line", "Line", 1 },
					  { "br_tgt", "Target", 0 } } },
		[PMS_SPE_BY_OP] = { 2, { { "op", "Operation", 0 }, { "subclass", "Kind", 0 } } },
		[PMS_SPE_BY_THREAD] = { 3,
					{ { "tid", "TID", 1 },
					  { "pid", "PID", 1 },
					  { "thread_name", "Name", 0 } } },
		[PMS_SPE_BY_CPU] = { 1, { { "cpu", "CPU", 1 } } },
	};
	*n = all[by].n;
	return all[by].keys;
}

/* Keys ----------------------------------------------------------------------------------------- */

char *pms_spe_label_text(struct pms_spe_report *r, const char *format, ...)
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
	return value >> 63 ? NULL : pms_spe_label_text(r, "%" PRIu64, value);
}

static char *line_number(struct pms_spe_report *r, const struct pms_spe_code *code)
{
	return code->line ? number(r, code->line) : NULL;
}

/* The code that the first record of a group was of. */
static struct pms_spe_code code_of(struct pms_spe_report *r, const struct pms_spe_group *group)
{
	return pms_spe_label_code(r,
				  pms_places_number(&r->of->places, group->space, group->address));
}

static void label_line(struct pms_spe_report *r, struct pms_key key,
		       const struct pms_spe_group *group)
{
	struct pms_spe_code code = code_of(r, group);
	(void)key;
	r->keys[0] = code.file;
	r->keys[1] = line_number(r, &code);
	r->keys[2] = code.function;
	r->keys[3] = code.object;
}

/* The function that holds the instruction, whatever is inlined into it. */
static void label_symbol(struct pms_spe_report *r, struct pms_key key,
			 const struct pms_spe_group *group)
{
	uint32_t place = pms_places_number(&r->of->places, group->space, group->address);
	struct pms_symbol symbol;
	(void)key;
	if (place == PMS_TABLE_NONE)
		return;
	const struct pms_place *at = &r->of->places.places[place];
	if (pms_symbols_find(r->symbols, at, &symbol)) {
		r->failed = 1;
		return;
	}
	r->keys[0] = symbol.function;
	r->keys[1] = at->object ? at->object->path : NULL;
}

static void label_pc(struct pms_spe_report *r, struct pms_key key,
		     const struct pms_spe_group *group)
{
	struct pms_spe_code code = pms_spe_label_code(r, (uint32_t)key.low);
	(void)group;
	r->keys[0] = code.pc;
	r->keys[1] = code.address;
	r->keys[2] = code.object;
	r->keys[3] = code.function;
	r->keys[4] = code.file;
	r->keys[5] = line_number(r, &code);
}

static void label_object(struct pms_spe_report *r, struct pms_key key,
			 const struct pms_spe_group *group)
{
	(void)group;
	if (key.low == UINT32_MAX)
		return;
	const struct pms_object *object = pms_spe_samples_object(r->samples, key.low);
	r->keys[0] = object->path;
	r->keys[1] = pms_object_kind_name(object->kind);
}

static void label_source(struct pms_spe_report *r, struct pms_key key,
			 const struct pms_spe_group *group)
{
	(void)group;
	r->keys[0] = number(r, key.low);
	r->keys[1] = key.low >> 63 ? NULL : pms_spe_source_name(r->encoding, (unsigned)key.low);
}

static void label_data(struct pms_spe_report *r, struct pms_key key,
		       const struct pms_spe_group *group)
{
	unsigned shift = r->of->by == PMS_SPE_BY_PAGE ? PMS_PAGE_SHIFT : PMS_LINE_SHIFT;
	int physical = key.high == PMS_KEY_PHYSICAL;
	struct pms_place place;
	if (group->address)
		r->keys[0] = pms_spe_label_text(r, "0x%" PRIx64, group->address >> shift << shift);
	if (physical)
		r->keys[1] = pms_spe_label_text(r, "0x%" PRIx64, key.low << shift);
	if (!physical && !(key.high >> 31))
		r->keys[2] = number(r, key.high);
	if (group->address &&
	    pms_spe_samples_place(r->samples, group->space, group->address, &place))
		r->keys[3] = place.object->path;
}

/* Of a line with several variables that which most records are of. */
static void label_cacheline(struct pms_spe_report *r, struct pms_key key,
			    const struct pms_spe_group *group)
{
	label_data(r, key, group);
	if (r->row.n_spots)
		r->keys[4] = r->row.spots[0].data_symbol;
}

static void label_variable(struct pms_spe_report *r, struct pms_key key,
			   const struct pms_spe_group *group)
{
	struct pms_datum datum;
	(void)key;
	if (pms_data_find(&r->data, group->space, group->address, &datum)) {
		r->failed = 1;
		return;
	}
	r->keys[0] = datum.name;
	r->keys[1] = datum.object ? datum.object->path : NULL;
}

static void label_branch(struct pms_spe_report *r, struct pms_key key,
			 const struct pms_spe_group *group)
{
	label_pc(r, key, group);
	if (r->row.n_touches)
		r->keys[6] = r->row.touches[0].code.pc;
}

static void label_op(struct pms_spe_report *r, struct pms_key key,
		     const struct pms_spe_group *group)
{
	(void)group;
	if (key.low >> 63)
		return;
	r->keys[0] = pms_spe_op_word_name((unsigned)(key.low >> 8));
	r->keys[1] = pms_spe_subclass_name((unsigned)(key.low & 0xff));
}

static void label_thread(struct pms_spe_report *r, struct pms_key key,
			 const struct pms_spe_group *group)
{
	const struct pms_spe_thread *thread = pms_spe_samples_thread(r->samples, (uint32_t)key.low);
	(void)group;
	if (!thread)
		return;
	r->keys[0] = number(r, (uint64_t)(int64_t)thread->tid);
	r->keys[1] = number(r, (uint64_t)(int64_t)thread->pid);
	r->keys[2] = thread->comm[0] ? thread->comm : NULL;
}

static void label_cpu(struct pms_spe_report *r, struct pms_key key,
		      const struct pms_spe_group *group)
{
	(void)group;
	r->keys[0] = number(r, key.low);
}

/* The keys of @group of @a, from the row's @first on. */
static void label_keys(struct pms_spe_report *r, const struct pms_aggregate *a, uint32_t group,
		       size_t first)
{
	static void (*const label[PMS_SPE_BYS])(struct pms_spe_report *, struct pms_key,
						const struct pms_spe_group *) = {
		[PMS_SPE_BY_LINE] = label_line,
		[PMS_SPE_BY_SYMBOL] = label_symbol,
		[PMS_SPE_BY_PC] = label_pc,
		[PMS_SPE_BY_OBJECT] = label_object,
		[PMS_SPE_BY_SOURCE] = label_source,
		[PMS_SPE_BY_CACHELINE] = label_cacheline,
		[PMS_SPE_BY_VARIABLE] = label_variable,
		[PMS_SPE_BY_PAGE] = label_data,
		[PMS_SPE_BY_BRANCH] = label_branch,
		[PMS_SPE_BY_OP] = label_op,
		[PMS_SPE_BY_THREAD] = label_thread,
		[PMS_SPE_BY_CPU] = label_cpu,
	};
	r->of = (struct pms_aggregate *)a;
	r->keys = r->row.keys + first;
	label[a->by](r, a->keys[group], pms_aggregate_group(a, group));
	r->of = &r->aggregate;
	r->keys = r->row.keys;
}

void pms_spe_label_row(struct pms_spe_report *r, uint32_t group)
{
	const struct pms_aggregate *a = &r->aggregate;
	size_t n;
	r->of = &r->aggregate;
	r->keys = r->row.keys;
	if (pms_spe_report_is(r, PMS_SPE_BY_CACHELINE))
		pms_spe_label_spots(r, group);
	pms_spe_label_touches(r, group);
	if (!a->pair[0]) {
		label_keys(r, a, group, 0);
		return;
	}
	pms_spe_keys(a->by, &n);
	label_keys(r, a->pair[0], (uint32_t)a->keys[group].high, 0);
	label_keys(r, a->pair[1], (uint32_t)a->keys[group].low, n);
}

const struct pms_spe_key *pms_spe_report_keys(const struct pms_spe_report *r, size_t *n)
{
	return r->n_keys ? (*n = r->n_keys, r->all_keys) : pms_spe_keys(r->aggregate.by, n);
}
