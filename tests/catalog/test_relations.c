/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "catalog/catalog.h"

static const char telemetry[] =
	"{\"document\": {}, \"product_configuration\": {\"product_name\": \"T\"}, \"groups\": {},"
	" \"events\": {\"A\": {\"code\": \"0x11\"}, \"B\": {\"code\": \"0x0012\", \"properties\":"
	" {\"aliases\": [\"OLD_B\", \"A\"]}}, \"C\": {}, \"R1\": {\"code\": 255}},"
	" \"metrics\": {\"ab\": {\"title\": \"\", \"description\": \"\", \"units\": \"\","
	" \"formula\": \"B / A\"}, \"c\": {\"title\": \"\", \"description\": \"\","
	" \"units\": \"\", \"formula\": \"C\"}}}";

static struct pms_catalog *build(void)
{
	struct pms_catalog *catalog = NULL;
	struct pms_json json;
	struct pms_error err = { 0 };
	if (pms_json_parse("telemetry.json", telemetry, strlen(telemetry), &json, &err) ||
	    pms_catalog_build("t", &json, &catalog, &err))
		fail_msg("%s", err.text);
	pms_json_release(&json);
	return catalog;
}

static int add(struct pms_catalog *catalog, const char *file, const char *text,
	       struct pms_error *err)
{
	struct pms_json json;
	int rc = pms_json_parse(file, text, strlen(text), &json, err);
	if (!rc)
		rc = pms_catalog_add(catalog, file, &json, err);
	pms_json_release(&json);
	return rc;
}

static void relations_are_read(void **state)
{
	(void)state;
	static const char text[] =
		"{\"source\": \"The Guide\", \"configurations\": {\"x\": \"X is on\", \"y\": "
		"\"Y\"},"
		" \"relations\": ["
		"{\"id\": \"s\", \"kind\": \"sum\", \"lhs\": \"A\", \"rhs\": \"C + 2 * B\","
		" \"condition\": null, \"section\": \"4.1\", \"note\": \"Why.\","
		" \"origin\": \"document\"},"
		"{\"id\": \"n\", \"kind\": \"never\", \"lhs\": \"C\", \"rhs\": \"0\","
		" \"condition\": {\"configuration\": \"x and y\", \"errata\": \"123\","
		" \"before\": \"r4p0\"}, \"section\": \"ARM\", \"note\": \"\","
		" \"origin\": \"architecture\"}]}";
	struct pms_catalog *catalog = build();
	struct pms_error err = { 0 };
	if (add(catalog, "relations.json", text, &err))
		fail_msg("%s", err.text);
	assert_string_equal(pms_catalog_relations_source(catalog), "The Guide");
	assert_int_equal(pms_catalog_relations(catalog), 2);
	const struct pms_relation *r = pms_catalog_relation(catalog, 0);
	assert_string_equal(r->id, "s");
	assert_int_equal(r->kind, PMS_RELATION_SUM);
	assert_string_equal(pms_relation_sign(r->kind), "=");
	assert_string_equal(r->rhs.text, "C + 2 * B");
	assert_int_equal(r->rhs.n_events, 2);
	assert_int_equal(r->rhs.events[0], 2); /* C comes first in the formula */
	assert_int_equal(r->rhs.events[1], 1);
	assert_null(r->condition.configuration);
	assert_null(r->condition.errata);
	assert_string_equal(r->section, "4.1");
	assert_string_equal(r->note, "Why.");
	assert_int_equal(r->architecture, 0);
	r = pms_catalog_relation(catalog, 1);
	assert_string_equal(r->condition.configuration, "x and y");
	assert_string_equal(r->condition.errata, "123");
	assert_string_equal(r->condition.before, "r4p0");
	assert_int_equal(r->architecture, 1);
	assert_int_equal(r->rhs.n_events, 0);
	assert_true(pms_relation_has(r, 2));
	assert_false(pms_relation_has(r, 1));
	assert_null(pms_catalog_relation(catalog, 2));
	assert_int_equal(pms_catalog_configurations(catalog), 2);
	assert_string_equal(pms_catalog_configuration(catalog, 0)->text, "X is on");
	pms_catalog_free(catalog);
}

static void caveats_belong_to_events_and_their_metrics(void **state)
{
	(void)state;
	struct pms_catalog *catalog = build();
	assert_int_equal(add(catalog, "relations.json",
			     "{\"configurations\": {\"x\": \"X\"}, \"relations\": []}", NULL),
			 0);
	assert_int_equal(
		add(catalog, "caveats.json",
		    "{\"source\": \"G\", \"caveats\": [{\"id\": \"k\", \"events\": [\"a\"],"
		    " \"condition\": {\"configuration\": \"x\"}, \"text\": \"Not all.\","
		    " \"section\": \"9\"}]}",
		    NULL),
		0);
	assert_int_equal(pms_catalog_caveats(catalog), 1);
	const struct pms_caveat *caveat = pms_catalog_caveat(catalog, 0);
	assert_string_equal(caveat->text, "Not all.");
	assert_string_equal(caveat->condition.configuration, "x");
	assert_true(pms_caveat_has(caveat, 0));
	assert_false(pms_caveat_has(caveat, 1));
	assert_true(pms_caveat_has_metric(caveat, pms_catalog_metric(catalog, 0)));
	assert_false(pms_caveat_has_metric(caveat, pms_catalog_metric(catalog, 1)));
	assert_string_equal(pms_catalog_caveats_source(catalog), "G");
	assert_null(pms_catalog_caveat(catalog, 1));
	pms_catalog_free(catalog);
}

