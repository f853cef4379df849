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

enum { ROOM = 2 * PMS_SPE_SHAPE_NEEDS };

static struct pms_spe_shapes shapes;

static void begin(void **state)
{
	(void)state;
	memset(&shapes, 0, sizeof(shapes));
	pms_spe_shapes_init(&shapes);
}

/* A record of some of these packets, each where the one before ends: as many different ones as
 * @which has bits. Behind it, zeros up to @total bytes, and what the next record begins with.
 * Returns its length. */
static size_t make_record(uint8_t bytes[ROOM], unsigned which, size_t total)
{
	static const uint8_t headers[][2] = { { 0xb0, 8 }, { 0x64, 4 }, { 0x65, 4 }, { 0x49, 1 },
					      { 0x52, 2 }, { 0x99, 2 }, { 0x98, 2 }, { 0xb2, 8 },
					      { 0x9a, 2 }, { 0x43, 1 } };
	uint64_t random = which * 7U + 1;
	size_t at = 0;
	memset(bytes, 0, ROOM);
	for (size_t i = 0; i < COUNT(headers); i++) {
		if (!(which >> i & 1))
			continue;
		bytes[at++] = headers[i][0];
		for (unsigned k = 0; k < headers[i][1]; k++)
			bytes[at++] = (uint8_t)random_below(&random, 256);
	}
	bytes[at] = 0x71;
	for (unsigned k = 1; k <= 8; k++)
		bytes[at + k] = (uint8_t)random_below(&random, 256);
	at += 9;
	assert_true(at <= PMS_SPE_WINDOW);
	total = total > at ? total : at;
	memset(bytes + total, 0xb0, ROOM - total);
	return total;
}

static void meet_twice(const uint8_t *bytes)
{
	for (int i = 0; i < 2; i++)
		assert_non_null(pms_spe_shape_meet(&shapes, bytes));
}

static void must_find(const uint8_t *bytes)
{
	struct pms_spe_guess guess = pms_spe_shape_guess(&shapes, bytes);
	assert_true(pms_spe_shape_fits(guess.shape, bytes));
	assert_int_equal(guess.total, guess.shape->total);
}

/* In any order of learning, whatever their lengths. */
static void each_shape_that_was_learned_is_found(void **state)
{
	static uint8_t records[PMS_SPE_SHAPES][ROOM];
	for (unsigned step = 1; step < 1024; step += 202) {
		begin(state);
		for (unsigned i = 0; i < PMS_SPE_SHAPES; i++) {
			make_record(records[i], i * step % 1024, step % 4 == 1 ? 0 : 64);
			meet_twice(records[i]);
			assert_int_equal(shapes.n_shapes, i + 1);
			for (unsigned k = 0; k <= i; k += 1 + i / 8)
				must_find(records[k]);
		}
		for (unsigned i = 0; i < PMS_SPE_SHAPES; i++)
			must_find(records[i]);
	}
}

static void rows_of_equal_length_are_found_at_once(void **state)
{
	static uint8_t bytes[300 * 64 + ROOM];
	struct pms_spe_shape *found[PMS_SPE_ALIKE];
	begin(state);
	for (unsigned i = 0; i < 300; i++)
		make_record(bytes + (size_t)64 * i, i * 5 % 200, 64);
	for (unsigned i = 0; i < 300; i++)
		if (!pms_spe_shape_fits(pms_spe_shape_guess(&shapes, bytes + (size_t)64 * i).shape,
					bytes + (size_t)64 * i))
			meet_twice(bytes + (size_t)64 * i);
	assert_int_equal(shapes.usual, 64);
	for (unsigned i = 0; i + PMS_SPE_ALIKE <= 300; i++) {
		pms_spe_shapes_guess(&shapes, bytes + (size_t)64 * i, 64, found);
		for (unsigned k = 0; k < PMS_SPE_ALIKE; k++)
			assert_true(pms_spe_shape_fits(found[k], bytes + (size_t)64 * (i + k)));
	}
}

