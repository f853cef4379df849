/* SPDX-License-Identifier: MIT */
/* Rows of line tables, against tables made by hand and against those that libdw finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "symbol/lines.h"

#define MANY	"\x21\x21\x21\x21"
#define ADDRESS "\0\x09\x02\0\0\0\0\0\0\0\0"
#define END	"\0\x01\x01"
/* Of version 4, from the size of an instruction on: opcodes from 13 have a row. */
#define START "\1\1\1\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1"

struct table {
	const char *name, *header, *program;
	size_t n_header, n_program;
	unsigned version;
	uint64_t rows, files;
	size_t longest; /* of the names of folders */
};

#define T(name, version, header, program, rows, files, longest)                                    \
	{                                                                                          \
		name, header, program, sizeof(header) - 1, sizeof(program) - 1, version, rows,     \
			files, longest                                                             \
	}

static const struct table tables[] = {
	T("special opcodes", 4, START "\0u.c\0\0\0\0\0", ADDRESS MANY END, 5, 1, 0),
	T("copies", 4, START "\0\0",
	  "\1\1\2\x80\x01\1\3\x7f\4\1\5\1\6\7\x08\x09\1\2\x0a\x0b\x0c\1\1", 4, 0, 0),
	T("folders", 4, START "ab\0abcd\0\0u\0\0\0\0v\0\1\0\0\0", END, 1, 2, 4),
	T("a discriminator", 4, START "\0\0", "\0\2\4\5\x20", 1, 0, 0),
	T("an unknown opcode", 4, START "\0\0", "\0\4\x80\x21\x21\x21\x20", 1, 0, 0),
	/* libdw goes on behind the address: as many rows as bytes. */
	T("an address that says more", 4, START "\0\0", "\0\x0d\2\0\0\0\0\0\0\0\0" MANY, 15, 0, 0),
	T("version 3", 3, "\1\1\xfb\x0e\x0a\0\1\1\1\1\0\0\0\1\0\0", "\x0a\x0b\x0c", 3, 0, 0),
	/* One folder and two files, named there, and with a number of a folder. */
	T("version 5", 5, START "\1\1\x08\1/src\0\2\1\x08\2\x0b\2u\0\0v\0\0", ADDRESS MANY END, 5,
	  2, 4),
};

/* Little-endian, with 32 bits for each length. */
static size_t make(const struct table *t, unsigned char *to)
{
	size_t n = 4;
	to[n++] = (unsigned char)t->version;
	to[n++] = 0;
	if (t->version >= 5) {
		to[n++] = 8;
		to[n++] = 0;
	}
	to[n++] = (unsigned char)t->n_header;
	for (int i = 0; i < 3; i++)
		to[n++] = 0;
	memcpy(to + n, t->header, t->n_header);
	memcpy(to + n + t->n_header, t->program, t->n_program);
	n += t->n_header + t->n_program;
	for (int i = 0; i < 4; i++)
		to[i] = (unsigned char)((n - 4) >> 8 * i);
	return n;
}

static void rows_are_those_of_the_program(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		unsigned char bytes[256];
		size_t n = make(&tables[i], bytes);
		struct pms_line_section section = { .bytes = bytes, .size = n, .address_size = 8 };
		struct pms_line_cost cost = pms_line_table_cost(&section, 0, 1);
		uint64_t folder = tables[i].longest ? tables[i].longest : 1;
		uint64_t kept =
			n - 4 + 40 * tables[i].rows + tables[i].files * (1 + 2 * folder + 64);
		if (cost.rows != tables[i].rows || cost.kept != kept)
			fail_msg("%s: %llu rows, %llu bytes, want %llu and %llu", tables[i].name,
				 (unsigned long long)cost.rows, (unsigned long long)cost.kept,
				 (unsigned long long)tables[i].rows, (unsigned long long)kept);
		assert_int_equal(cost.while_read,
				 kept + 72 * tables[i].rows + 64 * tables[i].files);
	}
}

/* Cut anywhere, a table takes no more than its bytes could. */
static void what_is_cut_takes_what_it_could(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		unsigned char bytes[256];
		size_t n = make(&tables[i], bytes);
		for (size_t size = 0; size < n; size++) {
			struct pms_line_section section = { .bytes = bytes,
							    .size = size,
							    .address_size = 8 };
			assert_true(pms_line_table_cost(&section, 0, 1).rows <= size);
		}
	}
}

/* This program's own lines. */
static void rows_are_those_that_libdw_finds(void **state)
{
	(void)state;
	struct pms_debug_room room = { .lines = UINT64_MAX / 2 };
	int fd = open("/proc/self/exe", O_RDONLY), n = 0;
	elf_version(EV_CURRENT);
	Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
	if (!dwarf)
		skip();
	struct pms_debug_lines lines = { 0 };
	assert_int_equal(pms_debug_lines_init(&lines, dwarf, "", &room), 0);
	for (size_t i = 0; i < lines.n_units; i++) {
		Dwarf_Attribute attribute;
		Dwarf_Word offset;
		Dwarf_Lines *found;
		size_t n_found;
		if (dwarf_formudata(dwarf_attr(&lines.units[i].die, DW_AT_stmt_list, &attribute),
				    &offset) ||
		    dwarf_getsrclines(&lines.units[i].die, &found, &n_found))
			continue;
		assert_int_equal(pms_line_table_cost(&lines.section, offset, 0).rows, n_found);
		n++;
	}
	assert_true(n > 1);
	pms_debug_lines_release(&lines);
	dwarf_end(dwarf);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_those_of_the_program),
		cmocka_unit_test(what_is_cut_takes_what_it_could),
		cmocka_unit_test(rows_are_those_that_libdw_finds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
