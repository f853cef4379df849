/* SPDX-License-Identifier: MIT */
/* JSON and CSV as a program reads them. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "fixture.h"
#include "show/csv.h"

/* To be freed. */
static char *show(struct fixture *f, struct pms_show_options options)
{
	struct fixture_text to;
	FILE *out = fixture_open(&to);
	assert_int_equal(pms_show_report(out, &f->report, &f->scopes, &options, NULL), 0);
	return fixture_close(&to);
}

static json_t *show_json(struct fixture *f, struct pms_show_options options)
{
	json_error_t error;
	options.format = PMS_FORMAT_JSON;
	char *text = show(f, options);
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		fail_msg("%d:%d: %s", error.line, error.column, error.text);
	free(text);
	return root;
}

/* The element of @array whose "name" is @name. */
static json_t *named(json_t *array, const char *name)
{
	size_t i;
	json_t *element;
	json_array_foreach(array, i,
			   element) if (!strcmp(json_string_value(json_object_get(element, "name")),
						name)) return element;
	fail_msg("nothing is named %s", name);
	return NULL;
}

static void json_has_the_documented_keys(void **state)
{
	static const struct {
		const char *key;
		json_type type;
	} keys[] = {
		{ "pmuscope", JSON_OBJECT },
		{ "catalog", JSON_OBJECT },
		{ "source", JSON_STRING },
		{ "modelled", JSON_TRUE },
		{ "command", JSON_ARRAY },
		{ "slots_per_cycle", JSON_INTEGER },
		{ "counters_available", JSON_INTEGER },
		{ "events", JSON_ARRAY },
		{ "metrics", JSON_ARRAY },
		{ "findings", JSON_ARRAY },
		{ "warnings", JSON_ARRAY },
		{ "scopes", JSON_ARRAY },
		{ "exit_status", JSON_INTEGER },
		{ "model", JSON_OBJECT },
		{ "caveats", JSON_ARRAY },
	};
	json_t *root = show_json(*state, (struct pms_show_options){ .scopes = 1 });
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		json_t *value = json_object_get(root, keys[i].key);
		if (!value || json_typeof(value) != keys[i].type)
			fail_msg("%s is missing or of the wrong type", keys[i].key);
	}
	assert_int_equal(json_array_size(json_object_get(root, "warnings")), 2);
	assert_int_equal(json_array_size(json_object_get(root, "scopes")), 2);
	assert_int_equal(json_integer_value(json_object_get(
				 json_array_get(json_object_get(root, "scopes"), 1), "thread")),
			 12);
	json_decref(root);
}

/* What a model cannot show does not matter to what was measured. */
static void json_says_what_a_model_does_not_show(void **state)
{
	struct fixture *f = *state;
	for (int modelled = 0; modelled < 2; modelled++) {
		f->counts->provenance.modelled = modelled;
		json_t *root = show_json(f, (struct pms_show_options){ 0 });
		json_t *findings = json_object_get(root, "findings");
		json_t *first = json_object_get(json_array_get(findings, 0), "unmodelled");
		if (modelled)
			assert_string_equal(json_string_value(first),
					    "The demo model knows no selections.");
		else
			assert_true(json_is_null(first));
		assert_true(
			json_is_null(json_object_get(json_array_get(findings, 1), "unmodelled")));
		json_decref(root);
	}
}

/* The value stays: 0.1 of a program's instructions is for the reader to judge. */
static void json_says_what_is_of_hardly_any(void **state)
{
	struct fixture *f = *state;
	fixture_result(f, "branch_mpki", "MPKI")->base = 1000;
	fixture_result(f, "l1d_mpki", "MPKI")->base = 0.09;
	json_t *root = show_json(f, (struct pms_show_options){ 0 });
	json_t *metrics = json_object_get(root, "metrics");
	assert_null(json_object_get(named(metrics, "branch_mpki"), "of_hardly_any"));
	json_t *few = named(metrics, "l1d_mpki");
	assert_true(json_real_value(json_object_get(few, "of_hardly_any")) == 0.09);
	assert_true(json_real_value(json_object_get(few, "value")) == 1e-7);
	json_decref(root);
}

