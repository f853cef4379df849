/* SPDX-License-Identifier: MIT */
/* base/numbers.h - a table from numbers of 64 bits to rows of some array. Finding one takes the
 * same time whatever numbers a file has: where they lie depends on a key that it does not know. */
#ifndef PMS_BASE_NUMBERS_H
#define PMS_BASE_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

#define PMS_NO_ROW UINT32_MAX

/** Zero-initialise. */
struct pms_numbers {
	struct pms_number {
		uint64_t key;
		uint32_t row; /* + 1; 0: free */
	} * slots;
	size_t n_slots, count;
	struct pms_hash_key key;
};

/** Returns the row of @key, PMS_NO_ROW without one. */
uint32_t pms_numbers_get(const struct pms_numbers *n, uint64_t key);

/** Set the row of @key, in the place of one that it has. Errors: -PMS_ENOMEM */
int pms_numbers_set(struct pms_numbers *n, uint64_t key, uint32_t row);

void pms_numbers_release(struct pms_numbers *n);

#endif
