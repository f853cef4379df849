/* SPDX-License-Identifier: MIT */
/* spe/maps.h - mappings, and which of them has an address at a moment.
 * Flow: history -> [maps] -> places.
 *
 * Moments number a walk through all processes: down from each to those that were forked from it,
 * when they were, and back. So a process and what is forked from it later see a mapping from its
 * own moment up to the process' end. Nobody else sees it. Of two that are seen at once the later
 * one lies over the earlier one.
 *
 * Stretches of addresses (edges.h) are the leaves of a binary tree, and each mapping is kept at the
 * node in whose middle its stretches meet: all of one node have that middle in common. Which one is
 * the last that is seen there changes with the moments that one is mapped and that one is gone; a
 * node has the list of these. The last one lies over those below it as far as it reaches: below it,
 * the next one that counts is the first that reaches further. These make a chain, with pointers
 * that jump far ahead in it (Myers, "An applicative random-access stack", 1983). So an address
 * takes a search in the list, and one in a chain, at each node above it: no more than some ten of
 * each, however mappings overlap. */
#ifndef PMS_SPE_MAPS_H
#define PMS_SPE_MAPS_H

#include "spe/edges.h"

struct pms_map {
	uint64_t start, end, offset;
	uint32_t object;
	uint32_t seen, gone; /* moments: from the first up to, but not at, the other */
	uint8_t executable;
};

/** Where a chain goes on: 0 is its end, n the mapping n - 1. */
struct pms_map_link {
	uint32_t next, jump, depth;
};

/** What is seen last at a node from a moment on. */
struct pms_map_turn {
	uint32_t moment, last; /* last: 0 for none, n for the mapping n - 1 */
};

/** Zero-initialise; fill rows, in the order of `seen`, and edges with all starts and ends. */
struct pms_maps {
	struct pms_map *rows;
	size_t count;
	struct pms_edges edges; /* settled */
	/* Of rows, with one more before the first, which is met at the end of a chain. */
	uint32_t *low, *high;		    /* stretches: the first, and the first behind */
	struct pms_map_link *lower, *upper; /* to those that begin earlier, and end later */
	uint32_t *first;		    /* turn of each node, by the stretch of its middle */
	struct pms_map_turn *turns;
};

/** All rows are there: make them ready to be found. Errors: -PMS_ENOMEM */
int pms_maps_settle(struct pms_maps *maps);

/** The last mapping of @address that is seen at @moment, NULL: none. */
const struct pms_map *pms_maps_find(const struct pms_maps *maps, uint64_t address, uint32_t moment);

void pms_maps_release(struct pms_maps *maps);

#endif
