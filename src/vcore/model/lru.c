/* SPDX-License-Identifier: MIT */
#include "vcore/model/lru.h"

#include <assert.h>
#include <string.h>
#include "vcore/model/hint.h"

PMS_APART void pms_lru_renumber(uint16_t *stamps, uint16_t *clock, unsigned ways)
{
	uint16_t rank[PMS_LRU_WAYS_MAX] = { 0 };
	uint16_t used = 0;
	assert(ways && ways <= PMS_LRU_WAYS_MAX);
	for (unsigned w = 0; w < ways; w++) {
		if (!stamps[w])
			continue;
		used++;
		for (unsigned v = 0; v < ways; v++)
			rank[w] = (uint16_t)(rank[w] + (stamps[v] && stamps[v] <= stamps[w]));
	}
	memcpy(stamps, rank, ways * sizeof(*stamps));
	*clock = used;
}
