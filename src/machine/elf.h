/* SPDX-License-Identifier: MIT */
/* machine/elf.h - what kind of program a file is: enough to say whether QEMU can run it.
 * Source: System V ABI, "Object Files"; Linux elf(5). */
#ifndef PMS_MACHINE_ELF_H
#define PMS_MACHINE_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"

enum pms_file_kind {
	PMS_FILE_OTHER,	 /* neither of these */
	PMS_FILE_SCRIPT, /* starts with #! */
	PMS_FILE_ELF
};

struct pms_elf {
	enum pms_file_kind kind;
	unsigned bits; /* 32 or 64; what follows holds for an ELF, 0 and "" for other files */
	bool big_endian;
	uint16_t machine; /* EM_* */
	uint16_t type;	  /* ET_* */
	char interp[256]; /* PT_INTERP of a 64-bit little-endian ELF; of a script, the program after
			   * #!; "": none */
};

/**
 * Identify a file by its bytes.
 * @out: always written
 * Returns 0. Errors: -PMS_EPARSE an ELF whose headers or segments lie outside of the file
 *         (the text says which), an interpreter's path that is not terminated or too long.
 */
int pms_elf_parse(const uint8_t *bytes, size_t size, struct pms_elf *out, struct pms_error *err);

/** As pms_elf_parse, of the file at @path. Errors: also -PMS_EIO. */
int pms_elf_read(const char *path, struct pms_elf *out, struct pms_error *err);

/**
 * Look for @symbol among the dynamic symbols that a 64-bit little-endian ELF defines.
 * Returns 1 found, 0 not (also when the file is no such ELF, or its headers make no sense).
 */
int pms_elf_defines(const uint8_t *bytes, size_t size, const char *symbol);

/** Returns a machine's usual name ("x86-64"), or NULL when it is not a common one. */
const char *pms_elf_machine_name(uint16_t machine);

/** A file's bytes, read-only. */
struct pms_file_map {
	const uint8_t *bytes; /* NULL when the file is empty */
	size_t size;
};
/** Returns 0. Errors: -PMS_EIO. Close with pms_file_unmap. */
int pms_file_map(const char *path, struct pms_file_map *out, struct pms_error *err);
void pms_file_unmap(struct pms_file_map *map);

#endif
