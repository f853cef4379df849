/* SPDX-License-Identifier: MIT */
/* symbol/binary.h - the ELF file of a mapped object: found, checked, and its symbols read.
 * Flow: object -> [binary] -> symbol. */
#ifndef PMS_SYMBOL_BINARY_H
#define PMS_SYMBOL_BINARY_H

#include <elfutils/libdwfl.h>

#include "pmuscope/symbol.h"
#include "symbol/lines.h"
#include "symbol/names.h"
#include "symbol/variable.h"

/** Where files are looked for. */
struct pms_symbol_search {
	char *symfs; /* NULL: where they were */
	char *debug; /* directories of separate debug information, for libdwfl: none */
	Dwfl_Callbacks callbacks;
	struct pms_debug_room *room; /* of all files together; borrowed */
};

/** A part of the file that is loaded: offsets in the file and the file's own addresses. */
struct pms_segment {
	uint64_t offset, size, address;
};

/** Zero-initialise. */
struct pms_binary {
	enum pms_symbols_state state;
	char *path; /* of the file that was read; NULL: none */
	Dwfl *dwfl; /* holds what names and lines point to */
	struct pms_segment *segments;
	size_t n_segments;
	struct pms_cover loaded; /* offsets, by segments: rows count from the last */
	const char **stubs;	 /* names of sections of linkage stubs */
	size_t n_stubs;
	struct pms_cover stubbed; /* addresses, by stubs: likewise */
	struct pms_symbol_names names;
	struct pms_variables variables; /* read when one is asked for */
	struct pms_debug_lines lines;
	const char *reference; /* name of a symbol to look for; NULL: of none */
	uint64_t reference_at; /* its address; 0: not found */
};

/** Errors: -PMS_ENOMEM */
int pms_search_init(struct pms_symbol_search *search, const char *symfs);
void pms_search_release(struct pms_symbol_search *search);

/** Find and read the file of @object, of the kernel by its build-id alone; state says what became
 * of it. Errors: -PMS_ENOMEM */
int pms_binary_open(struct pms_binary *binary, const struct pms_symbol_search *search,
		    const struct pms_object *object);

/** The file's own address of the byte at @offset; 0 with nothing loaded from there. */
int pms_binary_address(const struct pms_binary *binary, uint64_t offset, uint64_t *address);

/** The offset of the byte that has @address of its own; 0 with nothing loaded there. */
int pms_binary_offset(const struct pms_binary *binary, uint64_t address, uint64_t *offset);

/** Name of the section of linkage stubs that has @address (".plt"), NULL: none. */
const char *pms_binary_stub(const struct pms_binary *binary, uint64_t address);

void pms_binary_close(struct pms_binary *binary);

#endif
