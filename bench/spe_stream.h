/* SPDX-License-Identifier: MIT */
/* bench/spe_stream.h - a stream of Arm SPE records to measure with: a mix of loads, stores,
 * branches and other operations, as a Neoverse core lays them out, 64 bytes each with padding. The
 * same options give the same bytes. */
#ifndef BENCH_SPE_STREAM_H
#define BENCH_SPE_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum spe_layout { SPE_LAYOUT_PLACES, SPE_LAYOUT_TAIL, SPE_LAYOUT_DENSE };

struct spe_stream {
	enum spe_layout layout;
	int mixed;  /* 1: four times as many shapes */
	int varied; /* 1: each of five packets may be there or not: 56 shapes */
	/* This number of shapes instead, all equally frequent, at most SPE_SHAPES_MOST; 0: as
	 * `mixed` and `varied` say. */
	unsigned shapes;
	uint64_t text; /* address of the sampled code */
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

/* Make an instruction's address at EL0, Non-secure. Some code is sampled far more often. */
static inline uint64_t spe_stream_pc(struct spe_stream *s)
{
	uint64_t r = spe_stream_random(s), a = r & 0xffff, b = r >> 16 & 0xffff;
	return UINT64_C(1) << 63 | (s->text + (s->text_size * (a * b >> 16) >> 16 & ~UINT64_C(3)));
}

/* Where packets lie in a record of 64 bytes. */
enum {
	SPE_AT_CONTEXT_EL1 = 9,
	SPE_AT_CONTEXT_EL2 = 14,
	SPE_AT_OPERATION = 19,
	SPE_AT_EVENTS = 21,
	SPE_AT_ISSUE = 24,
	SPE_AT_TOTAL = 27,
	SPE_AT_TARGET = 30,
	SPE_AT_DATA = 30,
	SPE_AT_TRANSLATION = 39,
	SPE_AT_PHYSICAL = 42,
	SPE_AT_SOURCE = 51,
	SPE_AT_TIME = 55,
	SPE_RECORD = 64
};

struct spe_writer {
	uint8_t *base, *at;
	int places;
};

static inline void spe_writer_put(struct spe_writer *w, unsigned place, unsigned header,
				  uint64_t payload, unsigned bytes)
{
	w->at = spe_stream_put(w->places ? w->base + place : w->at, header, payload, bytes);
}

static inline void spe_stream_memory(struct spe_stream *s, struct spe_writer *w, uint64_t r)
{
	uint64_t va = 0xffff80000000 + (r >> 16 & 0xffffff8);
	spe_writer_put(w, SPE_AT_DATA, 0xb2, va, 8);
	spe_writer_put(w, SPE_AT_TRANSLATION, 0x9a, r >> 50 & 7, 2);
	if ((s->mixed || s->varied) && r >> 41 & 1)
		spe_writer_put(w, SPE_AT_PHYSICAL, 0xb3, UINT64_C(1) << 63 | va >> 4, 8);
}

/* Make a record. Operations occur as in general code: half are loads and stores, a sixth
 * branches. */
static inline uint8_t *spe_stream_record(struct spe_stream *s, uint8_t *at)
{
	uint64_t r = spe_stream_random(s), kind = r % 12, pc = spe_stream_pc(s);
	int memory = kind < 6, branch = kind == 6 || kind == 7;
	unsigned class_ = memory ? 1 : branch ? 2 : 0;
	struct spe_writer w = { at, at, s->layout == SPE_LAYOUT_PLACES };
	spe_writer_put(&w, 0, 0xb0, pc, 8);
	if ((s->mixed || s->varied) && r >> 40 & 1)
		spe_writer_put(&w, SPE_AT_CONTEXT_EL1, 0x64, 4242, 4);
	if (!s->varied || r >> 42 & 1)
		spe_writer_put(&w, SPE_AT_CONTEXT_EL2, 0x65, 4242, 4);
	spe_writer_put(&w, SPE_AT_OPERATION, 0x48 + class_, kind >= 4 && memory, 1);
	spe_writer_put(&w, SPE_AT_EVENTS, 0x52, 0x12 | (memory ? r >> 24 & 0xfff : 0), 2);
	if (!s->varied || r >> 43 & 1)
		spe_writer_put(&w, SPE_AT_ISSUE, 0x99, r >> 24 & 0x3f, 2);
	spe_writer_put(&w, SPE_AT_TOTAL, 0x98, 1 + (r >> 32 & 0x3ff), 2);
	if (branch && r >> 60 & 3)
		spe_writer_put(&w, SPE_AT_TARGET, 0xb1, pc + 64, 8);
	if (memory)
		spe_stream_memory(s, &w, r);
	if (kind < 4 && (!s->varied || r >> 44 & 1))
		spe_writer_put(&w, SPE_AT_SOURCE, 0x43, 8 + (r >> 55 & 7), 1);
	s->time += 100 + r % 100;
	spe_writer_put(&w, SPE_AT_TIME, 0x71, s->time, 8);
	return w.at;
}

enum { SPE_SHAPES_MOST = 512 };

/* Make a record of the shape @which. Each bit adds a packet or changes one, so that no two shapes
 * are alike. */
static inline uint8_t *spe_stream_shape(struct spe_stream *s, uint8_t *at, unsigned which)
{
	uint64_t r = spe_stream_random(s), pc = spe_stream_pc(s);
	struct spe_writer w = { at, at, s->layout == SPE_LAYOUT_PLACES };
	unsigned has = which * 181 % SPE_SHAPES_MOST; /* spreads the bits, even for few shapes */
	unsigned memory = has & 1;
	spe_writer_put(&w, 0, 0xb0, pc, 8);
	if (has & 2)
		spe_writer_put(&w, SPE_AT_CONTEXT_EL1, 0x64, 4242, 4);
	if (has & 4)
		spe_writer_put(&w, SPE_AT_CONTEXT_EL2, 0x65, 4242, 4);
	spe_writer_put(&w, SPE_AT_OPERATION, 0x4a - memory, r >> 12 & 1, 1);
	spe_writer_put(&w, SPE_AT_EVENTS, has & 8 ? 0x52 : 0x42, 0x12, has & 8 ? 2 : 1);
	if (has & 16)
		spe_writer_put(&w, SPE_AT_ISSUE, 0x99, r >> 24 & 0x3f, 2);
	if (has & 32)
		spe_writer_put(&w, SPE_AT_TOTAL, 0x98, 1 + (r >> 32 & 0x3ff), 2);
	spe_writer_put(&w, SPE_AT_DATA, 0xb2 - !memory, 0xffff80000000 + (r >> 16 & 0xffffff8), 8);
	if (has & 64)
		spe_writer_put(&w, SPE_AT_TRANSLATION, 0x9a, r >> 50 & 7, 2);
	if (has & 128)
		spe_writer_put(&w, SPE_AT_PHYSICAL, 0xb3, UINT64_C(1) << 63 | r >> 20, 8);
	if (has & 256)
		spe_writer_put(&w, SPE_AT_SOURCE, 0x43, 8 + (r >> 55 & 7), 1);
	s->time += 100 + r % 100;
	spe_writer_put(&w, SPE_AT_TIME, 0x71, s->time, 8);
	return w.at;
}

/* Make at least @length bytes of whole records. Returns 0, or -1 when out of memory. */
static inline int spe_stream_make(struct spe_stream *s, size_t length)
{
	enum { MOST = 256 }; /* more than the bytes of a record and its padding */
	s->bytes = calloc(1, length + MOST);
	if (!s->bytes)
		return -1;
	uint8_t *at = s->bytes, *end = at + length;
	s->time = 0x123456789;
	while (at < end) {
		uint8_t *last =
			s->shapes ? spe_stream_shape(s, at,
						     (unsigned)(spe_stream_random(s) % s->shapes))
				  : spe_stream_record(s, at);
		size_t records = ((size_t)(last - at) + SPE_RECORD - 1) / SPE_RECORD;
		at = s->layout == SPE_LAYOUT_DENSE ? last : at + SPE_RECORD * records;
	}
	s->length = (size_t)(at - s->bytes);
	return 0;
}

#endif
