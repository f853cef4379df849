/* SPDX-License-Identifier: MIT */
/* base/numbers.h - a table from 64-bit numbers to the rows of an array. A lookup takes the same
 * time whatever numbers a file has, because their slots depend on a secret key. */
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
		uint32_t row; /* row + 1; 0: the slot is free */
	} * slots;
	size_t n_slots, count;
	struct pms_hash_key key;
};

/** Returns the row of @key, or PMS_NO_ROW. */
uint32_t pms_numbers_get(const struct pms_numbers *n, uint64_t key);

/** Set or replace the row of @key. Returns 0. Errors: -PMS_ENOMEM. */
int pms_numbers_set(struct pms_numbers *n, uint64_t key, uint32_t row);

void pms_numbers_release(struct pms_numbers *n);

#endif
