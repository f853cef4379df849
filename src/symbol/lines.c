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

/* Those of a DIE. Returns how many it has, or -PMS_ENOMEM. */
static int ranges_add(struct pms_ranges *r, Dwarf_Die *die, uint32_t row)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;
	int n = 0;
	while ((offset = dwarf_ranges(die, offset, &base, &low, &high)) > 0) {
		if (high && pms_ranges_add(r, low, high, row))
			return -PMS_ENOMEM;
		n++;
	}
	return n;
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
	unit->read = 1;
	return status ? status : pms_cover_make(&unit->cover, &unit->ranges);
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
	uint32_t row = pms_cover_find(&lines->cover, address);
	if (row == UINT32_MAX)
		return 0;
	struct pms_unit *unit = &lines->units[row];
	if (!unit->read && unit_read(unit))
		return -PMS_ENOMEM;
	frames[0] = (struct pms_line_frame){ 0 };
	line_of(unit, address, &frames[0]);
	uint32_t scope = pms_cover_find(&unit->cover, address);
	if (scope == UINT32_MAX)
		return frames[0].file != NULL;
	return frames_of(unit, scope, frames);
}

/* Units ---------------------------------------------------------------------------------------- */

static int units_read(struct pms_debug_lines *lines, struct pms_ranges *ranges)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, content;
	uint8_t type;
	while (!dwarf_get_units(lines->dwarf, cu, &cu, NULL, &type, &die, &content)) {
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		void *room = pms_array_room(lines->units, lines->n_units, sizeof(*lines->units));
		if (!room || lines->n_units == UINT32_MAX - 1)
			return -PMS_ENOMEM;
		lines->units = room;
		if (ranges_add(ranges, &die, (uint32_t)lines->n_units) < 0)
			return -PMS_ENOMEM;
		int split = type == DW_UT_skeleton && content.cu;
		lines->units[lines->n_units++] =
			(struct pms_unit){ .die = die, .content = split ? content : die };
	}
	return 0;
}

int pms_debug_lines_init(struct pms_debug_lines *lines, Dwarf *dwarf)
{
	struct pms_ranges ranges = { 0 };
	lines->dwarf = dwarf;
	int status = units_read(lines, &ranges);
	status = status ? status : pms_cover_make(&lines->cover, &ranges);
	pms_ranges_release(&ranges);
	return status;
}

void pms_debug_lines_release(struct pms_debug_lines *lines)
{
	for (size_t i = 0; i < lines->n_units; i++) {
		free(lines->units[i].scopes);
		pms_ranges_release(&lines->units[i].ranges);
		pms_cover_release(&lines->units[i].cover);
	}
	free(lines->units);
	pms_cover_release(&lines->cover);
	*lines = (struct pms_debug_lines){ 0 };
}
