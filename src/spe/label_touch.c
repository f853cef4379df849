/* SPDX-License-Identifier: MIT */
/* Code by its place, and who touches a cache line from where. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "spe/report.h"

struct pms_spe_code pms_spe_label_code(struct pms_spe_report *r, uint32_t place)
{
	struct pms_spe_code code = { 0 };
	struct pms_symbol symbol;
	if (place == PMS_TABLE_NONE)
		return code;
	const struct pms_place *at = &r->of->places.places[place];
	code.pc = pms_spe_label_text(r, "0x%" PRIx64, at->object ? at->offset : at->address);
	code.object = at->object ? at->object->path : NULL;
	if (!at->object || at->object->kind != PMS_OBJECT_FILE)
		code.address = pms_spe_label_text(r, "0x%" PRIx64, at->address);
	if (!r->symbols)
		return code;
	if (pms_symbols_find(r->symbols, at, &symbol)) {
		r->failed = 1;
		return code;
	}
	if (symbol.has_address)
		code.address = pms_spe_label_text(r, "0x%" PRIx64, symbol.address);
	code.function = symbol.function;
	if (!symbol.n_frames)
		return code;
	const struct pms_frame *frame = &symbol.frames[0];
	if (frame->function[0])
		code.function = frame->function;
	code.file = frame->file[0] && frame->line ? frame->file : NULL;
	code.line = code.file ? frame->line : 0;
	return code;
}

static void fill_touch(struct pms_spe_report *r, const struct pms_touch *from,
		       struct pms_spe_touch *to)
{
	const struct pms_spe_thread *thread = pms_spe_samples_thread(r->samples, from->thread);
	*to = (struct pms_spe_touch){ .pid = thread ? thread->pid : -1,
				      .tid = from->tid,
				      .comm = thread ? thread->comm : "",
				      .offset = from->offset,
				      .access = (enum pms_spe_access)from->access,
				      .count = from->count,
				      .code = pms_spe_label_code(r, from->place) };
}

/* What a thread does at one place from one instruction, on whatever CPUs. */
static int same_but_cpu(const void *a, const void *b)
{
	const struct pms_touch *x = a, *y = b;
	const int64_t differ[] = { (int64_t)x->offset - y->offset, (int64_t)x->tid - y->tid,
				   (int64_t)x->access - y->access, (int64_t)x->place - y->place };
	for (size_t i = 0; i < sizeof(differ) / sizeof(differ[0]); i++)
		if (differ[i])
			return differ[i] < 0 ? -1 : 1;
	return 0;
}

static int most_first(const void *a, const void *b)
{
	const struct pms_touch *x = a, *y = b;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return same_but_cpu(a, b);
}

/* Put touches that only differ in the CPU together, the most records first. Returns how many. */
static size_t merge_cpus(struct pms_touch *touches, size_t n)
{
	size_t count = 0;
	qsort(touches, n, sizeof(*touches), same_but_cpu);
	for (size_t i = 0; i < n; i++) {
		if (count && !same_but_cpu(&touches[count - 1], &touches[i]))
			touches[count - 1].count += touches[i].count;
		else
			touches[count++] = touches[i];
	}
	qsort(touches, count, sizeof(*touches), most_first);
	return count;
}

/* Targets of the row's branches first, then those of the branches before. Both stay in order. */
static void fill_targets(struct pms_spe_report *r, const struct pms_touch *from, size_t n,
			 struct pms_spe_touch *touches)
{
	size_t count = 0, targets = 0;
	for (int what = PMS_TOUCH_TARGET; what <= PMS_TOUCH_PREVIOUS; what++) {
		for (size_t i = 0; i < n; i++)
			if (from[i].access == what)
				fill_touch(r, &from[i], &touches[count++]);
		targets = what == PMS_TOUCH_TARGET ? count : targets;
	}
	r->row.n_touches = r->row.targets = targets;
	r->row.previous = touches + targets;
	r->row.n_previous = n - targets;
}

static void fill_touches(struct pms_spe_report *r, const struct pms_touch *from, size_t n,
			 struct pms_spe_touch *touches)
{
	for (size_t i = 0; i < n; i++)
		fill_touch(r, &from[i], &touches[i]);
	r->row.n_touches = n;
}

/* The row keeps no copy of its touches: a cache line can have all that a file asks for. */
void pms_spe_label_touches(struct pms_spe_report *r, uint32_t group)
{
	const struct pms_touch *from;
	size_t n = pms_touches_of(&r->aggregate.touches, group, &from);
	struct pms_touch *merged = reallocarray(NULL, n + 1, sizeof(*merged));
	struct pms_spe_touch *touches = NULL;
	if (merged) {
		if (n)
			memcpy(merged, from, n * sizeof(*merged));
		n = merge_cpus(merged, n);
		touches = pms_arena_alloc(&r->strings, n + 1, sizeof(*touches));
	}
	if (touches)
		(r->aggregate.targets ? fill_targets : fill_touches)(r, merged, n, touches);
	else
		r->failed = 1;
	r->row.touches = touches;
	free(merged);
}
