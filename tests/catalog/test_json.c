/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "catalog/json.h"

static const char text[] = "{\n"
			   "  \"na\\\"me\": \"a \\\"quoted\\\" ] }\",\n"
			   "\t\"empty\" : { } , \"none\": [],\n"
			   "  \"list\": [1,\n"
			   "    {\"key\": {\"deep\": \"here\"}}, null, -2.5e3 ]\n"
			   "}\n";

static struct pms_json parse(const char *what)
{
	struct pms_json json;
	struct pms_error err = { 0 };
	if (pms_json_parse("file.json", what, strlen(what), &json, &err))
		fail_msg("%u:%u: %s", err.line, err.column, err.text);
	return json;
}

static void values_are_located(void **state)
{
	(void)state;
	struct pms_json json = parse(text);
	struct pms_json_place root = pms_json_root(&json), empty, list, element, key, deep;
	unsigned line, column;
	pms_json_locate(&root, &line, &column);
	assert_int_equal(line * 100 + column, 101);
	assert_int_equal(pms_json_get(&root, "empty", PMS_JSON_OBJECT, &empty, NULL), 0);
	pms_json_locate(&empty, &line, &column);
	assert_int_equal(line * 100 + column, 312);
	assert_int_equal(pms_json_get(&root, "list", PMS_JSON_ARRAY, &list, NULL), 0);
	assert_int_equal(pms_json_element(&list, 1, PMS_JSON_OBJECT, &element, NULL), 0);
	assert_int_equal(pms_json_get(&element, "key", PMS_JSON_OBJECT, &key, NULL), 0);
	assert_int_equal(pms_json_get(&key, "deep", PMS_JSON_STRING, &deep, NULL), 0);
	pms_json_locate(&deep, &line, &column);
	assert_int_equal(line * 100 + column, 522);
	assert_int_equal(pms_json_element(&list, 3, PMS_JSON_NUMBER, &element, NULL), 0);
	pms_json_locate(&element, &line, &column);
	assert_int_equal(line * 100 + column, 538);
	assert_int_equal(pms_json_get(&root, "na\"me", PMS_JSON_STRING, &key, NULL), 0);
	pms_json_locate(&key, &line, &column);
	assert_int_equal(line * 100 + column, 213);
	pms_json_release(&json);
}

/* Of several files at once, in any order, one of them twice. */
static void many_values_are_located(void **state)
{
	(void)state;
	struct pms_json one = parse(text), two = parse("[\n[7],\n 8]");
	struct pms_json_place root = pms_json_root(&one), none, list, third;
	struct pms_json_place array = pms_json_root(&two), inner, seven, eight;
	assert_int_equal(pms_json_get(&root, "none", PMS_JSON_ARRAY, &none, NULL), 0);
	assert_int_equal(pms_json_get(&root, "list", PMS_JSON_ARRAY, &list, NULL), 0);
	assert_int_equal(pms_json_element(&list, 3, PMS_JSON_NUMBER, &third, NULL), 0);
	assert_int_equal(pms_json_element(&array, 0, PMS_JSON_ARRAY, &inner, NULL), 0);
	assert_int_equal(pms_json_element(&inner, 0, PMS_JSON_NUMBER, &seven, NULL), 0);
	assert_int_equal(pms_json_element(&array, 1, PMS_JSON_NUMBER, &eight, NULL), 0);
	struct pms_json_spot spots[] = { { .at = &third }, { .at = &eight }, { .at = &none },
					 { .at = &seven }, { .at = &third }, { .at = &array } };
	static const unsigned places[] = { 538, 302, 326, 202, 538, 101 };
	pms_json_locate_all(spots, sizeof(spots) / sizeof(spots[0]));
	for (size_t i = 0; i < sizeof(spots) / sizeof(spots[0]); i++)
		assert_int_equal(spots[i].line * 100 + spots[i].column, places[i]);
	pms_json_release(&one);
	pms_json_release(&two);
}

static void errors_name_path_and_place(void **state)
{
	(void)state;
	struct pms_json json = parse(text);
	struct pms_json_place root = pms_json_root(&json), list, element, place;
	struct pms_error err = { 0 };
	assert_int_equal(pms_json_get(&root, "list", PMS_JSON_ARRAY, &list, &err), 0);
	assert_int_equal(pms_json_element(&list, 1, PMS_JSON_OBJECT, &element, &err), 0);
	assert_int_equal(pms_json_get(&element, "key", PMS_JSON_STRING, &place, &err), -PMS_EPARSE);
	assert_string_equal(err.source, "file.json");
	assert_string_equal(err.text, "list[1].key: must be a string, not an object");
	assert_int_equal(err.line * 100 + err.column, 513);

	struct pms_error missing = { 0 };
	assert_int_equal(pms_json_get(&element, "other", PMS_JSON_STRING, &place, &missing),
			 -PMS_EPARSE);
	assert_string_equal(missing.text, "list[1]: \"other\" is missing: a string");
	assert_int_equal(missing.line * 100 + missing.column, 505);
	pms_json_release(&json);
}

