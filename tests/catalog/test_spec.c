/* SPDX-License-Identifier: MIT */
/* Specifications that were not made here: loaded whole, or refused with the place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "catalog/catalog.h"

/* Counts of the published files by another tool: jq '.events|length' and the like. */
static void published_specifications_load_whole(void **state)
{
	(void)state;
	static const struct {
		const char *file, *name, *product;
		size_t events, metrics, groups, nodes;
		unsigned slots;
	} cases[] = {
		{ "neoverse-n2.json", "neoverse-n2", "Neoverse N2", 155, 36, 31, 4, 5 },
		{ "neoverse-v2.json", "neoverse-v2", "Neoverse V2", 155, 47, 34, 4, 8 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_catalog *catalog = NULL;
		struct pms_error err = { 0 };
		char path[4096];
		snprintf(path, sizeof(path), "%s/specs/%s", PMS_TEST_DATA, cases[i].file);
		if (pms_catalog_load_file(path, &catalog, &err))
			fail_msg("%s:%u: %s", err.source, err.line, err.text);
		const struct pms_cpu *cpu = pms_catalog_cpu(catalog);
		assert_string_equal(cpu->name, cases[i].name);
		assert_string_equal(cpu->product, cases[i].product);
		assert_string_equal(cpu->file, path);
		assert_int_equal(cpu->slots, cases[i].slots);
		assert_int_equal(pms_catalog_events(catalog), cases[i].events);
		assert_int_equal(pms_catalog_metrics(catalog), cases[i].metrics);
		assert_int_equal(pms_catalog_groups(catalog), cases[i].groups);
		assert_int_equal(pms_catalog_nodes(catalog), cases[i].nodes);
		assert_int_equal(pms_catalog_extras(catalog), 0);
		pms_catalog_free(catalog);
	}
}

/* What a specification must have, and nothing else. @more goes in at the top of the file. */
static char *specification(const char *more, const char *events, const char *metrics)
{
	char *text;
	assert_true(asprintf(&text,
			     "{%s \"document\": {}, "
			     "\"product_configuration\": {\"product_name\": \"Some Core\"}, "
			     "\"events\": {%s}, \"metrics\": {%s}, \"groups\": {}}",
			     more, events, metrics) > 0);
	return text;
}

static int load_text(const char *text, struct pms_catalog **out, struct pms_error *err)
{
	char path[] = "/tmp/pms-spec-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	int rc = pms_catalog_load_file(path, out, err);
	unlink(path);
	return rc;
}

static void unknown_keys_are_noted_once(void **state)
{
	(void)state;
	struct pms_catalog *catalog = NULL;
	char *text =
		specification("\"future\": {\"deep\": [1, 2]},",
			      "\"A\": {\"code\": 1, \"common\": true, \"impdef\": false,"
			      "        \"properties\": {\"anything\": 1}}",
			      "\"m\": {\"title\": \"\", \"description\": \"\", \"units\": \"\","
			      "        \"formula\": \"A\", \"colour\": \"red\"}");
	assert_int_equal(load_text(text, &catalog, NULL), 0);
	static const struct pms_extra want[] = {
		{ PMS_EXTRA_ELSEWHERE, "", "future", "future", "{\"deep\":[1,2]}" },
		{ PMS_EXTRA_EVENT, "A", "common", "events.A.common", "true" },
		{ PMS_EXTRA_EVENT, "A", "impdef", "events.A.impdef", "false" },
		{ PMS_EXTRA_METRIC, "m", "colour", "metrics.m.colour", "\"red\"" },
	};
	assert_int_equal(pms_catalog_extras(catalog), 4);
	for (size_t i = 0; i < 4; i++) {
		const struct pms_extra *extra = pms_catalog_extra(catalog, i);
		assert_int_equal(extra->of, want[i].of);
		assert_string_equal(extra->owner, want[i].owner);
		assert_string_equal(extra->key, want[i].key);
		assert_string_equal(extra->path, want[i].path);
		assert_string_equal(extra->value, want[i].value);
	}
	assert_null(pms_catalog_extra(catalog, 4));
	assert_int_equal(pms_catalog_events(catalog), 1);
	assert_string_equal(pms_catalog_cpu(catalog)->name, "some-core");
	pms_catalog_free(catalog);
	free(text);
}

static void keys_are_noted_in_every_part(void **state)
{
	(void)state;
	static const struct {
		const char *more, *path;
	} cases[] = {
		{ "\"methodologies\": {\"m\": {\"metric_grouping\": {\"stage_3\": []}}},",
		  "methodologies.m.metric_grouping.stage_3" },
		{ "\"methodologies\": {\"m\": {\"metric_grouping\": {}, \"decision_tree\": "
		  "{\"root_nodes\": [], \"metrics\": [], \"leaves\": 0}}},",
		  "methodologies.m.decision_tree.leaves" },
		{ "\"topdown_methodology\": {\"metric_grouping\": {}, \"walk\": 1},",
		  "topdown_methodology.walk" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_catalog *catalog = NULL;
		char *text = specification(cases[i].more, "", "");
		assert_int_equal(load_text(text, &catalog, NULL), 0);
		assert_int_equal(pms_catalog_extras(catalog), 1);
		assert_string_equal(pms_catalog_extra(catalog, 0)->path, cases[i].path);
		pms_catalog_free(catalog);
		free(text);
	}
}

/* Editions before 1.0 have their one methodology at the root. */
static void the_old_place_of_the_methodology_is_known(void **state)
{
	(void)state;
	struct pms_catalog *catalog = NULL;
	struct pms_error err = { 0 };
	const char *text =
		"{\"document\": {}, \"product_configuration\": {\"product_name\": \"Old\"},"
		" \"events\": {\"A\": {}}, \"metrics\": {\"m\": {\"title\": \"\","
		" \"description\": \"\", \"units\": \"\", \"formula\": \"A\"}},"
		" \"groups\": {\"metrics\": {\"G\": {\"title\": \"\", \"description\": \"\","
		" \"metrics\": [\"m\"]}}}, \"topdown_methodology\": {\"metric_grouping\":"
		" {\"stage_1\": [\"G\"]}, \"decision_tree\": {\"root_nodes\": [\"m\"],"
		" \"metrics\": [{\"name\": \"m\", \"group\": \"G\", \"next_items\": []}]}}}";
	if (load_text(text, &catalog, &err))
		fail_msg("%s", err.text);
	assert_int_equal(pms_catalog_nodes(catalog), 1);
	assert_int_equal(pms_catalog_group(catalog, 0)->stage, 1);
	pms_catalog_free(catalog);
}

static void what_is_no_specification_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "[]", "must hold an object" },
		{ "{}", "\"product_configuration\" is missing: an object" },
		{ "{\"product_configuration\": {\"product_name\": 1}}",
		  "product_configuration.product_name: must be a string, not a whole number" },
		{ "{\"product_configuration\": {\"product_name\": \"x\"}}",
		  "\"document\" is missing: an object" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_catalog *catalog = NULL;
		struct pms_error err = { 0 };
		assert_int_equal(load_text(cases[i].text, &catalog, &err), -PMS_EPARSE);
		assert_string_equal(err.text, cases[i].says);
		assert_int_equal(err.line, 1);
		assert_non_null(strstr(err.hint, "Arm's telemetry schema"));
	}
	struct pms_catalog *catalog = NULL;
	struct pms_error err = { 0 };
	assert_int_equal(pms_catalog_load_file("/nonexistent", &catalog, &err), -PMS_EIO);
	assert_string_equal(err.source, "/nonexistent");
}

