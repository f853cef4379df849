/* SPDX-License-Identifier: MIT */
/* plan/seen.h - what was found to lead nowhere: sets of what was left to do, with the number of
 * passes that were left for it. */
#ifndef PMS_PLAN_SEEN_H
#define PMS_PLAN_SEEN_H

#include <stddef.h>
#include <stdint.h>

/** Zero-initialise but for words. */
struct pms_seen {
	size_t words; /* of a set */
	uint64_t *rows;
	size_t n, capacity; /* capacity: a power of two, or 0 */
};

/** Whether @set was not enough for as many as @passes. */
int pms_seen_has(const struct pms_seen *seen, const uint64_t *set, size_t passes);
/** Remember it. What is forgotten for want of memory is only looked at again. */
void pms_seen_add(struct pms_seen *seen, const uint64_t *set, size_t passes);
void pms_seen_release(struct pms_seen *seen);

#endif
