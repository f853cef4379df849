/* SPDX-License-Identifier: MIT */
/* symbol/line_table.h - what a line table takes when libdw reads it, told before it does. libdw
 * makes 100 bytes of each row, which may be a byte, and a path of each file's name.
 * Source: DWARF 5, section 6.2.4 "The Line Number Program Header", and those on its opcodes. */
#ifndef PMS_SYMBOL_LINE_TABLE_H
#define PMS_SYMBOL_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The section .debug_line, and what its tables refer to. Zero-initialise; size 0: there is none.
 */
struct pms_line_section {
	const unsigned char *bytes;
	size_t size;
	const unsigned char *strings; /* .debug_line_str */
	size_t n_strings;
	bool is_big; /* big-endian */
	unsigned address_size;
};

/** What a table takes: its rows, and bytes. */
struct pms_line_cost {
	uint64_t rows, while_read, kept;
};

/**
 * What the table at @offset takes at most.
 * @folder: length of the name of the folder that the unit was compiled in
 * Returns 0 where libdw would refuse it, too.
 */
struct pms_line_cost pms_line_table_cost(const struct pms_line_section *section, uint64_t offset,
					 size_t folder);

#endif
