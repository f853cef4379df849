/* SPDX-License-Identifier: MIT */
/* Callgrind's format: a line of costs for each instruction, below its function. What is inlined
 * counts for the function that it is in, at its own file and line.
 * Source: Valgrind 3.19 manual, "Callgrind Format Specification". */
#include "base/status.h"
#include "export/export.h"
#include "pmuscope/fold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The state while costs are written. */
struct writing {
	struct pms_exporting *x;
	uint32_t *kinds; /* that counted anything, the usual one first */
	size_t n_kinds;
	uint64_t *values;
	unsigned char
		*named; /* of each function: whether its names, 1, and its file's, 2, are known */
	uint32_t object, function,
		file; /* functions that name what is current, but for the object */
};

enum { NO_OBJECT = PMS_PROFILE_NONE - 1, NAME = 1, FILE_NAME = 2 };

static void choose_kinds(struct writing *w)
{
	const struct pms_profile *profile = w->x->profile;
	size_t usual = pms_profile_measure_usual(profile);
	if (usual < profile->n_kinds && pms_profile_sum(profile, usual))
		w->kinds[w->n_kinds++] = (uint32_t)usual;
	for (size_t i = 0; i < profile->n_kinds; i++)
		if (i != usual && pms_profile_sum(profile, i))
			w->kinds[w->n_kinds++] = (uint32_t)i;
}

static void put_header(struct writing *w)
{
	struct pms_exporting *x = w->x;
	struct pms_sink *sink = &x->sink;
	pms_sink_text(sink, "# callgrind format\nversion: 1\ncreator: pmuscope\ncmd: ");
	pms_sink_line(sink, x->options->title ? x->options->title : "?", "");
	pms_sink_printf(sink, "\ndesc: Source: %s\npositions: instr line\n",
			pms_profile_source_name(x->profile->source));
	for (size_t i = 0; i < w->n_kinds; i++) {
		const struct pms_profile_kind *kind = &x->profile->kinds[w->kinds[i]];
		pms_sink_printf(sink, "event: %s : ", kind->name);
		pms_sink_line(sink, kind->cause ? kind->cause : kind->title, "");
		pms_sink_text(sink, "\n");
	}
	pms_sink_text(sink, "events:");
	for (size_t i = 0; i < w->n_kinds; i++)
		pms_sink_printf(sink, " %s", x->profile->kinds[w->kinds[i]].name);
	pms_sink_text(sink, "\nsummary:");
	for (size_t i = 0; i < w->n_kinds; i++)
		pms_sink_printf(sink, " %" PRIu64, pms_profile_sum(x->profile, w->kinds[i]));
	pms_sink_text(sink, "\n");
}

/* Write a name as "(number) name", later as "(number)": so a name may begin with a number in
 * parentheses itself. */
static void put_name(struct writing *w, const char *what, uint32_t function, unsigned char bit,
		     const char *name)
{
	pms_sink_printf(&w->x->sink, "%s=(%" PRIu32 ")", what, function + 1);
	if (!(w->named[function] & bit)) {
		pms_sink_text(&w->x->sink, " ");
		pms_sink_line(&w->x->sink, name[0] ? name : "???", "");
		w->named[function] |= bit;
	}
	pms_sink_text(&w->x->sink, "\n");
}

static void put_object(struct writing *w, uint32_t object)
{
	if (object == w->object)
		return;
	pms_sink_text(&w->x->sink, "\nob=");
	if (object == PMS_PROFILE_NONE) {
		pms_sink_text(&w->x->sink, "???\n");
	} else {
		pms_sink_printf(&w->x->sink, "(%" PRIu32 ") ", object + 1);
		pms_sink_line(&w->x->sink, w->x->profile->objects[object].path, "");
		pms_sink_text(&w->x->sink, "\n");
	}
	w->object = object;
	w->function = PMS_PROFILE_NONE;
}

static int is_file(const struct writing *w, uint32_t a, uint32_t b)
{
	const struct pms_export_function *functions = w->x->places.functions;
	return a == b || !strcmp(functions[a].file, functions[b].file);
}

/* Make the place of a spot's line the current one. */
static void put_place(struct writing *w, const struct pms_export_spot *spot)
{
	const struct pms_export_places *p = &w->x->places;
	uint32_t inner = p->lines[spot->first].function;
	uint32_t outer = p->lines[spot->first + spot->count - 1].function;
	put_object(w, spot->object);
	if (outer != w->function) {
		put_name(w, "fl", outer, FILE_NAME, p->functions[outer].file);
		put_name(w, "fn", outer, NAME, p->functions[outer].name);
		w->function = w->file = outer;
	}
	if (!is_file(w, inner, w->file)) {
		put_name(w, is_file(w, inner, outer) ? "fe" : "fi", inner, FILE_NAME,
			 p->functions[inner].file);
		w->file = inner;
	}
}

static void put_row(struct writing *w, size_t row)
{
	const struct pms_profile *profile = w->x->profile;
	const struct pms_export_spot *spot = &w->x->places.spots[w->x->places.row_spots[row]];
	uint32_t first = profile->rows[row].first;
	if (first == PMS_PROFILE_NONE)
		return;
	put_place(w, spot);
	for (uint32_t i = first; i != PMS_PROFILE_NONE; i = profile->cells[i].next)
		w->values[profile->cells[i].kind] = profile->cells[i].value;
	pms_sink_printf(&w->x->sink, "0x%" PRIx64 " %u", spot->address,
			w->x->places.lines[spot->first].line);
	for (size_t i = 0; i < w->n_kinds; i++)
		pms_sink_printf(&w->x->sink, " %" PRIu64, w->values[w->kinds[i]]);
	pms_sink_text(&w->x->sink, "\n");
	for (uint32_t i = first; i != PMS_PROFILE_NONE; i = profile->cells[i].next)
		w->values[profile->cells[i].kind] = 0;
}

int pms_export_callgrind(struct pms_exporting *x)
{
	struct writing w = { .x = x, .object = NO_OBJECT, .function = PMS_PROFILE_NONE };
	w.kinds = calloc(x->profile->n_kinds + 1, sizeof(*w.kinds));
	w.values = calloc(x->profile->n_kinds + 1, sizeof(*w.values));
	w.named = calloc(x->places.n_functions + 1, 1);
	int rc = w.kinds && w.values && w.named ? 0 : pms_no_memory(x->err);
	if (!rc) {
		choose_kinds(&w);
		put_header(&w);
		for (size_t i = 0; i < x->profile->n_rows; i++)
			put_row(&w, i);
	}
	free(w.kinds);
	free(w.values);
	free(w.named);
	return rc;
}
