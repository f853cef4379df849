/* SPDX-License-Identifier: MIT */
/* Streams to test with: one with every packet of the document, and random ones. */
#ifndef TESTS_SPE_STREAM_H
#define TESTS_SPE_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "../vcore/random.h"

enum { STREAM_MOST = 1 << 17 };

struct stream {
	size_t length;
	size_t packets; /* number of packets in it; a row of padding is one */
	size_t records; /* number of End and Timestamp packets */
	uint8_t bytes[STREAM_MOST];
};

static inline void stream_byte(struct stream *s, unsigned byte)
{
	s->bytes[s->length++] = (uint8_t)byte;
}

/* A packet with a payload of 0, 1, 2, 4 or 8 bytes. @second: of an extended header, or -1 */
static inline void stream_packet(struct stream *s, unsigned header, int second, uint64_t payload,
				 unsigned bytes)
{
	stream_byte(s, header);
	if (second >= 0)
		stream_byte(s, (unsigned)second);
	for (unsigned i = 0; i < bytes; i++)
		stream_byte(s, payload >> 8 * i & 0xff);
	s->packets++;
	s->records += header == 0x01 || header == 0x71;
}

static inline void stream_padding(struct stream *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		stream_byte(s, 0);
	s->packets++;
}

/* Headers with the number of their payload's bytes: D18.2.1 to D18.2.9, the figures. */
static const struct {
	uint8_t first, last, payload;
} stream_headers[] = {
	{ 0x01, 0x01, 0 }, { 0x42, 0x42, 1 }, { 0x52, 0x52, 2 }, { 0x62, 0x62, 4 },
	{ 0x72, 0x72, 8 }, { 0x43, 0x43, 1 }, { 0x53, 0x53, 2 }, { 0x48, 0x4b, 1 },
	{ 0x64, 0x67, 4 }, { 0x71, 0x71, 8 }, { 0x98, 0x9f, 2 }, { 0xb0, 0xb7, 8 },
};

enum { STREAM_HEADERS = sizeof(stream_headers) / sizeof(stream_headers[0]) };

/* Every header, short and extended, every operation's payload, every event's bit. */
static inline void stream_every_packet(struct stream *s)
{
	uint64_t random = 7;
	for (unsigned i = 0; i < STREAM_HEADERS; i++)
		for (unsigned h = stream_headers[i].first; h <= stream_headers[i].last; h++) {
			stream_packet(s, h, -1, random_next(&random), stream_headers[i].payload);
			stream_padding(s, 1 + h % 9);
		}
	for (unsigned h = 0x20; h < 0x24; h++)
		for (unsigned index = 0; index < 8; index++) {
			stream_packet(s, h, (int)(0x98 + index), random_next(&random), 2);
			stream_packet(s, h, (int)(0xb0 + index), random_next(&random), 8);
		}
	for (unsigned class_ = 0; class_ < 4; class_++)
		for (unsigned payload = 0; payload < 256; payload++)
			stream_packet(s, 0x48 + class_, -1, payload, 1);
	for (unsigned bit = 0; bit < 64; bit++) {
		stream_packet(s, 0x72, -1, UINT64_C(1) << bit, 8);
		stream_packet(s, 0x72, -1, ~(UINT64_C(1) << bit), 8);
	}
	stream_packet(s, 0x01, -1, 0, 0);
	stream_padding(s, 100);
}

/* Records as a core writes them: a load, a branch or something else. */
static inline void stream_record(struct stream *s, uint64_t *random)
{
	static const uint8_t operations[] = { 0x49, 0x4a, 0x48, 0x49 };
	unsigned kind = (unsigned)random_below(random, 4);
	uint64_t pc = 0x8000000000400000 + random_below(random, 1 << 20) * 4;
	stream_packet(s, 0xb0, -1, pc, 8);
	stream_packet(s, 0x65, -1, 4242, 4);
	stream_packet(s, operations[kind], -1, kind == 3, 1);
	stream_packet(s, 0x52, -1, random_below(random, 0x1000), 2);
	stream_packet(s, 0x99, -1, random_below(random, 100), 2);
	stream_packet(s, 0x98, -1, random_below(random, 1000), 2);
	if (kind == 1)
		stream_packet(s, 0xb1, -1, pc + 64, 8);
	if (kind == 0 || kind == 3) {
		stream_packet(s, 0xb2, -1, random_next(random) >> 8, 8);
		stream_packet(s, 0x9a, -1, random_below(random, 50), 2);
	}
	if (kind == 0)
		stream_packet(s, 0x43, -1, random_below(random, 15), 1);
	stream_packet(s, 0x71, -1, random_next(random) >> 20, 8);
	if (s->length % 64)
		stream_padding(s, 64 - s->length % 64);
}

