/* SPDX-License-Identifier: MIT */
/* symbol/variable.h - addresses of data to the variables of an ELF file.
 * Flow: ELF symbol table, program headers -> [variable] -> symbol.
 * Source: System V ABI, "Symbol Table" and "Program Header". */
#ifndef PMS_SYMBOL_VARIABLE_H
#define PMS_SYMBOL_VARIABLE_H

#include <elfutils/libdwfl.h>

#include "base/limits.h"
#include "pmuscope/object.h"
#include "symbol/names.h"

/** A segment that is loaded, in the file's own addresses. */
struct pms_load {
	uint64_t offset, file_size; /* in the file */
	uint64_t address, size;	    /* in memory: what is behind file_size begins as zeros */
	int executable;
};

/** Zero-initialise. */
struct pms_variables {
	int is_read;
	struct pms_symbol_names names; /* as long as the Dwfl they were read from */
	struct pms_load loads[PMS_MOST_LOADS];
	size_t n_loads;
};

/** Read them from the one module of @dwfl, if that was not done. Errors: -PMS_ENOMEM */
int pms_variables_read(struct pms_variables *variables, Dwfl *dwfl);

/**
 * Find the variable at an address.
 * @mapping: where a mapping of the file begins in memory; the address may lie in another one of it,
 *           or in its .bss, which is of no file
 * @own:     becomes the file's own address of it, where there is a variable
 * Returns NULL where there is none.
 */
const struct pms_name_at *pms_variables_find(const struct pms_variables *variables,
					     const struct pms_place *mapping, uint64_t address,
					     uint64_t *own);

void pms_variables_release(struct pms_variables *variables);

#endif
