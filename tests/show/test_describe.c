/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "fixture.h"
#include "show/caveat.h"
#include "show/page.h"
#include "show/subject.h"

/* To be freed. */
static char *describe(const struct fixture *f, const char *name, enum pms_format format, int *rc,
		      struct pms_error *err)
{
	struct pms_show_options options = { .format = format };
	struct fixture_text to;
	FILE *out = fixture_open(&to);
	*rc = pms_show_description(out, f->catalog, NULL, &name, 1, &options, err);
	return fixture_close(&to);
}

static json_t *described(const struct fixture *f, const char *name, size_t i)
{
	int rc;
	char *text = describe(f, name, PMS_FORMAT_JSON, &rc, NULL);
	json_t *root = json_loads(text, 0, NULL);
	assert_int_equal(rc, 0);
	assert_non_null(root);
	json_t *object = json_incref(json_array_get(json_object_get(root, "described"), i));
	json_decref(root);
	free(text);
	return object;
}

static int array_is(json_t *object, const char *key, const char *const *want)
{
	json_t *array = json_object_get(object, key);
	size_t n = 0;
	for (; want[n]; n++) {
		const char *text = json_string_value(json_array_get(array, n));
		if (!text || strcmp(text, want[n]) != 0)
			return 0;
	}
	return json_array_size(array) == n;
}

static void an_event_is_linked_to_all_that_knows_it(void **state)
{
	json_t *event = described(*state, "LL_CACHE_RD", 0);
	assert_string_equal(json_string_value(json_object_get(event, "kind")), "event");
	assert_true(array_is(event, "groups", (const char *[]){ "Cache", NULL }));
	assert_true(array_is(event, "metrics", (const char *[]){ "ll_reads", NULL }));
	json_t *relations = json_object_get(event, "relations");
	assert_int_equal(json_array_size(relations), 1);
	json_t *relation = json_array_get(relations, 0);
	assert_string_equal(json_string_value(json_object_get(relation, "kind")), "at_least");
	json_t *condition = json_object_get(relation, "condition");
	assert_string_equal(json_string_value(json_object_get(condition, "errata")), "4711");
	json_t *caveats = json_object_get(event, "caveats");
	assert_int_equal(json_array_size(caveats), 2);
	assert_true(json_is_null(json_object_get(json_array_get(caveats, 1), "condition")));
	assert_true(json_is_null(json_object_get(event, "model")));
	json_decref(event);
}

static void a_metric_has_the_caveats_of_its_events(void **state)
{
	json_t *metric = described(*state, "l1d_mpki", 0);
	assert_string_equal(json_string_value(json_object_get(metric, "kind")), "metric");
	assert_int_equal(json_array_size(json_object_get(metric, "caveats")), 1);
	assert_true(array_is(metric, "groups",
			     (const char *[]){ "MPKI", "Cache_Effectiveness", NULL }));
	json_decref(metric);
	metric = described(*state, "ipc", 0);
	assert_int_equal(json_array_size(json_object_get(metric, "caveats")), 0);
	json_decref(metric);
}

static void names_are_found_however_they_are_written(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *word;
		size_t count;
		enum pms_subject_kind kind;
	} cases[] = {
		{ "cpu_cycles", 1, PMS_SUBJECT_EVENT }, { "0x11", 1, PMS_SUBJECT_EVENT },
		{ "r11", 1, PMS_SUBJECT_EVENT },	{ "IPC", 1, PMS_SUBJECT_METRIC },
		{ "branch", 1, PMS_SUBJECT_GROUP },	{ "mpki", 1, PMS_SUBJECT_GROUP },
		{ "DEMO", 1, PMS_SUBJECT_CPU },		{ "nothing", 0, PMS_SUBJECT_CPU },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_subject found[PMS_SUBJECTS_MAX];
		size_t n = pms_subjects_find(f->catalog, cases[i].word, found);
		if (n != cases[i].count || (n && found[0].kind != cases[i].kind))
			fail_msg("%s: %zu", cases[i].word, n);
	}
}

