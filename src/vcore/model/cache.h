/* SPDX-License-Identifier: MIT */
/* vcore/model/cache.h - which lines a cache holds, and from which cycle on. Set-associative,
 * true LRU. It knows neither latencies nor other levels: the timing core decides the cost of a
 * hit or miss. A line takes 19 bytes and a few for hints, so a 32 MiB system cache takes 10 MB,
 * allocated on use. */
#ifndef PMS_VCORE_MODEL_CACHE_H
#define PMS_VCORE_MODEL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "vcore/model/lru.h"

#define PMS_NO_LINE UINT64_MAX

/* .flags of a line */
enum { PMS_LINE_DIRTY = 1, PMS_LINE_PREFETCHED = 2 };

struct pms_cache {
	/* The line found or filled last, so the most recent of its set. PMS_NO_LINE: none. */
	uint64_t last_line;
	int64_t last_entry;
	/* The way where a line was last found, by the line's low bits. It is usually right,
	 * which saves the search; the tag there decides. */
	uint8_t *hints; /* a way each */
	uint64_t hint_mask;
	uint64_t set_mask;
	uint32_t ways;
	uint32_t stride;   /* entries from one set to the next: ways, rounded up to a power of
			    * two */
	uint32_t shift;	   /* its logarithm */
	uint64_t *tags;	   /* complement of the line number, so that zeroed memory is empty */
	uint16_t *stamps;  /* see lru.h */
	uint16_t *clocks;  /* one a set */
	uint64_t *ready;   /* cycle at which the line's data is there */
	uint8_t *flags;	   /* PMS_LINE_* */
	uint64_t resident; /* lines held */
};

/**
 * Make an empty cache. @bytes / (@ways * @line_bytes), the number of sets, must be a power of two;
 * @ways is 1..PMS_LRU_WAYS_MAX.
 * Returns 0, or -1 when out of memory (then there is nothing to release).
 */
int pms_cache_init(struct pms_cache *c, uint64_t bytes, unsigned ways, unsigned line_bytes);

/** Free the cache's memory; a zeroed or released cache is fine. */
void pms_cache_release(struct pms_cache *c);

/** Returns the entry of @line (address / line_bytes), -1 when absent. Recency is unchanged. */
static inline int64_t pms_cache_peek(const struct pms_cache *c, uint64_t line)
{
	uint64_t first = (line & c->set_mask) << c->shift;
	uint64_t tag = ~line;
	/* Compare four ways at a time without branches, which would be unpredictable. The set's
	 * padding entries are never filled. */
	for (unsigned w = 0; w < c->stride; w += 4) {
		const uint64_t *t = c->tags + first + w;
		unsigned hits = (unsigned)(t[0] == tag) | (unsigned)(t[1] == tag) << 1 |
				(unsigned)(t[2] == tag) << 2 | (unsigned)(t[3] == tag) << 3;
		if (hits)
			return (int64_t)(first + w) + __builtin_ctz(hits);
	}
	return -1;
}

/* Make the line in @entry the most recent one of its set. */
static inline void pms_cache_touch(struct pms_cache *c, uint64_t line, int64_t entry)
{
	uint64_t set = line & c->set_mask;
	uint64_t first = set << c->shift;
	pms_lru_touch(c->stamps + first, c->clocks + set, c->ways,
		      (unsigned)((uint64_t)entry - first));
}

/** Returns the entry of @line, -1 when absent, and makes the line the most recent of its set. */
static inline int64_t pms_cache_find(struct pms_cache *c, uint64_t line)
{
	if (line == c->last_line)
		return c->last_entry;
	uint8_t *hint = &c->hints[line & c->hint_mask];
	uint64_t first = (line & c->set_mask) << c->shift;
	int64_t entry = (int64_t)(first + *hint);
	if (c->tags[entry] != ~line) {
		entry = pms_cache_peek(c, line);
		if (entry < 0)
			return -1;
		*hint = (uint8_t)((uint64_t)entry - first);
	}
	pms_cache_touch(c, line, entry);
	c->last_line = line;
	c->last_entry = entry;
	return entry;
}

/**
 * Replace the least recently used line of the set by an absent line. It becomes the most recent,
 * with ready 0 and flags 0.
 * @victim_line: out, the replaced line, PMS_NO_LINE when there was none
 * @victim_flags: out, its flags
 * Returns the entry.
 */
int64_t pms_cache_fill(struct pms_cache *c, uint64_t line, uint64_t *victim_line,
		       uint8_t *victim_flags);

/** Drop a line. @flags: out, its flags, written only if it was present. Returns whether it was. */
bool pms_cache_invalidate(struct pms_cache *c, uint64_t line, uint8_t *flags);

/** Returns how many lines are held. */
uint64_t pms_cache_resident(const struct pms_cache *c);

#endif
