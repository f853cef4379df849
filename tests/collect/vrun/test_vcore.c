/* SPDX-License-Identifier: MIT */
/* The launcher with plugins that the command does not choose. Programs and plugins come from the
 * build: the arguments are the guest, then plugins that crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pmuscope/collect.h"

struct files {
	struct pms_catalog *catalog;
	char *guest;
	char **crashing; /* NULL-terminated */
};

static int run(const struct files *files, char *plugin, char *what, struct pms_error *err)
{
	char *argv[] = { files->guest, what, NULL };
	struct pms_vcore_options options = { .data = getenv("SOURCE"), .plugin = plugin };
	struct pms_counts *counts = NULL;
	int rc = pms_collect_vcore(files->catalog, argv, &options, &counts, err);
	pms_counts_free(counts);
	return rc;
}

static void a_crash_of_the_model_is_not_the_programs(void **state)
{
	const struct files *files = *state;
	for (char **plugin = files->crashing; *plugin; plugin++) {
		struct pms_error err = { 0 };
		if (run(files, *plugin, (char[]){ "exit" }, &err) != -PMS_EHOST ||
		    !strstr(err.text, "the core model crashed"))
			fail_msg("%s: \"%s\"", *plugin, err.text);
		assert_string_equal(err.source, *plugin);
	}
}

static void what_is_no_plugin_does_not_load(void **state)
{
	const struct files *files = *state;
	struct pms_error err = { 0 };
	assert_int_equal(run(files, files->guest, (char[]){ "exit" }, &err), -PMS_EHOST);
	assert_non_null(strstr(err.text, "did not load the plugin"));
	assert_non_null(strstr(err.hint, "doctor"));
}

static void variables_that_qemu_would_split_are_refused(void **state)
{
	const struct files *files = *state;
	char *argv[] = { files->guest, NULL };
	char *env[] = { (char[]){ "LD_LIBRARY_PATH=/a,b" }, NULL };
	struct pms_vcore_options options = { .data = getenv("SOURCE"),
					     .plugin = files->crashing[0],
					     .env = env };
	struct pms_counts *counts = NULL;
	struct pms_error err = { 0 };
	assert_int_equal(pms_collect_vcore(files->catalog, argv, &options, &counts, &err),
			 -PMS_EINVAL);
	assert_non_null(strstr(err.text, "comma"));
}

static void a_program_must_be_named(void **state)
{
	const struct files *files = *state;
	char *argv[] = { NULL };
	struct pms_counts *counts = NULL;
	assert_int_equal(pms_collect_vcore(files->catalog, argv, NULL, &counts, NULL), -PMS_EINVAL);
}

int main(int argc, char **argv)
{
	struct files files = { 0 };
	if (argc < 3 || pms_catalog_load(getenv("SOURCE"), "neoverse-v1", &files.catalog, NULL))
		return 1;
	files.guest = argv[1];
	files.crashing = argv + 2;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(a_crash_of_the_model_is_not_the_programs, &files),
		cmocka_unit_test_prestate(what_is_no_plugin_does_not_load, &files),
		cmocka_unit_test_prestate(variables_that_qemu_would_split_are_refused, &files),
		cmocka_unit_test_prestate(a_program_must_be_named, &files),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	pms_catalog_free(files.catalog);
	return failed;
}
