/* SPDX-License-Identifier: MIT */
/* symbol/split.h - the unit of a .dwo file, for its skeleton in the program. libdw would open and
 * map whatever file the skeleton names: see snapshot.h. */
#ifndef PMS_SYMBOL_SPLIT_H
#define PMS_SYMBOL_SPLIT_H

#include <elfutils/libdw.h>

#include "base/numbers.h"
#include "symbol/inflated.h"

/** The .dwo files of a program. Zero-initialise, but for what is borrowed. */
struct pms_splits {
	const char *path;	     /* of the program, which they may be beside; borrowed */
	struct pms_debug_room *room; /* borrowed */
	struct pms_numbers opened;   /* those that were copied, by what tells files apart */
	uint64_t last;		     /* the one that was copied last, and */
	int copy;		     /* 1 + the descriptor of its copy; 0: there is none */
};

/**
 * Find the split unit of @skeleton, a unit of a program that was opened through a copy. Units that
 * share a .dwo file have to follow each other: each file is copied once.
 * Returns 1 with the unit in @content; 0: there is none. Errors: -PMS_ENOMEM
 */
int pms_split_find(struct pms_splits *splits, Dwarf_Die *skeleton, Dwarf_Die *content);

void pms_splits_release(struct pms_splits *splits);

#endif
