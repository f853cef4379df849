/* SPDX-License-Identifier: MIT */
/* Packets and records to bytes, by hand; and what is written is read again as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../vcore/random.h"
#include "pmuscope/spe_write.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Headers worked out from the fields in the figures of D18.2.1 to D18.2.9. */
static const struct {
	const char *name;
	struct pms_spe_packet packet;
	size_t length; /* 0: there is no such packet */
	uint8_t bytes[12];
} cases[] = {
	{ "instruction address", /* 10 11 0 000 */
	  { .type = PMS_SPE_ADDRESS, .size = 3, .payload = 0xa0ffffffc0debeef },
	  9,
	  { 0xb0, 0xef, 0xbe, 0xde, 0xc0, 0xff, 0xff, 0xff, 0xa0 } },
	{ "address, extended, index 4", /* 001 000 00, 10 11 0 100 */
	  { .type = PMS_SPE_ADDRESS, .size = 3, .extended = 1, .index = 4, .payload = 1 },
	  10,
	  { 0x20, 0xb4, 1, 0, 0, 0, 0, 0, 0, 0 } },
	{ "address, index 30", /* 001 000 11, 10 11 0 110 */
	  { .type = PMS_SPE_ADDRESS, .size = 3, .extended = 1, .index = 30, .payload = 2 },
	  10,
	  { 0x23, 0xb6, 2, 0, 0, 0, 0, 0, 0, 0 } },
	{ "address, short, index 8", { .type = PMS_SPE_ADDRESS, .size = 3, .index = 8 }, 0, { 0 } },
	{ "address, index 32",
	  { .type = PMS_SPE_ADDRESS, .size = 3, .extended = 1, .index = 32 },
	  0,
	  { 0 } },
	{ "address of a word", { .type = PMS_SPE_ADDRESS, .size = 2 }, 0, { 0 } },
	{ "context, EL2", /* 01 10 01 01 */
	  { .type = PMS_SPE_CONTEXT, .size = 2, .index = 1, .payload = 0x80000001 },
	  5,
	  { 0x65, 0x01, 0x00, 0x00, 0x80 } },
	{ "context, index 4", { .type = PMS_SPE_CONTEXT, .size = 2, .index = 4 }, 0, { 0 } },
	{ "context, extended", { .type = PMS_SPE_CONTEXT, .size = 2, .extended = 1 }, 0, { 0 } },
	{ "context beyond a word",
	  { .type = PMS_SPE_CONTEXT, .size = 2, .payload = UINT64_C(1) << 32 },
	  0,
	  { 0 } },
	{ "translation latency", /* 10 01 1 010 */
	  { .type = PMS_SPE_COUNTER, .size = 1, .index = 2, .payload = 0x0fff },
	  3,
	  { 0x9a, 0xff, 0x0f } },
	{ "counter, index 17", /* 001 000 10, 10 01 1 001 */
	  { .type = PMS_SPE_COUNTER, .size = 1, .extended = 1, .index = 17, .payload = 0x102 },
	  4,
	  { 0x22, 0x99, 0x02, 0x01 } },
	{ "counter of a byte", { .type = PMS_SPE_COUNTER, .size = 0 }, 0, { 0 } },
	{ "counter beyond a halfword",
	  { .type = PMS_SPE_COUNTER, .size = 1, .payload = 0x10000 },
	  0,
	  { 0 } },
	{ "data source, byte", /* 01 00 0011 */
	  { .type = PMS_SPE_DATA_SOURCE, .payload = 0xfe },
	  2,
	  { 0x43, 0xfe } },
	{ "data source, halfword", /* 01 01 0011 */
	  { .type = PMS_SPE_DATA_SOURCE, .size = 1, .payload = 0x0dfe },
	  3,
	  { 0x53, 0xfe, 0x0d } },
	{ "data source, word", { .type = PMS_SPE_DATA_SOURCE, .size = 2 }, 0, { 0 } },
	{ "end", { .type = PMS_SPE_END }, 1, { 0x01 } },
	{ "end with a size", { .type = PMS_SPE_END, .size = 1 }, 0, { 0 } },
	{ "end with a payload", { .type = PMS_SPE_END, .payload = 1 }, 0, { 0 } },
	{ "events, byte", { .type = PMS_SPE_EVENTS, .payload = 0x82 }, 2, { 0x42, 0x82 } },
	{ "events, halfword",
	  { .type = PMS_SPE_EVENTS, .size = 1, .payload = 0x0182 },
	  3,
	  { 0x52, 0x82, 0x01 } },
	{ "events, word",
	  { .type = PMS_SPE_EVENTS, .size = 2, .payload = 0x01000082 },
	  5,
	  { 0x62, 0x82, 0, 0, 0x01 } },
	{ "events, doubleword",
	  { .type = PMS_SPE_EVENTS, .size = 3, .payload = UINT64_C(1) << 63 },
	  9,
	  { 0x72, 0, 0, 0, 0, 0, 0, 0, 0x80 } },
	{ "events beyond a byte", { .type = PMS_SPE_EVENTS, .payload = 0x100 }, 0, { 0 } },
	{ "events of size 4", { .type = PMS_SPE_EVENTS, .size = 4 }, 0, { 0 } },
	{ "operation, class 2", /* 01 00 10 10 */
	  { .type = PMS_SPE_OPERATION, .index = 2, .payload = 0x03 },
	  2,
	  { 0x4a, 0x03 } },
	{ "operation, class 4", { .type = PMS_SPE_OPERATION, .index = 4 }, 0, { 0 } },
	{ "operation of a halfword", { .type = PMS_SPE_OPERATION, .size = 1 }, 0, { 0 } },
	{ "timestamp", /* 01 11 0001 */
	  { .type = PMS_SPE_TIMESTAMP, .size = 3, .payload = 0x8070605040302010 },
	  9,
	  { 0x71, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80 } },
	{ "timestamp with an index",
	  { .type = PMS_SPE_TIMESTAMP, .size = 3, .index = 1 },
	  0,
	  { 0 } },
	{ "padding", { .type = PMS_SPE_PADDING, .length = 5 }, 5, { 0 } },
	{ "reserved byte", { .type = PMS_SPE_RESERVED, .header = 0xff }, 1, { 0xff } },
	{ "extended alone", { .type = PMS_SPE_RESERVED, .header = 0x21 }, 1, { 0x21 } },
	{ "reserved byte that is none", { .type = PMS_SPE_RESERVED, .header = 0x98 }, 0, { 0 } },
	{ "a packet's first bytes",
	  { .type = PMS_SPE_TRUNCATED, .header = 0xb0, .length = 3, .payload = 0x0201 },
	  3,
	  { 0xb0, 0x01, 0x02 } },
	{ "ten bytes of none",
	  { .type = PMS_SPE_TRUNCATED, .header = 0xb0, .length = 10 },
	  0,
	  { 0 } },
	{ "no bytes of one", { .type = PMS_SPE_TRUNCATED, .header = 0xb0 }, 0, { 0 } },
	{ "half a header", { .type = PMS_SPE_EXTENDED }, 0, { 0 } },
	{ "no type", { .type = PMS_SPE_TYPES }, 0, { 0 } },
};

