/* SPDX-License-Identifier: MIT */
/* symbol/names.h - addresses to names, sorted once: of an ELF file or of the kernel's list.
 * Flow: ELF symbol table, kallsyms -> [names] -> symbol. */
#ifndef PMS_SYMBOL_NAMES_H
#define PMS_SYMBOL_NAMES_H

#include <stddef.h>
#include <stdint.h>

/** A symbol; its name lives where it came from. */
struct pms_name_at {
	uint64_t start, end; /* end: where it ends; start where the table does not say */
	uint64_t reach; /* the highest end up to here in the table; before it is settled, of one
			   without an end: where it ends at the latest, 0 if that is not known */
	const char *name;
	uint8_t rank; /* of several at one place the highest is taken */
};

/** Zero-initialise. */
struct pms_names {
	struct pms_name_at *rows;
	size_t count;
};

/** Errors: -PMS_ENOMEM */
int pms_names_add(struct pms_names *names, const struct pms_name_at *row);

/** All were added: order them. One without an end goes up to the next, or to @end, but is left out
 * where it lies within another. */
void pms_names_settle(struct pms_names *names, uint64_t end);

/** The innermost that has @address, NULL when none has. */
const struct pms_name_at *pms_names_find(const struct pms_names *names, uint64_t address);

void pms_names_release(struct pms_names *names);

#endif
