/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "opened.h"

/* Each kind of record, its fields and its trailer. */
static void records_of_the_kernel(void **state)
{
	(void)state;
	struct image image;
	struct opened o;
	image_file(&image, TRAILER, ID_ALL);
	record_begin(&image, 1, 2);
	put(&image, 100, 4);
	put(&image, 101, 4);
	put(&image, 0x400000, 8);
	put(&image, 0x1000, 8);
	put(&image, 0x2000, 8);
	put_text(&image, "/bin/a");
	put_trailer(&image, 100, 101, 5, 3, 12);
	record_end(&image);
	record_begin(&image, 3, 1 << 13);
	put(&image, 100, 4);
	put(&image, 101, 4);
	put_text(&image, "name");
	put_trailer(&image, 100, 101, 6, 1, 11);
	record_end(&image);
	record_begin(&image, 7, 0);
	put(&image, 102, 4);
	put(&image, 100, 4);
	put(&image, 103, 4);
	put(&image, 101, 4);
	put(&image, 99, 8);
	put_trailer(&image, 0, 0, 0, 0, 0);
	record_end(&image);
	record_begin(&image, 12, 0);
	put(&image, 104, 4);
	put(&image, 105, 4);
	put_trailer(&image, 0, 0, 0, 0, 11);
	record_end(&image);
	image_finish(&image);

	assert_int_equal(open_image(&o, &image), 0);
	expect(&o, PMS_PERFDATA_MMAP);
	assert_int_equal(o.record.offset, IMAGE_DATA + 16);
	assert_int_equal(o.record.size, 8 + 32 + 8 + 32);
	assert_int_equal(o.record.misc & PMS_PERFDATA_MISC_CPUMODE, 2);
	assert_int_equal(o.record.event, 1);
	assert_int_equal(o.record.id.have, TRAILER);
	assert_int_equal(o.record.id.pid, 100);
	assert_int_equal(o.record.id.tid, 101);
	assert_int_equal(o.record.id.time, 5);
	assert_int_equal(o.record.id.cpu, 3);
	assert_int_equal(o.record.id.id, 12);
	assert_int_equal(o.record.mmap.tid, 101);
	assert_int_equal(o.record.mmap.start, 0x400000);
	assert_int_equal(o.record.mmap.length, 0x1000);
	assert_int_equal(o.record.mmap.file_offset, 0x2000);
	assert_string_equal(o.record.mmap.path, "/bin/a");
	expect(&o, PMS_PERFDATA_COMM);
	assert_int_equal(o.record.event, 0);
	assert_int_equal(o.record.comm.pid, 100);
	assert_int_equal(o.record.comm.exec, 1);
	assert_string_equal(o.record.comm.name, "name");
	expect(&o, PMS_PERFDATA_FORK);
	assert_int_equal(o.record.event, -1); /* perf made it up: no id */
	assert_int_equal(o.record.task.pid, 102);
	assert_int_equal(o.record.task.parent_pid, 100);
	assert_int_equal(o.record.task.tid, 103);
	assert_int_equal(o.record.task.parent_tid, 101);
	assert_int_equal(o.record.task.time, 99);
	expect(&o, PMS_PERFDATA_ITRACE_START);
	assert_int_equal(o.record.itrace_start.pid, 104);
	assert_int_equal(o.record.itrace_start.tid, 105);
	assert_int_equal(next(&o), 0);
	assert_int_equal(pms_perfdata_stats(o.file)->records, 4);
	close_image(&o);
}

static void put_mmap2(struct image *image, uint16_t misc, const uint8_t identity[24])
{
	record_begin(image, 10, misc);
	put(image, 100, 4);
	put(image, 101, 4);
	put(image, 0x400000, 8);
	put(image, 0x1000, 8);
	put(image, 0, 8);
	put_bytes(image, identity, 24);
	put(image, 5, 4);
	put(image, 2, 4);
	put_text(image, "/lib/b.so");
	put_trailer(image, 0, 0, 0, 0, 11);
	record_end(image);
}

