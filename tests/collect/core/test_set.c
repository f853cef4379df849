/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "collect/core/set.h"
#include "pmuscope/core.h"

static json_t *core(void)
{
	return json_pack("{s:{s:{s:i}, s:{s:i}}, s:{s:{s:i, s:i}}}", "parameters", "ras_entries",
			 "value", 16, "slc_bytes", "value", 5, "ops", "mul32", "latency", 2, "busy",
			 1);
}

static int set(json_t *root, const char *setting, struct pms_error *err)
{
	char text[64];
	char *settings[] = { text, NULL };
	assert_true(strlen(setting) < sizeof(text));
	strcpy(text, setting);
	return pms_core_set(root, settings, err);
}

static int number(json_t *root, const char *table, const char *row, const char *field)
{
	return (int)json_integer_value(
		json_object_get(json_object_get(json_object_get(root, table), row), field));
}

static void numbers_are_set(void **state)
{
	(void)state;
	struct pms_error err = { 0 };
	json_t *root = core();
	assert_int_equal(set(root, "ras_entries=32", &err), 0);
	assert_int_equal(number(root, "parameters", "ras_entries", "value"), 32);
	assert_int_equal(set(root, "slc_bytes=off", &err), 0);
	assert_int_equal(number(root, "parameters", "slc_bytes", "value"), 0);
	assert_int_equal(set(root, "mul32.latency=9", &err), 0);
	assert_int_equal(set(root, "mul32.busy=255", &err), 0);
	assert_int_equal(number(root, "ops", "mul32", "latency"), 9);
	assert_int_equal(number(root, "ops", "mul32", "busy"), 255);
	json_decref(root);
}

/* 2 MiB are 2097152 bytes, and 8 KiB 8192. */
static void numbers_have_units(void **state)
{
	static const struct {
		const char *setting;
		int value;
	} rows[] = { { "slc_bytes=2M", 2097152 },
		     { "slc_bytes=8K", 8192 },
		     { "slc_bytes=8k", 8192 } };
	static const char *const nonsense[] = { "slc_bytes=K",	 "slc_bytes=1KB",   "slc_bytes=1m",
						"slc_bytes=1G",	 "slc_bytes=4096M", "slc_bytes=1 K",
						"slc_bytes=1.5M" };
	(void)state;
	struct pms_error err = { 0 };
	json_t *root = core();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(set(root, rows[i].setting, &err), 0);
		assert_int_equal(number(root, "parameters", "slc_bytes", "value"), rows[i].value);
	}
	for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++)
		assert_int_equal(set(root, nonsense[i], NULL), -PMS_EINVAL);
	json_decref(root);
}

/* A penalty below the stages that the successor has to pass changes nothing: 5 + 5 + 1 here. */
static void settings_without_effect_are_refused(void **state)
{
	static char below[] = "mispredict_penalty=10", at[] = "mispredict_penalty=11",
		    shorter[] = "rename_to_issue=4", longer[] = "rename_to_issue=16";
	const struct {
		char *settings[3];
		int rc;
	} rows[] = {
		{ { below }, -PMS_EINVAL },
		{ { at }, 0 },
		{ { below, shorter }, 0 },
		{ { shorter, below }, 0 },
		{ { at, longer }, -PMS_EINVAL },
		{ { longer }, 0 }, /* the penalty was not asked for */
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pms_error err = { 0 };
		json_t *root =
			json_pack("{s:{s:{s:i}, s:{s:i}, s:{s:i}}, s:{s:{s:i}}}", "parameters",
				  "mispredict_penalty", "value", 11, "fetch_to_rename", "value", 5,
				  "rename_to_issue", "value", 5, "ops", "branch", "latency", 1);
		if (pms_core_set(root, rows[i].settings, &err) != rows[i].rc)
			fail_msg("row %zu: %s", i, err.text);
		if (rows[i].rc)
			assert_non_null(strstr(err.text, "has no effect"));
		json_decref(root);
	}
}

