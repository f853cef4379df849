/* SPDX-License-Identifier: MIT */
/* vcore/model/lru.h - true least-recently-used order within a set, for caches and target
 * buffers. It takes two bytes for each entry and each set. A touch stamps the entry with the
 * set's clock, so the oldest entry has the least stamp. Stamp 0 is an empty entry. */
#ifndef PMS_VCORE_MODEL_LRU_H
#define PMS_VCORE_MODEL_LRU_H

#include <stdint.h>

enum { PMS_LRU_WAYS_MAX = 32 };

/** Rewrite the stamps of a set as 1, 2, 3… in the same order, and reset its clock. pms_lru_touch
 * does it when the clock runs out, once in 65 thousand touches of a set. */
void pms_lru_renumber(uint16_t *stamps, uint16_t *clock, unsigned ways);

/** Make entry @way the most recent one of its set. */
static inline void pms_lru_touch(uint16_t *stamps, uint16_t *clock, unsigned ways, unsigned way)
{
	if (*clock == UINT16_MAX)
		pms_lru_renumber(stamps, clock, ways);
	stamps[way] = ++*clock;
}

/** Returns the entry to replace: an empty one if any, else the least recently used. */
static inline unsigned pms_lru_oldest(const uint16_t *stamps, unsigned ways)
{
	/* Combine stamp and way in one word, so that the loop has no branch to mispredict. */
	uint32_t least = (uint32_t)stamps[0] << 8;
	for (unsigned w = 1; w < ways; w++) {
		uint32_t key = (uint32_t)stamps[w] << 8 | w;
		least = key < least ? key : least;
	}
	return least & 0xff;
}

#endif