/* The same headers, and more or fewer zeros behind them, learned upwards and downwards. */
static void padding_of_any_length_is_told_apart(void **state)
{
	uint8_t bytes[ROOM];
	for (unsigned order = 0; order < 3; order++) {
		begin(state);
		for (unsigned i = 0; i < 40; i++) {
			unsigned which = order == 0 ? i : order == 1 ? 39 - i : i * 7 % 40;
			make_record(bytes, 1, 18 + which);
			meet_twice(bytes);
		}
		assert_int_equal(shapes.n_shapes, 40);
		for (unsigned i = 0; i < 40; i++) {
			make_record(bytes, 1, 18 + i);
			must_find(bytes);
			assert_int_equal(pms_spe_shape_guess(&shapes, bytes).total, 18 + i);
		}
	}
}

static void what_comes_once_takes_no_place(void **state)
{
	uint8_t bytes[ROOM];
	begin(state);
	for (unsigned i = 0; i < 100; i++) {
		make_record(bytes, i, 0);
		assert_non_null(pms_spe_shape_meet(&shapes, bytes));
	}
	assert_int_equal(shapes.n_shapes, 1); /* the first, for the tree to have one */
	bytes[0] = 0x20;
	assert_null(pms_spe_shape_meet(&shapes, bytes));
	memset(bytes, 0, sizeof(bytes));
	assert_false(pms_spe_shape_fits(&shapes.shape[0], bytes));
}

/* The sum of all that the records of @s have, but where they lie. @piece: bytes at a time */
static uint64_t sum_of(struct pms_spe_decoder *decoder, const struct stream *s, size_t piece)
{
	static struct pms_spe_batch b;
	uint64_t sum = 0;
	for (size_t at = 0, used; at < s->length; at += used) {
		b.count = 0;
		pms_spe_decode(decoder, s->bytes + at,
			       piece < s->length - at ? piece : s->length - at, &used, &b);
		for (size_t i = 0; i < b.count; i++)
			sum = sum * 31 + b.has[i] + b.pc[i] + b.target[i] * 3 + b.va[i] * 5 +
			      b.pa[i] * 7 + b.previous[i] * 11 + b.events[i] * 13 + b.time[i] * 17 +
			      b.context_el1[i] + b.context_el2[i] + b.total[i] + b.issue[i] +
			      b.translation[i] + b.alternate[i] + b.source[i] + b.class_[i] +
			      b.op[i];
	}
	return sum;
}

/* With more shapes than there is room for, all are forgotten again and again: nothing is lost by
 * that. Pieces of 71 bytes are too short to look for shapes in. */
static void too_many_shapes_change_nothing(void **state)
{
	(void)state;
	static struct stream s;
	struct pms_spe_decoder *one = pms_spe_decoder_new(0), *many = pms_spe_decoder_new(0);
	uint64_t random = 3;
	size_t rounds = 0;
	int forgotten = 0;
	assert_true(one && many);
	while (s.length < STREAM_MOST - 2 * ROOM)
		s.length +=
			make_record(s.bytes + s.length, (unsigned)random_below(&random, 1024), 0);
	uint64_t want = sum_of(one, &s, 71);
	while (!forgotten) {
		uint32_t before = many->reader.shapes.missed;
		assert_int_equal(sum_of(many, &s, s.length), want);
		forgotten = many->reader.shapes.missed < before;
		assert_true(++rounds < 500);
	}
	uint64_t records = pms_spe_decoder_summary(one)->records;
	assert_int_equal(pms_spe_decoder_summary(many)->records, rounds * records);
	for (size_t i = 1; i < rounds; i++)
		sum_of(one, &s, 71);
	pms_spe_decode_end(one);
	pms_spe_decode_end(many);
	assert_memory_equal(pms_spe_decoder_summary(one), pms_spe_decoder_summary(many),
			    sizeof(struct pms_spe_summary));
	pms_spe_decoder_free(one);
	pms_spe_decoder_free(many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_shape_that_was_learned_is_found),
		cmocka_unit_test(rows_of_equal_length_are_found_at_once),
		cmocka_unit_test(padding_of_any_length_is_told_apart),
		cmocka_unit_test(what_comes_once_takes_no_place),
		cmocka_unit_test(too_many_shapes_change_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