/* The names of those that are off are a list, without a name twice. */
static void mechanisms_are_switched(void **state)
{
	(void)state;
	struct pms_error err = { 0 };
	json_t *root = core();
	assert_int_equal(set(root, "tage=on", &err), 0);
	assert_null(json_object_get(root, "off"));
	assert_int_equal(set(root, "tage=off", &err), 0);
	assert_int_equal(set(root, "fusion=off", &err), 0);
	assert_int_equal(set(root, "tage=off", &err), 0);
	json_t *off = json_object_get(root, "off");
	assert_int_equal(json_array_size(off), 2);
	assert_string_equal(json_string_value(json_array_get(off, 0)), "tage");
	assert_int_equal(set(root, "tage=on", &err), 0);
	assert_int_equal(json_array_size(off), 1);
	assert_string_equal(json_string_value(json_array_get(off, 0)), "fusion");
	json_decref(root);
}

/* An ideal core is its settings: of one thing, or of a group of ideal cores. */
static void ideals_are_settings(void **state)
{
	(void)state;
	struct pms_error err = { 0 };
	json_t *root = core(), *each = core();
	assert_int_equal(set(root, "branches=ideal", &err), 0);
	assert_int_equal(set(each, "direction_misses=off", &err), 0);
	assert_int_equal(set(each, "target_misses=off", &err), 0);
	assert_int_equal(set(each, "indirect_bubble=0", &err), 0);
	assert_true(json_equal(root, each));
	json_decref(root);
	json_decref(each);
}

/* Each is made of settings that the V1 has, and says what it is perfect in. Groups are of the ideal
 * cores that name them. */
static void each_ideal_is_described(void **state)
{
	struct pms_catalog *catalog = NULL;
	(void)state;
	assert_int_equal(pms_catalog_load(PMS_SOURCE, "neoverse-v1", &catalog, NULL), 0);
	for (size_t i = 0; i < pms_core_ideals(); i++) {
		const struct pms_core_ideal *ideal = pms_core_ideal(i);
		char setting[64];
		char *settings[] = { setting, NULL };
		struct pms_core_data *found = NULL;
		struct pms_error err = { 0 };
		snprintf(setting, sizeof(setting), "%s=ideal", ideal->name);
		if (pms_core_open(catalog, PMS_SOURCE, settings, &found, &err))
			fail_msg("%s: %s", setting, err.text);
		pms_core_close(found);
		assert_true(ideal->title[0] && ideal->meaning[0]);
		assert_true(!ideal->groups == (strstr(ideal->settings, "=ideal") != NULL));
	}
	assert_null(pms_core_ideal(pms_core_ideals()));
	pms_catalog_free(catalog);
}

/* A number that an ideal core sets is shown as changed, also where a group does. */
static void what_an_ideal_changes_is_told(void **state)
{
	static char setting[] = "execution=ideal";
	char *settings[] = { setting, NULL };
	struct pms_catalog *catalog = NULL;
	struct pms_core_data *found = NULL;
	(void)state;
	assert_int_equal(pms_catalog_load(PMS_SOURCE, "neoverse-v1", &catalog, NULL), 0);
	assert_int_equal(pms_core_open(catalog, PMS_SOURCE, settings, &found, NULL), 0);
	unsigned seen = 0;
	for (size_t i = 0; i < pms_core_numbers(found); i++) {
		const struct pms_core_number *n = pms_core_number(found, i);
		if (!strcmp(n->name, "rob_entries")) {
			assert_true(n->changed && n->value == 1024);
			seen++;
		} else if (!strcmp(n->name, "slots")) {
			assert_true(!n->changed);
			seen++;
		}
	}
	assert_int_equal(seen, 2);
	pms_core_close(found);
	pms_catalog_free(catalog);
}

