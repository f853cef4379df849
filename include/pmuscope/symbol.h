/* SPDX-License-Identifier: MIT */
/* pmuscope/symbol.h - from a place in a mapped file to the function, line and inlined calls there.
 * Flow: spe samples -> place -> [symbol] -> show.
 * Source: the ELF symbol table and DWARF, read by elfutils' libdw. */
#ifndef PMUSCOPE_SYMBOL_H
#define PMUSCOPE_SYMBOL_H

#include <stddef.h>

#include "pmuscope/error.h"
#include "pmuscope/object.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Symbols of any number of objects, each read when it is first asked for. Not shared by threads
 * without a lock. */
struct pms_symbols;

struct pms_symbols_options {
	const char *symfs;    /* look for all files below this directory; NULL: where they were */
	const char *kallsyms; /* the kernel's symbols when no file has them, in the form of
				 /proc/kallsyms; NULL: none. See pms_symbols_open */
};

/**
 * @options: NULL for none. Nothing is fetched from anywhere unless DEBUGINFOD_URLS is set in the
 *           environment, which libdw then heeds.
 * Errors: -PMS_ENOMEM
 */
int pms_symbols_open(const struct pms_symbols_options *options, struct pms_symbols **out,
		     struct pms_error *err);

/** NULL is fine. */
void pms_symbols_close(struct pms_symbols *symbols);

/** What became of an object's file. */
enum pms_symbols_state {
	PMS_SYMBOLS_NONE,     /* it is not a file's, such as JIT code: nothing to look for */
	PMS_SYMBOLS_LINES,    /* found, with lines */
	PMS_SYMBOLS_NAMES,    /* found, without lines: no debug information */
	PMS_SYMBOLS_BARE,     /* found, with neither */
	PMS_SYMBOLS_MISSING,  /* there is no such file here */
	PMS_SYMBOLS_MISMATCH, /* the file here is another build: not used */
	PMS_SYMBOLS_DAMAGED,  /* the file here is not an ELF file that can be read */
	PMS_SYMBOLS_PART      /* found, with lines, but some line tables were too large to read */
};
enum { PMS_SYMBOLS_STATES = PMS_SYMBOLS_PART + 1 };

/** A call, inlined or not: innermost first. Strings last until pms_symbols_close. */
struct pms_frame {
	const char *function; /* "" when not known */
	const char *file;     /* as the debug information has it, "" when not known */
	unsigned line;	      /* 1-based, 0 when not known */
	unsigned column;      /* 1-based, 0 when not known */
};

struct pms_symbol {
	const char *function; /* of the symbol that the place lies in: the outermost frame's; never
				 "": "[kernel]", "[jit]", "[unknown]" and so on where there is none
			       */
	uint64_t offset;      /* of the place in that function, bytes; 0 where there is none */
	uint64_t start;	      /* of the function, in the file's own addresses; 0 without one */
	int has_address;      /* 1: */
	uint64_t address;     /* of the place, in the file's own addresses, as objdump has them */
	int known;	      /* 1: function is one's name, 0: a word in brackets */
	size_t n_frames; /* 0: no lines known. The first is where the instruction's line is, the
			    last the function itself */
	const struct pms_frame *frames;
};

/**
 * Find what is at a place. Never fails but for memory: what is not known is said in @symbol.
 * @symbol: borrowed strings and frames, until pms_symbols_close
 * Returns 0. Errors: -PMS_ENOMEM
 */
int pms_symbols_find(struct pms_symbols *symbols, const struct pms_place *place,
		     struct pms_symbol *symbol);

/** A variable that an address of data lies in. */
struct pms_variable {
	const char *name; /* until pms_symbols_close */
	uint64_t start;	  /* of the variable, in the file's own addresses */
	uint64_t offset;  /* of the address in it, bytes */
};

/**
 * Find the variable at @address, by the symbols that a file has for data: of a type and a size, but
 * not those of each thread.
 * @mapping: where a mapping of a file begins that the address may be of, best that of its code; the
 *           address may lie elsewhere, such as in .bss, which is of no file
 * Returns 1 with the variable; 0 where none is known. Errors: -PMS_ENOMEM
 */
int pms_symbols_variable(struct pms_symbols *symbols, const struct pms_place *mapping,
			 uint64_t address, struct pms_variable *variable);

/** Look for the file of @object, if that was not done, and say what became of it. */
enum pms_symbols_state pms_symbols_state(struct pms_symbols *symbols,
					 const struct pms_object *object);

/** Returns "lines", "names", "bare", "missing", "mismatch", "damaged" or "none". Static storage. */
const char *pms_symbols_state_name(enum pms_symbols_state state);

#ifdef __cplusplus
}
#endif
#endif
