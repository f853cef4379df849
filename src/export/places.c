/* SPDX-License-Identifier: MIT */
#include "export/places.h"
#include "base/array.h"
#include "base/numbers.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* The state while places are found. */
struct finding {
	struct pms_export_places *places;
	struct pms_symbols *symbols;
	struct pms_hash_key key;
	struct pms_numbers functions; /* by hash */
	struct pms_numbers *spots;    /* by address, of each object; the last of none */
};

static uint64_t hash_of(const struct finding *f, const struct pms_export_function *function)
{
	uint64_t parts[3] = { pms_hash_bytes(&f->key, function->name, strlen(function->name)),
			      pms_hash_bytes(&f->key, function->file, strlen(function->file)),
			      function->object };
	return pms_hash_bytes(&f->key, parts, sizeof(parts));
}

static int is_same(const struct pms_export_function *a, const struct pms_export_function *b)
{
	return a->object == b->object && !strcmp(a->name, b->name) && !strcmp(a->file, b->file) &&
	       !strcmp(a->linkage, b->linkage);
}

/* Returns the function's number, of what is there already if it is the same; PMS_NO_ROW when out of
 * memory. */
static uint32_t function_number(struct finding *f, const struct pms_export_function *function)
{
	struct pms_export_places *p = f->places;
	uint64_t hash = hash_of(f, function);
	uint32_t row;
	while ((row = pms_numbers_get(&f->functions, hash)) != PMS_NO_ROW) {
		if (is_same(&p->functions[row], function))
			return row;
		hash++;
	}
	void *room = pms_array_room(p->functions, p->n_functions, sizeof(*p->functions));
	if (!room)
		return PMS_NO_ROW;
	p->functions = room;
	row = (uint32_t)p->n_functions;
	if (pms_numbers_set(&f->functions, hash, row))
		return PMS_NO_ROW;
	p->functions[p->n_functions++] = *function;
	return row;
}

static int line_add(struct finding *f, const struct pms_export_function *function, unsigned line,
		    unsigned declared)
{
	struct pms_export_places *p = f->places;
	uint32_t number = function_number(f, function);
	void *room = pms_array_room(p->lines, p->n_lines, sizeof(*p->lines));
	if (room)
		p->lines = room;
	if (!room || number == PMS_NO_ROW)
		return -PMS_ENOMEM;
	p->lines[p->n_lines++] = (struct pms_export_line){ number, line, declared };
	return 0;
}

/* Add the lines of an instruction. Where a frame has no name, the symbol's is the best one. */
static int lines_add(struct finding *f, const struct pms_symbol *symbol, uint32_t object)
{
	struct pms_export_function function = { symbol->function, "", object,
						symbol->linkage ? symbol->linkage : "" };
	if (!symbol->n_frames)
		return line_add(f, &function, 0, 0);
	for (size_t i = 0; i < symbol->n_frames; i++) {
		const struct pms_frame *frame = &symbol->frames[i];
		int last = i + 1 == symbol->n_frames;
		function.name = last || !frame->function[0] ? symbol->function : frame->function;
		function.file = frame->file;
		function.linkage = frame->linkage;
		if (line_add(f, &function, frame->line, frame->declared))
			return -PMS_ENOMEM;
	}
	return 0;
}

static int spot_add(struct finding *f, uint32_t object, uint64_t address)
{
	struct pms_export_places *p = f->places;
	struct pms_symbol symbol = { .function = object == PMS_PROFILE_NONE ? "[no instruction]"
									    : "[unknown]" };
	const struct pms_object *known =
		object == PMS_PROFILE_NONE ? NULL : &p->profile->objects[object];
	uint32_t first = (uint32_t)p->n_lines;
	void *room = pms_array_room(p->spots, p->n_spots, sizeof(*p->spots));
	if (room)
		p->spots = room;
	if (!room || (known && f->symbols && pms_symbols_at(f->symbols, known, address, &symbol)) ||
	    lines_add(f, &symbol, object))
		return -PMS_ENOMEM;
	p->spots[p->n_spots++] =
		(struct pms_export_spot){ .object = object,
					  .first = first,
					  .count = (uint32_t)p->n_lines - first,
					  .address = address,
					  .symbol = symbol.linkage ? symbol.linkage : "",
					  .start = symbol.start };
	return 0;
}

