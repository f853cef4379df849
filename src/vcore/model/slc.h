/* SPDX-License-Identifier: MIT */
/* vcore/model/slc.h - which lines the system cache holds. The cache is large, and each access
 * misses the host's caches. So a set is one line of the host: 16 short tags, the most recent
 * first. It keeps no data and no dirty bits, because no counter of the core depends on them. */
#ifndef PMS_VCORE_MODEL_SLC_H
#define PMS_VCORE_MODEL_SLC_H

#include <stdbool.h>
#include <stdint.h>

enum { PMS_SLC_WAYS_MAX = 16 };

struct pms_slc_set {
	uint32_t tags[PMS_SLC_WAYS_MAX]; /* the most recent first; 0: empty */
};

struct pms_slc {
	struct pms_slc_set *sets;
	uint32_t set_log2;
	uint32_t ways;
};

/** Make an empty cache of @bytes in lines of @line_bytes; its number of sets must be a power of
 * two. @ways is at most PMS_SLC_WAYS_MAX. Returns 0, or -1 when out of memory (then there is
 * nothing to release). */
int pms_slc_init(struct pms_slc *slc, uint64_t bytes, unsigned ways, unsigned line_bytes);

/** Free the cache's memory; a zeroed or released cache is fine. */
void pms_slc_release(struct pms_slc *slc);

/** Prefetch the set of @line into the host's caches. */
static inline void pms_slc_hint(const struct pms_slc *slc, uint64_t line)
{
	__builtin_prefetch(&slc->sets[line & ((UINT64_C(1) << slc->set_log2) - 1)], 1);
}

/** Returns whether @line is present, and makes it the most recent then. Tags have 32 bits of the
 * line number above the set's: lines 2^32 sets apart look the same. */
bool pms_slc_find(struct pms_slc *slc, uint64_t line);

/** Make @line the most recent of its set; if it is new, the least recent one goes. */
void pms_slc_put(struct pms_slc *slc, uint64_t line);

#endif
