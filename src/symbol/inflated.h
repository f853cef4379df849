/* SPDX-License-Identifier: MIT */
/* symbol/inflated.h - what compressed debug information becomes.
 * Source: System V ABI, "Section Compression". */
#ifndef PMS_SYMBOL_INFLATED_H
#define PMS_SYMBOL_INFLATED_H

#include <libelf.h>

/** Whether the compressed sections of @elf, the file @fd, say that they become no more than suits
 * its length. To be asked before libdw reads any of them. */
int pms_elf_is_bounded(Elf *elf, int fd);

#endif
