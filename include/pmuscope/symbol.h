/* SPDX-License-Identifier: MIT */
/* pmuscope/symbol.h - find the function, line and inlined calls at a place in a mapped file.
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

/** Symbols of any number of objects, each read when first needed: opaque, closed by
 * pms_symbols_close. Threads need a lock to share it. */
struct pms_symbols;

struct pms_symbols_options {
	const char *symfs; /* look for all files below this directory; NULL: at their own paths */
	const char *kallsyms; /* the kernel's symbols when no file has them, in the form of
				 /proc/kallsyms; NULL: none. See pms_symbols_open */
};

/** Open an empty set of symbols. Nothing is fetched over a network unless the environment sets
 * DEBUGINFOD_URLS, which libdw obeys.
 * @options: NULL for none
 * @out: written only on success
 * Returns 0. Errors: -PMS_ENOMEM. */
int pms_symbols_open(const struct pms_symbols_options *options, struct pms_symbols **out,
		     struct pms_error *err);

/** Close the symbols. @symbols may be NULL. */
void pms_symbols_close(struct pms_symbols *symbols);

/** What became of an object's file. */
enum pms_symbols_state {
	PMS_SYMBOLS_NONE,     /* not in a file, such as JIT code: nothing to look for */
	PMS_SYMBOLS_LINES,    /* found, with lines */
	PMS_SYMBOLS_NAMES,    /* found, without lines: no debug information */
	PMS_SYMBOLS_BARE,     /* found, with neither */
	PMS_SYMBOLS_MISSING,  /* not found here */
	PMS_SYMBOLS_MISMATCH, /* the file here is another build: not used */
	PMS_SYMBOLS_DAMAGED,  /* the file here is not a readable ELF file */
	PMS_SYMBOLS_PART      /* found, with lines, but some line tables were too large to read */
};
enum { PMS_SYMBOLS_STATES = PMS_SYMBOLS_PART + 1 };

/** A frame of a chain of inlined calls. Strings last until pms_symbols_close. */
struct pms_frame {
	const char *function; /* "" when not known */
	const char *file;     /* as the debug information has it, "" when not known */
	unsigned line;	      /* 1-based, 0 when not known */
	unsigned column;      /* 1-based, 0 when not known */
	const char *linkage;  /* the function's name for linkers: mangled where languages do so; ""
				 when not known */
	unsigned declared;    /* line of the function itself, 1-based, 0 when not known */
};

struct pms_symbol {
	const char *function; /* of the symbol that the place lies in: the outermost frame's; never
				 "": "[kernel]", "[jit]", "[unknown]" and so on where there is none
			       */
	uint64_t offset;      /* bytes from that function's start; 0 where there is no function */
	uint64_t start; /* the function's start in the file's own addresses; 0 without a function */
	uint64_t size;	/* bytes of the function; 0 when not known */
	int has_address;     /* 1: address is set */
	uint64_t address;    /* the place's address as objdump prints it */
	int known;	     /* 1: function is a name; 0: a word in brackets */
	const char *linkage; /* the name in the symbol table; NULL where none is known */
	size_t n_frames;     /* 0: no lines known. The first is where the instruction's line is, the
				last the function itself */
	const struct pms_frame *frames;
};

/** Find what is at a place. Only memory can fail: @symbol says what is unknown.
 * @symbol: strings and frames are borrowed until pms_symbols_close
 * Returns 0. Errors: -PMS_ENOMEM. */
int pms_symbols_find(struct pms_symbols *symbols, const struct pms_place *place,
		     struct pms_symbol *symbol);

/** Find what is at an address, as profiles have it. Only memory can fail.
 * @object: NULL: none is known
 * @address: for files the file's own, as objdump prints it; for others the one in memory
 * @symbol: as of pms_symbols_find
 * Returns 0. Errors: -PMS_ENOMEM. */
int pms_symbols_at(struct pms_symbols *symbols, const struct pms_object *object, uint64_t address,
		   struct pms_symbol *symbol);

/** The variable at an address of data. */
struct pms_variable {
	const char *name; /* borrowed until pms_symbols_close */
	uint64_t start;	  /* the variable's start in the file's own addresses */
	uint64_t offset;  /* bytes from the variable's start */
};

/** Find the variable at @address among the file's data symbols that have a type and a size.
 * Thread-local variables are not found.
 * @mapping: where a mapping of the file begins, best the mapping of its code. The address may
 *       lie outside it, such as in .bss, which no file backs.
 * @variable: written only where 1 is returned
 * Returns 1 with the variable; 0 where none is known. Errors: -PMS_ENOMEM. */
int pms_symbols_variable(struct pms_symbols *symbols, const struct pms_place *mapping,
			 uint64_t address, struct pms_variable *variable);

/** Returns the state of @object's file, which is looked for at the first call. */
enum pms_symbols_state pms_symbols_state(struct pms_symbols *symbols,
					 const struct pms_object *object);

/** Returns the path of the file that @object's symbols are from, borrowed until
 * pms_symbols_close; NULL: there is none. */
const char *pms_symbols_file(struct pms_symbols *symbols, const struct pms_object *object);

/** Returns "none", "lines", "names", "bare", "missing", "mismatch", "damaged" or "part". Static
 * storage. */
const char *pms_symbols_state_name(enum pms_symbols_state state);

#ifdef __cplusplus
}
#endif
#endif