/* Returns the spot's number, or PMS_NO_ROW when out of memory. */
static uint32_t spot_number(struct finding *f, uint32_t object, uint64_t address)
{
	struct pms_export_places *p = f->places;
	struct pms_numbers *spots =
		&f->spots[object == PMS_PROFILE_NONE ? p->profile->n_objects : object];
	uint32_t row = pms_numbers_get(spots, address);
	if (row != PMS_NO_ROW)
		return row;
	row = (uint32_t)p->n_spots;
	return spot_add(f, object, address) || pms_numbers_set(spots, address, row) ? PMS_NO_ROW
										    : row;
}

static int find_edges(struct finding *f)
{
	struct pms_export_places *p = f->places;
	for (size_t i = 0; i < p->profile->n_edges; i++) {
		const struct pms_profile_edge *edge = &p->profile->edges[i];
		p->edge_spots[2 * i] = spot_number(f, edge->from_object, edge->from);
		p->edge_spots[2 * i + 1] = spot_number(f, edge->to_object, edge->to);
		if (p->edge_spots[2 * i] == PMS_NO_ROW || p->edge_spots[2 * i + 1] == PMS_NO_ROW)
			return -PMS_ENOMEM;
	}
	return 0;
}

static int find_all(struct finding *f)
{
	struct pms_export_places *p = f->places;
	for (size_t i = 0; i < p->profile->n_rows; i++) {
		const struct pms_profile_place *place = &p->profile->rows[i].place;
		p->row_spots[i] = spot_number(f, place->object, place->address);
		if (p->row_spots[i] == PMS_NO_ROW)
			return -PMS_ENOMEM;
	}
	for (size_t i = 0; i < p->profile->n_frames; i++) {
		const struct pms_profile_frame *frame = &p->profile->frames[i];
		p->frame_spots[i] = spot_number(f, frame->object, frame->address);
		if (p->frame_spots[i] == PMS_NO_ROW)
			return -PMS_ENOMEM;
	}
	return 0;
}

int pms_export_places_init(struct pms_export_places *out, const struct pms_profile *profile,
			   struct pms_symbols *symbols, int edges, struct pms_error *err)
{
	struct finding f = { .places = out, .symbols = symbols, .key = pms_hash_draw() };
	*out = (struct pms_export_places){ .profile = profile };
	out->row_spots = calloc(profile->n_rows + 1, sizeof(*out->row_spots));
	out->frame_spots = calloc(profile->n_frames + 1, sizeof(*out->frame_spots));
	if (edges)
		out->edge_spots = calloc(2 * profile->n_edges + 1, sizeof(*out->edge_spots));
	f.spots = calloc(profile->n_objects + 1, sizeof(*f.spots));
	int rc = out->row_spots && out->frame_spots && f.spots && (out->edge_spots || !edges)
			 ? find_all(&f)
			 : -PMS_ENOMEM;
	if (!rc && edges)
		rc = find_edges(&f);
	for (size_t i = 0; f.spots && i <= profile->n_objects; i++)
		pms_numbers_release(&f.spots[i]);
	free(f.spots);
	pms_numbers_release(&f.functions);
	return rc ? pms_no_memory(err) : 0;
}

void pms_export_places_release(struct pms_export_places *p)
{
	free(p->functions);
	free(p->lines);
	free(p->spots);
	free(p->row_spots);
	free(p->frame_spots);
	free(p->edge_spots);
	*p = (struct pms_export_places){ 0 };
}

int pms_export_is_identifier(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.$@"
				      "0123456789";
	return *name && !(*name >= '0' && *name <= '9') && strspn(name, letters) == strlen(name);
}
