/* SPDX-License-Identifier: MIT */
/* plan/bound.h - what every packing needs at least, cheaply.
 * Flow: packing -> [bound] -> search. */
#ifndef PMS_PLAN_BOUND_H
#define PMS_PLAN_BOUND_H

#include "plan/packing.h"

/** Sets that are connected by events that they share, when no pass can hold all of them. */
struct pms_piece {
	uint64_t *events; /* of all of its sets; owned by the pieces */
	size_t needs;	  /* counters that they take up over all passes, at least */
};

struct pms_pieces {
	struct pms_piece *pieces;
	size_t n;
	size_t *sizes; /* of all pieces in events, also of those that a pass can hold: n_sizes */
	size_t n_sizes;
	uint64_t *memory;
};

/** Find them. Release with pms_pieces_release, whatever is returned. Returns 0 or -PMS_ENOMEM. */
int pms_pieces_init(struct pms_pieces *pieces, const struct pms_packing *packing);
void pms_pieces_release(struct pms_pieces *pieces);

/** Passes that every packing has at least, by counting: events, those of pieces as often as they
 * have to be counted, and what fits beside what by its size. 0 when out of memory, which is true as
 * well. */
size_t pms_packing_bound(const struct pms_packing *packing, struct pms_effort *effort);

#endif
