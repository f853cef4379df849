/* SPDX-License-Identifier: MIT */
/* Files as perf stat record writes them, and what their counts are by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "pmuscope/collect.h"

enum { CONFIG = 75, STAT = 76, ROUND = 77, NONE = 0, GLOBAL = 1, INTERVAL = 0, FINAL = 1 };
enum { IDENTIFIED = PMS_PERFDATA_IDENTIFIER };

struct fixture {
	struct pms_catalog *catalog;
	char path[64];
	struct pms_perfdata_writer *writer;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	if (!f || pms_catalog_load(PMS_TEST_DATA, "small", &f->catalog, NULL))
		return -1;
	strcpy(f->path, "/tmp/pmuscope-stat-XXXXXX");
	int fd = mkstemp(f->path);
	*state = f;
	return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	int rc = unlink(f->path);
	pms_catalog_free(f->catalog);
	free(f);
	return rc;
}

/* Cycles on two CPUs (ids 10 and 11), operations (20 and 21), and what could not be opened. */
static void begin(struct fixture *f)
{
	static const uint64_t cycles[] = { 10, 11 }, ops[] = { 20, 21 };
	static const char *const command[] = { "perf", "stat", "record", "./prog" };
	static const struct pms_perfdata_event events[] = {
		{ .name = "cycles:u",
		  .type = 0,
		  .sample_type = IDENTIFIED,
		  .ids = cycles,
		  .n_ids = 2 },
		{ .name = "op_spec:u",
		  .type = 4,
		  .sample_type = IDENTIFIED,
		  .ids = ops,
		  .n_ids = 2 },
		{ .name = "page-faults", .type = 1, .sample_type = IDENTIFIED },
		{ .name = "stall_slot:u", .type = 4, .sample_type = IDENTIFIED },
	};
	static const struct pms_perfdata_info info = { .cpuid = "0x00000000410fd400",
						       .arch = "aarch64",
						       .cmdline = command,
						       .n_cmdline = 4,
						       .events = events,
						       .n_events = 4 };
	struct pms_error err = { 0 };
	if (pms_perfdata_create(f->path, &info, &f->writer, &err))
		fail_msg("%s", err.text);
}

static void put(struct fixture *f, uint32_t type, const uint64_t *words, size_t n)
{
	uint64_t bytes[16] = { 0 };
	const struct pms_perfdata_record record = {
		.type = type, .bytes = (const uint8_t *)bytes, .size = 8 + 8 * n, .event = -1
	};
	struct pms_error err = { 0 };
	memcpy(bytes + 1, words, 8 * n);
	if (pms_perfdata_write(f->writer, &record, &err))
		fail_msg("%s", err.text);
}

static void config(struct fixture *f, uint64_t aggregation, uint64_t interval)
{
	const uint64_t words[] = { 3, 0, aggregation, 2, 1, 1, interval };
	put(f, CONFIG, words, 7);
}

static void stat(struct fixture *f, uint64_t id, uint32_t cpu, uint64_t value, uint64_t enabled,
		 uint64_t running)
{
	const uint64_t words[] = { id, cpu, value, enabled, running };
	put(f, STAT, words, 5);
}

static void round_ends(struct fixture *f, uint64_t type, uint64_t time)
{
	const uint64_t words[] = { type, time };
	put(f, ROUND, words, 2);
}

/* What is in the file when it is finished; NULL with the error when it is refused. */
static struct pms_perf_stat *read_back(struct fixture *f, struct pms_error *err)
{
	struct pms_perfdata *file = NULL;
	struct pms_perf_stat *got = NULL;
	assert_int_equal(pms_perfdata_finish(f->writer, NULL), 0);
	assert_int_equal(pms_perfdata_open(f->path, &file, err), 0);
	assert_string_equal(pms_perfdata_info(file)->cpuid, "0x00000000410fd400");
	int rc = pms_perf_stat_open_data(file, "stat.data", f->catalog, &got, err);
	assert_int_equal(rc, got ? 0 : -PMS_EPARSE);
	pms_perfdata_close(file);
	return got;
}

static const struct pms_count *count_of(const struct pms_scope *scope,
					const struct pms_counts *counts, const char *name)
{
	int64_t event = pms_catalog_find_event(counts->catalog, name);
	assert_true(event >= 0);
	return &scope->counts[event];
}

static struct pms_counts *counts_at(struct pms_perf_stat *stat, int interval)
{
	struct pms_counts *counts = NULL;
	assert_int_equal(interval < 0
				 ? pms_perf_stat_total(stat, &counts, NULL)
				 : pms_perf_stat_interval(stat, (size_t)interval, &counts, NULL),
			 0);
	return counts;
}

