/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "pmuscope/spe.h"
#include "stream.h"

static struct pms_spe_batch batch;
static struct pms_spe_decoder *decoder;
static const struct pms_spe_summary *summary;

static struct pms_spe_decoder *decoder_new(void)
{
	struct pms_spe_decoder *made = pms_spe_decoder_new(0);
	assert_non_null(made);
	return made;
}

/* The tests' own, of the stream that is decoded last. */
static void begin(void)
{
	pms_spe_decoder_free(decoder);
	decoder = decoder_new();
}

static void end(void)
{
	pms_spe_decode_end(decoder);
	summary = pms_spe_decoder_summary(decoder);
}

static void decode(const uint8_t *bytes, size_t length)
{
	size_t used;
	memset(&batch, 0xa5, sizeof(batch));
	batch.count = 0;
	begin();
	pms_spe_decode(decoder, bytes, length, &used, &batch);
	assert_int_equal(used, length);
	end();
}

/* Every column, each with a value of its own. */
static void every_packet_has_its_column(void **state)
{
	(void)state;
	static const uint8_t bytes[] = {
		0x00, 0xb0, 0x01, 0,	0,    0,    0,	  0,	0,    0x80, 0xb1, 0x02, 0,
		0,    0,    0,	  0,	0,    0xa0, 0xb2, 0x03, 0,    0,    0,	  0,	0,
		0,    0x5a, 0xb3, 0x04, 0,    0,    0,	  0,	0,    0,    0xc3, 0xb4, 0x05,
		0,    0,    0,	  0,	0,    0,    0x90, 0x72, 0x06, 0,    0,	  0,	0,
		0,    0,    0x01, 0x64, 0x07, 0,    0,	  0x70, 0x65, 0x08, 0,	  0,	0x80,
		0x98, 0x09, 0x90, 0x99, 0x0a, 0xa0, 0x9a, 0x0b, 0xb0, 0x9c, 0x0c, 0xc0, 0x53,
		0x0d, 0xd0, 0x49, 0xfd, 0x71, 0x0e, 0,	  0,	0,    0,    0,	  0,	0xe0,
	};
	decode(bytes, sizeof(bytes));
	assert_int_equal(batch.count, 1);
	assert_int_equal(batch.has[0], 0x7fff);
	assert_int_equal(batch.offset[0], 1);
	assert_int_equal(batch.pc[0], 0x8000000000000001);
	assert_int_equal(batch.target[0], 0xa000000000000002);
	assert_int_equal(batch.va[0], 0x5a00000000000003);
	assert_int_equal(batch.pa[0], 0xc300000000000004);
	assert_int_equal(batch.previous[0], 0x9000000000000005);
	assert_int_equal(batch.events[0], 0x0100000000000006);
	assert_int_equal(batch.context_el1[0], 0x70000007);
	assert_int_equal(batch.context_el2[0], 0x80000008);
	assert_int_equal(batch.total[0], 0x9009);
	assert_int_equal(batch.issue[0], 0xa00a);
	assert_int_equal(batch.translation[0], 0xb00b);
	assert_int_equal(batch.alternate[0], 0xc00c);
	assert_int_equal(batch.source[0], 0xd00d);
	assert_int_equal(batch.class_[0], 1);
	assert_int_equal(batch.op[0], 0xfd);
	assert_int_equal(batch.time[0], 0xe00000000000000e);
	assert_int_equal(summary->records, 1);
	assert_int_equal(summary->bytes[PMS_SPE_ADDRESS], 45);
	assert_int_equal(summary->bytes[PMS_SPE_PADDING], 1);
}

static void presence_is_by_bit(void **state)
{
	(void)state;
	/* A latency of 0 that is there; a source that is not. Then a record of an operation alone.
	 */
	static const uint8_t bytes[] = { 0x98, 0, 0, 0x01, 0x4a, 0x01, 0x01, 0x01 };
	decode(bytes, sizeof(bytes));
	assert_int_equal(batch.count, 3);
	assert_int_equal(batch.has[0], PMS_SPE_HAS_TOTAL);
	assert_int_equal(batch.total[0], 0);
	assert_int_equal(batch.source[0], 0);
	assert_int_equal(batch.has[1], PMS_SPE_HAS_OP);
	assert_int_equal(batch.offset[1], 4);
	assert_int_equal(batch.class_[1], 2);
	assert_int_equal(batch.op[1], 1);
	assert_int_equal(batch.has[2], 0); /* an End by itself */
	assert_int_equal(batch.offset[2], 7);
	assert_int_equal(batch.op[2], 0);
}

