/* SPDX-License-Identifier: MIT */
/* libdw can look up scopes itself, but walks a unit's whole tree each time, and without
 * .debug_aranges (clang writes none) finds no unit. So each unit's tree is walked once, when an
 * address in it is first asked for, and what covers addresses is kept sorted. */
#include "symbol/lines.h"
#include "base/array.h"
#include "pmuscope/error.h"

#include <dwarf.h>
#include <stdlib.h>

enum { DEPTH_MAX = 200 };

static int range_add(struct pms_ranges *r, uint64_t low, uint64_t high, uint32_t row)
{
	if (low >= high || !high)
		return 0;
	void *room = pms_array_room(r->rows, r->count, sizeof(*r->rows));
	if (!room)
		return -PMS_ENOMEM;
	r->rows = room;
	r->rows[r->count++] = (struct pms_range){ low, high, 0, row };
	return 0;
}

/* Those of a DIE. Returns how many it has, or -PMS_ENOMEM. */
static int ranges_add(struct pms_ranges *r, Dwarf_Die *die, uint32_t row)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;
	int n = 0;
	while ((offset = dwarf_ranges(die, offset, &base, &low, &high)) > 0) {
		if (range_add(r, low, high, row))
			return -PMS_ENOMEM;
		n++;
	}
	return n;
}

static int range_order(const void *a, const void *b)
{
	const struct pms_range *x = a, *y = b;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static void ranges_settle(struct pms_ranges *r)
{
	uint64_t reach = 0;
	if (r->count)
		qsort(r->rows, r->count, sizeof(*r->rows), range_order);
	for (size_t i = 0; i < r->count; i++) {
		reach = r->rows[i].high > reach ? r->rows[i].high : reach;
		r->rows[i].reach = reach;
	}
}

/* The highest row that has @address, UINT32_MAX when none has: of a tree's rows the innermost. */
static uint32_t ranges_find(const struct pms_ranges *r, uint64_t address)
{
	size_t low = 0, high = r->count;
	uint32_t found = UINT32_MAX;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (r->rows[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low > 0 && r->rows[low - 1].reach > address; low--) {
		const struct pms_range *row = &r->rows[low - 1];
		if (row->high > address && (found == UINT32_MAX || row->row > found))
			found = row->row;
	}
	return found;
}

/* Functions ------------------------------------------------------------------------------------ */

static int has_scopes(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return 1;
	default:
		return 0;
	}
}

/* The scope that @die is, @parent where it is none with addresses. -PMS_ENOMEM */
static int64_t scope_add(struct pms_unit *unit, Dwarf_Die *die, uint32_t parent)
{
	int tag = dwarf_tag(die);
	if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
		return parent;
	int n = ranges_add(&unit->ranges, die, (uint32_t)unit->n_scopes);
	if (n <= 0)
		return n ? n : (int64_t)parent;
	void *room = unit->n_scopes < UINT32_MAX - 1
			     ? pms_array_room(unit->scopes, unit->n_scopes, sizeof(*unit->scopes))
			     : NULL;
	if (!room)
		return -PMS_ENOMEM;
	unit->scopes = room;
	unit->scopes[unit->n_scopes] =
		(struct pms_scope){ dwarf_dieoffset(die),
				    tag == DW_TAG_subprogram ? UINT32_MAX : parent };
	return (int64_t)unit->n_scopes++;
}

static int scopes_read(struct pms_unit *unit, Dwarf_Die *of, uint32_t parent, unsigned depth)
{
	Dwarf_Die die;
	if (depth > DEPTH_MAX || dwarf_child(of, &die))
		return 0;
	do {
		if (!has_scopes(dwarf_tag(&die)))
			continue;
		int64_t scope = scope_add(unit, &die, parent);
		int status = scope < 0 ? (int)scope
				       : scopes_read(unit, &die, (uint32_t)scope, depth + 1);
		if (status)
			return status;
	} while (!dwarf_siblingof(&die, &die));
	return 0;
}

static int unit_read(struct pms_unit *unit)
{
	int status = scopes_read(unit, &unit->content, UINT32_MAX, 0);
	ranges_settle(&unit->ranges);
	unit->read = 1;
	return status;
}

/* Frames --------------------------------------------------------------------------------------- */

static const char *function_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name =
		dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
	if (!name)
		name = dwarf_formstring(
			dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute));
	return name ? name : dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
}

