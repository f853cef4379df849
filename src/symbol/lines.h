/* SPDX-License-Identifier: MIT */
/* symbol/lines.h - addresses to lines and inlined calls, by an ELF file's debug information.
 * Flow: DWARF -> [lines] -> symbol.
 * Source: DWARF 5, sections 3.3.8 "Inlinable and Inlined Subroutines" and 6.2 "Line Number
 * Information". */
#ifndef PMS_SYMBOL_LINES_H
#define PMS_SYMBOL_LINES_H

#include <elfutils/libdw.h>
#include <gelf.h>

#include "base/numbers.h"
#include "symbol/cover.h"
#include "symbol/inflated.h"
#include "symbol/line_table.h"

/** A function, or one that was inlined in another. */
struct pms_line_scope {
	Dwarf_Off die;
	uint32_t parent; /* scope that it was inlined in, UINT32_MAX: it is a function itself */
};

/** A compilation unit; its functions are read when one is asked for. */
struct pms_unit {
	Dwarf_Die die;	   /* with the lines */
	Dwarf_Die content; /* with the functions: elsewhere where the file is split */
	int read;
	unsigned char own_lines, content_lines; /* enum, of both dies: whether they are read */
	struct pms_line_scope *scopes; /* in the order of the tree: what is inside comes after */
	size_t n_scopes;
	struct pms_ranges ranges; /* of scopes, while they are read */
	struct pms_cover cover;	  /* by scopes: what is inside counts */
};

/** Zero-initialise. */
struct pms_debug_lines {
	Dwarf *dwarf; /* borrowed */
	struct pms_unit *units;
	size_t n_units;
	struct pms_cover cover; /* by units */
	struct pms_line_section section;
	struct pms_numbers tables; /* by offset: 1 where a table is read, 0 where it is too large */
	uint64_t own_room;	   /* bytes that tables may take for this file, and */
	uint64_t *room;		   /* for all files together; borrowed */
	int left_out;		   /* 1: a table was too large */
};

/** What is at an address, as the debug information has it: borrowed strings, NULL and 0 where it
 * does not say. */
struct pms_line_frame {
	const char *function; /* mangled, where it has such a name */
	const char *file;
	int line, column;
	int declared; /* line of the function itself */
};

enum { PMS_FRAMES_MOST = 64 };

/** Read which addresses are whose unit's. @path: of the file, which .dwo files may be beside.
 * @room: borrowed; what line tables take beside 3 times the file is taken off. Errors: -PMS_ENOMEM
 */
int pms_debug_lines_init(struct pms_debug_lines *lines, Dwarf *dwarf, const char *path,
			 struct pms_debug_room *room);

/**
 * @address: in the file's own addresses
 * @frames:  room for PMS_FRAMES_MOST, innermost first; more than that are left out at the outer
 *           end but for the outermost
 * Returns their number, 0 where nothing is known; -PMS_ENOMEM
 */
int pms_debug_lines_find(struct pms_debug_lines *lines, uint64_t address,
			 struct pms_line_frame *frames);

void pms_debug_lines_release(struct pms_debug_lines *lines);

#endif
