/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "opened.h"

static void sections_after_the_data(void **state)
{
	(void)state;
	static const unsigned features[] = { 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 20 };
	enum { N = sizeof(features) / sizeof(features[0]) };
	static const char *const strings[] = {
		[3] = "host",	 [4] = "6.1",	   [5] = "6.1.192",
		[6] = "aarch64", [8] = "Neoverse", [9] = "0x410fd401",
	};
	static const char *const words[] = { "perf", "record", "-e", "arm_spe_0//" };
	struct image image;
	struct opened o;
	image_file(&image, TRAILER, ID_ALL);
	put_aux(&image, 0, 16, 0, 2, 50);
	image_finish(&image);
	size_t list = image_sections(&image, features, N);
	for (size_t i = 0; i < N; i++) {
		section_begin(&image, list, i);
		switch (features[i]) {
		case 2: /* a build-id of 20 bytes, and one that tells its length */
			record_begin(&image, 0, 2);
			put(&image, UINT32_MAX, 4);
			put(&image, 0xabcd, 8);
			memset(image.bytes + image.size, 0x11, 12);
			image.size += 12;
			put(&image, 0, 4);
			put_text(&image, "/bin/a");
			record_end(&image);
			record_begin(&image, 0, 2 | 1 << 15);
			put(&image, 7, 4);
			put(&image, 0x1234, 8);
			put(&image, 0, 8);
			put(&image, 0, 4);
			put(&image, 16, 4);
			put_text(&image, "/bin/b");
			record_end(&image);
			break;
		case 7:
			put(&image, 128, 4);
			put(&image, 64, 4);
			break;
		case 10:
			put(&image, 1 << 20, 8);
			break;
		case 11:
			put(&image, 4, 4);
			for (size_t k = 0; k < 4; k++)
				put_string(&image, words[k]);
			break;
		case 12: /* in another order than the events */
			put(&image, 2, 4);
			put(&image, 64, 4);
			for (uint64_t id = 12; id >= 11; id--) {
				put_attr(&image, 0, 0, 0);
				put(&image, 1, 4);
				put_string(&image, id == 11 ? "first" : "second");
				put(&image, id, 8);
			}
			break;
		case 16:
			put(&image, 2, 4);
			put(&image, 1, 4);
			put_string(&image, "software");
			put(&image, 9, 4);
			put_string(&image, "arm_spe_0");
			break;
		case 20:
			put(&image, 0xdead, 2); /* not read here */
			break;
		default:
			put_string(&image, strings[features[i]]);
			break;
		}
		section_end(&image, list, i);
	}
	assert_int_equal(open_image(&o, &image), 0);
	const struct pms_perfdata_info *info = pms_perfdata_info(o.file);
	assert_string_equal(info->hostname, "host");
	assert_string_equal(info->os_release, "6.1");
	assert_string_equal(info->perf_version, "6.1.192");
	assert_string_equal(info->arch, "aarch64");
	assert_string_equal(info->cpu_description, "Neoverse");
	assert_string_equal(info->cpuid, "0x410fd401");
	assert_int_equal(info->cpus_available, 128);
	assert_int_equal(info->cpus_online, 64);
	assert_int_equal(info->total_memory, 1 << 20);
	assert_int_equal(info->n_cmdline, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(info->cmdline[i], words[i]);
	assert_string_equal(info->events[0].name, "first");
	assert_string_equal(info->events[1].name, "second");
	assert_string_equal(pms_perfdata_pmu_name(info, 9), "arm_spe_0");
	assert_null(pms_perfdata_pmu_name(info, 8));
	assert_int_equal(info->n_build_ids, 2);
	assert_int_equal(info->build_ids[0].size, 20);
	assert_int_equal(info->build_ids[0].id[0], 0xcd);
	assert_int_equal(info->build_ids[0].id[19], 0x11);
	assert_int_equal(info->build_ids[0].pid, -1);
	assert_string_equal(info->build_ids[0].path, "/bin/a");
	assert_int_equal(info->build_ids[1].size, 16);
	assert_int_equal(info->build_ids[1].pid, 7);
	assert_int_equal(pms_perfdata_stats(o.file)->cut, 0);
	assert_int_equal(pms_perfdata_stats(o.file)->malformed, 0);
	close_image(&o);

	/* Each section cut short is told, and hurts no other. */
	for (size_t i = 0; i + 1 < N; i++) {
		struct image cut = image;
		put_at(&cut, list + 16 * i + 8, 3, 8);
		assert_int_equal(open_image(&o, &cut), 0);
		assert_int_equal(pms_perfdata_stats(o.file)->malformed, 1);
		expect(&o, PMS_PERFDATA_AUX);
		assert_int_equal(next(&o), 0);
		close_image(&o);
	}
}

static void records_that_describe(void **state)
{
	(void)state;
	struct image image;
	struct opened o;
	image_file(&image, TRAILER, ID_ALL);
	record_begin(&image, 69, 0); /* ID_INDEX */
	put(&image, 2, 8);
	put(&image, 11, 8);
	put(&image, 0, 8);
	put(&image, 4, 8);
	put(&image, UINT64_MAX, 8);
	put(&image, 12, 8);
	put(&image, 1, 8);
	put(&image, UINT64_MAX, 8);
	put(&image, 500, 8);
	record_end(&image);
	record_begin(&image, 70, 0); /* AUXTRACE_INFO */
	put(&image, 4, 8);
	put(&image, 9, 8);
	put(&image, 1, 8);
	record_end(&image);
	record_begin(&image, 73, 0); /* THREAD_MAP */
	put(&image, 1, 8);
	put(&image, 500, 8);
	put_bytes(&image, "sixteen letters!", 16);
	record_end(&image);
	record_begin(&image, 78, 0); /* EVENT_UPDATE: a name */
	put(&image, 2, 8);
	put(&image, 12, 8);
	put_text(&image, "renamed");
	record_end(&image);
	record_begin(&image, 79, 0); /* TIME_CONV */
	put(&image, 10, 8);
	put(&image, 2048, 8);
	put(&image, 300, 8);
	put(&image, 0, 8);
	put(&image, 0xffffffff, 8);
	put(&image, 1, 8);
	record_end(&image);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	while (next(&o) == 1)
		;
	const struct pms_perfdata_info *info = pms_perfdata_info(o.file);
	assert_int_equal(info->n_id_index, 2);
	assert_int_equal(info->id_index[0].id, 11);
	assert_int_equal(info->id_index[0].cpu, 4);
	assert_int_equal(info->id_index[0].tid, -1);
	assert_int_equal(info->id_index[1].idx, 1);
	assert_int_equal(info->id_index[1].tid, 500);
	assert_int_equal(info->auxtrace_type, PMS_PERFDATA_AUXTRACE_ARM_SPE);
	assert_int_equal(info->n_auxtrace_private, 2);
	assert_int_equal(info->auxtrace_private[0], 9);
	assert_int_equal(info->auxtrace_private[1], 1);
	assert_int_equal(info->n_threads, 1);
	assert_int_equal(info->threads[0].tid, 500);
	assert_string_equal(info->threads[0].name, "sixteen letters!");
	assert_string_equal(info->events[1].name, "renamed");
	assert_true(info->time_conv.known);
	assert_int_equal(info->time_conv.shift, 10);
	assert_int_equal(info->time_conv.mult, 2048);
	assert_int_equal(info->time_conv.zero, 300);
	assert_false(info->time_conv.short_counter);
	assert_int_equal(pms_perfdata_stats(o.file)->malformed, 0);
	close_image(&o);
}

static void maps_of_cpus(void **state)
{
	(void)state;
	static const struct {
		uint16_t words[12];
		size_t n;
		uint32_t cpus[3];
		size_t n_cpus;
		int malformed;
	} cases[] = {
		{ { 0, 3, 1, 5, 9 }, 5, { 1, 5, 9 }, 3, 0 },
		{ { 1, 1, 8, 0, 0, 0x0022, 0, 0, 0x8000 }, 9, { 1, 5, 63 }, 3, 0 },
		{ { 1, 2, 4, 0x0001, 0, 0x0001, 0x8000 }, 7, { 0, 32, 63 }, 3, 0 },
		{ { 2, 0, 7, 9 }, 4, { 7, 8, 9 }, 3, 0 },
		{ { 0, 4, 1, 5, 9 }, 5, { 0 }, 0, 1 },	  /* one is missing */
		{ { 1, 1, 2, 0, 0, 0 }, 6, { 0 }, 0, 1 }, /* words of 2 bytes */
		{ { 1, 1, 0, 0, 0, 0 }, 6, { 0 }, 0, 1 }, /* of none */
		{ { 2, 0, 9, 7 }, 4, { 0 }, 0, 1 },	  /* backwards */
		{ { 3, 0, 0 }, 3, { 0 }, 0, 1 },	  /* no such form */
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct image image;
		struct opened o;
		image_file(&image, TRAILER, ID_ALL);
		record_begin(&image, 74, 0);
		for (size_t k = 0; k < cases[i].n; k++)
			put(&image, cases[i].words[k], 2);
		record_end(&image);
		image_finish(&image);
		assert_int_equal(open_image(&o, &image), 0);
		expect(&o, PMS_PERFDATA_CPU_MAP);
		const struct pms_perfdata_info *info = pms_perfdata_info(o.file);
		assert_int_equal(info->n_cpus, cases[i].n_cpus);
		for (size_t k = 0; k < cases[i].n_cpus; k++)
			assert_int_equal(info->cpus[k], cases[i].cpus[k]);
		assert_int_equal(pms_perfdata_stats(o.file)->malformed, cases[i].malformed);
		close_image(&o);
	}
}

/* Records that say to hold more than they do, or end early: each is counted, and nothing of it is
 * taken. */
static void records_that_describe_too_little(void **state)
{
	(void)state;
	static const struct {
		uint32_t type;
		uint64_t numbers[4];
		size_t n, cut; /* numbers of 8 bytes, of which the last cut bytes are missing */
	} cases[] = {
		{ 64, { 1, 2 }, 2, 0 },				 /* an attribute of 16 bytes */
		{ 64, { 1 | UINT64_C(100000) << 32, 2 }, 2, 0 }, /* one longer than its record */
		{ 64, { 1 }, 1, 4 },
		{ 67, { 1, 2 }, 2, 0 }, /* no room for a build-id */
		{ 69, { 2, 11, 0, 4 }, 4, 0 },
		{ 69, { UINT64_MAX / 32 + 2, 11, 0, 4 }, 4, 0 }, /* times 32 wraps around to 32 */
		{ 69, { 1 }, 1, 1 },
		{ 70, { 4 }, 1, 1 },
		{ 73, { 1, 500, 0 }, 3, 0 },
		{ 73, { UINT64_MAX, 500, 0, 0 }, 4, 0 },
		{ 73, { 1 }, 1, 1 },
		{ 74, { 0 }, 1, 7 },
		{ 78, { 2, 12 }, 2, 0 }, /* a name that is not there */
		{ 79, { 1, 2, 3 }, 3, 1 },
		{ 80, { 3 }, 1, 1 },
		{ 80, { 3, 100 }, 2, 0 }, /* a host name of 100 bytes */
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct image image;
		struct opened o;
		image_file(&image, TRAILER, ID_ALL);
		record_begin(&image, cases[i].type, 0);
		for (size_t k = 0; k < cases[i].n; k++)
			put(&image, cases[i].numbers[k], 8);
		image.size -= cases[i].cut;
		record_end(&image);
		image_finish(&image);
		assert_int_equal(open_image(&o, &image), 0);
		expect(&o, cases[i].type);
		if (pms_perfdata_stats(o.file)->malformed != 1)
			fail_msg("case %zu is taken for good", i);
		const struct pms_perfdata_info *info = pms_perfdata_info(o.file);
		assert_int_equal(info->n_events, 2);
		assert_int_equal(info->n_build_ids + info->n_id_index + info->n_threads, 0);
		assert_int_equal(info->n_cpus + info->auxtrace_type, 0);
		assert_int_equal(info->time_conv.known, 0);
		assert_string_equal(info->events[1].name, "");
		assert_string_equal(info->hostname, "");
		close_image(&o);
	}
}

/* Numbers whose products with the golden ratio differ in the lowest bits alone: a table that
 * multiplies to spread them puts all into one place. tests/base/test_numbers.c has the time. */
static void ids_made_to_collide_are_found(void **state)
{
	enum { RECORDS = 12, IDS = 8000 };
	const uint64_t undo = UINT64_C(0xf1de83e19937733d);
	static struct image image;
	struct opened o;
	uint64_t id = 0;
	(void)state;
	assert_true(undo * UINT64_C(0x9e3779b97f4a7c15) == 1);
	image_pipe(&image);
	for (int i = 0; i < RECORDS; i++) {
		record_begin(&image, PMS_PERFDATA_HEADER_ATTR, 0);
		put_attr(&image, 1, TRAILER, 0);
		for (int k = 0; k < IDS; k++)
			put(&image, undo * id++, 8);
		record_end(&image);
	}
	record_begin(&image, PMS_PERFDATA_EVENT_UPDATE, 0);
	put(&image, 2, 8);
	put(&image, undo * (id - IDS), 8); /* the first of the last record */
	put_text(&image, "last");
	record_end(&image);
	assert_int_equal(open_image(&o, &image), 0);
	while (next(&o) == 1)
		continue;
	const struct pms_perfdata_info *info = pms_perfdata_info(o.file);
	assert_int_equal(info->n_events, RECORDS);
	assert_string_equal(info->events[RECORDS - 1].name, "last");
	assert_string_equal(info->events[0].name, "");
	close_image(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_after_the_data),
		cmocka_unit_test(records_that_describe),
		cmocka_unit_test(maps_of_cpus),
		cmocka_unit_test(records_that_describe_too_little),
		cmocka_unit_test(ids_made_to_collide_are_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
