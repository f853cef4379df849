/* SPDX-License-Identifier: MIT */
/* plan/bound.h - a cheap lower bound of the passes of every packing.
 * Flow: packing -> [bound] -> search. */
#ifndef PMS_PLAN_BOUND_H
#define PMS_PLAN_BOUND_H

#include "plan/packing.h"

/** Sets connected by shared events, when no pass can hold all of them. */
struct pms_piece {
	uint64_t *events; /* of all of its sets; owned by the pieces */
	size_t needs;	  /* counters that its sets take up over all passes, at least */
};

struct pms_pieces {
	struct pms_piece *pieces;
	size_t n;
	size_t *sizes; /* events of every piece, even if a pass can hold it: n_sizes */
	size_t n_sizes;
	uint64_t *memory;
};

/** Find the pieces. Release with pms_pieces_release, whatever is returned. Returns 0 or
 * -PMS_ENOMEM. */
int pms_pieces_init(struct pms_pieces *pieces, const struct pms_packing *packing);
void pms_pieces_release(struct pms_pieces *pieces);

/** Returns a lower bound of the passes, by counting: events, with events of pieces as often as they
 * have to be counted, and the sizes of pieces. Returns 0 when out of memory, which is a bound as
 * well. */
size_t pms_packing_bound(const struct pms_packing *packing, struct pms_effort *effort);

#endif