static void extended_headers_fill_the_same_columns(void **state)
{
	(void)state;
	static const uint8_t bytes[] = { 0x20, 0x99, 0x34, 0x12, 0x21, 0x99, 1, 0, 0x01 };
	decode(bytes, sizeof(bytes));
	assert_int_equal(batch.count, 1);
	assert_int_equal(batch.has[0], PMS_SPE_HAS_ISSUE | PMS_SPE_HAS_OTHER);
	assert_int_equal(batch.issue[0], 0x1234);
	assert_int_equal(summary->reserved_fields, 1); /* index 9 */
	assert_int_equal(summary->other, 1);
}

static void what_is_odd_is_said(void **state)
{
	(void)state;
	static const uint8_t bytes[] = {
		0x98, 1, 0, 0x98, 2,	0,    0x01,	  /* twice */
		0x98, 1, 0, 0xff, 0xfe, 0x01,		  /* undecodable bytes */
		0x9e, 1, 0, 0x9f, 2,	0,    0x01,	  /* implementation defined, twice */
		0x66, 1, 0, 0,	  0,	0x4b, 0,    0x01, /* reserved index and class */
		0x98, 3, 0,				  /* unfinished */
	};
	decode(bytes, sizeof(bytes));
	assert_int_equal(batch.count, 4);
	assert_int_equal(batch.has[0], PMS_SPE_HAS_TOTAL | PMS_SPE_HAS_REPEATED);
	assert_int_equal(batch.total[0], 2);
	assert_int_equal(batch.has[1], PMS_SPE_HAS_TOTAL | PMS_SPE_HAS_DAMAGE);
	assert_int_equal(batch.has[2], PMS_SPE_HAS_OTHER);
	assert_int_equal(batch.has[3], PMS_SPE_HAS_OTHER | PMS_SPE_HAS_OP);
	assert_int_equal(summary->records, 4);
	assert_int_equal(summary->repeated, 1);
	assert_int_equal(summary->damaged, 1);
	assert_int_equal(summary->other, 2);
	assert_int_equal(summary->unfinished, 1);
	assert_int_equal(summary->implementation_defined, 2);
	assert_int_equal(summary->reserved_fields, 2);
	assert_int_equal(summary->packets[PMS_SPE_RESERVED], 2);
}

static void an_end_inside_a_packet_is_counted(void **state)
{
	(void)state;
	static const uint8_t bytes[] = { 0x01, 0, 0, 0xb0, 1, 2 };
	decode(bytes, sizeof(bytes));
	assert_int_equal(batch.count, 1);
	assert_int_equal(summary->unfinished, 1);
	assert_int_equal(summary->packets[PMS_SPE_TRUNCATED], 1);
	assert_int_equal(summary->bytes[PMS_SPE_TRUNCATED], 3);
	end();
	assert_int_equal(summary->unfinished, 1);
	decode(bytes, 3);
	assert_int_equal(summary->unfinished, 0);
	assert_int_equal(summary->bytes[PMS_SPE_PADDING], 2);
}

static int same(const struct pms_spe_batch *a, size_t i, const struct pms_spe_batch *b, size_t k)
{
	return a->has[i] == b->has[k] && a->offset[i] == b->offset[k] && a->pc[i] == b->pc[k] &&
	       a->target[i] == b->target[k] && a->va[i] == b->va[k] && a->pa[i] == b->pa[k] &&
	       a->previous[i] == b->previous[k] && a->events[i] == b->events[k] &&
	       a->time[i] == b->time[k] && a->context_el1[i] == b->context_el1[k] &&
	       a->context_el2[i] == b->context_el2[k] && a->total[i] == b->total[k] &&
	       a->issue[i] == b->issue[k] && a->translation[i] == b->translation[k] &&
	       a->alternate[i] == b->alternate[k] && a->source[i] == b->source[k] &&
	       a->class_[i] == b->class_[k] && a->op[i] == b->op[k];
}

