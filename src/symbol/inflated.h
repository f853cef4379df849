/* SPDX-License-Identifier: MIT */
/* symbol/inflated.h - what compressed debug information becomes.
 * Source: System V ABI, "Section Compression". */
#ifndef PMS_SYMBOL_INFLATED_H
#define PMS_SYMBOL_INFLATED_H

#include <libelf.h>
#include <stdint.h>

/** Bytes that files may take together, beside what suits the length of each. */
struct pms_debug_room {
	uint64_t lines;	   /* for line tables */
	uint64_t unpacked; /* for compressed sections */
};

/**
 * Whether the compressed sections of @elf, the file @fd, say that they become no more than suits
 * its length, and the room. To be asked before libdw reads any of them.
 * @room: what they need of it is taken off; NULL: nothing is, and it is that of one file
 */
int pms_elf_is_bounded(Elf *elf, int fd, struct pms_debug_room *room);

#endif
