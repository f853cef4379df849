/* SPDX-License-Identifier: MIT */
/* Records into groups, beside sums that are worked out record by record; and what touches say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../vcore/random.h"
#include "spe/aggregate.h"

/* Two objects: space s has the first at (s + 1) << 32 and the second behind it, 1 MiB each. */
static const struct pms_object objects[] = { { .kind = PMS_OBJECT_FILE, .path = "/a" },
					     { .kind = PMS_OBJECT_FILE, .path = "/b" } };

static int find_place(void *context, uint32_t space, uint64_t address, struct pms_place *place)
{
	uint64_t at = address - ((uint64_t)(space + 1) << 32);
	++*(unsigned *)context;
	*place = (struct pms_place){ .index = UINT32_MAX, .address = address };
	if (at >= 2 << 20)
		return 0;
	place->index = at >> 20 & 1;
	place->object = &objects[place->index];
	place->offset = at & 0xfffff;
	return 1;
}

struct fixture {
	struct pms_spe_batch records;
	struct pms_spe_samples_batch batch;
	struct pms_aggregate a;
	unsigned look_ups;
};

static void begin(struct fixture *f, enum pms_spe_by by, size_t groups, size_t buckets)
{
	memset(f, 0, sizeof(*f));
	const struct pms_place_finder finder = { find_place, NULL, &f->look_ups };
	assert_int_equal(pms_aggregate_init(&f->a, by, &finder, groups, buckets), 0);
	f->batch.records = &f->records;
	f->batch.cpu = 1;
}

/* A record that a batch begins anew with when it is full. */
static size_t next(struct fixture *f)
{
	if (f->records.count == PMS_SPE_BATCH) {
		assert_int_equal(pms_aggregate_add(&f->a, &f->batch, NULL), 0);
		memset(&f->records, 0, sizeof(f->records));
		memset(f->batch.knows, 0, sizeof(f->batch.knows));
	}
	return f->records.count++;
}

static void flush(struct fixture *f)
{
	assert_int_equal(pms_aggregate_add(&f->a, &f->batch, NULL), 0);
	f->records.count = 0;
}

/* Every event alone: its count and no other's. More records than eight bits count. */
static void test_events(void **state)
{
	static struct fixture f;
	(void)state;
	for (unsigned bit = 0; bit < 32; bit++) {
		struct pms_spe_row row = { 0 };
		begin(&f, PMS_SPE_BY_CPU, 0, 0);
		for (unsigned i = 0; i < 1000; i++) {
			size_t r = next(&f);
			f.records.has[r] = PMS_SPE_HAS_EVENTS;
			f.records.events[r] = i % 3 ? UINT64_C(1) << bit : 0;
		}
		flush(&f);
		pms_group_row(pms_aggregate_group(&f.a, 0), &f.a.sources, &row);
		assert_int_equal(row.records, 1000);
		assert_int_equal(row.with_events, 1000);
		for (unsigned k = 0; k < PMS_SPE_EVENT_COUNTS; k++)
			assert_int_equal(row.events[k], k == bit ? 666 : 0);
		assert_int_equal(row.mispredicted + row.not_taken + row.loads, 0);
		pms_aggregate_release(&f.a);
	}
}

static void test_spread(void **state)
{
	(void)state;
	for (unsigned byte = 0; byte < 256; byte++) {
		uint64_t spread = pms_lanes_spread(byte);
		for (unsigned bit = 0; bit < 8; bit++)
			assert_int_equal(spread >> 8 * (7 - bit) & 0xff, byte >> bit & 1);
	}
}

