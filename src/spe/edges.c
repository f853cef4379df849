/* SPDX-License-Identifier: MIT */
#include "spe/edges.h"

#include <stdlib.h>

static int order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

void pms_edges_settle(struct pms_edges *edges)
{
	size_t kept = 0;
	if (edges->count)
		qsort(edges->at, edges->count, sizeof(*edges->at), order);
	for (size_t i = 0; i < edges->count; i++)
		if (!kept || edges->at[kept - 1] != edges->at[i])
			edges->at[kept++] = edges->at[i];
	edges->count = kept;
}

void pms_edges_release(struct pms_edges *edges)
{
	free(edges->at);
	*edges = (struct pms_edges){ 0 };
}
