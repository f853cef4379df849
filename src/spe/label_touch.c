/* SPDX-License-Identifier: MIT */
/* Code by its place, and who touches a cache line from where. */
#include <inttypes.h>

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

void pms_spe_label_touches(struct pms_spe_report *r, uint32_t group)
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
