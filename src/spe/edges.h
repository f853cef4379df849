/* SPDX-License-Identifier: MIT */
/* spe/edges.h - all addresses at which anything begins or ends, sorted and numbered. Between two
 * edges nothing changes. Flow: history -> [edges] -> mapped, maps. */
#ifndef PMS_SPE_EDGES_H
#define PMS_SPE_EDGES_H

#include <stddef.h>
#include <stdint.h>

/** Zero-initialise; fill `at` with `count` addresses in any order. */
struct pms_edges {
	uint64_t *at;
	size_t count;
};

/** Sort the edges and drop repeats, once all are there. */
void pms_edges_settle(struct pms_edges *edges);

/** Returns the number of the stretch that @address lies in: 0 below the first edge, n from the
 * n-th on. */
static inline uint32_t pms_edges_stretch(const struct pms_edges *edges, uint64_t address)
{
	size_t low = 0, high = edges->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (edges->at[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return (uint32_t)low;
}

void pms_edges_release(struct pms_edges *edges);

#endif
