/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "spe/reader.h"
#include "stream.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* By hand from the figures of D18.2.1 to D18.2.9. One packet each, which ends with the bytes. */
static const struct {
	const char *name;
	uint8_t bytes[12];
	size_t length;
	struct pms_spe_packet want; /* offset is 0 */
} cases[] = {
	{ "instruction",
	  { 0xb0, 1, 2, 3, 4, 5, 6, 7, 8 },
	  9,
	  { .length = 9,
	    .payload = 0x0807060504030201,
	    .type = PMS_SPE_ADDRESS,
	    .header = 0xb0,
	    .size = 3 } },
	{ "previous target",
	  { 0xb4, 0, 0, 0, 0, 0, 0, 0, 0xff },
	  9,
	  { .length = 9,
	    .payload = 0xff00000000000000,
	    .type = PMS_SPE_ADDRESS,
	    .header = 0xb4,
	    .index = 4,
	    .size = 3 } },
	{ "extended address, index 0",
	  { 0x20, 0xb0, 1, 0, 0, 0, 0, 0, 0, 0 },
	  10,
	  { .length = 10,
	    .payload = 1,
	    .type = PMS_SPE_ADDRESS,
	    .header = 0x20,
	    .extended = 1,
	    .size = 3 } },
	{ "extended address, index 31",
	  { 0x23, 0xb7, 1, 0, 0, 0, 0, 0, 0, 0x80 },
	  10,
	  { .length = 10,
	    .payload = 0x8000000000000001,
	    .type = PMS_SPE_ADDRESS,
	    .header = 0x23,
	    .extended = 1,
	    .index = 31,
	    .size = 3 } },
	{ "extended address, index 8",
	  { 0x21, 0xb0, 1, 0, 0, 0, 0, 0, 0, 0 },
	  10,
	  { .length = 10,
	    .payload = 1,
	    .type = PMS_SPE_ADDRESS,
	    .header = 0x21,
	    .extended = 1,
	    .index = 8,
	    .size = 3 } },
	{ "context EL1",
	  { 0x64, 0x78, 0x56, 0x34, 0x12 },
	  5,
	  { .length = 5,
	    .payload = 0x12345678,
	    .type = PMS_SPE_CONTEXT,
	    .header = 0x64,
	    .size = 2 } },
	{ "context EL2",
	  { 0x65, 0xff, 0xff, 0xff, 0xff },
	  5,
	  { .length = 5,
	    .payload = 0xffffffff,
	    .type = PMS_SPE_CONTEXT,
	    .header = 0x65,
	    .index = 1,
	    .size = 2 } },
	{ "context, reserved index",
	  { 0x67, 1, 0, 0, 0 },
	  5,
	  { .length = 5,
	    .payload = 1,
	    .type = PMS_SPE_CONTEXT,
	    .header = 0x67,
	    .index = 3,
	    .size = 2 } },
	{ "total latency",
	  { 0x98, 0xff, 0x0f },
	  3,
	  { .length = 3, .payload = 0xfff, .type = PMS_SPE_COUNTER, .header = 0x98, .size = 1 } },
	{ "alternate issue latency",
	  { 0x9c, 0xff, 0xff },
	  3,
	  { .length = 3,
	    .payload = 0xffff,
	    .type = PMS_SPE_COUNTER,
	    .header = 0x9c,
	    .index = 4,
	    .size = 1 } },
	{ "extended counter, index 18",
	  { 0x22, 0x9a, 0x34, 0x12 },
	  4,
	  { .length = 4,
	    .payload = 0x1234,
	    .type = PMS_SPE_COUNTER,
	    .header = 0x22,
	    .extended = 1,
	    .index = 18,
	    .size = 1 } },
	{ "data source, byte",
	  { 0x43, 0x0e },
	  2,
	  { .length = 2, .payload = 0x0e, .type = PMS_SPE_DATA_SOURCE, .header = 0x43 } },
	{ "data source, halfword",
	  { 0x53, 0x01, 0x80 },
	  3,
	  { .length = 3,
	    .payload = 0x8001,
	    .type = PMS_SPE_DATA_SOURCE,
	    .header = 0x53,
	    .size = 1 } },
	{ "end", { 0x01 }, 1, { .length = 1, .type = PMS_SPE_END, .header = 0x01 } },
	{ "events, byte",
	  { 0x42, 0x81 },
	  2,
	  { .length = 2, .payload = 0x81, .type = PMS_SPE_EVENTS, .header = 0x42 } },
	{ "events, halfword",
	  { 0x52, 0x00, 0x80 },
	  3,
	  { .length = 3, .payload = 0x8000, .type = PMS_SPE_EVENTS, .header = 0x52, .size = 1 } },
	{ "events, word",
	  { 0x62, 1, 0, 0, 0x80 },
	  5,
	  { .length = 5,
	    .payload = 0x80000001,
	    .type = PMS_SPE_EVENTS,
	    .header = 0x62,
	    .size = 2 } },
	{ "events, doubleword",
	  { 0x72, 1, 0, 0, 0, 0, 0, 0, 0x80 },
	  9,
	  { .length = 9,
	    .payload = 0x8000000000000001,
	    .type = PMS_SPE_EVENTS,
	    .header = 0x72,
	    .size = 3 } },
	{ "operation, other",
	  { 0x48, 0x07 },
	  2,
	  { .length = 2, .payload = 7, .type = PMS_SPE_OPERATION, .header = 0x48 } },
	{ "operation, branch",
	  { 0x4a, 0x1f },
	  2,
	  { .length = 2, .payload = 0x1f, .type = PMS_SPE_OPERATION, .header = 0x4a, .index = 2 } },
	{ "operation, reserved class",
	  { 0x4b, 0xff },
	  2,
	  { .length = 2, .payload = 0xff, .type = PMS_SPE_OPERATION, .header = 0x4b, .index = 3 } },
	{ "padding", { 0, 0, 0 }, 3, { .length = 3, .type = PMS_SPE_PADDING } },
	{ "timestamp",
	  { 0x71, 8, 7, 6, 5, 4, 3, 2, 1 },
	  9,
	  { .length = 9,
	    .payload = 0x0102030405060708,
	    .type = PMS_SPE_TIMESTAMP,
	    .header = 0x71,
	    .size = 3 } },
	{ "address cut short",
	  { 0xb2, 1, 2, 3, 4, 5, 6, 7 },
	  8,
	  { .length = 8,
	    .payload = 0x07060504030201,
	    .type = PMS_SPE_TRUNCATED,
	    .header = 0xb2,
	    .what = PMS_SPE_ADDRESS,
	    .need = 9 } },
	{ "header alone",
	  { 0x98 },
	  1,
	  { .length = 1,
	    .type = PMS_SPE_TRUNCATED,
	    .header = 0x98,
	    .what = PMS_SPE_COUNTER,
	    .need = 3 } },
	{ "extended header's first byte",
	  { 0x21 },
	  1,
	  { .length = 1,
	    .type = PMS_SPE_TRUNCATED,
	    .header = 0x21,
	    .what = PMS_SPE_EXTENDED,
	    .need = 2 } },
	{ "extended counter cut short",
	  { 0x20, 0x9f, 0x11 },
	  3,
	  { .length = 3,
	    .payload = 0x119f,
	    .type = PMS_SPE_TRUNCATED,
	    .header = 0x20,
	    .extended = 1,
	    .what = PMS_SPE_COUNTER,
	    .need = 4 } },
	{ "extended address cut short",
	  { 0x23, 0xb7, 1, 2, 3, 4, 5, 6, 7 },
	  9,
	  { .length = 9,
	    .payload = 0x07060504030201b7,
	    .type = PMS_SPE_TRUNCATED,
	    .header = 0x23,
	    .extended = 1,
	    .what = PMS_SPE_ADDRESS,
	    .need = 10 } },
};