/* What a branch or a load alone has: not taken is of conditional selects too. */
static void test_kinds(void **state)
{
	static struct fixture f;
	static const struct {
		uint8_t class_, op;
		uint32_t has;
	} rows[] = {
		{ 2, 1, PMS_SPE_HAS_OP | PMS_SPE_HAS_EVENTS },
		{ 0, 1, PMS_SPE_HAS_OP | PMS_SPE_HAS_EVENTS },
		{ 2, 1, PMS_SPE_HAS_OP }, /* without events */
		{ 1, 0, PMS_SPE_HAS_OP | PMS_SPE_HAS_TOTAL | PMS_SPE_HAS_ISSUE }, /* 100 - 30 */
		{ 1, 0, PMS_SPE_HAS_OP | PMS_SPE_HAS_TOTAL },
		{ 1, 1, PMS_SPE_HAS_OP | PMS_SPE_HAS_TOTAL | PMS_SPE_HAS_ISSUE },
		{ 1, 0x06, PMS_SPE_HAS_OP }, /* atomics, one that returns a value and one not */
		{ 1, 0x17, PMS_SPE_HAS_OP },
		{ 1, 0x1a, PMS_SPE_HAS_OP }, /* exclusive, general with that bit: none */
		{ 1, 0x04, PMS_SPE_HAS_OP },
		{ 2, 1, PMS_SPE_HAS_EVENTS }, /* no operation: class and op are not told */
	};
	struct pms_spe_row row = { 0 };
	(void)state;
	begin(&f, PMS_SPE_BY_CPU, 0, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t r = next(&f);
		f.records.has[r] = rows[i].has;
		f.records.class_[r] = rows[i].class_;
		f.records.op[r] = rows[i].op;
		f.records.events[r] = rows[i].has & PMS_SPE_HAS_EVENTS ? 0xc0 : 0;
		f.records.total[r] = rows[i].has & PMS_SPE_HAS_TOTAL ? 100 : 0;
		f.records.issue[r] = rows[i].has & PMS_SPE_HAS_ISSUE ? 30 : 0;
	}
	flush(&f);
	pms_group_row(pms_aggregate_group(&f.a, 0), &f.a.sources, &row);
	assert_int_equal(row.branches, 2);
	assert_int_equal(row.mispredicted, 1);
	assert_int_equal(row.not_taken, 1);
	assert_int_equal(row.events[PMS_SPE_EV_MISPREDICTED], 3);
	assert_int_equal(row.loads, 5);
	assert_int_equal(row.stores, 2);
	assert_int_equal(row.atomics, 2);
	assert_int_equal(row.waited, 1);
	assert_int_equal(row.wait, 70);
	assert_int_equal(row.total.count, 3);
	assert_int_equal(row.total.sum, 300);
	assert_int_equal(row.issue.count, 2);
	assert_int_equal(row.translation.count, 0);
	pms_aggregate_release(&f.a);
}

/* The same offset of the same object is one instruction, wherever it is mapped; each address is
 * looked up once. */
static void test_places(void **state)
{
	static struct fixture f;
	uint64_t counts[2][64] = { { 0 } }, random = 5, unknown = 0;
	(void)state;
	begin(&f, PMS_SPE_BY_PC, 0, 0);
	for (unsigned i = 0; i < 20000; i++) {
		size_t r = next(&f);
		uint32_t space = (uint32_t)random_below(&random, 3);
		unsigned object = (unsigned)random_below(&random, 3);
		unsigned offset = (unsigned)random_below(&random, 64);
		f.records.has[r] = PMS_SPE_HAS_PC;
		f.records.pc[r] = UINT64_C(0xa0) << 56 |
				  (((uint64_t)(space + 1) << 32) + (object << 20) + 4 * offset);
		f.batch.space[r] = space;
		if (object < 2)
			counts[object][offset]++;
		else
			unknown++;
	}
	f.records.has[next(&f)] = PMS_SPE_HAS_OP; /* no pc */
	flush(&f);
	assert_int_equal(f.a.keyless, 1);
	assert_int_equal(f.a.count, 2 * 64 + 3 * 64);
	assert_int_equal(f.look_ups, 3 * 3 * 64);
	for (size_t i = 0; i < f.a.count; i++) {
		const struct pms_place *p = &f.a.places.places[f.a.keys[i].low];
		uint64_t records = pms_aggregate_group(&f.a, i)->records;
		if (p->object)
			assert_int_equal(records, counts[p->index][p->offset / 4]);
		else
			unknown -= records;
	}
	assert_int_equal(unknown, 0);
	pms_aggregate_release(&f.a);
}