static void nonsense_is_refused(void **state)
{
	static const struct {
		const char *setting;
		int rc;
		const char *says, *hint;
	} rows[] = {
		{ "ras_entries", -PMS_EINVAL, "NAME=NUMBER", "core show" },
		{ "=3", -PMS_EINVAL, "NAME=NUMBER", "core show" },
		{ "ras_entries=", -PMS_EINVAL, "NAME=NUMBER", "core show" },
		{ "ras_entries=-1", -PMS_EINVAL, "NAME=NUMBER", "core show" },
		{ "ras_entries=3x", -PMS_EINVAL, "NAME=NUMBER", "core show" },
		{ "ras_entries=99999999999999999999", -PMS_EINVAL, "NAME=NUMBER", "core show" },
		{ "ras_entries=65", -PMS_EINVAL, "is 65, must be 0 to 64", "" },
		{ "rob_entries=off", -PMS_EINVAL, "8 is the least", "" },
		{ "ras_entries=on", -PMS_EINVAL, "NAME=NUMBER", "core show" },
		{ "ras_entry=3", -PMS_ENAME, "no parameter or mechanism ras_entry", "ras_entries" },
		{ "tge=off", -PMS_ENAME, "no parameter or mechanism tge", "tage" },
		{ "tage=0", -PMS_EINVAL, "tage=0: not off", "core show" },
		{ "tage.latency=3", -PMS_ENAME, "no class of operations tage", "" },
		{ "mul23.latency=3", -PMS_ENAME, "no class of operations mul23", "mul32" },
		{ "mul32.latncy=3", -PMS_ENAME, ".latency and .busy", "" },
		{ "mul32.latency=256", -PMS_EINVAL, "mul32.latency is 256, must be 0 to 255", "" },
		{ "l1=ideal", -PMS_ENAME, "no ideal l1", "l1i" },
		{ "mul32.latency=ideal", -PMS_ENAME, "no class of operations mul32", "" },
		{ "mul32.busy=0", -PMS_EINVAL, "1 is the least", "" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pms_error err = { 0 };
		json_t *root = core(), *before = core();
		int rc = set(root, rows[i].setting, &err);
		if (rc != rows[i].rc || !strstr(err.text, rows[i].says) ||
		    !strstr(err.hint, rows[i].hint))
			fail_msg("%s: %d %s (%s)", rows[i].setting, rc, err.text, err.hint);
		assert_true(json_equal(root, before));
		json_decref(root);
		json_decref(before);
	}
}

/* The V1's own numbers: "V1 methodology paper, section 3.1: 8 slots", LLVM's multiplication of 2.
 */
static void a_core_is_listed(void **state)
{
	static char setting[] = "slots=4", without[] = "fusion=off";
	char *settings[] = { setting, without, NULL };
	(void)state;
	struct pms_catalog *catalog = NULL;
	struct pms_core_data *found = NULL;
	struct pms_error err = { 0 };
	assert_int_equal(pms_catalog_load(PMS_SOURCE, "neoverse-v1", &catalog, NULL), 0);
	if (pms_core_open(catalog, PMS_SOURCE, settings, &found, &err))
		fail_msg("%s", err.text);
	const struct pms_core_number *slots = pms_core_number(found, 0);
	assert_string_equal(slots->name, "slots");
	assert_int_equal(slots->value, 4);
	assert_true(slots->changed && slots->certainty == PMS_CERTAINTY_HIGH);
	size_t i = 0;
	while (i < pms_core_numbers(found) &&
	       strcmp(pms_core_number(found, i)->name, "mul32.latency") != 0)
		i++;
	const struct pms_core_number *mul32 = pms_core_number(found, i);
	assert_non_null(mul32);
	assert_int_equal(mul32->value, 2);
	assert_true(!mul32->changed && mul32->certainty == PMS_CERTAINTY_PUBLISHED);
	i = 0;
	while (strcmp(pms_core_mechanism(found, i)->name, "fusion") != 0)
		i++;
	for (size_t k = 0; k < pms_core_mechanisms(found); k++)
		assert_int_equal(pms_core_mechanism(found, k)->on, k != i);
	assert_null(pms_core_mechanism(found, pms_core_mechanisms(found)));
	pms_core_close(found);
	pms_catalog_free(catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_set),
		cmocka_unit_test(numbers_have_units),
		cmocka_unit_test(settings_without_effect_are_refused),
		cmocka_unit_test(mechanisms_are_switched),
		cmocka_unit_test(ideals_are_settings),
		cmocka_unit_test(each_ideal_is_described),
		cmocka_unit_test(what_an_ideal_changes_is_told),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(a_core_is_listed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
