/* SPDX-License-Identifier: MIT */
/* bench/spe_stream.h - a stream of Arm SPE records to measure with: a mix of loads, stores,
 * branches and other operations, as a Neoverse core lays them out, 64 bytes each with padding. The
 * same options give the same bytes. */
#ifndef BENCH_SPE_STREAM_H
#define BENCH_SPE_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct spe_stream {
	int dense;     /* 1: without the padding */
	int mixed;     /* 1: twice as many shapes */
	uint64_t text; /* where the sampled code lies */
	uint64_t text_size;
	uint64_t random, time;
	uint8_t *bytes; /* the caller frees them */
	size_t length;
};

static inline uint64_t spe_stream_random(struct spe_stream *s)
{
	uint64_t z = s->random += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline uint8_t *spe_stream_put(uint8_t *at, unsigned header, uint64_t payload,
				      unsigned bytes)
{
	*at++ = (uint8_t)header;
	for (unsigned i = 0; i < bytes; i++)
		*at++ = (uint8_t)(payload >> 8 * i);
	return at;
}

/* An instruction's address at EL0, Non-secure. Some code is sampled far more often than other. */
static inline uint64_t spe_stream_pc(struct spe_stream *s)
{
	uint64_t r = spe_stream_random(s), a = r & 0xffff, b = r >> 16 & 0xffff;
	return UINT64_C(1) << 63 | (s->text + (s->text_size * (a * b >> 16) >> 16 & ~UINT64_C(3)));
}

/* Shares of operations as in general code: half loads and stores, a sixth branches. */
static inline uint8_t *spe_stream_record(struct spe_stream *s, uint8_t *at)
{
	uint64_t r = spe_stream_random(s), kind = r % 12, pc = spe_stream_pc(s);
	int memory = kind < 6, branch = kind == 6 || kind == 7;
	unsigned class_ = memory ? 1 : branch ? 2 : 0;
	at = spe_stream_put(at, 0xb0, pc, 8);
	if (s->mixed && r >> 40 & 1)
		at = spe_stream_put(at, 0x64, 4242, 4);
	at = spe_stream_put(at, 0x65, 4242, 4);
	at = spe_stream_put(at, 0x48 + class_, kind >= 4 && memory, 1);
	at = spe_stream_put(at, 0x52, 0x12 | (memory ? r >> 24 & 0xfff : 0), 2);
	at = spe_stream_put(at, 0x99, r >> 24 & 0x3f, 2);
	at = spe_stream_put(at, 0x98, 1 + (r >> 32 & 0x3ff), 2);
	if (branch && r >> 60 & 3)
		at = spe_stream_put(at, 0xb1, pc + 64, 8);
	if (memory) {
		at = spe_stream_put(at, 0xb2, 0xffff80000000 + (r >> 16 & 0xffffff8), 8);
		at = spe_stream_put(at, 0x9a, r >> 50 & 7, 2);
	}
	if (kind < 4)
		at = spe_stream_put(at, 0x43, 8 + (r >> 55 & 7), 1);
	s->time += 100 + r % 100;
	return spe_stream_put(at, 0x71, s->time, 8);
}

/* Make at least @length bytes of whole records. Returns 0, or -1 when out of memory. */
static inline int spe_stream_make(struct spe_stream *s, size_t length)
{
	enum { MOST = 256 }; /* bytes of a record and its padding, and more */
	s->bytes = calloc(1, length + MOST);
	if (!s->bytes)
		return -1;
	uint8_t *at = s->bytes, *end = at + length;
	s->time = 0x123456789;
	while (at < end) {
		uint8_t *last = spe_stream_record(s, at);
		at = s->dense ? last : at + 64 * ((size_t)(last - at + 63) / 64);
	}
	s->length = (size_t)(at - s->bytes);
	return 0;
}

#endif