/* More groups than there is room for: all the others' records are in the rest. */
static void test_bounds(void **state)
{
	static struct fixture f;
	uint64_t records = 0;
	(void)state;
	begin(&f, PMS_SPE_BY_CACHELINE, 1000, 4096);
	for (unsigned i = 0; i < 5000; i++) {
		size_t r = next(&f);
		f.records.has[r] = PMS_SPE_HAS_VA | PMS_SPE_HAS_TOTAL;
		f.records.va[r] = 64 * (i % 2500);
		f.records.total[r] = (uint16_t)(i * 13);
	}
	flush(&f);
	assert_int_equal(f.a.count, 1000);
	for (size_t i = 0; i < f.a.count; i++)
		records += pms_aggregate_group(&f.a, i)->records;
	assert_int_equal(records, 2000);
	assert_int_equal(f.a.rest.records, 3000);
	assert_int_equal(f.a.rest.total.count, 3000);
	assert_true(f.a.budget.left < 4096);
	assert_int_equal(pms_sketch_percentile(&pms_aggregate_group(&f.a, 999)->total, 50), -1);
	pms_aggregate_release(&f.a);
}

/* Data of different processes at one address are different lines, unless they have the same
 * physical one. */
static void test_lines(void **state)
{
	static struct fixture f;
	static const struct {
		uint64_t va, pa;
		int32_t pid; /* -1: not known */
		uint32_t has;
		uint32_t group;
	} rows[] = {
		{ 0x1000, 0, 7, PMS_SPE_HAS_VA, 0 },
		{ 0x103f, 0, 7, PMS_SPE_HAS_VA, 0 },
		{ 0xab00000000001008, 0, 7, PMS_SPE_HAS_VA, 0 }, /* a tag */
		{ 0x1000, 0, 8, PMS_SPE_HAS_VA, 1 },
		{ 0x1040, 0, 7, PMS_SPE_HAS_VA, 2 },
		{ 0x1000, 0, -1, PMS_SPE_HAS_VA, 3 },
		{ 0x2000, 0x9000, 7, PMS_SPE_HAS_VA | PMS_SPE_HAS_PA, 4 },
		{ 0x5000, 0x9010, 8, PMS_SPE_HAS_VA | PMS_SPE_HAS_PA, 4 },
		{ 0, 0x9020, 8, PMS_SPE_HAS_PA, 4 },
		{ 0x00ff800000001000, 0, 7, PMS_SPE_HAS_VA, 5 }, /* the kernel's */
		{ 0x00ff800000001000, 0, 8, PMS_SPE_HAS_VA, 5 },
	};
	(void)state;
	begin(&f, PMS_SPE_BY_CACHELINE, 0, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t before = rows[i].group < f.a.count
					  ? pms_aggregate_group(&f.a, rows[i].group)->records
					  : 0;
		size_t r = next(&f);
		f.records.has[r] = rows[i].has;
		f.records.va[r] = rows[i].va;
		f.records.pa[r] = rows[i].pa;
		f.batch.pid[r] = rows[i].pid;
		f.batch.knows[r] = rows[i].pid < 0 ? 0 : PMS_SPE_KNOWS_PID;
		flush(&f);
		assert_int_equal(pms_aggregate_group(&f.a, rows[i].group)->records, before + 1);
	}
	pms_aggregate_release(&f.a);
}

