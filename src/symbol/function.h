/* SPDX-License-Identifier: MIT */
/* symbol/function.h - where a function of a program begins.
 * Source: System V ABI, "Symbol Table"; DWARF 5, 3.3.8 "Inlinable and Inlined Subroutines". */
#ifndef PMS_SYMBOL_FUNCTION_H
#define PMS_SYMBOL_FUNCTION_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"

enum { PMS_FUNCTION_PARTS = 16 };

struct pms_function {
	/* The function, and clones that the compiler made of it: "f.constprop.0", "f.isra.0",
	 * "f.part.0". */
	struct pms_function_part {
		uint64_t address; /* in the file's own terms, as its symbol table has it */
		uint64_t size;	  /* bytes of code; 0: the table does not say */
	} parts[PMS_FUNCTION_PARTS];
	size_t n_parts;
	uint64_t file_code; /* lowest address of code in the file, in the same terms */
	size_t n_inlined;   /* copies of it within other functions, as far as the file's debug
			     * information tells */
};

/**
 * Look a function up in a program's symbols; without a symbol table, in its dynamic ones.
 * @name: the symbol, which stands for its clones as well; or its C++ name with or without
 *        parameters; or an address, "0x4006f0"
 * @out:  written only on success
 * Returns 0. Errors: -PMS_EPARSE the file is no ELF or damaged; -PMS_ENAME there is no such
 *         function, or several (the hint says where), or more clones of it than
 *         PMS_FUNCTION_PARTS, or it has no code of its own: inlined
 *         wherever it is called, of a shared library, or one that picks another at run time;
 *         -PMS_EIO, -PMS_ENOMEM.
 */
int pms_function_find(const char *path, const char *name, struct pms_function *out,
		      struct pms_error *err);

#endif
