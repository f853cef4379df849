/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "fixture.h"
#include "show/render.h"
#include "show/size.h"

/* Of neoverse-v1, but for the last; 0: not counted. */
static const struct {
	uint64_t instructions, cycles, threads[3];
	const char *text; /* NULL: no line */
	const char *run;
} cases[] = {
	{ 10551234,
	  266204999,
	  { 266204999 },
	  "10.55 M instructions in 266.2 M cycles, IPC 0.0396, 1 thread",
	  NULL },
	{ 7075,
	  12044,
	  { 12044 },
	  "7,075 instructions in 12,044 cycles, IPC 0.5874, 1 thread",
	  NULL },
	{ 4000000000,
	  2000000000,
	  { 500000, 1499000000, 500000 },
	  "4.000 G instructions in 2.000 G cycles, IPC 2.000, 3 threads, the longest of 1.499 G "
	  "cycles",
	  "{\"instructions\":4000000000,\"cycles\":2000000000,\"ipc\":2.0,\"threads\":3,"
	  "\"longest_thread_cycles\":1499000000}" },
	{ 999999, 1000000, { 0 }, "999,999 instructions in 1.000 M cycles, IPC 1.0000", NULL },
	{ 5, 0, { 0 }, "5 instructions", NULL },
	{ 0,
	  5,
	  { 0 },
	  "5 cycles",
	  "{\"instructions\":null,\"cycles\":5,\"ipc\":null,\"threads\":null,"
	  "\"longest_thread_cycles\":null}" },
	{ 0, 0, { 0 }, NULL, NULL },
};

static void count(struct pms_scope *scope, const struct pms_catalog *catalog, const char *name,
		  uint64_t value)
{
	int64_t event = pms_catalog_find_event(catalog, name);
	assert_true(event >= 0);
	if (value)
		scope->counts[event] = (struct pms_count){ .state = PMS_COUNTED, .value = value };
}

static struct pms_counts *counts_of(const struct pms_catalog *catalog, size_t i)
{
	struct pms_counts *counts = pms_counts_new(catalog);
	count(&counts->total, catalog, "INST_RETIRED", cases[i].instructions);
	count(&counts->total, catalog, "CPU_CYCLES", cases[i].cycles);
	for (size_t k = 0; k < 3 && cases[i].threads[k]; k++) {
		struct pms_scope *scope =
			pms_counts_add_scope(counts, PMS_SCOPE_THREAD, (int64_t)k + 1);
		count(scope, catalog, "INST_RETIRED", 1);
		count(scope, catalog, "CPU_CYCLES", cases[i].threads[k]);
	}
	return counts;
}

static struct pms_catalog *load(const char *name)
{
	struct pms_catalog *catalog = NULL;
	assert_int_equal(pms_catalog_load(PMS_TEST_DATA "/../..", name, &catalog, NULL), 0);
	return catalog;
}

static int build_size(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	(void)err;
	pms_size_put(outline->root, subject);
	return 0;
}

static json_t *show_size(struct pms_counts *counts)
{
	struct fixture_text to;
	FILE *out = fixture_open(&to);
	struct pms_show_options json = { .format = PMS_FORMAT_JSON };
	assert_non_null(out);
	assert_int_equal(pms_show_built(out, &json, build_size, counts, NULL), 0);
	char *text = fixture_close(&to);
	json_t *root = json_loads(text, 0, NULL);
	assert_non_null(root);
	free(text);
	return root;
}

static void runs_have_a_size(void **state)
{
	(void)state;
	struct pms_catalog *catalog = load("neoverse-v1");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256] = "";
		struct pms_counts *counts = counts_of(catalog, i);
		int told = pms_size_line(text, sizeof(text), counts);
		if (told != (cases[i].text != NULL) || (told && strcmp(text, cases[i].text) != 0))
			fail_msg("case %zu: %s", i, text);
		if (cases[i].run) {
			json_t *root = show_size(counts);
			char *run = json_dumps(json_object_get(root, "run"),
					       JSON_COMPACT | JSON_REAL_PRECISION(11));
			assert_string_equal(run, cases[i].run);
			free(run);
			json_decref(root);
		}
		pms_counts_free(counts);
	}
	pms_catalog_free(catalog);
}

/* Half of the time without a counter; a thread that did not run where it is counted. */
static void what_is_estimated_says_so(void **state)
{
	(void)state;
	struct pms_catalog *catalog = load("neoverse-v1");
	struct pms_counts *counts = pms_counts_new(catalog);
	count(&counts->total, catalog, "INST_RETIRED", 30);
	count(&counts->total, catalog, "CPU_CYCLES", 20);
	struct pms_count *cycles =
		&counts->total.counts[pms_catalog_find_event(catalog, "CPU_CYCLES")];
	cycles->enabled_ns = 2000;
	cycles->running_ns = 1000;
	struct pms_scope *idle = pms_counts_add_scope(counts, PMS_SCOPE_THREAD, 1);
	idle->counts[pms_catalog_find_event(catalog, "INST_RETIRED")].state = PMS_COUNTED;
	for (int i = 0; i < 2; i++)
		pms_counts_add_scope(counts, PMS_SCOPE_CPU, i);
	char text[256];
	assert_int_equal(pms_size_line(text, sizeof(text), counts), 1);
	assert_string_equal(text, "30 instructions in some 40 cycles, IPC 0.7500, 2 CPUs");
	pms_counts_free(counts);
	pms_catalog_free(catalog);
}

static void other_architectures_have_other_names(void **state)
{
	(void)state;
	struct pms_catalog *catalog = load("riscv");
	struct pms_counts *counts = pms_counts_new(catalog);
	char text[256];
	count(&counts->total, catalog, "INST.RET", 30);
	count(&counts->total, catalog, "CYCLES.HART", 20);
	assert_int_equal(pms_size_line(text, sizeof(text), counts), 1);
	assert_string_equal(text, "30 instructions in 20 cycles, IPC 1.500");
	pms_counts_free(counts);
	pms_catalog_free(catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_have_a_size),
		cmocka_unit_test(what_is_estimated_says_so),
		cmocka_unit_test(other_architectures_have_other_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