/* Touches: thread, offset, Store, Load or Atomic, first and last time (0: none). */
static void test_sharing(void **state)
{
	struct touch {
		int32_t tid;
		unsigned offset;
		char kind;
		uint64_t first, last;
	};
	static const struct {
		const char *name;
		struct touch touches[4]; /* up to one without a kind */
		enum pms_spe_sharing want;
		size_t threads;
	} rows[] = {
		{ "alone", { { 1, 0, 'S', 1, 9 }, { 1, 8, 'L', 1, 9 } }, PMS_SPE_PRIVATE, 1 },
		{ "readers",
		  { { 1, 0, 'L', 1, 9 }, { 2, 0, 'L', 1, 9 }, { 3, 8, 'L', 1, 9 } },
		  PMS_SPE_READ_SHARED,
		  3 },
		{ "different places",
		  { { 1, 0, 'S', 1, 9 }, { 2, 8, 'S', 2, 8 } },
		  PMS_SPE_FALSE_SHARING,
		  2 },
		{ "a reader beside",
		  { { 1, 0, 'S', 1, 9 }, { 2, 8, 'L', 2, 8 } },
		  PMS_SPE_FALSE_SHARING,
		  2 },
		{ "same place",
		  { { 1, 0, 'S', 1, 9 }, { 2, 0, 'L', 2, 8 } },
		  PMS_SPE_TRUE_SHARING,
		  2 },
		{ "both",
		  { { 1, 0, 'S', 1, 9 }, { 2, 0, 'L', 2, 8 }, { 2, 16, 'S', 2, 8 } },
		  PMS_SPE_MIXED_SHARING,
		  2 },
		{ "both, one writer of two places",
		  { { 1, 0, 'S', 1, 9 }, { 1, 8, 'S', 1, 9 }, { 2, 0, 'L', 2, 8 } },
		  PMS_SPE_MIXED_SHARING,
		  2 },
		{ "the same, the other way round",
		  { { 2, 0, 'S', 1, 9 }, { 2, 8, 'S', 1, 9 }, { 1, 0, 'L', 2, 8 } },
		  PMS_SPE_MIXED_SHARING,
		  2 },
		{ "two counters by atomics",
		  { { 1, 0, 'A', 1, 9 }, { 2, 8, 'A', 2, 8 } },
		  PMS_SPE_FALSE_SHARING,
		  2 },
		{ "one counter by atomics",
		  { { 1, 8, 'A', 1, 9 }, { 2, 8, 'A', 2, 8 } },
		  PMS_SPE_TRUE_SHARING,
		  2 },
		{ "one after another",
		  { { 1, 0, 'S', 1, 3 }, { 2, 8, 'S', 4, 9 } },
		  PMS_SPE_TAKEN_IN_TURN,
		  2 },
		{ "set up by one, used by two",
		  { { 1, 0, 'S', 1, 3 }, { 2, 8, 'S', 4, 9 }, { 3, 16, 'L', 5, 6 } },
		  PMS_SPE_FALSE_SHARING,
		  3 },
		{ "set up by one, read by two",
		  { { 1, 0, 'S', 1, 3 }, { 2, 8, 'L', 4, 9 }, { 3, 16, 'L', 5, 6 } },
		  PMS_SPE_TAKEN_IN_TURN,
		  3 },
		{ "without times",
		  { { 1, 0, 'S', 0, 0 }, { 2, 8, 'S', 0, 0 } },
		  PMS_SPE_FALSE_SHARING,
		  2 },
		{ "threads not known",
		  { { -1, 0, 'S', 1, 9 }, { 2, 8, 'S', 1, 9 } },
		  PMS_SPE_SHARING_UNKNOWN,
		  0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pms_touch touches[4];
		size_t n = 0, threads;
		for (; n < 4 && rows[i].touches[n].kind; n++)
			touches[n] = (struct pms_touch){
				.tid = rows[i].touches[n].tid,
				.offset = (uint8_t)rows[i].touches[n].offset,
				.access = rows[i].touches[n].kind == 'S'   ? PMS_SPE_WRITES
					  : rows[i].touches[n].kind == 'A' ? PMS_SPE_ATOMIC
									   : PMS_SPE_READS,
				.timed = rows[i].touches[n].first != 0,
				.first = rows[i].touches[n].first,
				.last = rows[i].touches[n].last,
				.count = 1
			};
		if (pms_touches_sharing(touches, n, &threads) != (int)rows[i].want)
			fail_msg("%s: not %s", rows[i].name, pms_spe_sharing_name(rows[i].want));
		assert_int_equal(threads, rows[i].threads);
	}
}

/* Touches are counted together, and their times span them all. */
static void test_touches(void **state)
{
	struct pms_touches all;
	const struct pms_touch *first;
	(void)state;
	assert_int_equal(pms_touches_init(&all), 0);
	for (unsigned i = 0; i < 3000; i++)
		pms_touches_add(&all, &(struct pms_touch){ .group = i % 10,
							   .tid = (int32_t)(i % 3),
							   .place = i % 2,
							   .offset = 8,
							   .access = i % 2,
							   .timed = 1,
							   .first = 1000 + (i * 7919) % 3000 });
	pms_touches_sort(&all);
	assert_int_equal(all.count, 30); /* even groups have even i: one place each */
	for (uint32_t g = 0; g < 10; g++) {
		assert_int_equal(pms_touches_of(&all, g, &first), 3);
		for (size_t k = 0; k < 3; k++) {
			uint64_t low = UINT64_MAX, high = 0;
			for (unsigned i = 0; i < 3000; i++)
				if (i % 10 == g && (int32_t)(i % 3) == first[k].tid) {
					uint64_t t = 1000 + (i * 7919) % 3000;
					low = t < low ? t : low;
					high = t > high ? t : high;
				}
			assert_int_equal(first[k].count, 100);
			assert_int_equal(first[k].first, low);
			assert_int_equal(first[k].last, high);
			assert_int_equal(first[k].access, g % 2);
		}
	}
	assert_int_equal(pms_touches_of(&all, 10, &first), 0);
	pms_touches_release(&all);
}

/* Places in a cache line: each touch has the sums of its own records and no others'. */
static void test_sums_of_touches(void **state)
{
	static const struct {
		unsigned offset, total, source, n;
		int32_t tid, cpu;
		uint8_t op;
		/* what it comes to */
		uint8_t access;
		uint64_t wait;
		uint32_t waited, loads, stores, peers;
	} rows[] = {
		/* n loads of a peer's data: 100 cycles less 40 until issue */
		{ 8, 100, 9, 300, 7, 0, 0x00, PMS_SPE_READS, 18000, 300, 300, 0, 300 },
		{ 8, 100, 9, 20, 7, 1, 0x00, PMS_SPE_READS, 1200, 20, 20, 0, 20 },
		{ 8, 70, 0, 30, 9, 0, 0x00, PMS_SPE_READS, 900, 30, 30, 0, 0 },
		{ 16, 41, 14, 2, 7, 0, 0x00, PMS_SPE_READS, 2, 2, 2, 0, 0 },
		/* stores wait for nothing, whatever source they tell */
		{ 24, 90, 9, 5, 7, 0, 0x01, PMS_SPE_WRITES, 0, 0, 0, 5, 0 },
		/* each other source: peers are another core, cluster or chip */
		{ 32, 50, 8, 1, 1, 0, 0x00, PMS_SPE_READS, 10, 1, 1, 0, 0 },
		{ 32, 50, 10, 1, 2, 0, 0x00, PMS_SPE_READS, 10, 1, 1, 0, 1 },
		{ 32, 50, 11, 1, 3, 0, 0x00, PMS_SPE_READS, 10, 1, 1, 0, 0 },
		{ 32, 50, 12, 1, 4, 0, 0x00, PMS_SPE_READS, 10, 1, 1, 0, 1 },
		{ 32, 50, 13, 1, 5, 0, 0x00, PMS_SPE_READS, 10, 1, 1, 0, 1 },
		/* an atomic operation that is told as a store */
		{ 40, 50, 0, 1, 7, 0, 0x07, PMS_SPE_ATOMIC, 0, 0, 0, 1, 0 },
	};
	static struct fixture f;
	enum { N = sizeof(rows) / sizeof(rows[0]) };
	(void)state;
	begin(&f, PMS_SPE_BY_CACHELINE, 0, 0);
	f.batch.encoding = PMS_SPE_ENCODING_NEOVERSE;
	for (size_t k = 0; k < N; k++) {
		f.batch.cpu = rows[k].cpu;
		for (unsigned i = 0; i < rows[k].n; i++) {
			size_t r = next(&f);
			f.records.has[r] = PMS_SPE_HAS_OP | PMS_SPE_HAS_VA | PMS_SPE_HAS_TOTAL |
					   PMS_SPE_HAS_ISSUE | PMS_SPE_HAS_SOURCE |
					   PMS_SPE_HAS_TIME | PMS_SPE_HAS_PC;
			f.records.class_[r] = 1;
			f.records.op[r] = rows[k].op;
			/* where the physical address is told it goes before the virtual one */
			f.records.has[r] |= PMS_SPE_HAS_PA;
			f.records.pa[r] = 0x10000 + rows[k].offset;
			f.records.va[r] = 0x2003f;
			/* the first two differ in the CPU alone */
			f.records.pc[r] = (UINT64_C(1) << 32) + (k > 1 ? 4 * k : 0);
			f.records.total[r] = (uint16_t)rows[k].total;
			f.records.issue[r] = 40;
			f.records.source[r] = (uint16_t)rows[k].source;
			f.records.time[r] = 100 * (k + 1) + i % 50;
			f.batch.knows[r] = PMS_SPE_KNOWS_TID;
			f.batch.tid[r] = rows[k].tid;
		}
		flush(&f);
	}
	assert_int_equal(f.a.count, 1);
	pms_touches_sort(&f.a.touches);
	const struct pms_touch *first;
	assert_int_equal(pms_touches_of(&f.a.touches, 0, &first), N);
	for (size_t i = 0; i < N; i++) {
		size_t k = 0;
		while (k < N && (f.a.places.places[first[i].place].offset != (k > 1 ? 4 * k : 0) ||
				 first[i].cpu != rows[k].cpu))
			k++;
		assert_true(k < N);
		assert_int_equal(first[i].count, rows[k].n);
		assert_int_equal(first[i].offset, rows[k].offset);
		assert_int_equal(first[i].tid, rows[k].tid);
		assert_int_equal(first[i].cpu, rows[k].cpu);
		assert_int_equal(first[i].access, rows[k].access);
		assert_int_equal(first[i].wait, rows[k].wait);
		assert_int_equal(first[i].waited, rows[k].waited);
		assert_int_equal(first[i].loads, rows[k].loads);
		assert_int_equal(first[i].stores, rows[k].stores);
		assert_int_equal(first[i].peers, rows[k].peers);
		assert_true(first[i].timed);
		assert_int_equal(first[i].first, 100 * (k + 1));
		assert_int_equal(first[i].last,
				 100 * (k + 1) + (rows[k].n < 50 ? rows[k].n - 1 : 49));
		/* the most records first */
		assert_true(!i || first[i - 1].count >= first[i].count);
	}
	pms_aggregate_release(&f.a);
}

/* A branch goes to three places; what was before it went to two. Neither is taken for the other,
 * nor a record that has only one of them. */
static void test_targets(void **state)
{
	static const struct {
		uint64_t target, previous; /* offsets in the object; 0: none */
		unsigned n;
	} rows[] = { { 0x100, 0x200, 300 },
		     { 0x100, 0, 40 },
		     { 0x104, 0x200, 20 },
		     { 0, 0x108, 5 },
		     { 0x108, 0x100, 2 } };
	static const struct {
		uint8_t what;
		uint64_t offset, count;
	} want[] = { { PMS_TOUCH_TARGET, 0x100, 340 }, { PMS_TOUCH_PREVIOUS, 0x200, 320 },
		     { PMS_TOUCH_TARGET, 0x104, 20 },  { PMS_TOUCH_PREVIOUS, 0x108, 5 },
		     { PMS_TOUCH_TARGET, 0x108, 2 },   { PMS_TOUCH_PREVIOUS, 0x100, 2 } };
	enum { N = sizeof(want) / sizeof(want[0]) };
	static const enum pms_spe_by bys[] = { PMS_SPE_BY_BRANCH, PMS_SPE_BY_PC };
	static struct fixture f;
	const uint64_t base = UINT64_C(1) << 32;
	(void)state;
	for (size_t by = 0; by < sizeof(bys) / sizeof(bys[0]); by++) {
		const struct pms_touch *first;
		begin(&f, bys[by], 0, 0);
		f.a.targets = 1; /* by branch it is anyway */
		for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
			for (unsigned i = 0; i < rows[k].n; i++) {
				size_t r = next(&f);
				f.records.has[r] = PMS_SPE_HAS_OP | PMS_SPE_HAS_PC |
						   (rows[k].target ? PMS_SPE_HAS_TARGET : 0) |
						   (rows[k].previous ? PMS_SPE_HAS_PREVIOUS : 0);
				f.records.class_[r] = 2;
				f.records.op[r] = 0;
				f.records.pc[r] = base + 0x80;
				f.records.target[r] = base + rows[k].target;
				f.records.previous[r] = base + rows[k].previous;
				f.batch.tid[r] = (int32_t)i; /* threads and CPUs do not matter */
				f.batch.knows[r] = PMS_SPE_KNOWS_TID;
			}
		flush(&f);
		assert_int_equal(f.a.count, 1);
		pms_touches_sort(&f.a.touches);
		assert_int_equal(pms_touches_of(&f.a.touches, 0, &first), N);
		for (size_t i = 0; i < N; i++) {
			assert_int_equal(first[i].access, want[i].what);
			assert_int_equal(f.a.places.places[first[i].place].offset, want[i].offset);
			assert_int_equal(first[i].count, want[i].count);
			assert_int_equal(first[i].tid, -1);
			assert_int_equal(first[i].cpu, -1);
		}
		pms_aggregate_release(&f.a);
	}
}

/* Without the option, rows by instruction keep no targets. */
static void test_no_targets_unless_asked(void **state)
{
	static struct fixture f;
	(void)state;
	begin(&f, PMS_SPE_BY_PC, 0, 0);
	size_t r = next(&f);
	f.records.has[r] = PMS_SPE_HAS_OP | PMS_SPE_HAS_PC | PMS_SPE_HAS_TARGET;
	f.records.class_[r] = 2;
	flush(&f);
	assert_int_equal(f.a.count, 1);
	assert_int_equal(f.a.touches.count, 0);
	pms_aggregate_release(&f.a);
}

/* Exact limits of a Poisson mean at 95 %, from tables of the chi-square distribution: half its 2.5
 * % point with 2k degrees of freedom, half its 97.5 % point with 2k + 2. */
static void test_estimates(void **state)
{
	static const struct {
		uint64_t k;
		double low, high;
	} rows[] = { { 0, 0, 3.689 },	      { 1, 0.0253, 5.572 },   { 5, 1.623, 11.668 },
		     { 10, 4.795, 18.390 },   { 20, 12.217, 30.888 }, { 50, 37.111, 65.919 },
		     { 100, 81.364, 121.627 } };
	double low, high;
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		pms_spe_estimate(rows[i].k, 1000, &low, &high);
		/* The approximation is poor for the low end of one. */
		assert_true(fabs(low / 1000 - rows[i].low) <= (rows[i].k > 1 ? 0.02 : 0.03));
		assert_true(fabs(high / 1000 - rows[i].high) <= 0.03);
	}
	/* Wilson's interval of 10 in 100, 0 and 10 in 10: by hand (z^2 = 3.8415). */
	pms_spe_share(10, 100, &low, &high);
	assert_true(fabs(low - 0.05523) < 1e-4 && fabs(high - 0.17437) < 1e-4);
	pms_spe_share(0, 10, &low, &high);
	assert_true(low == 0 && fabs(high - 0.27754) < 1e-4);
	pms_spe_share(10, 10, &low, &high);
	assert_true(high == 1 && fabs(low - 0.72246) < 1e-4);
}