static struct pms_spe_reader *reader_new(uint64_t offset)
{
	struct pms_spe_reader *reader = pms_spe_reader_new(offset);
	assert_non_null(reader);
	return reader;
}

static size_t read_all(const uint8_t *bytes, size_t length, struct pms_spe_packet *packets,
		       size_t most)
{
	struct pms_spe_reader *reader = reader_new(0);
	size_t used, n;
	n = pms_spe_read(reader, bytes, length, &used, packets, most);
	if (n < most)
		assert_int_equal(used, length);
	n += pms_spe_read_end(reader, packets + n);
	pms_spe_reader_free(reader);
	return n;
}

static void each_packet_is_decoded(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pms_spe_packet got[4];
		size_t n = read_all(cases[i].bytes, cases[i].length, got, 3);
		if (n != 1 || memcmp(&got[0], &cases[i].want, sizeof(got[0])) != 0)
			fail_msg("%s: %zu packets, type %d", cases[i].name, n, got[0].type);
	}
}

static int begins_a_packet(unsigned byte)
{
	for (unsigned i = 0; i < STREAM_HEADERS; i++)
		if (byte >= stream_headers[i].first && byte <= stream_headers[i].last)
			return 1;
	return byte == 0 || (byte >= 0x20 && byte <= 0x23);
}

