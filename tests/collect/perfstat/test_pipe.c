/* SPDX-License-Identifier: MIT */
/* What perf stat record writes to a pipe, record by record as perf 6.1 does: the events and their
 * names come as records too, and nothing says that they come first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../catalog/small.h"
#include "../../growth.h"
#include "../../perfdata/image.h"
#include "pmuscope/collect.h"
#include "pmuscope/perfdata.h"

enum { CONFIG = 75, STAT = 76, ROUND = 77, NAME = 2, NONE = 0, GLOBAL = 1 };
enum { HARDWARE = 0, SOFTWARE = 1, RAW = 4, NO_KERNEL = 1 << 5 };

static struct image image;

/* An event without ids is one that could not be opened. */
static void attr(uint32_t type, uint64_t config, uint64_t flags, uint64_t id)
{
	record_begin(&image, PMS_PERFDATA_HEADER_ATTR, 0);
	put_attr(&image, type, 0, flags);
	put_at(&image, image.size - 64 + 8, config, 8);
	if (id)
		put(&image, id, 8);
	record_end(&image);
}

static void name(uint64_t id, const char *text)
{
	record_begin(&image, PMS_PERFDATA_EVENT_UPDATE, 0);
	put(&image, NAME, 8);
	put(&image, id, 8);
	put_text(&image, text);
	record_end(&image);
}

static void config(uint64_t aggregation, uint64_t interval)
{
	const uint64_t words[] = { 3, 0, aggregation, 1, interval, 2, 1 };
	record_begin(&image, CONFIG, 0);
	for (size_t i = 0; i < 7; i++)
		put(&image, words[i], 8);
	record_end(&image);
}

static void stat(uint64_t id, uint32_t cpu, uint64_t value)
{
	record_begin(&image, STAT, 0);
	put(&image, id, 8);
	put(&image, cpu, 8); /* and thread 0 */
	put(&image, value, 8);
	put(&image, 100 * value, 8); /* ns enabled, and running */
	put(&image, 100 * value, 8);
	record_end(&image);
}

static void round_ends(uint64_t type, uint64_t time)
{
	record_begin(&image, ROUND, 0);
	put(&image, type, 8);
	put(&image, time, 8);
	record_end(&image);
}

static struct pms_perf_stat *open_image(struct pms_error *err)
{
	struct pms_perfdata *file = NULL;
	struct pms_perf_stat *stat = NULL;
	/* A copy of its size, so that a sanitizer sees what is read behind it. */
	uint8_t *copy = malloc(image.size);
	memcpy(copy, image.bytes, image.size);
	assert_int_equal(pms_perfdata_open_bytes(copy, image.size, "image", &file, NULL), 0);
	int rc = pms_perf_stat_open_data(file, "image", catalog, &stat, err);
	assert_int_equal(rc, stat ? 0 : -PMS_EPARSE);
	pms_perfdata_close(file);
	free(copy);
	return stat;
}

static struct pms_counts *total_of_image(void)
{
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	struct pms_perf_stat *stat = open_image(&err);
	if (!stat)
		fail_msg("%s", err.text);
	assert_int_equal(pms_perf_stat_total(stat, &counts, NULL), 0);
	pms_perf_stat_free(stat);
	return counts;
}

static const struct pms_count *count_of(const struct pms_counts *counts, const char *name)
{
	int64_t event = pms_catalog_find_event(counts->catalog, name);
	assert_true(event >= 0);
	return &counts->total.counts[event];
}

static void as_perf_writes_it(void **state)
{
	(void)state;
	image_pipe(&image);
	attr(HARDWARE, 0, 0, 7);
	attr(RAW, 0x3b, 0, 8);
	name(7, "cycles");
	name(8, "r3b");
	config(GLOBAL, 0);
	stat(7, UINT32_MAX, 1234);
	stat(8, UINT32_MAX, 56);
	round_ends(1, 2000000000);
	struct pms_counts *counts = total_of_image();
	assert_int_equal(count_of(counts, "CPU_CYCLES")->value, 1234);
	assert_int_equal(count_of(counts, "OP_SPEC")->value, 56);
	pms_counts_free(counts);
}