/* Page 1 has the first object up to its middle, then the second; all others have one. */
static int find_halves(void *context, uint32_t space, uint64_t address, struct pms_place *place)
{
	unsigned which = address >= 3 * PMS_PAGE_BYTES / 2;
	(void)space;
	++*(unsigned *)context;
	*place = (struct pms_place){ .index = which, .object = &objects[which], .offset = address };
	return 1;
}

static int is_whole(void *context, uint64_t page)
{
	(void)context;
	return page != PMS_PAGE_BYTES;
}

static void test_pages_of_one_object_are_looked_up_once(void **state)
{
	static struct fixture f;
	const struct pms_place_finder finder = { find_halves, is_whole, &f.look_ups };
	uint64_t random = 1;
	unsigned want[2] = { 0, 0 }, places[PMS_PAGE_BYTES] = { 0 }, n_places = 0;
	(void)state;
	memset(&f, 0, sizeof(f));
	assert_int_equal(pms_aggregate_init(&f.a, PMS_SPE_BY_OBJECT, &finder, 0, 0), 0);
	f.batch.records = &f.records;
	for (unsigned i = 0; i < 2000; i++) {
		size_t r = next(&f);
		uint64_t pc = random_below(&random, 3 * PMS_PAGE_BYTES);
		f.records.has[r] = PMS_SPE_HAS_PC;
		f.records.pc[r] = pc;
		f.batch.space[r] = 5;
		want[pc >= 3 * PMS_PAGE_BYTES / 2]++;
		if (pc / PMS_PAGE_BYTES == 1)
			n_places += !places[pc % PMS_PAGE_BYTES]++;
	}
	flush(&f);
	assert_int_equal(f.look_ups, n_places + 2);
	assert_int_equal(f.a.count, 2);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(pms_aggregate_group(&f.a, i)->records, want[f.a.keys[i].low]);
	pms_aggregate_release(&f.a);
}