/* Decode @s whole, then in pieces with batches of all fillings: the same records and summary. */
static void compare_pieces(const struct stream *s, size_t first, size_t piece)
{
	static struct pms_spe_batch whole, part;
	struct pms_spe_decoder *a = decoder_new(), *b = decoder_new();
	size_t used_a, used_b, at_a = 0, at_b = 0, i = 0;
	whole.count = part.count = 0;
	while (at_b < s->length) {
		size_t size = at_b ? piece : first;
		size = size < s->length - at_b ? size : s->length - at_b;
		pms_spe_decode(b, s->bytes + at_b, size, &used_b, &part);
		at_b += used_b;
		for (size_t k = 0; k < part.count; k++) {
			if (i == whole.count) {
				whole.count = i = 0;
				pms_spe_decode(a, s->bytes + at_a, s->length - at_a, &used_a,
					       &whole);
				at_a += used_a;
			}
			assert_true(same(&whole, i++, &part, k));
		}
		part.count = 0;
	}
	assert_int_equal(i, whole.count);
	whole.count = 0;
	pms_spe_decode(a, s->bytes + at_a, s->length - at_a, &used_a, &whole);
	assert_int_equal(whole.count, 0);
	pms_spe_decode_end(a);
	pms_spe_decode_end(b);
	assert_memory_equal(pms_spe_decoder_summary(a), pms_spe_decoder_summary(b),
			    sizeof(struct pms_spe_summary));
	pms_spe_decoder_free(a);
	pms_spe_decoder_free(b);
}

static void buffers_may_end_anywhere(void **state)
{
	(void)state;
	static struct stream s;
	uint64_t random = 5;
	stream_every_packet(&s);
	for (size_t piece = 1; piece < 20; piece++)
		compare_pieces(&s, piece, piece);
	memset(&s, 0, sizeof(s));
	for (int i = 0; i < 40; i++)
		stream_record(&s, &random);
	for (size_t first = 1; first < s.length; first++)
		compare_pieces(&s, first, s.length);
	for (size_t piece = 1; piece < 200; piece++)
		compare_pieces(&s, piece, piece);
	for (int i = 0; i < 300; i++) {
		s.length = 0;
		for (int k = 0; k < 4; k++) {
			stream_record(&s, &random);
			stream_random(&s, &random, s.length + random_below(&random, 12));
		}
		compare_pieces(&s, 1 + random_below(&random, 99), 1 + random_below(&random, 99));
	}
}

/* Pieces below 72 bytes are too short to look for shapes in. */
static void shapes_change_nothing(void **state)
{
	(void)state;
	static struct stream s;
	uint64_t random = 23;
	for (unsigned i = 0; i < 60; i++) {
		s.length = 0;
		stream_shapes(&s, &random, 1 + i * i / 8, (size_t)1 << i % 7, 60000);
		compare_pieces(&s, 71, 71);
		compare_pieces(&s, 3000, 3000);
	}
	for (unsigned i = 0; i < 20; i++) {
		s.length = 0;
		while (s.length < 20000)
			stream_record(&s, &random);
		compare_pieces(&s, 71, 71);
	}
	for (unsigned i = 0; i < 20; i++) {
		s.length = 0;
		stream_subsets(&s, &random, 60000);
		compare_pieces(&s, 71, 71);
		compare_pieces(&s, 60000, 71);
	}
}

/* What the summary says is what the packets say, and each byte is in it once. */
static void the_summary_counts_everything(void **state)
{
	(void)state;
	static struct stream s;
	static struct pms_spe_packet packets[1 << 13];
	struct pms_spe_summary want = { 0 };
	struct pms_spe_reader *reader = pms_spe_reader_new(0);
	size_t used;
	uint64_t bytes = 0, random = 3;
	stream_every_packet(&s);
	for (int i = 0; i < 200; i++)
		stream_record(&s, &random);
	stream_random(&s, &random, s.length + 999);
	assert_non_null(reader);
	size_t n = pms_spe_read(reader, s.bytes, s.length, &used, packets, 1 << 13);
	n += pms_spe_read_end(reader, packets + n);
	pms_spe_reader_free(reader);
	for (size_t i = 0; i < n; i++)
		pms_spe_summary_add(&want, &packets[i]);
	begin();
	for (size_t at = 0; at < s.length; at += used) {
		batch.count = 0;
		pms_spe_decode(decoder, s.bytes + at, s.length - at, &used, &batch);
	}
	end();
	for (int i = 0; i < PMS_SPE_TYPES; i++) {
		assert_int_equal(summary->packets[i], want.packets[i]);
		assert_int_equal(summary->bytes[i], want.bytes[i]);
		bytes += want.bytes[i];
	}
	assert_int_equal(bytes, s.length);
	assert_int_equal(summary->implementation_defined, want.implementation_defined);
	assert_int_equal(summary->reserved_fields, want.reserved_fields);
	assert_int_equal(summary->records,
			 want.packets[PMS_SPE_END] + want.packets[PMS_SPE_TIMESTAMP]);
}