static void every_other_byte_is_reserved(void **state)
{
	(void)state;
	for (unsigned byte = 0; byte < 256; byte++) {
		uint8_t bytes[] = { (uint8_t)byte, 0x01 };
		struct pms_spe_packet got[4];
		size_t n = read_all(bytes, 2, got, 3);
		if (begins_a_packet(byte))
			continue;
		assert_int_equal(n, 2);
		assert_int_equal(got[0].type, PMS_SPE_RESERVED);
		assert_int_equal(got[0].length, 1);
		assert_int_equal(got[0].header, byte);
		assert_int_equal(got[1].type, PMS_SPE_END);
		assert_int_equal(got[1].offset, 1);
	}
}

/* A second header byte that is neither address nor counter: the first alone is reserved. */
static void extended_headers_need_their_second_byte(void **state)
{
	(void)state;
	for (unsigned second = 0; second < 256; second++) {
		uint8_t bytes[11] = { 0x22, (uint8_t)second };
		struct pms_spe_packet got[12];
		int good = (second & 0xf8) == 0xb0 || (second & 0xf8) == 0x98;
		read_all(bytes, sizeof(bytes), got, 11);
		assert_int_equal(got[0].type == PMS_SPE_RESERVED, !good);
		if (!good)
			assert_int_equal(got[1].offset, 1);
	}
}

/* The old form of alignment: 20 is reserved, 00 padding. */
static void old_alignment_is_no_packet(void **state)
{
	(void)state;
	static const uint8_t bytes[] = { 0x20, 0x00, 0x00, 0x01 };
	struct pms_spe_packet got[5];
	assert_int_equal(read_all(bytes, sizeof(bytes), got, 4), 3);
	assert_int_equal(got[0].type, PMS_SPE_RESERVED);
	assert_int_equal(got[1].type, PMS_SPE_PADDING);
	assert_int_equal(got[1].length, 2);
	assert_int_equal(got[2].type, PMS_SPE_END);
}

static struct stream stream;

static void make_every_packet(void)
{
	memset(&stream, 0, sizeof(stream));
	stream_every_packet(&stream);
}

static void counts_agree_with_what_was_made(void **state)
{
	(void)state;
	static struct pms_spe_packet packets[1 << 13];
	make_every_packet();
	size_t n = read_all(stream.bytes, stream.length, packets, COUNT(packets) - 1);
	assert_int_equal(n, stream.packets);
	for (size_t i = 0; i < n; i++)
		assert_int_not_equal(packets[i].type, PMS_SPE_RESERVED);
}

/* Feed the bytes in pieces with @most packets at a time; the packets must be the same. */
static void compare(const struct pms_spe_packet *want, size_t n_want, size_t first, size_t piece,
		    size_t most)
{
	struct pms_spe_reader *reader = reader_new(0);
	static struct pms_spe_packet got[1 << 13];
	size_t at = 0, n = 0;
	while (at < stream.length) {
		size_t size = at ? piece : first, used;
		size = size < stream.length - at ? size : stream.length - at;
		size_t count = pms_spe_read(reader, stream.bytes + at, size, &used, got, most);
		assert_true(used == size || (count > 0 && most - count <= PMS_SPE_SHAPE_PACKETS));
		assert_true(n + count <= n_want);
		assert_memory_equal(got, want + n, count * sizeof(got[0]));
		n += count;
		at += used;
	}
	while (pms_spe_read_end(reader, got)) {
		assert_true(n < n_want);
		assert_memory_equal(got, want + n++, sizeof(got[0]));
	}
	assert_int_equal(n, n_want);
	pms_spe_reader_free(reader);
}

static void buffers_may_end_anywhere(void **state)
{
	(void)state;
	static struct pms_spe_packet want[1 << 13];
	make_every_packet();
	size_t n = read_all(stream.bytes, stream.length, want, COUNT(want) - 1);
	for (size_t piece = 1; piece <= 24; piece++)
		compare(want, n, piece, piece, COUNT(want));
	for (size_t first = 1; first < stream.length; first += 1 + first / 600)
		compare(want, n, first, stream.length, COUNT(want));
	for (size_t most = 1; most < 5; most++)
		compare(want, n, stream.length, 1, most);
}