static void mappings_with_inode_or_build_id(void **state)
{
	(void)state;
	static const uint8_t inode[24] = {
		8, 0, 0, 0, 1, 0, 0, 0, 0x34, 0x12, 0, 0, 0, 0, 0, 0, 7
	};
	static const uint8_t build_id[24] = { 20, 0, 0, 0, 0xaa, 0xbb };
	static const uint8_t too_long[24] = { 21 };
	struct image image;
	struct opened o;
	image_file(&image, TRAILER, ID_ALL);
	put_mmap2(&image, 2, inode);
	put_mmap2(&image, 2 | 1 << 14, build_id);
	put_mmap2(&image, 2 | 1 << 14, too_long);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	expect(&o, PMS_PERFDATA_MMAP2);
	assert_int_equal(o.record.mmap.major, 8);
	assert_int_equal(o.record.mmap.minor, 1);
	assert_int_equal(o.record.mmap.inode, 0x1234);
	assert_int_equal(o.record.mmap.inode_generation, 7);
	assert_int_equal(o.record.mmap.prot, 5);
	assert_int_equal(o.record.mmap.flags, 2);
	assert_null(o.record.mmap.build_id);
	assert_string_equal(o.record.mmap.path, "/lib/b.so");
	expect(&o, PMS_PERFDATA_MMAP2);
	assert_int_equal(o.record.mmap.build_id_size, 20);
	assert_int_equal(o.record.mmap.build_id[0], 0xaa);
	assert_int_equal(o.record.mmap.build_id[1], 0xbb);
	assert_int_equal(o.record.mmap.inode, 0);
	uint64_t third = o.record.offset + o.record.size;
	assert_int_equal(next(&o), 0);
	assert_int_equal(pms_perfdata_stats(o.file)->malformed, 1);
	assert_int_equal(pms_perfdata_stats(o.file)->malformed_at, third);
	close_image(&o);
}

static void lost_and_flagged_are_counted(void **state)
{
	(void)state;
	struct image image;
	struct opened o;
	image_file(&image, TRAILER, ID_ALL);
	record_begin(&image, 2, 0);
	put(&image, 12, 8);
	put(&image, 40, 8);
	put_trailer(&image, 0, 0, 0, 0, 12);
	record_end(&image);
	record_begin(&image, 13, 0);
	put(&image, 7, 8);
	put_trailer(&image, 0, 0, 0, 0, 12);
	record_end(&image);
	put_aux(&image, 0, 100, 1, 0, 5);
	put_aux(&image, 100, 200, 1 | 4 | 8, 0, 5);
	put_aux(&image, 0, UINT64_MAX, 2, 1, 5);
	record_begin(&image, 250, 0);
	record_end(&image);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	expect(&o, PMS_PERFDATA_LOST);
	assert_int_equal(o.record.lost.id, 12);
	assert_int_equal(o.record.lost.count, 40);
	expect(&o, PMS_PERFDATA_LOST_SAMPLES);
	assert_int_equal(o.record.lost.count, 7);
	expect(&o, PMS_PERFDATA_AUX);
	expect(&o, PMS_PERFDATA_AUX);
	assert_int_equal(o.record.aux.offset, 100);
	assert_int_equal(o.record.aux.size, 200);
	assert_int_equal(o.record.aux.flags, PMS_PERFDATA_AUX_TRUNCATED | PMS_PERFDATA_AUX_PARTIAL |
						     PMS_PERFDATA_AUX_COLLISION);
	expect(&o, PMS_PERFDATA_AUX);
	expect(&o, 250);
	assert_int_equal(o.record.size, 8);
	assert_int_equal(next(&o), 0);
	const struct pms_perfdata_stats *s = pms_perfdata_stats(o.file);
	assert_int_equal(s->lost_events, 40);
	assert_int_equal(s->lost_samples, 7);
	assert_int_equal(s->aux_records, 3);
	assert_int_equal(s->aux_bytes, UINT64_MAX); /* more would not fit */
	assert_int_equal(s->aux_truncated, 2);
	assert_int_equal(s->aux_overwritten, 1);
	assert_int_equal(s->aux_partial, 1);
	assert_int_equal(s->aux_collided, 1);
	assert_int_equal(s->unknown, 1);
	close_image(&o);
}