static void optional_may_be_absent_or_null(void **state)
{
	(void)state;
	struct pms_json json = parse("{\"nothing\": null, \"number\": 3}");
	struct pms_json_place root = pms_json_root(&json), place;
	struct pms_error err = { 0 };
	int kinds = PMS_JSON_STRING | PMS_JSON_OPTIONAL;
	assert_int_equal(pms_json_get(&root, "absent", kinds, &place, &err), 0);
	assert_null(place.value);
	assert_int_equal(pms_json_get(&root, "nothing", kinds, &place, &err), 0);
	assert_null(place.value);
	assert_int_equal(pms_json_get(&root, "nothing", PMS_JSON_STRING, &place, NULL),
			 -PMS_EPARSE);
	assert_int_equal(pms_json_get(&root, "number", kinds, &place, &err), -PMS_EPARSE);
	assert_string_equal(err.text, "number: must be a string, not a whole number");
	pms_json_release(&json);
}

static void bad_text_is_refused_with_its_place(void **state)
{
	(void)state;
	static const struct {
		const char *bad;
		unsigned line;
		const char *says;
	} cases[] = {
		{ "", 1, "" },
		{ "{\"a\": 1,\n \"b\" 2}", 2, "':' expected" },
		{ "{\"a\": 1,\n\n \"a\": 2}", 3, "duplicate" },
		{ "{} x", 1, "end of file expected" },
		{ "{\"a\": \"\xff\"}", 1, "unable to decode byte 0xff" },
		{ "[1, 2", 1, "" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_json json;
		struct pms_error err = { 0 };
		int rc = pms_json_parse("f", cases[i].bad, strlen(cases[i].bad), &json, &err);
		if (rc != -PMS_EPARSE || err.line != cases[i].line ||
		    !strstr(err.text, cases[i].says) || strcmp(err.source, "f"))
			fail_msg("\"%s\": %d, %s:%u: %s", cases[i].bad, rc, err.source, err.line,
				 err.text);
	}
}

static void files_that_cannot_be_read_are_named(void **state)
{
	(void)state;
	struct pms_json json;
	struct pms_error err = { 0 }, folder = { 0 }, huge = { 0 };
	assert_int_equal(pms_json_load("/nonexistent/x.json", &json, &err), -PMS_EIO);
	assert_string_equal(err.source, "/nonexistent/x.json");
	assert_int_equal(pms_json_load("/", &json, &folder), -PMS_EIO);
	char path[] = "/tmp/pms-json-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (4 << 20) + 1), 0); /* sparse: takes no room */
	close(fd);
	int rc = pms_json_load(path, &json, &huge);
	unlink(path);
	assert_int_equal(rc, -PMS_EIO);
	assert_string_equal(huge.text, "is larger than 4 MiB");
}

/* Values take much more memory than their text: so many are refused before they are parsed. Commas
 * in strings count nothing. */
static void too_many_values_are_refused(void **state)
{
	(void)state;
	enum { MOST = 1 << 18 };
	static char list[3 * MOST + 8];
	struct pms_json json;
	struct pms_error err = { 0 };
	char *at = list;
	*at++ = '[';
	for (size_t i = 0; i < MOST - 1; i++) /* and the array itself: one more */
		at = stpcpy(at, i ? ",{}" : "{}");
	strcpy(at, "]");
	assert_int_equal(pms_json_parse("f", list, strlen(list), &json, &err), -PMS_EPARSE);
	assert_string_equal(err.text, "has more than 262144 values");

	memset(list, ',', sizeof(list));
	memcpy(list, "[\"\\\"", 4);
	memcpy(list + sizeof(list) - 2, "\"]", 2);
	assert_int_equal(pms_json_parse("f", list, sizeof(list), &json, NULL), 0);
	assert_int_equal(json_array_size(json.root), 1);
	pms_json_release(&json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_located),
		cmocka_unit_test(many_values_are_located),
		cmocka_unit_test(errors_name_path_and_place),
		cmocka_unit_test(optional_may_be_absent_or_null),
		cmocka_unit_test(bad_text_is_refused_with_its_place),
		cmocka_unit_test(files_that_cannot_be_read_are_named),
		cmocka_unit_test(too_many_values_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