static void json_numbers_are_exact(void **state)
{
	json_t *root = show_json(*state, (struct pms_show_options){ 0 });
	json_t *ipc = named(json_object_get(root, "metrics"), "ipc");
	json_t *inst = named(json_object_get(root, "events"), "INST_RETIRED");
	assert_true(json_real_value(json_object_get(ipc, "value")) == 1.234567);
	assert_int_equal(json_integer_value(json_object_get(inst, "count")), 1234567);
	assert_int_equal(json_integer_value(json_object_get(inst, "code")), 8);
	assert_true(json_is_real(
		json_object_get(named(json_object_get(root, "metrics"), "retiring"), "value")));
	json_decref(root);
}

static void json_undefined_is_null_with_a_reason(void **state)
{
	json_t *root = show_json(*state, (struct pms_show_options){ 0 });
	json_t *metric = named(json_object_get(root, "metrics"), "branch_miss_ratio");
	json_t *event = named(json_object_get(root, "events"), "LL_CACHE_RD");
	static const char *const nulls[] = { "value", "low", "high", "run_pct" };
	for (size_t i = 0; i < 4; i++)
		assert_true(json_is_null(json_object_get(metric, nulls[i])));
	assert_string_equal(json_string_value(json_object_get(metric, "because")),
			    "divides by BR_RETIRED, which is 0");
	assert_true(json_is_null(json_object_get(event, "count")));
	assert_string_equal(json_string_value(json_object_get(event, "state")), "not_modelled");
	assert_non_null(json_string_value(json_object_get(event, "because")));
	assert_null(json_object_get(named(json_object_get(root, "metrics"), "ipc"), "because"));
	json_decref(root);
}

static void json_events_are_those_asked_for(void **state)
{
	struct fixture *f = *state;
	size_t events[] = { fixture_event(f, "STALL_SLOT"), fixture_event(f, "BR_RETIRED") };
	json_t *root = show_json(f, (struct pms_show_options){ .events = events, .n_events = 2 });
	json_t *array = json_object_get(root, "events");
	assert_int_equal(json_array_size(array), 2);
	assert_string_equal(json_string_value(json_object_get(json_array_get(array, 0), "name")),
			    "STALL_SLOT");
	assert_true(json_is_null(json_object_get(json_array_get(array, 0), "count")));
	assert_int_equal(json_integer_value(json_object_get(json_array_get(array, 1), "count")), 0);
	json_decref(root);
}

