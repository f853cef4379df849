/* SPDX-License-Identifier: MIT */
/* libdw can look up scopes itself, but walks a unit's whole tree each time, and without
 * .debug_aranges (clang writes none) finds no unit. So each unit's tree is walked once, when an
 * address in it is first asked for, and what covers addresses is kept sorted. */
#include "symbol/lines.h"
#include "base/array.h"
#include "base/limits.h"
#include "pmuscope/error.h"
#include "symbol/lacked.h"
#include "symbol/split.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

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
		(struct pms_line_scope){ dwarf_dieoffset(die),
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

/* Room for line tables ------------------------------------------------------------------------- */

/* Of a unit's table: not asked for yet, or whether libdw may read it. */
enum { UNKNOWN = 0, READ, LEFT_OUT };

/* The bytes of a section, which libdw has unpacked if they were packed. */
static const unsigned char *section_bytes(Elf *elf, const char *wanted, size_t *size)
{
	size_t names;
	*size = 0;
	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		GElf_Shdr header;
		const char *name =
			gelf_getshdr(s, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		const char *dot = name && name[0] == '.' ? name + 1 : "";
		if (strcmp(dot + (dot[0] == 'z'), wanted) != 0)
			continue;
		const Elf_Data *data = elf_rawdata(s, NULL);
		*size = data && data->d_buf ? data->d_size : 0;
		return *size ? data->d_buf : NULL;
	}
	return NULL;
}

static void section_find(struct pms_line_section *section, Dwarf *dwarf, int is_split)
{
	Elf *elf = dwarf_getelf(dwarf);
	GElf_Ehdr header;
	if (!elf || !gelf_getehdr(elf, &header))
		return;
	section->bytes =
		section_bytes(elf, is_split ? "debug_line.dwo" : "debug_line", &section->size);
	section->strings = section_bytes(elf, is_split ? "debug_line_str.dwo" : "debug_line_str",
					 &section->n_strings);
	section->is_big = header.e_ident[EI_DATA] == ELFDATA2MSB;
	section->address_size = header.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;
}

/* Take what a table needs off of the room. Returns whether there is so much. */
static int room_take(struct pms_debug_lines *lines, const struct pms_line_cost *cost)
{
	uint64_t room = lines->own_room + *lines->room;
	if (cost->while_read > room) {
		lines->left_out = 1;
		return 0;
	}
	uint64_t own = cost->kept < lines->own_room ? cost->kept : lines->own_room;
	lines->own_room -= own;
	*lines->room -= cost->kept - own;
	return 1;
}

static size_t folder_length(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *folder = dwarf_formstring(dwarf_attr(die, DW_AT_comp_dir, &attribute));
	return folder ? strlen(folder) : 0;
}

/* Whether libdw may read the table of @die, the file's own. It reads one that units share once. */
static int own_fits(struct pms_debug_lines *lines, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word offset;
	if (dwarf_formudata(dwarf_attr(die, DW_AT_stmt_list, &attribute), &offset))
		return 1; /* there is none */
	uint32_t known = pms_numbers_get(&lines->tables, offset);
	if (known != PMS_NO_ROW)
		return (int)known;
	struct pms_line_cost cost =
		pms_line_table_cost(&lines->section, offset, folder_length(die));
	int fits = room_take(lines, &cost);
	/* Without memory it is asked again, and takes room again. */
	pms_numbers_set(&lines->tables, offset, (uint32_t)fits);
	return fits;
}

static int split_fits(struct pms_debug_lines *lines, struct pms_unit *unit)
{
	struct pms_line_section section = { 0 };
	section_find(&section, dwarf_cu_getdwarf(unit->content.cu), 1);
	struct pms_line_cost cost = pms_line_table_cost(&section, 0, folder_length(&unit->die));
	return room_take(lines, &cost);
}

static int is_split(const struct pms_unit *unit)
{
	return unit->content.cu != unit->die.cu;
}

/* Whether lines of the unit may be asked for; of its content, whether files may be. */
static int may_read(struct pms_debug_lines *lines, struct pms_unit *unit, int of_content)
{
	unsigned char *known =
		of_content && is_split(unit) ? &unit->content_lines : &unit->own_lines;
	if (*known == UNKNOWN) {
		int fits = known == &unit->content_lines ? split_fits(lines, unit)
							 : own_fits(lines, &unit->die);
		*known = fits ? READ : LEFT_OUT;
	}
	return *known == READ;
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
static void call_of(struct pms_debug_lines *lines, struct pms_unit *unit, Dwarf_Die *die,
		    struct pms_line_frame *frame)
{
	Dwarf_Files *files;
	size_t n;
	int file = number_of(die, DW_AT_call_file);
	frame->line = number_of(die, DW_AT_call_line);
	frame->column = number_of(die, DW_AT_call_column);
	if (may_read(lines, unit, 1) && !dwarf_getsrcfiles(&unit->content, &files, &n))
		frame->file = dwarf_filesrc(files, (size_t)file, NULL, NULL);
}

static void line_of(struct pms_debug_lines *lines, struct pms_unit *unit, uint64_t address,
		    struct pms_line_frame *frame)
{
	Dwarf_Line *line = may_read(lines, unit, 0) ? dwarf_getsrc_die(&unit->die, address) : NULL;
	if (!line)
		return;
	frame->file = dwarf_linesrc(line, NULL, NULL);
	dwarf_lineno(line, &frame->line);
	dwarf_linecol(line, &frame->column);
}

static int frames_of(struct pms_debug_lines *lines, struct pms_unit *unit, uint32_t scope,
		     struct pms_line_frame *frames)
{
	int n = 0;
	while (scope != UINT32_MAX) {
		const struct pms_line_scope *s = &unit->scopes[scope];
		Dwarf_Die die;
		if (!dwarf_offdie(dwarf_cu_getdwarf(unit->content.cu), s->die, &die))
			break;
		frames[n].function = function_name(&die);
		if (dwarf_decl_line(&die, &frames[n].declared))
			frames[n].declared = 0;
		scope = s->parent;
		if (scope == UINT32_MAX)
			break;
		/* The frame outside is where this one was called. */
		if (n + 1 < PMS_FRAMES_MOST)
			n++;
		frames[n] = (struct pms_line_frame){ 0 };
		call_of(lines, unit, &die, &frames[n]);
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
	line_of(lines, unit, address, &frames[0]);
	uint32_t scope = pms_cover_find(&unit->cover, address);
	if (scope == UINT32_MAX)
		return frames[0].file != NULL;
	return frames_of(lines, unit, scope, frames);
}

/* Units ---------------------------------------------------------------------------------------- */

static int units_read(struct pms_debug_lines *lines, struct pms_splits *splits,
		      struct pms_ranges *ranges)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, content;
	uint8_t type;
	/* libdw takes it that there is memory for a unit's table of abbreviations. */
	while (pms_lacked_none() &&
	       !dwarf_get_units(lines->dwarf, cu, &cu, NULL, &type, &die, NULL)) {
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		void *room = pms_array_room(lines->units, lines->n_units, sizeof(*lines->units));
		if (!room || lines->n_units == UINT32_MAX - 1)
			return -PMS_ENOMEM;
		lines->units = room;
		if (ranges_add(ranges, &die, (uint32_t)lines->n_units) < 0)
			return -PMS_ENOMEM;
		int split = type == DW_UT_skeleton ? pms_split_find(splits, &die, &content) : 0;
		if (split < 0)
			return split;
		lines->units[lines->n_units++] =
			(struct pms_unit){ .die = die, .content = split ? content : die };
	}
	return 0;
}

/* No more than the file's size: sections come before what tells of them, or it is no file. */
static uint64_t file_size(Dwarf *dwarf)
{
	Elf *elf = dwarf_getelf(dwarf);
	GElf_Ehdr header;
	return elf && gelf_getehdr(elf, &header) ? header.e_shoff : 0;
}

int pms_debug_lines_init(struct pms_debug_lines *lines, Dwarf *dwarf, const char *path,
			 struct pms_debug_room *room)
{
	struct pms_ranges ranges = { 0 };
	struct pms_splits splits = { .path = path, .room = room };
	lines->dwarf = dwarf;
	lines->room = &room->lines;
	lines->own_room = PMS_LINE_TIMES * file_size(dwarf);
	section_find(&lines->section, dwarf, 0);
	int status = units_read(lines, &splits, &ranges);
	status = status ? status : pms_cover_make(&lines->cover, &ranges);
	pms_ranges_release(&ranges);
	pms_splits_release(&splits);
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
	pms_numbers_release(&lines->tables);
	*lines = (struct pms_debug_lines){ 0 };
}
