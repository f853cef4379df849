/* SPDX-License-Identifier: MIT */
/* base/hash.h - hashes that the author of a file cannot foresee: each table draws its own key, so
 * that no file can be made whose numbers or names all fall on one place.
 * Source: Aumasson, Bernstein, "SipHash: a fast short-input PRF" (2012), with one round a word and
 * three at the end, as the tables of Python and Rust have it. */
#ifndef PMS_BASE_HASH_H
#define PMS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct pms_hash_key {
	uint64_t words[2];
};

/** A key at random. What a table gives must not depend on it: never go through one by its slots. */
struct pms_hash_key pms_hash_draw(void);

uint64_t pms_hash_bytes(const struct pms_hash_key *key, const void *bytes, size_t size);

/** As pms_hash_bytes of the 8 bytes of @number, the lowest first. */
uint64_t pms_hash_number(const struct pms_hash_key *key, uint64_t number);

#endif