static void what_is_not_there_is_met_with_the_nearest(void **state)
{
	struct pms_error err = { 0 }, csv = { 0 };
	int rc;
	free(describe(*state, "CPU_CYCELS", PMS_FORMAT_TABLE, &rc, &err));
	assert_int_equal(rc, -PMS_ENAME);
	assert_string_equal(err.text, "demo has no event, metric or group CPU_CYCELS");
	assert_non_null(strstr(err.hint, "did you mean CPU_CYCLES?"));
	free(describe(*state, "CPU_CYCLES", PMS_FORMAT_CSV, &rc, &csv));
	assert_int_equal(rc, -PMS_EINVAL);
}

/* Nothing is written when one of the names is wrong. */
static void all_names_are_looked_up_first(void **state)
{
	struct fixture *f = *state;
	static const char *const names[] = { "ipc", "nothing" };
	struct fixture_text to;
	FILE *out = fixture_open(&to);
	assert_int_equal(pms_show_description(out, f->catalog, NULL, names, 2, NULL, NULL),
			 -PMS_ENAME);
	char *text = fixture_close(&to);
	assert_string_equal(text, "");
	free(text);
}

static void footnotes_have_letters(void **state)
{
	(void)state;
	static const struct {
		size_t i;
		const char *letters;
	} cases[] = { { 0, "a" },   { 25, "z" },   { 26, "aa" },
		      { 27, "ab" }, { 701, "zz" }, { 702, "aaa" } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[PMS_LETTERS_MAX];
		pms_page_letters(text, cases[i].i);
		assert_string_equal(text, cases[i].letters);
	}
}

/* What the footnotes on @metric say, with line breaks. */
static void notes_are(const struct fixture *f, const char *metric, const unsigned char *shown,
		      const char *want)
{
	static const struct pms_show_options options;
	struct pms_outline outline;
	const char *const *notes;
	char text[512] = "";
	pms_outline_init(&outline, &options);
	size_t n = pms_caveat_notes(outline.root, f->catalog,
				    pms_catalog_metric(f->catalog, fixture_metric(f, metric)),
				    shown, &notes);
	for (size_t i = 0; i < n; i++) {
		strcat(text, notes[i]);
		strcat(text, "\n");
	}
	assert_string_equal(text, want);
	pms_outline_release(&outline);
}

static void a_metric_has_notes_on_its_caveats(void **state)
{
	struct fixture *f = *state;
	notes_are(f, "l1d_mpki", NULL, "L1D_CACHE_REFILL, LL_CACHE_RD: A refill is a line.\n");
	notes_are(f, "ll_reads", NULL,
		  "LL_CACHE_RD, where near: Stays at zero.\n"
		  "L1D_CACHE_REFILL, LL_CACHE_RD: A refill is a line.\n");
	notes_are(f, "ipc", NULL, "");
}

/* The events that there are numbers of are named before others. */
static void a_footnote_names_what_is_shown(void **state)
{
	struct fixture *f = *state;
	unsigned char *shown = calloc(pms_catalog_events(f->catalog), 1);
	assert_non_null(shown);
	shown[pms_catalog_find_event(f->catalog, "LL_CACHE_RD")] = 1;
	notes_are(f, "l1d_mpki", shown, "LL_CACHE_RD, L1D_CACHE_REFILL: A refill is a line.\n");
	free(shown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_event_is_linked_to_all_that_knows_it,
						fixture_begin, fixture_end),
		cmocka_unit_test_setup_teardown(a_metric_has_the_caveats_of_its_events,
						fixture_begin, fixture_end),
		cmocka_unit_test_setup_teardown(names_are_found_however_they_are_written,
						fixture_begin, fixture_end),
		cmocka_unit_test_setup_teardown(what_is_not_there_is_met_with_the_nearest,
						fixture_begin, fixture_end),
		cmocka_unit_test_setup_teardown(all_names_are_looked_up_first, fixture_begin,
						fixture_end),
		cmocka_unit_test_setup_teardown(a_metric_has_notes_on_its_caveats, fixture_begin,
						fixture_end),
		cmocka_unit_test_setup_teardown(a_footnote_names_what_is_shown, fixture_begin,
						fixture_end),
		cmocka_unit_test(footnotes_have_letters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
