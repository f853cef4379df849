/* SPDX-License-Identifier: MIT */
/* Samples with every field there is, in the order of perf_event_open(2) under PERF_RECORD_SAMPLE.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "opened.h"

enum { ATTR = 112 };

/* What an event asks for. */
struct asks {
	uint64_t sample_type, read_format, branches, registers_user, registers_intr;
};

/* A stream with one event, whose attribute has all fields. */
static void image_of(struct image *image, const struct asks *asks)
{
	image_pipe(image);
	record_begin(image, 64, 0);
	put(image, 9, 4);
	put(image, ATTR, 4);
	put(image, 0, 8);
	put(image, 1, 8);
	put(image, asks->sample_type, 8);
	put(image, asks->read_format, 8);
	for (int i = 0; i < 4; i++) /* flags, wakeup, config1, config2 */
		put(image, 0, 8);
	put(image, asks->branches, 8);
	put(image, asks->registers_user, 8);
	put(image, 0, 8); /* stack, clock */
	put(image, asks->registers_intr, 8);
	put(image, 0, 8);
	put(image, 11, 8); /* its id */
	record_end(image);
}

/* @numbers of 8 bytes each, the last of which are given as lengths of what follows them. */
static void put_sample(struct image *image, const uint64_t *numbers, size_t n)
{
	record_begin(image, 9, 2);
	for (size_t i = 0; i < n; i++)
		put(image, numbers[i], 8);
	record_end(image);
}

static const struct asks everything = { .sample_type = (1 << 24) - 1,
					.read_format = 1 | 2 | 4 | 8 | 16,
					.branches = 1 << 17,
					.registers_user = 0x30,
					.registers_intr = 0x107 };

static const uint64_t numbers[] = {
	11,		       /* IDENTIFIER */
	0x1000,		       /* IP */
	1 | UINT64_C(2) << 32, /* TID */
	5000,		       /* TIME */
	0xadd2,		       /* ADDR */
	11,		       /* ID */
	77,		       /* STREAM_ID */
	3,		       /* CPU */
	100,		       /* PERIOD */
	2,
	10,
	20, /* READ: two counters, two times */
	1,
	11,
	0,
	2,
	12,
	0, /* … value, id and lost of each */
	2,
	0xaaa,
	0xbbb,			  /* CALLCHAIN */
	4 | UINT64_C(0xdd) << 32, /* RAW: 4 bytes */
	1,
	9,
	8,
	7,
	6, /* BRANCH_STACK: one behind a hardware index, of three numbers */
	2,
	0x91,
	0x92, /* REGS_USER: ABI, 2 registers */
	8,
	0x5ac,
	8,  /* STACK_USER: 8 bytes, and that all are good */
	33, /* WEIGHT */
	44, /* DATA_SRC */
	55, /* TRANSACTION */
	1,
	0x1,
	0x2,
	0x3,
	0x4,	/* REGS_INTR: ABI, 4 registers */
	0x9999, /* PHYS_ADDR */
	66,	/* CGROUP */
	4096,	/* DATA_PAGE_SIZE */
	65536,	/* CODE_PAGE_SIZE */
	8,
	0xee, /* AUX: 8 bytes */
};

enum { N = sizeof(numbers) / sizeof(numbers[0]) };

static void every_field(void **state)
{
	(void)state;
	struct image image;
	struct opened o;
	image_of(&image, &everything);
	put_sample(&image, numbers, N);
	assert_int_equal(open_image(&o, &image), 0);
	expect(&o, PMS_PERFDATA_HEADER_ATTR);
	expect(&o, PMS_PERFDATA_SAMPLE);
	const struct pms_perfdata_sample *s = &o.record.sample;
	assert_int_equal(o.record.event, 0);
	assert_int_equal(o.record.id.id, 11);
	assert_int_equal(o.record.id.pid, 1);
	assert_int_equal(o.record.id.tid, 2);
	assert_int_equal(o.record.id.time, 5000);
	assert_int_equal(o.record.id.stream_id, 77);
	assert_int_equal(o.record.id.cpu, 3);
	assert_int_equal(s->ip, 0x1000);
	assert_int_equal(s->addr, 0xadd2);
	assert_int_equal(s->period, 100);
	assert_int_equal(s->n_callchain, 2);
	assert_int_equal(s->callchain[0] | s->callchain[1] << 8, 0xaaa);
	assert_int_equal(s->callchain[8] | s->callchain[9] << 8, 0xbbb);
	assert_int_equal(s->raw_size, 4);
	assert_int_equal(s->raw[0], 0xdd);
	assert_int_equal(s->weight, 33);
	assert_int_equal(s->data_src, 44);
	assert_int_equal(s->transaction, 55);
	assert_int_equal(s->phys_addr, 0x9999);
	assert_int_equal(s->cgroup, 66);
	assert_int_equal(s->data_page_size, 4096);
	assert_int_equal(s->code_page_size, 65536);
	assert_int_equal(s->aux_size, 8);
	assert_int_equal(s->aux[0], 0xee);
	close_image(&o);
}