/* perf names the events that it could open alone. */
static void what_could_not_be_opened_has_the_name_of_its_numbers(void **state)
{
	(void)state;
	image_pipe(&image);
	attr(HARDWARE, 0, NO_KERNEL, 0);
	attr(RAW, 0x3b, NO_KERNEL, 0);
	attr(SOFTWARE, 1, 0, 9);
	attr(SOFTWARE, 77, 0, 0);
	name(9, "task-clock");
	config(GLOBAL, 0);
	stat(9, UINT32_MAX, 5);
	round_ends(1, 1000);
	struct pms_counts *counts = total_of_image();
	assert_int_equal(count_of(counts, "CPU_CYCLES")->state, PMS_NOT_SUPPORTED);
	assert_int_equal(count_of(counts, "OP_SPEC")->state, PMS_NOT_SUPPORTED);
	assert_non_null(strstr(counts->warnings[0], "task-clock, type 1 config 0x4d"));
	pms_counts_free(counts);
}

/* Events that follow counts have a place too, and so do names that follow their event's. */
static void what_describes_may_come_late(void **state)
{
	enum { MANY = 100 };
	(void)state;
	for (int of_file = 0; of_file < 2; of_file++) {
		if (of_file)
			image_file(&image, 0, 0); /* with two events of its own */
		else
			image_pipe(&image);
		attr(HARDWARE, 0, 0, 100);
		config(GLOBAL, 0);
		stat(100, 0, 1);
		for (uint64_t i = 1; i < MANY; i++)
			attr(RAW, 0x3b, 0, 100 + i);
		stat(100, 1, 2);
		stat(100 + MANY - 1, 0, 30);
		round_ends(1, 1000);
		name(100 + MANY - 1, "r3b");
		if (of_file)
			image_finish(&image);
		struct pms_counts *counts = total_of_image();
		assert_int_equal(count_of(counts, "CPU_CYCLES")->value, 3);
		assert_int_equal(count_of(counts, "OP_SPEC")->value, 30);
		pms_counts_free(counts);
	}
}

static void refused(const char *text)
{
	struct pms_error err = { 0 };
	assert_null(open_image(&err));
	if (!strstr(err.text, text))
		fail_msg("\"%s\", want \"%s\"", err.text, text);
	assert_string_equal(err.source, "image");
}

static void what_cannot_be_is_refused(void **state)
{
	(void)state;
	image_pipe(&image);
	stat(7, 0, 1);
	attr(HARDWARE, 0, 0, 7);
	refused("a STAT record of no event");
	image_pipe(&image);
	for (uint64_t i = 0; i < 4097; i++)
		attr(RAW, i, 0, 100 + i);
	refused("more than 4096 different events");
	image_pipe(&image);
	attr(HARDWARE, 0, 0, 7);
	config(NONE, 0);
	stat(7, 0x80000000, 1);
	refused("a STAT record of a CPU that cannot be");
}

/* Room is for the counts that there are, and a round takes as long as it has counts: 4096 events on
 * 8192 CPUs would be 33 million. */
static void one_count_takes_the_place_of_one(void **state)
{
	enum { EVENTS = 4096, ROUNDS = 1000 };
	struct pms_counts *counts = NULL;
	(void)state;
	growth_needs_a_fast_machine();
	image_pipe(&image);
	for (uint64_t i = 0; i < EVENTS; i++)
		attr(RAW, 0x11, 0, 100 + i);
	config(NONE, 1);
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		stat(100 + i % 2 * (EVENTS - 1), 8191, 10 * i);
		round_ends(0, 1000000 * i);
	}
	struct pms_perf_stat *stat = open_image(NULL);
	assert_non_null(stat);
	assert_int_equal(pms_perf_stat_intervals(stat), ROUNDS);
	assert_int_equal(pms_perf_stat_interval(stat, ROUNDS - 1, &counts, NULL), 0);
	assert_int_equal(counts->n_scopes, 1);
	assert_int_equal(counts->scopes[0].id, 8191);
	assert_int_equal(count_of(counts, "CPU_CYCLES")->value, 10 * 2);
	pms_counts_free(counts);
	pms_perf_stat_free(stat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_perf_writes_it),
		cmocka_unit_test(what_could_not_be_opened_has_the_name_of_its_numbers),
		cmocka_unit_test(what_describes_may_come_late),
		cmocka_unit_test(what_cannot_be_is_refused),
		cmocka_unit_test(one_count_takes_the_place_of_one),
	};
	return cmocka_run_group_tests(tests, open_catalog, close_catalog);
}
