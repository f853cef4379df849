/* SPDX-License-Identifier: MIT */
/* The table over a core whose Stage 1 is of cycles, not of slots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"
#include "pmuscope/pmuscope.h"

static void set(struct pms_catalog *catalog, struct pms_counts *counts, const char *name,
		uint64_t value)
{
	int64_t event = pms_catalog_find_event(catalog, name);
	assert_true(event >= 0);
	counts->total.counts[event] =
		(struct pms_count){ .state = PMS_COUNTED, .cls = PMS_COUNT_EXACT, .value = value };
}

/* To be freed. */
static char *show(const struct pms_counts *counts)
{
	static const struct pms_show_options options = { .width = 200, .ascii = 1 };
	struct pms_report *report = NULL;
	struct fixture_text to;
	FILE *out = fixture_open(&to);
	assert_int_equal(pms_analyse(counts, &counts->total, NULL, &report, NULL), 0);
	assert_int_equal(pms_show_report(out, report, NULL, &options, NULL), 0);
	char *text = fixture_close(&to);
	pms_report_free(report);
	return text;
}

static void findings_are_in_the_unit_of_their_metric(void **state)
{
	(void)state;
	struct pms_catalog *catalog = NULL;
	assert_int_equal(pms_catalog_load(PMS_TEST_DATA "/../..", "neoverse-n1", &catalog, NULL),
			 0);
	struct pms_counts *counts = pms_counts_new(catalog);
	assert_non_null(counts);
	set(catalog, counts, "CPU_CYCLES", 10000);
	set(catalog, counts, "STALL_FRONTEND", 500);
	set(catalog, counts, "STALL_BACKEND", 4250);
	char *text = show(counts);
	assert_non_null(strstr(text, "Where the pipeline stalled"));
	assert_non_null(strstr(text, "Backend Stalled Cycles 42.5 % of cycles"));
	assert_non_null(strstr(text, "counts no slots"));
	assert_null(strstr(text, "% of slots"));
	free(text);
	pms_counts_free(counts);
	pms_catalog_free(catalog);
}

/* Of 100,000 instructions 3 or 30 read the last level, and all of these went on to memory. */
static void a_ratio_of_hardly_any_is_not_shown(void **state)
{
	(void)state;
	struct pms_catalog *catalog = NULL;
	assert_int_equal(pms_catalog_load(PMS_TEST_DATA "/../..", "neoverse-n1", &catalog, NULL),
			 0);
	for (uint64_t reads = 3; reads <= 30; reads += 27) {
		struct pms_counts *counts = pms_counts_new(catalog);
		assert_non_null(counts);
		set(catalog, counts, "CPU_CYCLES", 100000);
		set(catalog, counts, "INST_RETIRED", 100000);
		set(catalog, counts, "STALL_BACKEND", 50000);
		set(catalog, counts, "LL_CACHE_RD", reads);
		set(catalog, counts, "LL_CACHE_MISS_RD", reads);
		char *text = show(counts);
		char *line = strstr(text, "LL Cache Read Miss Ratio");
		assert_non_null(line);
		line[strcspn(line, "\n")] = 0;
		assert_int_equal(strstr(line, "of hardly any: 0.0300 in 1000 instructions") != NULL,
				 reads == 3);
		assert_int_equal(strstr(line, "1.000") != NULL, reads == 30);
		free(text);
		pms_counts_free(counts);
	}
	pms_catalog_free(catalog);
}

/* xargs makes lines of 100000 words. */
static void a_long_command_does_not_bury_the_report(void **state)
{
	(void)state;
	enum { WORDS = 300 };
	struct pms_catalog *catalog = NULL;
	assert_int_equal(pms_catalog_load(PMS_TEST_DATA "/../..", "neoverse-n1", &catalog, NULL),
			 0);
	struct pms_counts *counts = pms_counts_new(catalog);
	assert_non_null(counts);
	counts->provenance.command = calloc(WORDS + 1, sizeof(char *));
	for (size_t i = 0; i < WORDS; i++)
		counts->provenance.command[i] = strdup("seven-7");
	char *text = show(counts);
	const char *line = strstr(text, "Command: ");
	assert_non_null(line);
	assert_in_range(strcspn(line, "\n"), 1000, 1100);
	assert_non_null(strstr(line, "of 300 words"));
	free(text);
	pms_counts_free(counts);
	pms_catalog_free(catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_are_in_the_unit_of_their_metric),
		cmocka_unit_test(a_ratio_of_hardly_any_is_not_shown),
		cmocka_unit_test(a_long_command_does_not_bury_the_report),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