static void full_batches_stop_the_decoder(void **state)
{
	(void)state;
	static uint8_t ends[PMS_SPE_BATCH + 10];
	size_t used;
	memset(ends, 0x01, sizeof(ends));
	batch.count = 0;
	begin();
	assert_int_equal(pms_spe_decode(decoder, ends, sizeof(ends), &used, &batch), PMS_SPE_BATCH);
	assert_int_equal(used, PMS_SPE_BATCH);
	assert_int_equal(pms_spe_decode(decoder, ends + used, 10, &used, &batch), 0);
	assert_int_equal(used, 0);
	batch.count = 0;
	assert_int_equal(pms_spe_decode(decoder, ends, 10, &used, &batch), 10);
	assert_int_equal(batch.offset[9], PMS_SPE_BATCH + 9);
}

static void *decode_in_a_thread(void *context)
{
	const struct stream *s = context;
	struct pms_spe_batch *b = calloc(1, sizeof(*b));
	uint64_t *sum = calloc(1, sizeof(*sum));
	for (int round = 0; round < 20; round++) {
		size_t used;
		struct pms_spe_decoder *d = pms_spe_decoder_new(0);
		for (size_t at = 0; at < s->length; at += used) {
			b->count = 0;
			pms_spe_decode(d, s->bytes + at, s->length - at, &used, b);
			for (size_t i = 0; i < b->count; i++)
				*sum = *sum * 31 + b->pc[i] + b->total[i] + b->has[i];
		}
		pms_spe_decode_end(d);
		pms_spe_decoder_free(d);
	}
	free(b);
	return sum;
}

static void decoders_run_side_by_side(void **state)
{
	(void)state;
	static struct stream s;
	pthread_t threads[4];
	uint64_t *sums[4], random = 9;
	for (int i = 0; i < 1000; i++)
		stream_record(&s, &random);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, decode_in_a_thread, &s), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], (void **)&sums[i]);
	for (int i = 0; i < 4; i++)
		assert_int_equal(*sums[i], *sums[0]);
	for (int i = 0; i < 4; i++)
		free(sums[i]);
}

static void summaries_add_up(void **state)
{
	(void)state;
	static const uint8_t bytes[] = { 0x98, 1, 0, 0x98, 2, 0,    0x01, 0xff,
					 0x9f, 0, 0, 0x4b, 0, 0x01, 0xb0 };
	struct pms_spe_summary sum = { 0 };
	decode(bytes, sizeof(bytes));
	pms_spe_summary_merge(&sum, summary);
	assert_memory_equal(&sum, summary, sizeof(sum));
	pms_spe_summary_merge(&sum, summary);
	const uint64_t *one = (const uint64_t *)(const void *)summary;
	const uint64_t *two = (const uint64_t *)(const void *)&sum;
	for (size_t i = 0; i < sizeof(sum) / sizeof(uint64_t); i++)
		assert_int_equal(two[i], 2 * one[i]);
	assert_int_equal(sum.repeated + sum.damaged + sum.other + sum.unfinished, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_packet_has_its_column),
		cmocka_unit_test(presence_is_by_bit),
		cmocka_unit_test(extended_headers_fill_the_same_columns),
		cmocka_unit_test(what_is_odd_is_said),
		cmocka_unit_test(an_end_inside_a_packet_is_counted),
		cmocka_unit_test(buffers_may_end_anywhere),
		cmocka_unit_test(shapes_change_nothing),
		cmocka_unit_test(the_summary_counts_everything),
		cmocka_unit_test(full_batches_stop_the_decoder),
		cmocka_unit_test(decoders_run_side_by_side),
		cmocka_unit_test(summaries_add_up),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	pms_spe_decoder_free(decoder);
	return failed;
}