static void csv_fields_are_quoted_where_needed(void **state)
{
	static const struct {
		const char *text;
		char separator;
		const char *want;
	} cases[] = {
		{ "plain", ',', "plain,end\n" },
		{ "", ',', ",end\n" },
		{ "a,b", ',', "\"a,b\",end\n" },
		{ "a,b", ';', "a,b;end\n" },
		{ "say \"x\"", ',', "\"say \"\"x\"\"\",end\n" },
		{ "a\nb", ',', "\"a\nb\",end\n" },
		{ "# no comment", ',', "\"# no comment\",end\n" },
		/* What a spreadsheet would take for a formula. */
		{ "=1+2", ',', "'=1+2,end\n" },
		{ "@sum", ',', "'@sum,end\n" },
		{ "-f(x)", ',', "'-f(x),end\n" },
		{ "+cmd|'/C calc'!A0", ',', "'+cmd|'/C calc'!A0,end\n" },
		{ "=a,b", ',', "\"'=a,b\",end\n" },
		{ "\r=a", ',', "\"'\r=a\",end\n" },
		{ "'=a", ',', "''=a,end\n" }, /* one less is the text */
		{ "'tis", ',', "'tis,end\n" },
		{ "-", ',', "'-,end\n" },
		{ "a=b", ',', "a=b,end\n" },
		{ "-12.5e-3", ',', "-12.5e-3,end\n" },
		{ "+7", ',', "+7,end\n" },
		{ "\033[1m\u202e", ',', "\033[1m\u202e,end\n" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture_text to;
		FILE *out = fixture_open(&to);
		const char *const fields[] = { cases[i].text, "end" };
		pms_csv_row(out, fields, 2,
			    &(struct pms_show_options){ .separator = cases[i].separator });
		char *text = fixture_close(&to);
		assert_string_equal(text, cases[i].want);
		free(text);
	}
}

static void csv_on_a_terminal_does_nothing_to_it(void **state)
{
	static const char *const cases[][2] = {
		{ "plain", "plain,end\n" },
		{ "caf\u00e9, \u65e5\u672c", "\"caf\u00e9, \u65e5\u672c\",end\n" },
		{ "\033]0;x\007", "\"\\x1b]0;x\\x07\",end\n" },
		{ "a\u202eb \"c\"", "\"a\\xe2\\x80\\xaeb \"\"c\"\"\",end\n" },
		{ "\xff", "\"\\xff\",end\n" },
		{ "a\nb", "\"a b\",end\n" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture_text to;
		FILE *out = fixture_open(&to);
		const char *const fields[] = { cases[i][0], "end" };
		pms_csv_row(out, fields, 2,
			    &(struct pms_show_options){ .separator = ',', .terminal = 1 });
		char *text = fixture_close(&to);
		assert_string_equal(text, cases[i][1]);
		free(text);
	}
}

static void csv_rows_have_every_column(void **state)
{
	char *text =
		show(*state, (struct pms_show_options){
				     .format = PMS_FORMAT_CSV, .separator = ';', .scopes = 1 });
	unsigned rows = 0;
	for (char *line = text; *line; line += strcspn(line, "\n") + 1) {
		unsigned separators = 0;
		if (*line == '#')
			continue;
		for (size_t i = 0; line[i] != '\n'; i++)
			separators += line[i] == ';';
		assert_int_equal(separators, 14);
		rows++;
	}
	/* The names, then 5 events and 13 metrics of the total and of 2 threads. */
	assert_int_equal(rows, 1 + 3 * (5 + 13));
	free(text);
}

/* The value stays, as in JSON; the last column says that it stands for nothing. */
static void csv_says_what_is_of_hardly_any(void **state)
{
	struct fixture *f = *state;
	fixture_result(f, "branch_mpki", "MPKI")->base = 1000;
	fixture_result(f, "l1d_mpki", "MPKI")->base = 0.09;
	char *text = show(f, (struct pms_show_options){ .format = PMS_FORMAT_CSV });
	char *few = strstr(text, "l1d_mpki,1e-07,"), *many = strstr(text, "branch_mpki,");
	assert_non_null(strstr(text, ",run_pct,of_hardly_any\n"));
	assert_non_null(few);
	assert_non_null(many);
	*strchr(few, '\n') = *strchr(many, '\n') = '\0';
	assert_string_equal(strrchr(few, ','), ",0.09");
	assert_string_equal(strrchr(many, ','), ",");
	free(text);
}

static void every_format_says_modelled_and_which_core(void **state)
{
	for (int format = PMS_FORMAT_TABLE; format <= PMS_FORMAT_CSV; format++) {
		char *text = show(*state,
				  (struct pms_show_options){ .format = (enum pms_format)format });
		assert_non_null(strstr(text, "Demo One, modelled (core model 3), not measured"));
		free(text);
	}
}

static void what_was_measured_is_not_called_modelled(void **state)
{
	struct fixture *f = *state;
	f->counts->provenance.modelled = 0;
	for (int format = PMS_FORMAT_TABLE; format <= PMS_FORMAT_CSV; format++) {
		char *text =
			show(f, (struct pms_show_options){ .format = (enum pms_format)format });
		assert_non_null(strstr(text, "Demo One, measured"));
		assert_null(strstr(text, "(core model"));
		free(text);
	}
}

static void a_full_disk_is_an_error(void **state)
{
	struct fixture *f = *state;
	for (int format = PMS_FORMAT_TABLE; format <= PMS_FORMAT_CSV; format++) {
		struct pms_show_options options = { .format = (enum pms_format)format };
		struct pms_error err = { 0 };
		FILE *out = fopen("/dev/full", "w");
		if (!out)
			skip();
		assert_int_equal(pms_show_report(out, &f->report, NULL, &options, &err), -PMS_EIO);
		assert_int_equal(err.status, PMS_EIO);
		fclose(out);
	}
}

/* 500 seen in half of 100 ms are 1000, in every format; what a counter read stays beside it. The
 * ends are the roots of (1000 - N)^2 = z^2 (N + 0.04 N^2): 715 and 1,653. */
static void what_was_scaled_is_shown_scaled(void **state)
{
	struct fixture *f = *state;
	size_t event = fixture_event(f, "INST_RETIRED");
	struct pms_show_options options = { .events = &event, .n_events = 1, .width = 100 };
	f->counts->total.counts[event] = (struct pms_count){
		.state = PMS_COUNTED, .value = 500, .enabled_ns = 100000000, .running_ns = 50000000
	};
	f->report.n_results = f->report.n_findings = 0;
	json_t *root = show_json(f, options);
	json_t *inst = named(json_object_get(root, "events"), "INST_RETIRED");
	assert_int_equal(json_integer_value(json_object_get(inst, "count")), 1000);
	assert_int_equal(json_integer_value(json_object_get(inst, "raw")), 500);
	assert_true(json_real_value(json_object_get(inst, "scaled")) == 1000);
	assert_string_equal(json_string_value(json_object_get(inst, "state")), "scaled");
	assert_true(fabs(json_real_value(json_object_get(inst, "low")) - 714.9) < 0.1);
	assert_true(fabs(json_real_value(json_object_get(inst, "high")) - 1652.7) < 0.1);
	json_decref(root);
	options.format = PMS_FORMAT_CSV;
	char *text = show(f, options);
	assert_non_null(strstr(text, "event,,,,,,,INST_RETIRED,1000,events,714.9"));
	assert_non_null(strstr(text, ",scaled,50,\n"));
	free(text);
	options.format = PMS_FORMAT_TABLE;
	options.view = PMS_VIEW_STAT;
	text = show(f, options);
	assert_non_null(strstr(text, "1,000"));
	assert_non_null(strstr(text, "measured (715 ... 1,653, ran 50 %)"));
	free(text);
}

/* Where the machine has a locale with a decimal comma; elsewhere this shows nothing. */
static void the_locale_does_not_change_numbers(void **state)
{
	struct pms_show_options options = { .format = PMS_FORMAT_CSV };
	char *want = show(*state, options);
	setlocale(LC_ALL, "de_DE.UTF-8");
	char *got = show(*state, options);
	setlocale(LC_ALL, "C");
	assert_string_equal(got, want);
	free(got);
	free(want);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fixture_begin, fixture_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(json_has_the_documented_keys),
		CASE(json_says_what_a_model_does_not_show),
		CASE(json_says_what_is_of_hardly_any),
		CASE(json_numbers_are_exact),
		CASE(json_undefined_is_null_with_a_reason),
		CASE(json_events_are_those_asked_for),
		CASE(csv_fields_are_quoted_where_needed),
		cmocka_unit_test(csv_on_a_terminal_does_nothing_to_it),
		CASE(csv_rows_have_every_column),
		CASE(csv_says_what_is_of_hardly_any),
		CASE(every_format_says_modelled_and_which_core),
		CASE(what_was_measured_is_not_called_modelled),
		CASE(what_was_scaled_is_shown_scaled),
		CASE(a_full_disk_is_an_error),
		CASE(the_locale_does_not_change_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
