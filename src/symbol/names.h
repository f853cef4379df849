/* SPDX-License-Identifier: MIT */
/* symbol/names.h - addresses to names, sorted once: of an ELF file or of the kernel's list.
 * Flow: ELF symbol table, kallsyms -> [names] -> symbol. */
#ifndef PMS_SYMBOL_NAMES_H
#define PMS_SYMBOL_NAMES_H

#include "symbol/cover.h"

/** A symbol; its name lives where it came from. */
struct pms_name_at {
	uint64_t start, end; /* end: where it ends; start where the table does not say */
	uint64_t latest;     /* of one without an end: where it ends at the latest, 0: not known */
	const char *name;
	uint8_t rank; /* of several at one place the highest is taken */
};

/** Zero-initialise. */
struct pms_symbol_names {
	struct pms_name_at *rows;
	size_t count;
	struct pms_cover cover; /* which row counts where */
};

/** Errors: -PMS_ENOMEM */
int pms_names_add(struct pms_symbol_names *names, const struct pms_name_at *row);

/** All were added: order them. One without an end goes up to the next, or to @end, but is left out
 * where it lies within another. Errors: -PMS_ENOMEM */
int pms_names_settle(struct pms_symbol_names *names, uint64_t end);

/** The innermost that has @address, NULL when none has. */
const struct pms_name_at *pms_names_find(const struct pms_symbol_names *names, uint64_t address);

void pms_names_release(struct pms_symbol_names *names);

#endif