/* A packet at @place of the record that begins at @base, after padding where there is a gap. */
static inline void stream_placed(struct stream *s, size_t base, size_t place, unsigned header,
				 uint64_t payload, unsigned bytes)
{
	if (s->length < base + place)
		stream_padding(s, base + place - s->length);
	stream_packet(s, header, -1, payload, bytes);
}

/* Records of 64 bytes in which each packet has a place, as a Neoverse N1 writes them: loads of
 * which half have a physical address, branches and others. */
static inline void stream_places(struct stream *s, uint64_t *random)
{
	static const uint8_t operations[] = { 0x49, 0x49, 0x4a, 0x48 };
	unsigned kind = (unsigned)random_below(random, 4);
	size_t base = s->length;
	stream_placed(s, base, 0, 0xb0, 0x8000000000400000 + random_below(random, 1 << 20) * 4, 8);
	stream_placed(s, base, 14, 0x65, 4242, 4);
	stream_placed(s, base, 19, operations[kind], kind == 2, 1);
	stream_placed(s, base, 21, 0x52, random_below(random, 0x1000), 2);
	stream_placed(s, base, 24, 0x99, random_below(random, 100), 2);
	stream_placed(s, base, 27, 0x98, random_below(random, 1000), 2);
	if (kind == 2)
		stream_placed(s, base, 30, 0xb1, random_next(random) >> 8, 8);
	if (kind < 2) {
		stream_placed(s, base, 30, 0xb2, random_next(random) >> 8, 8);
		stream_placed(s, base, 39, 0x9a, random_below(random, 50), 2);
	}
	if (kind == 1)
		stream_placed(s, base, 42, 0xb3, random_next(random) >> 8, 8);
	if (kind < 2)
		stream_placed(s, base, 51, 0x43, random_below(random, 15), 1);
	stream_placed(s, base, 55, 0x71, random_next(random) >> 20, 8);
}

/* Records of 64 plain shapes at random: any of six packets. */
static inline void stream_subsets(struct stream *s, uint64_t *random, size_t length)
{
	static const uint8_t headers[] = { 0x98, 0x99, 0x9a, 0x9c, 0x53, 0x52 };
	while (s->length < length) {
		uint64_t subset = random_below(random, 64);
		for (unsigned i = 0; i < 6; i++)
			if (subset >> i & 1)
				stream_packet(s, headers[i], -1, random_next(random), 2);
		stream_packet(s, 0x71, -1, random_next(random), 8);
	}
}

/* Records of @n shapes at random, each any packets in any order: with packets twice, extended
 * headers, more than 64 bytes, padding inside; aligned to @alignment bytes. */
static inline void stream_shapes(struct stream *s, uint64_t *random, unsigned n, size_t alignment,
				 size_t length)
{
	uint64_t first = *random;
	while (s->length < length) {
		uint64_t shape = first + random_below(random, n);
		unsigned packets = (unsigned)random_below(&shape, 11);
		for (unsigned i = 0; i < packets; i++) {
			unsigned which = 1 + (unsigned)random_below(&shape, STREAM_HEADERS - 1);
			unsigned h = stream_headers[which].first, second;
			h += (unsigned)random_below(&shape, stream_headers[which].last - h + 1U);
			second = random_below(&shape, 20) || h < 0x90 ? 0 : h;
			if (h != 0x71)
				stream_packet(s, second ? 0x20 + (h & 3) : h,
					      second ? (int)second : -1, random_next(random),
					      stream_headers[which].payload);
			if (!random_below(&shape, 8))
				stream_padding(s, 1 + random_below(&shape, 12));
		}
		if (random_below(&shape, 2))
			stream_packet(s, 0x71, -1, random_next(random), 8);
		else
			stream_packet(s, 0x01, -1, 0, 0);
		if (s->length % alignment)
			stream_padding(s, alignment - s->length % alignment);
	}
}

/* Bytes with headers twice as often as chance would have them. */
static inline void stream_random(struct stream *s, uint64_t *random, size_t length)
{
	while (s->length < length) {
		unsigned i = (unsigned)random_below(random, 2 * STREAM_HEADERS);
		stream_byte(s, i < STREAM_HEADERS ? stream_headers[i].first
						  : (unsigned)random_below(random, 256));
	}
}

#endif