static void packets_by_hand(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint8_t bytes[12], untouched[12];
		memset(bytes, 0xa5, sizeof(bytes));
		memset(untouched, 0xa5, sizeof(untouched));
		size_t want = cases[i].length;
		if (want && pms_spe_packet_write(&cases[i].packet, bytes, want - 1) != want)
			fail_msg("%s: not its length, where there is no room", cases[i].name);
		assert_memory_equal(bytes, untouched, sizeof(bytes));
		size_t got = pms_spe_packet_write(&cases[i].packet, bytes, sizeof(bytes));
		if (got != want || memcmp(bytes, cases[i].bytes, want) != 0)
			fail_msg("%s: %zu bytes, %02x %02x", cases[i].name, got, bytes[0],
				 bytes[1]);
		assert_memory_equal(bytes + want, untouched + want, sizeof(bytes) - want);
	}
}

static struct pms_spe_batch batch, got;

static void a_record_by_hand(void **state)
{
	(void)state;
	static const uint8_t want[] = { 0xb0, 1, 0,    0, 0,	0, 0, 0, 0x80, 0x42, 2, 0x98, 5, 0,
					0x43, 8, 0x49, 1, 0x71, 9, 0, 0, 0,    0,    0, 0,    0 };
	static const uint8_t longer[] = { 0x20, 0xb0, 1, 0,    0, 0, 0,	   0, 0, 0x80,
					  0x52, 2,    0, 0x98, 5, 0, 0x53, 8, 0, 0x49,
					  1,	0x71, 9, 0,    0, 0, 0,	   0, 0, 0 };
	const struct pms_spe_form form = { .extended = PMS_SPE_HAS_PC | PMS_SPE_HAS_EVENTS,
					   .events_size = 1,
					   .source_size = 1 };
	uint8_t bytes[PMS_SPE_RECORD_BYTES] = { 0 };
	memset(&batch, 0, sizeof(batch));
	batch.has[3] = PMS_SPE_HAS_PC | PMS_SPE_HAS_EVENTS | PMS_SPE_HAS_TOTAL |
		       PMS_SPE_HAS_SOURCE | PMS_SPE_HAS_OP | PMS_SPE_HAS_TIME;
	batch.pc[3] = 0x8000000000000001;
	batch.events[3] = 2;
	batch.total[3] = 5;
	batch.source[3] = 8;
	batch.class_[3] = 1;
	batch.op[3] = 1;
	batch.time[3] = 9;
	batch.context_el1[3] = 77; /* not there */
	assert_int_equal(pms_spe_record_write(&batch, 3, NULL, bytes, sizeof(want) - 1),
			 sizeof(want));
	assert_int_equal(bytes[0], 0);
	assert_int_equal(pms_spe_record_write(&batch, 3, NULL, bytes, sizeof(want)), sizeof(want));
	assert_memory_equal(bytes, want, sizeof(want));
	assert_int_equal(pms_spe_record_write(&batch, 3, &form, bytes, sizeof(bytes)),
			 sizeof(longer));
	assert_memory_equal(bytes, longer, sizeof(longer));
	batch.has[3] = 0;
	assert_int_equal(pms_spe_record_write(&batch, 3, NULL, bytes, sizeof(bytes)), 1);
	assert_int_equal(bytes[0], 0x01);
}

