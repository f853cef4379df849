/* SPDX-License-Identifier: MIT */
/* spe/mapped.h - what is mapped where at one time, as pieces that do not overlap: a new one goes
 * over what is there.
 * Flow: history -> [mapped] -> history: whether a mapping changes what an address means. */
#ifndef PMS_SPE_MAPPED_H
#define PMS_SPE_MAPPED_H

#include <stddef.h>
#include <stdint.h>

enum { PMS_MAPPED_LEVELS = 6 }; /* of 64 each: for 2^36 places */

/** A piece is known by the stretch that it begins with; see edges.h. */
struct pms_mapped {
	struct pms_spe_piece {
		uint32_t end; /* the first stretch behind it */
		uint32_t row; /* whose it is */
	} * pieces;
	size_t count; /* of stretches */
	/* Bit n of a level is set where word n of the level below has bits; of the lowest, where a
	 * piece begins. */
	uint64_t *bits[PMS_MAPPED_LEVELS];
	unsigned n_levels;
};

/** @count: of stretches. Errors: -PMS_ENOMEM */
int pms_mapped_init(struct pms_mapped *pieces, size_t count);
void pms_mapped_release(struct pms_mapped *pieces);

/**
 * Put the stretches from @low to @high - 1, one at least, over what is there.
 * @agree: whether a stretch means the same in two rows
 * Returns 1 where one becomes something else by it, 0 where all were free or mean the same.
 */
int pms_mapped_put(struct pms_mapped *pieces, uint32_t low, uint32_t high, uint32_t row,
		   int (*agree)(const void *context, uint32_t a, uint32_t b), const void *context);

/** Take all pieces away: as long as it took to put them. */
void pms_mapped_clear(struct pms_mapped *pieces);

#endif