/* What nobody asks for has no values, and changes no others. */
static void test_latencies_are_left_out(void **state)
{
	static struct fixture f;
	struct pms_spe_row rows[2];
	(void)state;
	for (unsigned lean = 0; lean < 2; lean++) {
		begin(&f, PMS_SPE_BY_CPU, 0, 0);
		f.a.latencies = lean ? (uint32_t)PMS_SPE_HAS_ISSUE : UINT32_MAX;
		for (unsigned i = 0; i < 1000; i++) {
			size_t r = next(&f);
			f.records.has[r] = PMS_SPE_HAS_TOTAL | PMS_SPE_HAS_ISSUE |
					   PMS_SPE_HAS_TRANSLATION | PMS_SPE_HAS_OP |
					   PMS_SPE_HAS_SOURCE;
			f.records.class_[r] = 1;
			f.records.total[r] = (uint16_t)(100 + i * 7 % 500);
			f.records.issue[r] = (uint16_t)(i % 90);
			f.records.translation[r] = (uint16_t)(i % 5);
			f.records.source[r] = (uint16_t)(8 + i % 3);
		}
		flush(&f);
		memset(&rows[lean], 0, sizeof(rows[lean]));
		pms_group_row(pms_aggregate_group(&f.a, 0), &f.a.sources, &rows[lean]);
		pms_aggregate_release(&f.a);
	}
	assert_int_equal(rows[0].total.count, 1000);
	assert_int_equal(rows[0].translation.count, 1000);
	assert_int_equal(rows[1].total.count, 0);
	assert_int_equal(rows[1].translation.count, 0);
	rows[1].total = rows[0].total;
	rows[1].translation = rows[0].translation;
	assert_int_equal(rows[0].waiting.count, 1000);
	assert_memory_equal(&rows[0], &rows[1], sizeof(rows[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pages_of_one_object_are_looked_up_once),
		cmocka_unit_test(test_latencies_are_left_out),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_sharing),
		cmocka_unit_test(test_touches),
		cmocka_unit_test(test_sums_of_touches),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_no_targets_unless_asked),
		cmocka_unit_test(test_estimates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
