/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

struct state {
	uint64_t a, b, c, d;
};

struct pms_hash_key pms_hash_draw(void)
{
	struct pms_hash_key key = { { 0 } };
	if (getrandom(&key, sizeof(key), GRND_NONBLOCK) == (ssize_t)sizeof(key))
		return key;
	/* The kernel's generator is not ready or not allowed: use the random bytes that the
	 * kernel gave this process. */
	const void *given = (const void *)(uintptr_t)getauxval(AT_RANDOM);
	if (given)
		memcpy(&key, given, sizeof(key));
	return key;
}

static inline uint64_t turn(uint64_t word, unsigned bits)
{
	return word << bits | word >> (64 - bits);
}

static inline void mix(struct state *s)
{
	s->a += s->b;
	s->b = turn(s->b, 13) ^ s->a;
	s->a = turn(s->a, 32);
	s->c += s->d;
	s->d = turn(s->d, 16) ^ s->c;
	s->a += s->d;
	s->d = turn(s->d, 21) ^ s->a;
	s->c += s->b;
	s->b = turn(s->b, 17) ^ s->c;
	s->c = turn(s->c, 32);
}

static inline struct state begin(const struct pms_hash_key *key)
{
	return (struct state){ key->words[0] ^ UINT64_C(0x736f6d6570736575),
			       key->words[1] ^ UINT64_C(0x646f72616e646f6d),
			       key->words[0] ^ UINT64_C(0x6c7967656e657261),
			       key->words[1] ^ UINT64_C(0x7465646279746573) };
}

static inline void take(struct state *s, uint64_t word)
{
	s->d ^= word;
	mix(s);
	s->a ^= word;
}

static inline uint64_t end(struct state *s)
{
	s->c ^= 0xff;
	mix(s);
	mix(s);
	mix(s);
	return s->a ^ s->b ^ s->c ^ s->d;
}

static uint64_t little(const uint8_t *at, size_t size)
{
	uint64_t word = 0;
	for (size_t i = size; i > 0; i--)
		word = word << 8 | at[i - 1];
	return word;
}

uint64_t pms_hash_bytes(const struct pms_hash_key *key, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	struct state s = begin(key);
	size_t left = size;
	for (; left >= 8; left -= 8, at += 8)
		take(&s, little(at, 8));
	take(&s, (uint64_t)size << 56 | little(at, left));
	return end(&s);
}

uint64_t pms_hash_number(const struct pms_hash_key *key, uint64_t number)
{
	struct state s = begin(key);
	take(&s, number);
	take(&s, UINT64_C(8) << 56);
	return end(&s);
}