static char *many(const char *format, unsigned count)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	for (unsigned i = 0; i < count; i++) {
		fputs(i ? "," : "", out);
		fprintf(out, "\"E%u\": ", i);
		fputs(format, out);
	}
	fclose(out);
	return text;
}

static void sizes_have_bounds(void **state)
{
	(void)state;
	struct pms_catalog *catalog = NULL;
	struct pms_error err = { 0 }, deep_err = { 0 };
	char *events = many("{}", 65537), *text = specification("", events, "");
	assert_int_equal(load_text(text, &catalog, &err), -PMS_EPARSE);
	assert_string_equal(err.text, "events: has more than 65536 events");
	free(text);
	free(events);
	/* Nesting ends the parser before it ends the stack. */
	char deep[20001];
	memset(deep, '[', 10000);
	memset(deep + 10000, ']', 10000);
	deep[20000] = 0;
	assert_int_equal(load_text(deep, &catalog, &deep_err), -PMS_EPARSE);
}

static void own_catalogs_have_known_keys_and_no_flaws(void **state)
{
	(void)state;
	struct pms_names names;
	assert_int_equal(pms_catalog_cpus(PMS_SOURCE, &names, NULL), 0);
	assert_true(names.count > 3);
	for (size_t i = 0; i < names.count; i++) {
		struct pms_catalog *catalog = NULL;
		assert_int_equal(pms_catalog_load(PMS_SOURCE, names.names[i], &catalog, NULL), 0);
		if (pms_catalog_extras(catalog))
			fail_msg("%s: %s", names.names[i], pms_catalog_extra(catalog, 0)->path);
		if (pms_catalog_flaws(catalog))
			fail_msg("%s: %s", names.names[i], pms_catalog_flaw(catalog, 0)->path);
		assert_null(pms_catalog_cpu(catalog)->file);
		pms_catalog_free(catalog);
	}
	pms_names_free(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_specifications_load_whole),
		cmocka_unit_test(unknown_keys_are_noted_once),
		cmocka_unit_test(keys_are_noted_in_every_part),
		cmocka_unit_test(the_old_place_of_the_methodology_is_known),
		cmocka_unit_test(what_is_no_specification_is_refused),
		cmocka_unit_test(sizes_have_bounds),
		cmocka_unit_test(own_catalogs_have_known_keys_and_no_flaws),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
