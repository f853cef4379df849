/* SPDX-License-Identifier: MIT */
/* plan/seen.h - dead ends of a search: sets that were left to do, with the number of passes that
 * were not enough. */
#ifndef PMS_PLAN_SEEN_H
#define PMS_PLAN_SEEN_H

#include <stddef.h>
#include <stdint.h>

/** Zero-initialise all but `words`. */
struct pms_seen {
	size_t words; /* of a set */
	uint64_t *rows;
	size_t n, capacity; /* capacity: a power of two, or 0 */
};

/** Returns whether @passes are known not to be enough for @set. */
int pms_seen_has(const struct pms_seen *seen, const uint64_t *set, size_t passes);
/** Remember that @passes are not enough for @set. Without memory, it is only searched again. */
void pms_seen_add(struct pms_seen *seen, const uint64_t *set, size_t passes);
void pms_seen_release(struct pms_seen *seen);

#endif
