/* SPDX-License-Identifier: MIT */
/* vcore/model/slc.h - which lines the system cache holds. It is large, and each access to it is a
 * miss of the host's caches: so a set is one line of the host's, 16 short tags in the order of
 * their use. No data, no dirty lines: nothing that the core counts depends on them. */
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

/** An empty cache of @bytes in lines of @line_bytes; its sets must be a power of two. @ways is at
 * most PMS_SLC_WAYS_MAX. Returns 0, or -1 when out of memory (then there is nothing to release). */
int pms_slc_init(struct pms_slc *slc, uint64_t bytes, unsigned ways, unsigned line_bytes);

/** Free what the cache owns; a zeroed or released one is fine. */
void pms_slc_release(struct pms_slc *slc);

/** Ask the host for the set that @line will be looked for in. */
static inline void pms_slc_hint(const struct pms_slc *slc, uint64_t line)
{
	__builtin_prefetch(&slc->sets[line & ((UINT64_C(1) << slc->set_log2) - 1)], 1);
}

/** Returns whether @line is there; if so, it is made the most recent of its set. Tags have 32 bits
 * of the line's number above the set's: lines 2^32 sets apart are taken for one another. */
bool pms_slc_find(struct pms_slc *slc, uint64_t line);

/** Make @line the most recent of its set; if it was not there, the least recent one goes. */
void pms_slc_put(struct pms_slc *slc, uint64_t line);

#endif