/* One number less, and all shorter ones. */
static void cut_anywhere(void **state)
{
	(void)state;
	struct image image;
	struct opened o;
	image_of(&image, &everything);
	for (size_t n = 0; n < N; n++)
		put_sample(&image, numbers, n);
	assert_int_equal(open_image(&o, &image), 0);
	expect(&o, PMS_PERFDATA_HEADER_ATTR);
	assert_int_equal(next(&o), 0);
	assert_int_equal(pms_perfdata_stats(o.file)->malformed, N);
	close_image(&o);
}

/* Counts and lengths that are too large, those too whose product or sum would wrap around. */
static void lie(size_t place, uint64_t value)
{
	struct image image;
	struct opened o;
	uint64_t copy[N];
	memcpy(copy, numbers, sizeof(copy));
	copy[place] = value;
	image_of(&image, &everything);
	put_sample(&image, copy, N);
	assert_int_equal(open_image(&o, &image), 0);
	expect(&o, PMS_PERFDATA_HEADER_ATTR);
	assert_int_equal(next(&o), 0);
	if (pms_perfdata_stats(o.file)->malformed != 1)
		fail_msg("%llx at %zu is taken", (unsigned long long)value, place);
	close_image(&o);
}

static void lengths_that_lie(void **state)
{
	(void)state;
	static const size_t places[] = { 9, 18, 22, 30, 45 }; /* READ to AUX, in numbers[] */
	static const uint64_t lies[] = { 1000, UINT64_MAX, UINT64_MAX - 7, UINT64_MAX / 8 + 2,
					 UINT64_MAX / 24 + 2 };
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		for (size_t k = 0; k < sizeof(lies) / sizeof(lies[0]); k++)
			lie(places[i], lies[k]);
	lie(21, 1000); /* RAW: in 4 bytes */
	lie(21, UINT32_MAX);
}

/* The same where nothing after it could tell: a length whose product is 8 modulo 2^64. */
static void lengths_that_lie_at_the_end(void **state)
{
	(void)state;
	static const struct {
		uint64_t type, length;
	} cases[] = { { PMS_PERFDATA_CALLCHAIN, (UINT64_C(1) << 61) + 1 },
		      { PMS_PERFDATA_AUX_DATA, UINT64_MAX },
		      { PMS_PERFDATA_READ, (UINT64_C(1) << 61) + 1 },
		      { PMS_PERFDATA_RAW, 5 } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct asks asks = { .sample_type = cases[i].type, .read_format = 8 };
		uint64_t two[] = { cases[i].length, 0xaaa };
		struct image image;
		struct opened o;
		image_of(&image, &asks);
		put_sample(&image, two, cases[i].type == PMS_PERFDATA_RAW ? 1 : 2);
		assert_int_equal(open_image(&o, &image), 0);
		expect(&o, PMS_PERFDATA_HEADER_ATTR);
		assert_int_equal(next(&o), 0);
		assert_int_equal(pms_perfdata_stats(o.file)->malformed, 1);
		close_image(&o);
	}
}

/* What is not there takes no room: registers without an ABI, an empty stack, one counter. */
static void parts_that_are_empty(void **state)
{
	(void)state;
	static const struct asks asks = { .sample_type =
						  PMS_PERFDATA_READ | PMS_PERFDATA_CALLCHAIN |
						  PMS_PERFDATA_BRANCH_STACK |
						  PMS_PERFDATA_REGS_USER | PMS_PERFDATA_STACK_USER |
						  PMS_PERFDATA_REGS_INTR | PMS_PERFDATA_PHYS_ADDR,
					  .registers_user = 0xff,
					  .registers_intr = 0xff };
	static const uint64_t empty[] = { 5, 0, 0, 0, 0, 0, 0x1234 };
	struct image image;
	struct opened o;
	image_of(&image, &asks);
	put_sample(&image, empty, sizeof(empty) / sizeof(empty[0]));
	assert_int_equal(open_image(&o, &image), 0);
	expect(&o, PMS_PERFDATA_HEADER_ATTR);
	expect(&o, PMS_PERFDATA_SAMPLE);
	assert_int_equal(o.record.sample.phys_addr, 0x1234);
	assert_int_equal(o.record.sample.n_callchain, 0);
	close_image(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(lengths_that_lie),
		cmocka_unit_test(lengths_that_lie_at_the_end),
		cmocka_unit_test(parts_that_are_empty),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