/* Packets lie side by side from the first byte to the last, whatever the bytes. */
static void random_bytes_are_all_accounted_for(void **state)
{
	(void)state;
	static struct pms_spe_packet packets[1 << 13];
	uint64_t random = 1;
	for (int i = 0; i < 2000; i++) {
		uint64_t at = 0;
		stream.length = 0;
		stream_random(&stream, &random, 1 + random_below(&random, 300));
		size_t n = read_all(stream.bytes, stream.length, packets, COUNT(packets) - 1);
		for (size_t k = 0; k < n; k++) {
			assert_int_equal(packets[k].offset, at);
			assert_true(packets[k].length > 0);
			at += packets[k].length;
		}
		assert_int_equal(at, stream.length);
		if (i % 10 == 0)
			compare(packets, n, 1 + (size_t)i % 7, 1 + (size_t)i % 11, 3);
	}
}

/* One packet at a time leaves no room for whole records, which are read by their shape. */
static void shapes_change_nothing(void **state)
{
	(void)state;
	static struct pms_spe_packet want[STREAM_MOST];
	uint64_t random = 17;
	for (unsigned i = 0; i < 60; i++) {
		struct pms_spe_reader *reader = reader_new(0);
		size_t n = 0, used;
		stream.length = 0;
		stream_shapes(&stream, &random, 1 + i * i / 8, (size_t)1 << i % 7, 60000);
		for (size_t at = 0; at < stream.length; at += used)
			n += pms_spe_read(reader, stream.bytes + at, stream.length - at, &used,
					  want + n, 1);
		n += pms_spe_read_end(reader, want + n);
		pms_spe_reader_free(reader);
		compare(want, n, stream.length, 1, 1 << 13);
		compare(want, n, 5000, 5000, 40);
	}
}

/* Such as cores have that keep a place for each packet. */
static void padding_inside_a_record_is_of_its_shape(void **state)
{
	(void)state;
	static struct pms_spe_packet want[1 << 13], got[1 << 13];
	struct pms_spe_reader *one = reader_new(0), *whole = reader_new(0);
	uint64_t random = 5;
	size_t n = 0, used;
	stream.length = 0;
	while (stream.length < 20000)
		stream_places(&stream, &random);
	for (size_t at = 0; at < stream.length; at += used)
		n += pms_spe_read(one, stream.bytes + at, stream.length - at, &used, want + n, 1);
	assert_int_equal(pms_spe_read(whole, stream.bytes, stream.length, &used, got, COUNT(got)),
			 n);
	assert_memory_equal(got, want, n * sizeof(want[0]));
	assert_int_equal(one->shapes.n_shapes, 0);
	assert_int_equal(whole->shapes.n_shapes, 4);
	pms_spe_reader_free(one);
	pms_spe_reader_free(whole);
}

static void offsets_count_from_where_the_stream_begins(void **state)
{
	(void)state;
	static const uint8_t bytes[] = { 0x01, 0x00, 0x01, 0x98 };
	struct pms_spe_reader *reader = reader_new(UINT64_C(1) << 40);
	struct pms_spe_packet got[4];
	size_t used;
	assert_int_equal(pms_spe_read(reader, bytes, sizeof(bytes), &used, got, 4), 3);
	assert_int_equal(got[2].offset, (UINT64_C(1) << 40) + 2);
	assert_int_equal(pms_spe_read_end(reader, got), 1);
	assert_int_equal(got[0].offset, (UINT64_C(1) << 40) + 3);
	assert_int_equal(pms_spe_read_end(reader, got), 0);
	pms_spe_reader_free(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_packet_is_decoded),
		cmocka_unit_test(every_other_byte_is_reserved),
		cmocka_unit_test(extended_headers_need_their_second_byte),
		cmocka_unit_test(old_alignment_is_no_packet),
		cmocka_unit_test(counts_agree_with_what_was_made),
		cmocka_unit_test(buffers_may_end_anywhere),
		cmocka_unit_test(random_bytes_are_all_accounted_for),
		cmocka_unit_test(shapes_change_nothing),
		cmocka_unit_test(padding_inside_a_record_is_of_its_shape),
		cmocka_unit_test(offsets_count_from_where_the_stream_begins),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
