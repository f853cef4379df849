/* SPDX-License-Identifier: MIT */
#include "symbol/line_table.h"

#include "base/limits.h"

#include <dwarf.h>
#include <string.h>

/* Bytes of libdw 0.188 for each row and file: in the lists that it makes first, and in what it
 * keeps. */
enum { ROW_READ = 72, ROW_KEPT = 40, FILE_READ = 64, FILE_KEPT = 64 };

struct cursor {
	const unsigned char *at, *end;
	bool is_big;
	bool is_short; /* something was cut off */
};

static size_t left(const struct cursor *c)
{
	return (size_t)(c->end - c->at);
}

static void skip(struct cursor *c, uint64_t n)
{
	c->is_short |= n > left(c);
	c->at = n > left(c) ? c->end : c->at + n;
}

static uint64_t number(struct cursor *c, size_t size)
{
	const unsigned char *at = c->at;
	uint64_t value = 0;
	skip(c, size);
	for (size_t i = 0; i < size && !c->is_short; i++)
		value = value << 8 | at[c->is_big ? i : size - 1 - i];
	return value;
}

static uint64_t leb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned shift = 0;
	while (left(c)) {
		unsigned char byte = *c->at++;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80))
			return value;
	}
	c->is_short = true;
	return 0;
}

/* The length of a text with a zero at its end, which is passed over. */
static size_t text(struct cursor *c)
{
	const unsigned char *zero = left(c) ? memchr(c->at, 0, left(c)) : NULL;
	size_t length = zero ? (size_t)(zero - c->at) : 0;
	c->is_short |= !zero;
	c->at = zero ? zero + 1 : c->end;
	return length;
}

/* Files ---------------------------------------------------------------------------------------- */

/* A table's header while it is read. */
struct header {
	const struct pms_line_section *section;
	unsigned version, opcode_base;
	size_t offset_size;
	unsigned char lengths[256]; /* operands of each standard opcode */
	size_t longest;		    /* of the names of folders */
	uint64_t n_files;
	bool is_strange; /* it has what is not known here */
	bool is_long;	 /* it has a text that is longer than a path */
};

static void read_folders_and_files(struct header *h, struct cursor *c)
{
	size_t length;
	while ((length = text(c)) && !c->is_short)
		h->longest = length > h->longest ? length : h->longest;
	while ((length = text(c)) && !c->is_short) {
		for (int i = 0; i < 3; i++)
			leb(c);
		h->n_files++;
	}
}

/* A text elsewhere, which any number of entries may share: none is longer than a path can be. */
static size_t string_length(struct header *h, uint64_t offset)
{
	const struct pms_line_section *s = h->section;
	if (offset >= s->n_strings)
		return 0;
	size_t most = s->n_strings - offset;
	size_t length = strnlen((const char *)s->strings + offset,
				most < PMS_MOST_OBJECT_PATH ? most : PMS_MOST_OBJECT_PATH);
	h->is_long |= length == PMS_MOST_OBJECT_PATH;
	return length;
}

/* Pass over a value. Returns its length where it is a text. */
static size_t read_form(struct header *h, struct cursor *c, uint64_t form)
{
	switch (form) {
	case DW_FORM_string:
		return text(c);
	case DW_FORM_line_strp:
		return string_length(h, number(c, h->offset_size));
	case DW_FORM_udata:
		leb(c);
		return 0;
	case DW_FORM_data1:
		skip(c, 1);
		return 0;
	case DW_FORM_data2:
		skip(c, 2);
		return 0;
	case DW_FORM_data4:
		skip(c, 4);
		return 0;
	case DW_FORM_data8:
		skip(c, 8);
		return 0;
	case DW_FORM_data16:
		skip(c, 16);
		return 0;
	case DW_FORM_block:
		skip(c, leb(c));
		return 0;
	default:
		h->is_strange = true;
		return 0;
	}
}

/* A list of folders or files of DWARF 5: how its entries are made up, and those. Returns how many
 * there are. */
static uint64_t read_list(struct header *h, struct cursor *c, size_t *longest)
{
	uint64_t forms[256];
	size_t n_forms = number(c, 1);
	for (size_t i = 0; i < n_forms; i++) {
		leb(c); /* what it is */
		forms[i] = leb(c);
	}
	uint64_t n = leb(c);
	h->is_strange |= n && !n_forms;
	for (uint64_t i = 0; i < n && !c->is_short && !h->is_strange; i++)
		for (size_t k = 0; k < n_forms; k++) {
			size_t length = read_form(h, c, forms[k]);
			*longest = length > *longest ? length : *longest;
		}
	return n;
}

/* Rows ----------------------------------------------------------------------------------------- */