static void without_the_files_there_are_none(void **state)
{
	(void)state;
	struct pms_catalog *catalog = build();
	assert_int_equal(pms_catalog_relations(catalog), 0);
	assert_int_equal(pms_catalog_caveats(catalog), 0);
	assert_null(pms_catalog_relation(catalog, 0));
	assert_string_equal(pms_catalog_relations_source(catalog), "");
	pms_catalog_free(catalog);
}

#define ROW(kind, lhs, rhs, condition, origin)                                                     \
	"{\"relations\": [{\"id\": \"i\", \"kind\": \"" kind "\", \"lhs\": \"" lhs                 \
	"\", \"rhs\": \"" rhs "\", \"condition\": " condition ", \"origin\": \"" origin "\"}]}"

static void wrong_files_are_refused_with_the_place(void **state)
{
	(void)state;
	static const struct {
		const char *file, *text, *says;
	} cases[] = {
		{ "relations.json", "[]", "must hold an object" },
		{ "relations.json", "{}", "\"relations\" is missing: an array" },
		{ "relations.json", ROW("adds", "A", "B", "null", "document"),
		  "relations[0].kind: must be \"sum\", \"equal\", \"at_least\", \"subset\" or "
		  "\"never\"" },
		{ "relations.json", ROW("sum", "A", "B + D", "null", "document"),
		  "relations[0].rhs: column 5: unknown event \"D\"" },
		{ "relations.json", ROW("sum", "A +", "B", "null", "document"),
		  "relations[0].lhs: column 4: ends where a number, a name or '(' should follow" },
		{ "relations.json", ROW("sum", "A", "B", "{\"errata\": \"1\"}", "document"),
		  "relations[0].condition: must have both \"errata\" and \"before\", or neither" },
		{ "relations.json", ROW("sum", "A", "B", "{\"configuration\": \"z\"}", "document"),
		  "relations[0].condition: \"z\" is none of relations.json's configurations" },
		{ "relations.json", ROW("sum", "A", "B", "null", "rumour"),
		  "relations[0].origin: must be \"document\" or \"architecture\"" },
		{ "caveats.json", "{\"caveats\": [{\"id\": \"i\", \"events\": [\"D\"]}]}",
		  "caveats[0].events[0]: unknown event \"D\"" },
		{ "caveats.json", "{\"caveats\": [{\"id\": \"i\", \"events\": []}]}",
		  "caveats[0]: \"text\" is missing: a string" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_catalog *catalog = build();
		struct pms_error err = { 0 };
		assert_int_equal(add(catalog, cases[i].file, cases[i].text, &err), -PMS_EPARSE);
		assert_string_equal(err.source, cases[i].file);
		assert_string_equal(err.text, cases[i].says);
		assert_int_equal(err.line, 1);
		pms_catalog_free(catalog);
	}
}

static void events_are_found_as_users_write_them(void **state)
{
	(void)state;
	static const struct {
		const char *word;
		int64_t index;
	} cases[] = {
		{ "A", 0 },
		{ "b", 1 },
		{ "old_b", 1 },
		{ "0x11", 0 },
		{ "0X0012", 1 },
		{ "r11", 0 },
		{ "R012", 1 },
		{ "r1", 3 },
		{ "0xff", 3 },
		{ "rff", 3 },
		{ "0x13", -PMS_ENAME },
		{ "11", -PMS_ENAME },
		{ "r", -PMS_ENAME },
		{ "0x", -PMS_ENAME },
		{ "0x11z", -PMS_ENAME },
		{ "r-11", -PMS_ENAME },
		{ "rfffffffffffffffff", -PMS_ENAME },
		{ "", -PMS_ENAME },
	};
	struct pms_catalog *catalog = build();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (pms_catalog_find_event_word(catalog, cases[i].word) != cases[i].index)
			fail_msg("%s", cases[i].word);
	assert_int_equal(pms_catalog_find_code(catalog, -1), -PMS_ENAME);
	pms_catalog_free(catalog);
}

static void codes_are_of_cores(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says;
	} wrong[] = {
		{ "{\"codes\": {}}", "\"core\" is missing: a string" },
		{ "{\"core\": \"X\", \"codes\": {\"Z\": \"0x1\"}}",
		  "codes.Z: unknown event \"Z\"" },
		{ "{\"core\": \"X\", \"codes\": {\"A\": \"0x1g\"}}",
		  "codes.A: is not an event code" },
		{ "{\"core\": \"X\", \"codes\": {\"A\": 1}}",
		  "codes.A: must be a string, not a whole number" },
		{ "{\"core\": \"X\", \"codes\": {\"A\": \"0xffffffffffffffff\"}}",
		  "codes.A: is not an event code" },
		{ "{\"core\": \"X\", \"names\": {\"Q\": \"-1\"}}",
		  "names.Q: is not an event code" },
	};
	static const char *const right[] = {
		"{\"core\": \"X\", \"codes\": {\"C\": \"0x102\"}, \"generic\": {\"A\": \"cycles\"},"
		" \"notes\": {\"C\": \"Some.\"}}",
		"{\"core\": \"Y\", \"any\": true, \"codes\": {\"C\": \"0x8000000000000003\"},"
		" \"names\": {\"SEE\": \"0x8000000000000003\", \"OTHER\": \"0x104\"}}",
	};
	struct pms_catalog *catalog = build();
	struct pms_json json;
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(pms_json_parse("x.json", right[i], strlen(right[i]), &json, NULL),
				 0);
		struct pms_json_place root = pms_json_root(&json);
		assert_int_equal(pms_catalog_read_codes(catalog, i ? "y" : "x", &root, NULL), 0);
		pms_json_release(&json);
	}
	assert_int_equal(pms_catalog_core_codes(catalog), 3);
	const struct pms_core_code *code = pms_catalog_core_code(catalog, 1);
	assert_string_equal(code->core->title, "X");
	assert_string_equal(code->core->name, "x");
	assert_int_equal(code->event, 2);
	assert_int_equal(code->code, 0x102);
	assert_string_equal(code->note, "Some.");
	code = pms_catalog_core_code(catalog, 0);
	assert_string_equal(code->generic, "cycles");
	assert_int_equal(code->code, -1);
	assert_null(code->note);
	assert_string_equal(pms_catalog_core_code(catalog, 2)->core->title, "Y");
	/* Which core it is was not said; the firmware's are those of any. */
	assert_true(pms_catalog_find_event_word(catalog, "r102") < 0);
	assert_int_equal(pms_catalog_find_event_word(catalog, "r8000000000000003"), 2);
	assert_int_equal(pms_catalog_find_core_name(catalog, "see"), 2);
	assert_true(pms_catalog_find_core_name(catalog, "OTHER") < 0); /* no event of its own */
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct pms_error err = { 0 };
		assert_int_equal(
			pms_json_parse("x.json", wrong[i].text, strlen(wrong[i].text), &json, NULL),
			0);
		struct pms_json_place root = pms_json_root(&json);
		assert_int_equal(pms_catalog_read_codes(catalog, "z", &root, &err), -PMS_EPARSE);
		assert_string_equal(err.text, wrong[i].says);
		pms_json_release(&json);
	}
	assert_int_equal(pms_catalog_core_codes(catalog), 3);
	pms_catalog_free(catalog);
}