/* CPUs add up; operations had a counter for a quarter of the time: 100 + 50 are 600 scaled up. */
static void the_whole_is_the_sum_of_cpus(void **state)
{
	struct fixture *f = *state;
	begin(f);
	config(f, GLOBAL, 0);
	stat(f, 10, 0, 1000, 400, 400);
	stat(f, 11, 1, 234, 600, 600);
	stat(f, 20, 0, 100, 400, 100);
	stat(f, 21, 1, 50, 600, 150);
	round_ends(f, FINAL, 2000000000);
	struct pms_perf_stat *got = read_back(f, NULL);
	assert_non_null(got);
	assert_int_equal(pms_perf_stat_intervals(got), 0);
	struct pms_counts *counts = counts_at(got, -1);
	const struct pms_count *cycles = count_of(&counts->total, counts, "CPU_CYCLES");
	assert_int_equal(cycles->value, 1234);
	assert_int_equal(cycles->enabled_ns, 1000);
	assert_int_equal(cycles->running_ns, 1000);
	const struct pms_count *ops = count_of(&counts->total, counts, "OP_SPEC");
	assert_int_equal(ops->value, 150);
	assert_int_equal(ops->running_ns, 250);
	assert_int_equal(ops->enabled_ns, 1000);
	assert_true(ops->scaled > 599.9999 && ops->scaled < 600.0001);
	assert_int_equal(count_of(&counts->total, counts, "STALL_SLOT")->state, PMS_NOT_SUPPORTED);
	assert_int_equal(counts->n_scopes, 0);
	assert_string_equal(counts->provenance.command[3], "./prog");
	assert_string_equal(counts->provenance.file, "stat.data");
	pms_counts_free(counts);
	pms_perf_stat_free(got);
}

/* The file has what the counters had reached, the interval what they gained; what follows the last
 * round is of no interval. */
static void intervals_are_differences(void **state)
{
	struct fixture *f = *state;
	begin(f);
	config(f, NONE, 100);
	for (uint64_t i = 1; i <= 3; i++) {
		stat(f, 10, 0, 100 * i * i, 100 * i, 100 * i);
		stat(f, 11, 1, 7 * i, 100 * i, 100 * i);
		if (i < 3)
			round_ends(f, INTERVAL, 100000000 * i);
	}
	struct pms_perf_stat *got = read_back(f, NULL);
	assert_non_null(got);
	assert_int_equal(pms_perf_stat_intervals(got), 2);
	struct pms_counts *counts = counts_at(got, 1);
	assert_true(counts->time > 0.1999 && counts->time < 0.2001);
	assert_int_equal(counts->n_scopes, 2);
	assert_int_equal(counts->scopes[0].kind, PMS_SCOPE_CPU);
	assert_int_equal(count_of(&counts->scopes[0], counts, "CPU_CYCLES")->value, 300);
	assert_int_equal(count_of(&counts->scopes[1], counts, "CPU_CYCLES")->value, 7);
	assert_int_equal(count_of(&counts->total, counts, "CPU_CYCLES")->value, 307);
	pms_counts_free(counts);
	counts = counts_at(got, -1);
	assert_int_equal(count_of(&counts->total, counts, "CPU_CYCLES")->value, 400 + 14);
	pms_counts_free(counts);
	pms_perf_stat_free(got);
}

/* perf was killed before it ended the round. */
static void a_file_that_was_cut_has_what_is_there(void **state)
{
	struct fixture *f = *state;
	begin(f);
	config(f, GLOBAL, 0);
	stat(f, 10, 0, 5, 10, 10);
	struct pms_perf_stat *got = read_back(f, NULL);
	assert_non_null(got);
	struct pms_counts *counts = counts_at(got, -1);
	assert_int_equal(count_of(&counts->total, counts, "CPU_CYCLES")->value, 5);
	pms_counts_free(counts);
	pms_perf_stat_free(got);
}

static void what_never_ran_was_not_counted(void **state)
{
	struct fixture *f = *state;
	begin(f);
	config(f, GLOBAL, 0);
	stat(f, 10, 0, 0, 10, 0);
	round_ends(f, FINAL, 1000);
	struct pms_perf_stat *got = read_back(f, NULL);
	assert_non_null(got);
	struct pms_counts *counts = counts_at(got, -1);
	assert_int_equal(count_of(&counts->total, counts, "CPU_CYCLES")->state, PMS_NOT_COUNTED);
	pms_counts_free(counts);
	pms_perf_stat_free(got);
}

static void refused(struct fixture *f, const char *text)
{
	struct pms_error err = { 0 };
	assert_null(read_back(f, &err));
	assert_non_null(strstr(err.text, text));
	assert_string_equal(err.source, "stat.data");
}

static void what_makes_no_sense_is_refused(void **state)
{
	struct fixture *f = *state;
	static const uint64_t lies[] = { UINT64_MAX, 0, 1 }, shorter[] = { 10, 0 };
	begin(f);
	refused(f, "a perf.data file without counts");
	begin(f);
	put(f, CONFIG, lies, 3);
	refused(f, "STAT_CONFIG");
	begin(f);
	put(f, STAT, shorter, 2);
	refused(f, "a STAT record that is cut off");
	begin(f);
	put(f, ROUND, shorter, 1);
	refused(f, "a STAT_ROUND record that is cut off");
	begin(f);
	stat(f, 99, 0, 1, 1, 1);
	refused(f, "a STAT record of no event");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_whole_is_the_sum_of_cpus),	     TEST(intervals_are_differences),
		TEST(a_file_that_was_cut_has_what_is_there), TEST(what_never_ran_was_not_counted),
		TEST(what_makes_no_sense_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