/* A record that is framed but holds less than its fields: every length up to the whole. */
static void records_with_too_little_inside(void **state)
{
	(void)state;
	static const struct {
		uint32_t type;
		size_t least; /* bytes between header and trailer */
	} cases[] = { { 1, 33 },  { 2, 16 },  { 3, 9 },	 { 4, 24 }, { 7, 24 },
		      { 10, 65 }, { 11, 24 }, { 12, 8 }, { 13, 8 } };
	struct image image;
	struct opened o;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		image_file(&image, TRAILER, ID_ALL);
		for (size_t size = 0; size <= cases[i].least + 32; size++) {
			record_begin(&image, cases[i].type, 0);
			for (size_t k = 0; k < size; k++)
				put(&image, 0, 1);
			record_end(&image);
		}
		image_finish(&image);
		assert_int_equal(open_image(&o, &image), 0);
		expect(&o, cases[i].type);
		assert_int_equal(o.record.size, 8 + cases[i].least + 32);
		assert_int_equal(next(&o), 0);
		assert_int_equal(pms_perfdata_stats(o.file)->malformed, cases[i].least + 32);
		close_image(&o);
	}
}

/* Two events whose sample_types differ: a record is told from its id, wherever all have that. */
static void ids_in_their_places(void **state)
{
	(void)state;
	enum {
		IP = 1 << 0,
		TID = 1 << 1,
		TIME = 1 << 2,
		ADDR = 1 << 3,
		ID = 1 << 6,
		CPU = 1 << 7,
		STREAM = 1 << 9,
		IDENTIFIER = 1 << 16,
		PERIOD = 1 << 8
	};
	static const struct {
		uint64_t types[2];
		uint32_t record;
		uint64_t numbers[6];
		size_t n;
		int event;
	} cases[] = {
		/* in the trailer, counted from its end */
		{ { TID | ID, ID }, 12, { 0, 0, 12 }, 3, 1 },
		{ { TID | ID | CPU, ID | CPU }, 12, { 0, 12, 1 }, 3, 1 },
		{ { ID | STREAM | CPU, TIME | ID | STREAM | CPU }, 12, { 0, 0, 12, 1, 1 }, 5, 1 },
		{ { CPU | IDENTIFIER, TID | IDENTIFIER }, 12, { 0, 0, 12 }, 3, 1 },
		{ { CPU | IDENTIFIER, TID | IDENTIFIER }, 12, { 0, 0, 11 }, 3, 0 },
		/* in the sample, counted from its beginning */
		{ { TIME | ID, TIME | ID | PERIOD }, 9, { 1000, 12, 1002 }, 3, 1 },
		{ { TID | TIME | ADDR | ID, TID | TIME | ADDR | ID | PERIOD },
		  9,
		  { 1, 1001, 2, 12, 1004 },
		  5,
		  1 },
		{ { IP | ID, IP | ID | PERIOD }, 9, { 1000, 12, 1002 }, 3, 1 },
		{ { IDENTIFIER, IDENTIFIER | TIME }, 9, { 12, 1001 }, 2, 1 },
		/* in different places, or nowhere: not told */
		{ { TIME | ID, ID }, 9, { 12, 12 }, 2, -1 },
		{ { TIME, ID }, 9, { 12, 12 }, 2, -1 },
		{ { CPU | ID, ID }, 12, { 0, 12, 12 }, 3, -1 },
		/* an id that is no event's */
		{ { TID | ID, ID }, 12, { 0, 0, 13 }, 3, -1 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct image image;
		struct opened o;
		image_file(&image, 0, ID_ALL);
		for (size_t k = 0; k < 2; k++)
			put_at(&image, 104 + k * 80 + 24, cases[i].types[k], 8);
		record_begin(&image, cases[i].record, 0);
		for (size_t k = 0; k < cases[i].n; k++)
			put(&image, cases[i].numbers[k], 8);
		record_end(&image);
		image_finish(&image);
		assert_int_equal(open_image(&o, &image), 0);
		expect(&o, cases[i].record);
		if (o.record.event != cases[i].event)
			fail_msg("case %zu: event %d", i, o.record.event);
		assert_int_equal(pms_perfdata_stats(o.file)->unidentified, cases[i].event < 0);
		if (cases[i].event >= 0)
			assert_int_equal(o.record.id.id, 11 + cases[i].event);
		close_image(&o);
	}
}

static void texts_that_do_not_end(void **state)
{
	(void)state;
	struct image image;
	struct opened o;
	image_file(&image, TRAILER, ID_ALL);
	record_begin(&image, 3, 0);
	put(&image, 1, 8);
	put_bytes(&image, "12345678", 8);
	put_trailer(&image, 0, 0, 0, 0, 11); /* its zeros are not the text's */
	record_end(&image);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	assert_int_equal(next(&o), 0);
	assert_int_equal(pms_perfdata_stats(o.file)->malformed, 1);
	close_image(&o);
}

static void times(void **state)
{
	(void)state;
	struct pms_perfdata_time_conv conv = { .known = 1, .shift = 10, .mult = 40960, .zero = 7 };
	uint64_t ns = 0;
	assert_int_equal(pms_perfdata_time(&conv, 100, &ns), 0); /* 25 MHz: 40 ns a tick */
	assert_int_equal(ns, 4007);
	conv.zero = (uint64_t)-5; /* the counter started before the clock */
	assert_int_equal(pms_perfdata_time(&conv, 1, &ns), 0);
	assert_int_equal(ns, 35);
	conv.shift = 31; /* the product has more than 64 bits on the way: 2^56 * 2^31 / 2^31 */
	conv.mult = UINT64_C(1) << 31;
	conv.zero = 0;
	assert_int_equal(pms_perfdata_time(&conv, UINT64_C(1) << 56, &ns), 0);
	assert_int_equal(ns, UINT64_C(1) << 56);
	conv.short_counter = 1; /* 8 bits, seen at 0x1f0 last: 5 is 0x205 */
	conv.cycles = 0x1f0;
	conv.mask = 0xff;
	assert_int_equal(pms_perfdata_time(&conv, 5, &ns), 0);
	assert_int_equal(ns, 0x205);
	conv.short_counter = 0;
	conv.shift = 64;
	assert_int_equal(pms_perfdata_time(&conv, 1, &ns), -PMS_EPARSE);
	conv.shift = 0;
	conv.mult = UINT64_MAX;
	assert_int_equal(pms_perfdata_time(&conv, 2, &ns), -PMS_EPARSE);
	conv.known = 0;
	assert_int_equal(pms_perfdata_time(&conv, 1, &ns), -PMS_ENAME);
}

static void names_of_types(void **state)
{
	(void)state;
	assert_string_equal(pms_perfdata_type_name(10), "MMAP2");
	assert_string_equal(pms_perfdata_type_name(71), "AUXTRACE");
	assert_null(pms_perfdata_type_name(0));
	assert_null(pms_perfdata_type_name(22));
	assert_null(pms_perfdata_type_name(UINT32_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_of_the_kernel),
		cmocka_unit_test(mappings_with_inode_or_build_id),
		cmocka_unit_test(lost_and_flagged_are_counted),
		cmocka_unit_test(records_with_too_little_inside),
		cmocka_unit_test(ids_in_their_places),
		cmocka_unit_test(texts_that_do_not_end),
		cmocka_unit_test(times),
		cmocka_unit_test(names_of_types),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