static void records_that_cannot_be_written(void **state)
{
	(void)state;
	static const uint32_t bits[] = { PMS_SPE_HAS_OTHER, PMS_SPE_HAS_REPEATED,
					 PMS_SPE_HAS_DAMAGE };
	uint8_t bytes[PMS_SPE_RECORD_BYTES];
	memset(&batch, 0, sizeof(batch));
	for (size_t i = 0; i < COUNT(bits); i++) {
		batch.has[0] = PMS_SPE_HAS_TOTAL | bits[i];
		assert_int_equal(pms_spe_record_write(&batch, 0, NULL, bytes, sizeof(bytes)), 0);
	}
	batch.has[0] = PMS_SPE_HAS_OP;
	batch.class_[0] = 4;
	assert_int_equal(pms_spe_record_write(&batch, 0, NULL, bytes, sizeof(bytes)), 0);
}

/* Round trips ---------------------------------------------------------------------------------- */

enum { RECORDS = 1000000, PIECE = 1 << 16, SHAPES = 24 };

/* Any bits, few of them, all of them, none. */
static uint64_t value(uint64_t *random)
{
	uint64_t bits = random_next(random), kind = random_below(random, 8);
	return kind == 0 ? 0 : kind == 1 ? UINT64_MAX : kind < 4 ? bits >> (bits & 63) : bits;
}

/* Columns that a record lacks hold 0. */
#define COLUMN(column, bit)                                                                        \
	b->column[n] = has & PMS_SPE_HAS_##bit ? (typeof(b->column[n]))value(random) : 0
static void random_record(struct pms_spe_batch *b, uint32_t has, uint64_t offset, uint64_t *random)
{
	size_t n = b->count++;
	b->has[n] = has;
	b->offset[n] = offset;
	COLUMN(pc, PC);
	COLUMN(target, TARGET);
	COLUMN(va, VA);
	COLUMN(pa, PA);
	COLUMN(previous, PREVIOUS);
	COLUMN(events, EVENTS);
	COLUMN(time, TIME);
	COLUMN(context_el1, CONTEXT_EL1);
	COLUMN(context_el2, CONTEXT_EL2);
	COLUMN(total, TOTAL);
	COLUMN(issue, ISSUE);
	COLUMN(translation, TRANSLATION);
	COLUMN(alternate, ALTERNATE);
	COLUMN(source, SOURCE);
	COLUMN(class_, OP);
	COLUMN(op, OP);
	b->class_[n] &= 3;
}
#undef COLUMN

/* Where a record's headers may come: a few forms that repeat, so that a decoder learns them. */
struct shape {
	uint32_t has;
	uint8_t order[PMS_SPE_RECORD_PACKETS];
	struct pms_spe_form form;
	size_t padding;
};