static void own_files_are_read(void **state)
{
	(void)state;
	static const char *const cpus[] = { "neoverse-n1", "neoverse-v1", "neoverse-v3", "riscv" };
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		struct pms_catalog *catalog = NULL;
		struct pms_error err = { 0 };
		if (pms_catalog_load(PMS_SOURCE, cpus[i], &catalog, &err))
			fail_msg("%s:%u: %s", err.source, err.line, err.text);
		assert_true(pms_catalog_relations(catalog) > 0);
		assert_true(pms_catalog_caveats(catalog) > 0);
		pms_catalog_free(catalog);
	}
}

/* A lean catalog has all but relations and configurations, and all of them once they are added. */
static void relations_can_be_added_later(void **state)
{
	(void)state;
	static const char *const cpus[] = { "neoverse-n1", "riscv" };
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		struct pms_catalog *whole = NULL, *lean = NULL;
		assert_int_equal(pms_catalog_load(PMS_SOURCE, cpus[i], &whole, NULL), 0);
		assert_int_equal(pms_catalog_load_lean(PMS_SOURCE, cpus[i], &lean, NULL), 0);
		assert_int_equal(pms_catalog_relations(lean), 0);
		assert_int_equal(pms_catalog_caveats(lean), pms_catalog_caveats(whole));
		for (int twice = 0; twice < 2; twice++)
			assert_int_equal(pms_catalog_add_relations(PMS_SOURCE, lean, NULL), 0);
		size_t n = pms_catalog_relations(whole);
		assert_true(n > 0);
		assert_int_equal(pms_catalog_relations(lean), n);
		assert_int_equal(pms_catalog_configurations(lean),
				 pms_catalog_configurations(whole));
		assert_string_equal(pms_catalog_relation(lean, n - 1)->id,
				    pms_catalog_relation(whole, n - 1)->id);
		pms_catalog_free(whole);
		pms_catalog_free(lean);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(relations_can_be_added_later),
		cmocka_unit_test(relations_are_read),
		cmocka_unit_test(caveats_belong_to_events_and_their_metrics),
		cmocka_unit_test(without_the_files_there_are_none),
		cmocka_unit_test(wrong_files_are_refused_with_the_place),
		cmocka_unit_test(events_are_found_as_users_write_them),
		cmocka_unit_test(codes_are_of_cores),
		cmocka_unit_test(own_files_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
