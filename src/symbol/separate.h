/* SPDX-License-Identifier: MIT */
/* symbol/separate.h - debug information in files of its own: found, checked and copied. libdw would
 * open whatever is there, and map it: see snapshot.h.
 * Flow: binary -> [separate] -> libdwfl. */
#ifndef PMS_SYMBOL_SEPARATE_H
#define PMS_SYMBOL_SEPARATE_H

#include <elfutils/libdwfl.h>
#include <stddef.h>

struct pms_symbol_search;

/**
 * Find the file of a build-id in /usr/lib/debug/.build-id, of symfs first.
 * @suffix: ".debug" of debug information, "" of programs
 * @found: receives its path, which the caller frees
 * Returns a descriptor of a copy (pms_snapshot_take); -1: there is none, or no memory.
 */
int pms_separate_by_id(const struct pms_symbol_search *search, const void *id, size_t size,
		       const char *suffix, char **found);

/** As dwfl_standard_find_debuginfo(), for modules whose user data is a struct pms_symbol_search. A
 * supplementary file that is not found is an empty one: libdw would go and open it. */
int pms_separate_find(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		      const char *program, const char *link, GElf_Word crc, char **found);

#endif