/* An opcode behind a zero byte. libdw reads what it knows as it is, whatever length is told. */
static bool read_extended(const struct header *h, struct cursor *c, uint64_t *rows)
{
	uint64_t length = leb(c);
	if (!length || length > left(c))
		return false;
	const unsigned char *end = c->at + length;
	switch (number(c, 1)) {
	case DW_LNE_end_sequence:
		++*rows;
		break;
	case DW_LNE_set_address:
		skip(c, h->section->address_size);
		break;
	case DW_LNE_define_file:
		text(c);
		for (int i = 0; i < 3; i++)
			leb(c);
		++*rows; /* a file takes no more than a row, beside its name */
		break;
	case DW_LNE_set_discriminator:
		leb(c);
		break;
	default:
		c->at = end;
	}
	return c->at == end;
}

static bool read_opcode(const struct header *h, struct cursor *c, uint64_t *rows)
{
	unsigned opcode = (unsigned)number(c, 1);
	if (opcode >= h->opcode_base) {
		++*rows;
		return true;
	}
	switch (opcode) {
	case 0:
		return read_extended(h, c, rows);
	case DW_LNS_copy:
		++*rows;
		return true;
	case DW_LNS_fixed_advance_pc:
		skip(c, 2);
		return true;
	case DW_LNS_negate_stmt:
	case DW_LNS_set_basic_block:
	case DW_LNS_const_add_pc:
	case DW_LNS_set_prologue_end:
	case DW_LNS_set_epilogue_begin:
		return true;
	case DW_LNS_advance_pc:
	case DW_LNS_advance_line:
	case DW_LNS_set_file:
	case DW_LNS_set_column:
	case DW_LNS_set_isa:
		leb(c);
		return true;
	default:
		for (unsigned i = 0; i < h->lengths[opcode]; i++)
			leb(c);
		return true;
	}
}

/* Rows that the program makes, no fewer than libdw finds: a row for each byte where the two might
 * read it in different ways. */
static uint64_t count_rows(const struct header *h, struct cursor c)
{
	uint64_t rows = 0, most = left(&c);
	while (left(&c))
		if (!read_opcode(h, &c, &rows))
			return most;
	return rows;
}

/* The table --------------------------------------------------------------------------------------
 */

/* What comes before the lists, up to the lengths of opcodes. Returns the program. */
static struct cursor read_start(struct header *h, struct cursor *c)
{
	if (h->version >= 5)
		skip(c, 2); /* sizes of an address and a segment */
	uint64_t length = number(c, h->offset_size);
	struct cursor program = *c;
	skip(&program, length);
	c->end = program.at;
	skip(c, h->version >= 4 ? 5 : 4);
	h->opcode_base = (unsigned)number(c, 1);
	for (unsigned i = 1; i < h->opcode_base; i++)
		h->lengths[i] = (unsigned char)number(c, 1);
	c->is_short |= program.is_short;
	return program;
}

struct pms_line_cost pms_line_table_cost(const struct pms_line_section *section, uint64_t offset,
					 size_t folder)
{
	struct pms_line_cost none = { 0 };
	if (offset >= section->size)
		return none;
	struct cursor c = { section->bytes + offset, section->bytes + section->size,
			    section->is_big, false };
	struct header h = { .section = section, .offset_size = 4, .longest = folder };
	uint64_t length = number(&c, 4);
	if (length == 0xffffffff) {
		h.offset_size = 8;
		length = number(&c, 8);
	}
	if (length < left(&c))
		c.end = c.at + length;
	uint64_t whole = left(&c);
	h.version = (unsigned)number(&c, 2);
	if (h.version < 2 || h.version > 5 || c.is_short)
		return none;
	struct cursor program = read_start(&h, &c);
	if (h.version < 5) {
		read_folders_and_files(&h, &c);
	} else {
		read_list(&h, &c, &h.longest);
		h.n_files = read_list(&h, &c, &h.longest);
	}
	uint64_t rows = count_rows(&h, program);
	if (c.is_short || h.is_strange || program.is_short) {
		h.n_files = whole;
		rows = whole;
	}
	/* "folder of the unit/folder/file" */
	uint64_t path = (uint64_t)folder + 2 * h.longest, files;
	struct pms_line_cost cost = { .rows = rows, .kept = whole + rows * ROW_KEPT };
	if (__builtin_mul_overflow(h.n_files, path + FILE_KEPT, &files) ||
	    __builtin_add_overflow(cost.kept, files, &cost.kept) || h.is_long)
		cost.kept = UINT64_MAX / 4;
	cost.while_read =
		cost.kept + rows * ROW_READ + (h.n_files < whole ? h.n_files : whole) * FILE_READ;
	return cost;
}
