/* SPDX-License-Identifier: MIT */
/* Which event or metric is which: said by roles.json, or else by names that are prescribed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "catalog/catalog.h"

#define PRODUCT                                                                                    \
	"{\"document\": {}, \"product_configuration\": {\"product_name\": \"T\"}, \"groups\": {},"
#define METRIC(name, formula)                                                                      \
	"\"" name "\": {\"title\": \"\", \"description\": \"\", \"units\": \"\","                  \
	" \"formula\": \"" formula "\"}"

static const char own[] = PRODUCT
	" \"events\": {\"CPU_CYCLES\": {}, \"TICKS\": {}, \"DONE\": {}},"
	" \"metrics\": {" METRIC("retiring", "DONE") ", " METRIC("useful", "DONE / TICKS") "}}";
static const char prescribed[] =
	PRODUCT " \"events\": {\"OTHER\": {}, \"INST.RET\": {}, \"CYCLES.HART\": {}}, \"metrics\": "
		"{" METRIC("TOPDOWN.RETIRING.RATE", "OTHER") "}}";

static struct pms_catalog *build(const char *telemetry)
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

static int add(struct pms_catalog *catalog, const char *text, struct pms_error *err)
{
	struct pms_json json;
	int rc = pms_json_parse("roles.json", text, strlen(text), &json, err);
	if (!rc)
		rc = pms_catalog_add(catalog, "roles.json", &json, err);
	pms_json_release(&json);
	return rc;
}

static void roles_are_those_of_the_file(void **state)
{
	(void)state;
	struct pms_catalog *catalog = build(own);
	struct pms_error err = { 0 };
	if (add(catalog,
		"{\"cycles\": \"TICKS\", \"instructions\": \"done\", \"retiring\": \"useful\","
		" \"fixed\": [\"DONE\"]}",
		&err))
		fail_msg("%s", err.text);
	assert_int_equal(pms_catalog_find_role(catalog, PMS_CATALOG_CYCLES), 1);
	assert_int_equal(pms_catalog_find_role(catalog, PMS_CATALOG_INSTRUCTIONS), 2);
	assert_int_equal(pms_catalog_find_role(catalog, PMS_CATALOG_RETIRING), 1);
	assert_int_equal(pms_catalog_find_role(catalog, PMS_CATALOG_MISPREDICTIONS), -PMS_ENAME);
	assert_int_equal(pms_catalog_find_role(catalog, PMS_CATALOG_ROLES), -PMS_ENAME);
	assert_int_equal(pms_catalog_is_fixed(catalog, 0), 0); /* its name says nothing now */
	assert_int_equal(pms_catalog_is_fixed(catalog, 2), 1);
	assert_int_equal(pms_catalog_is_fixed(catalog, 3), 0);
	pms_catalog_free(catalog);
}

static void without_the_file_prescribed_names_tell(void **state)
{
	(void)state;
	struct pms_catalog *catalog = build(prescribed);
	assert_int_equal(pms_catalog_find_role(catalog, PMS_CATALOG_CYCLES), 2);
	assert_int_equal(pms_catalog_find_role(catalog, PMS_CATALOG_INSTRUCTIONS), 1);
	assert_int_equal(pms_catalog_find_role(catalog, PMS_CATALOG_RETIRING), 0);
	assert_int_equal(pms_catalog_find_role(catalog, PMS_CATALOG_MISPREDICTIONS), -PMS_ENAME);
	assert_int_equal(pms_catalog_is_fixed(catalog, 0), 0);
	assert_int_equal(pms_catalog_is_fixed(catalog, 1), 1);
	assert_int_equal(pms_catalog_is_fixed(catalog, 2), 1);
	pms_catalog_free(catalog);
	catalog = build(own);
	assert_int_equal(pms_catalog_find_role(catalog, PMS_CATALOG_CYCLES), 0);
	assert_int_equal(pms_catalog_find_role(catalog, PMS_CATALOG_INSTRUCTIONS), -PMS_ENAME);
	assert_int_equal(pms_catalog_find_role(catalog, PMS_CATALOG_RETIRING), 0);
	pms_catalog_free(catalog);
}

static void wrong_files_are_refused_with_the_place(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says, *hint;
	} cases[] = {
		{ "[\n]", "must hold an object", "" },
		{ "{\n\"cycles\": \"TICK\"}", "cycles: unknown event \"TICK\"", "" },
		{ "{\n\"retiring\": \"DONE\"}", "retiring: unknown metric \"DONE\"", "" },
		{ "{\n\"fixed\": [\"D\"]}", "fixed[0]: unknown event \"D\"", "" },
		{ "{\n\"cycels\": \"TICKS\"}", "cycels: is no role", "did you mean cycles?" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_catalog *catalog = build(own);
		struct pms_error err = { 0 };
		assert_int_equal(add(catalog, cases[i].text, &err), -PMS_EPARSE);
		assert_string_equal(err.source, "roles.json");
		assert_string_equal(err.text, cases[i].says);
		assert_string_equal(err.hint, cases[i].hint);
		assert_int_equal(err.line, i ? 2 : 1);
		pms_catalog_free(catalog);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(roles_are_those_of_the_file),
		cmocka_unit_test(without_the_file_prescribed_names_tell),
		cmocka_unit_test(wrong_files_are_refused_with_the_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