static void random_shape(struct shape *shape, uint64_t *random)
{
	int sparse = random_below(random, 2) != 0, plain = random_below(random, 4) != 0;
	shape->has = (uint32_t)(random_next(random) & (sparse ? random_next(random) : UINT64_MAX)) &
		     0x7fff;
	shape->form = (struct pms_spe_form){
		.extended = plain ? 0 : (uint32_t)random_next(random),
		.events_size = (uint8_t)random_below(random, 4),
		.source_size = (uint8_t)random_below(random, 2),
	};
	shape->padding = random_below(random, 2) * random_below(random, 70);
	for (size_t i = 0; i < PMS_SPE_RECORD_PACKETS; i++)
		shape->order[i] = (uint8_t)random_below(random, PMS_SPE_RECORD_PACKETS);
}

struct writer {
	uint8_t bytes[PMS_SPE_BATCH * (PMS_SPE_RECORD_BYTES + 70)];
	size_t length;
	uint64_t offset, random, records;
	struct shape shapes[SHAPES];
};

/* Exchange all packets but the last. */
static void reorder(struct pms_spe_packet *packets, size_t n, const uint8_t *order)
{
	for (size_t i = 0; i + 1 < n; i++) {
		size_t k = order[i] % (n - 1);
		struct pms_spe_packet packet = packets[i];
		packets[i] = packets[k];
		packets[k] = packet;
	}
}

static void write_one(struct writer *w)
{
	struct pms_spe_packet packets[PMS_SPE_RECORD_PACKETS];
	struct shape fresh, *shape = &w->shapes[random_below(&w->random, SHAPES)];
	if (!random_below(&w->random, 8))
		random_shape(shape = &fresh, &w->random);
	random_record(&batch, shape->has, w->offset + w->length, &w->random);
	size_t n = pms_spe_record_packets(&batch, batch.count - 1, &shape->form, packets);
	assert_int_equal(n, __builtin_popcount(shape->has | PMS_SPE_HAS_TIME));
	reorder(packets, n, shape->order);
	for (size_t i = 0; i < n; i++)
		w->length += pms_spe_packet_write(&packets[i], w->bytes + w->length,
						  sizeof(w->bytes) - w->length);
	memset(w->bytes + w->length, 0, shape->padding);
	w->length += shape->padding;
}

static void write_batch(struct writer *w)
{
	batch.count = w->length = 0;
	while (batch.count < PMS_SPE_BATCH - 1) /* a full batch ends before the last padding */
		write_one(w);
	w->records += batch.count;
	if (!random_below(&w->random, 10)) /* other ones to be learned */
		random_shape(&w->shapes[random_below(&w->random, SHAPES)], &w->random);
}

static int same_record(const struct pms_spe_batch *a, const struct pms_spe_batch *b, size_t i)
{
	return a->has[i] == b->has[i] && a->offset[i] == b->offset[i] && a->pc[i] == b->pc[i] &&
	       a->target[i] == b->target[i] && a->va[i] == b->va[i] && a->pa[i] == b->pa[i] &&
	       a->previous[i] == b->previous[i] && a->events[i] == b->events[i] &&
	       a->time[i] == b->time[i] && a->context_el1[i] == b->context_el1[i] &&
	       a->context_el2[i] == b->context_el2[i] && a->total[i] == b->total[i] &&
	       a->issue[i] == b->issue[i] && a->translation[i] == b->translation[i] &&
	       a->alternate[i] == b->alternate[i] && a->source[i] == b->source[i] &&
	       a->class_[i] == b->class_[i] && a->op[i] == b->op[i];
}

/* Read what was written, in pieces that end anywhere. */
static void read_batch(struct writer *w, struct pms_spe_decoder *decoder)
{
	got.count = 0;
	for (size_t at = 0, used; at < w->length; at += used) {
		size_t piece = 1 + random_below(&w->random, 4000);
		piece = piece < w->length - at ? piece : w->length - at;
		pms_spe_decode(decoder, w->bytes + at, piece, &used, &got);
	}
	assert_int_equal(got.count, batch.count);
	for (size_t i = 0; i < batch.count; i++)
		if (!same_record(&batch, &got, i))
			fail_msg("record %zu of %llu", i, (unsigned long long)w->records);
	w->offset += w->length;
}

