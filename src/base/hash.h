/* SPDX-License-Identifier: MIT */
/* base/hash.h - hashes that the author of a file cannot foresee. Each table draws its own key,
 * so that no file can make all its numbers or names collide.
 * Source: Aumasson, Bernstein, "SipHash: a fast short-input PRF" (2012), with one round per
 * word and three at the end, as in Python and Rust. */
#ifndef PMS_BASE_HASH_H
#define PMS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct pms_hash_key {
	uint64_t words[2];
};

/** Returns a random key. Output must not depend on it: never walk a table by its slots. */
struct pms_hash_key pms_hash_draw(void);

uint64_t pms_hash_bytes(const struct pms_hash_key *key, const void *bytes, size_t size);

/** Returns pms_hash_bytes of the 8 bytes of @number, the lowest first. */
uint64_t pms_hash_number(const struct pms_hash_key *key, uint64_t number);

#endif
