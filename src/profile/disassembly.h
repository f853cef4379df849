/* SPDX-License-Identifier: MIT */
/* profile/disassembly.h - the instructions of a part of a program, by an objdump in PATH. */
#ifndef PMS_PROFILE_DISASSEMBLY_H
#define PMS_PROFILE_DISASSEMBLY_H

#include <stddef.h>
#include <stdint.h>

struct pms_instruction {
	uint64_t address;
	const char *text; /* "ldr x0, [x1, #8]" */
};

/** Zero-initialise. */
struct pms_disassembly {
	struct pms_instruction *rows; /* by address */
	size_t n;
	const char *program; /* that wrote it; NULL: none could */
	char *text;	     /* owns the rows' texts */
};

/** Disassemble the addresses from @start up to @end of the ELF file @path. Without a program that
 * can, there are no rows; @because then says so, and what to install.
 * Returns 0. Errors: -PMS_ENOMEM. */
int pms_disassemble(const char *path, uint64_t start, uint64_t end, struct pms_disassembly *out,
		    const char **because);
void pms_disassembly_release(struct pms_disassembly *disassembly);

#endif