static void a_million_records_are_read_as_they_were(void **state)
{
	(void)state;
	static struct writer w = { .random = 2026 };
	struct pms_spe_decoder *decoder = pms_spe_decoder_new(0);
	assert_non_null(decoder);
	for (size_t i = 0; i < SHAPES; i++)
		random_shape(&w.shapes[i], &w.random);
	while (w.records < RECORDS) {
		write_batch(&w);
		read_batch(&w, decoder);
	}
	pms_spe_decode_end(decoder);
	const struct pms_spe_summary *s = pms_spe_decoder_summary(decoder);
	assert_int_equal(s->records, w.records);
	assert_int_equal(s->unfinished + s->damaged + s->repeated + s->other, 0);
	pms_spe_decoder_free(decoder);
}

/* A packet of any kind but padding, that two in a row would be one of. */
static struct pms_spe_packet random_packet(uint64_t *random)
{
	struct pms_spe_packet p;
	uint8_t bytes[16];
	do {
		p = (struct pms_spe_packet){ .type = (uint8_t)random_below(random, PMS_SPE_TYPES),
					     .size = (uint8_t)random_below(random, 4),
					     .index = (uint8_t)(random_below(random, 32) >>
								random_below(random, 5)),
					     .extended = (uint8_t)random_below(random, 2),
					     .length = 1,
					     .header = 0xff,
					     .payload = value(random) };
		if (p.type == PMS_SPE_END || p.type == PMS_SPE_RESERVED)
			p.payload = p.index = p.size = p.extended = 0;
		p.payload &= p.size < 3 ? (UINT64_C(1) << (8U << p.size)) - 1 : UINT64_MAX;
		if (p.type != PMS_SPE_PADDING && p.type != PMS_SPE_TRUNCATED)
			p.length = pms_spe_packet_write(&p, bytes, sizeof(bytes));
	} while (!p.length || p.type == PMS_SPE_PADDING || p.type == PMS_SPE_TRUNCATED);
	p.header = bytes[0];
	return p;
}

static void packets_of_every_kind_are_read_as_they_were(void **state)
{
	(void)state;
	enum { PACKETS = 100000, MOST = 1 << 20 };
	struct pms_spe_packet *want = calloc(2 * PACKETS, sizeof(*want));
	struct pms_spe_packet *read = calloc(2 * PACKETS, sizeof(*read));
	struct pms_spe_reader *reader = pms_spe_reader_new(0);
	uint8_t *bytes = malloc(MOST);
	uint64_t random = 7, seen[PMS_SPE_TYPES] = { 0 };
	size_t n = 0, length = 0, n_read = 0, used;
	assert_true(want && read && reader && bytes);
	for (size_t i = 0; i < PACKETS; i++) {
		struct pms_spe_packet p = random_packet(&random);
		if (n && want[n - 1].type != PMS_SPE_PADDING && !random_below(&random, 8))
			p = (struct pms_spe_packet){ .type = PMS_SPE_PADDING,
						     .length = 1 + random_below(&random, 90) };
		p.offset = length;
		length += pms_spe_packet_write(&p, bytes + length, MOST - length);
		want[n++] = p;
		seen[p.type]++;
	}
	struct pms_spe_packet cut = { .type = PMS_SPE_TRUNCATED,
				      .offset = length,
				      .length = 4,
				      .header = 0x23,
				      .payload = 0x0201b7,
				      .extended = 1,
				      .what = PMS_SPE_ADDRESS,
				      .need = 10 };
	length += pms_spe_packet_write(&cut, bytes + length, MOST - length);
	want[n++] = cut;
	for (size_t at = 0; at < length; at += used)
		n_read += pms_spe_read(reader, bytes + at, length - at, &used, read + n_read,
				       2 * PACKETS - n_read);
	n_read += pms_spe_read_end(reader, read + n_read);
	assert_int_equal(n_read, n);
	for (size_t i = 0; i < n; i++)
		assert_memory_equal(&want[i], &read[i], sizeof(want[i]));
	for (unsigned type = 0; type < PMS_SPE_EXTENDED; type++)
		assert_true(seen[type] > 500);
	free(want);
	free(read);
	pms_spe_reader_free(reader);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_by_hand),
		cmocka_unit_test(a_record_by_hand),
		cmocka_unit_test(records_that_cannot_be_written),
		cmocka_unit_test(packets_of_every_kind_are_read_as_they_were),
		cmocka_unit_test(a_million_records_are_read_as_they_were),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
