/* SPDX-License-Identifier: MIT */
/* machine/elf.h - tell what kind of program a file is, as far as QEMU needs to run it.
 * Source: System V ABI, "Object Files"; Linux elf(5). */
#ifndef PMS_MACHINE_ELF_H
#define PMS_MACHINE_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"

enum pms_file_kind {
	PMS_FILE_OTHER,	 /* neither script nor ELF */
	PMS_FILE_SCRIPT, /* starts with #! */
	PMS_FILE_ELF
};

struct pms_elf {
	enum pms_file_kind kind;
	unsigned bits; /* 32 or 64; this and the members below are 0 and "" for files that are no
			* ELF */
	bool big_endian;
	uint16_t machine; /* EM_* */
	uint16_t type;	  /* ET_* */
	char interp[256]; /* ELF: PT_INTERP of a 64-bit little-endian file; script: the program
			   * after #!; "": none */
};

/** An open file, or bytes in memory. The file is read on demand and not mapped, since truncating
 * a mapped file would kill this process. */
struct pms_file {
	int fd;		      /* -1: in memory */
	const uint8_t *bytes; /* borrowed */
	uint64_t size;
};

/** Open a regular file. Returns 0. Errors: -PMS_EIO. Close with pms_file_close. */
int pms_file_open(const char *path, struct pms_file *out, struct pms_error *err);
void pms_file_close(struct pms_file *file);

/**
 * Tell what kind of file it is.
 * @out: always written
 * Returns 0. Errors: -PMS_EPARSE an ELF whose headers or segments lie outside of the file
 *         (the text says which), an interpreter's path that is not terminated or too long.
 */
int pms_file_identify(const struct pms_file *file, struct pms_elf *out, struct pms_error *err);

/** Do what pms_file_identify does, for bytes. */
int pms_elf_parse(const uint8_t *bytes, size_t size, struct pms_elf *out, struct pms_error *err);

/** Do what pms_file_identify does, for the file at @path. Errors: also -PMS_EIO. */
int pms_elf_read(const char *path, struct pms_elf *out, struct pms_error *err);

/**
 * Look for @symbol among the dynamic symbols that a 64-bit little-endian ELF defines.
 * Returns 1 found, 0 not (also when the file is no such ELF, or its headers make no sense).
 */
int pms_file_defines(const struct pms_file *file, const char *symbol);
int pms_elf_defines(const uint8_t *bytes, size_t size, const char *symbol);

/** Returns a machine's usual name ("x86-64"), or NULL when it is not a common one. */
const char *pms_elf_machine_name(uint16_t machine);

#endif