static int number_of(Dwarf_Die *die, unsigned what)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;
	if (dwarf_formudata(dwarf_attr(die, what, &attribute), &value) || value > INT32_MAX)
		return 0;
	return (int)value;
}

/* Where an inlined function was called. */
static void call_of(struct pms_unit *unit, Dwarf_Die *die, struct pms_line_frame *frame)
{
	Dwarf_Files *files;
	size_t n;
	int file = number_of(die, DW_AT_call_file);
	frame->line = number_of(die, DW_AT_call_line);
	frame->column = number_of(die, DW_AT_call_column);
	if (!dwarf_getsrcfiles(&unit->content, &files, &n))
		frame->file = dwarf_filesrc(files, (size_t)file, NULL, NULL);
}

static void line_of(struct pms_unit *unit, uint64_t address, struct pms_line_frame *frame)
{
	Dwarf_Line *line = dwarf_getsrc_die(&unit->die, address);
	if (!line)
		return;
	frame->file = dwarf_linesrc(line, NULL, NULL);
	dwarf_lineno(line, &frame->line);
	dwarf_linecol(line, &frame->column);
}

static int frames_of(struct pms_unit *unit, uint32_t scope, struct pms_line_frame *frames)
{
	int n = 0;
	while (scope != UINT32_MAX) {
		const struct pms_scope *s = &unit->scopes[scope];
		Dwarf_Die die;
		if (!dwarf_offdie(dwarf_cu_getdwarf(unit->content.cu), s->die, &die))
			break;
		frames[n].function = function_name(&die);
		scope = s->parent;
		if (scope == UINT32_MAX)
			break;
		/* The frame outside is where this one was called. */
		if (n + 1 < PMS_FRAMES_MOST)
			n++;
		frames[n] = (struct pms_line_frame){ 0 };
		call_of(unit, &die, &frames[n]);
	}

	return n + 1;
}

int pms_debug_lines_find(struct pms_debug_lines *lines, uint64_t address,
			 struct pms_line_frame *frames)
{
	uint32_t row = ranges_find(&lines->ranges, address);
	if (row == UINT32_MAX)
		return 0;
	struct pms_unit *unit = &lines->units[row];
	if (!unit->read && unit_read(unit))
		return -PMS_ENOMEM;
	frames[0] = (struct pms_line_frame){ 0 };
	line_of(unit, address, &frames[0]);
	uint32_t scope = ranges_find(&unit->ranges, address);
	if (scope == UINT32_MAX)
		return frames[0].file != NULL;
	return frames_of(unit, scope, frames);
}

/* Units ---------------------------------------------------------------------------------------- */

int pms_debug_lines_init(struct pms_debug_lines *lines, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, content;
	uint8_t type;
	lines->dwarf = dwarf;
	while (!dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &content)) {
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		void *room = pms_array_room(lines->units, lines->n_units, sizeof(*lines->units));
		if (!room || lines->n_units == UINT32_MAX - 1)
			return -PMS_ENOMEM;
		lines->units = room;
		if (ranges_add(&lines->ranges, &die, (uint32_t)lines->n_units) < 0)
			return -PMS_ENOMEM;
		int split = type == DW_UT_skeleton && content.cu;
		lines->units[lines->n_units++] =
			(struct pms_unit){ .die = die, .content = split ? content : die };
	}
	ranges_settle(&lines->ranges);
	return 0;
}

void pms_debug_lines_release(struct pms_debug_lines *lines)
{
	for (size_t i = 0; i < lines->n_units; i++) {
		free(lines->units[i].scopes);
		free(lines->units[i].ranges.rows);
	}
	free(lines->units);
	free(lines->ranges.rows);
	*lines = (struct pms_debug_lines){ 0 };
}
