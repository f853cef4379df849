/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "host_tree.h"
#include "machine/cpus.h"

static const struct {
	const char *text;
	int ok;
	size_t count;
	int first, last;
	const char *written;
} cases[] = {
	{ "0", 1, 1, 0, 0, "0" },
	{ "0-3,7", 1, 5, 0, 7, "0-3,7" },
	{ "7,0-1,1-2\n", 1, 4, 0, 7, "0-2,7" },
	{ "4-4", 1, 1, 4, 4, "4" },
	{ "8191", 1, 1, 8191, 8191, "8191" },
	{ "8192", 0, 0, 0, 0, NULL },
	{ "3-1", 0, 0, 0, 0, NULL },
	{ "", 0, 0, 0, 0, NULL },
	{ "0,", 0, 0, 0, 0, NULL },
	{ "-1", 0, 0, 0, 0, NULL },
	{ "0-", 0, 0, 0, 0, NULL },
	{ "1x", 0, 0, 0, 0, NULL },
	{ "99999999999999999999", 0, 0, 0, 0, NULL },
};

static void lists_are_read_and_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_cpus cpus = { 0 };
		char text[64];
		int rc = pms_cpus_parse(cases[i].text, &cpus, NULL);
		if ((rc == 0) != cases[i].ok || cpus.count != cases[i].count)
			fail_msg("%s: rc %d, %zu CPUs", cases[i].text, rc, cpus.count);
		if (rc)
			continue;
		assert_int_equal(cpus.cpus[0], cases[i].first);
		assert_int_equal(cpus.cpus[cpus.count - 1], cases[i].last);
		assert_true(pms_cpus_has(&cpus, cases[i].last));
		assert_false(pms_cpus_has(&cpus, cases[i].last + 1));
		pms_cpus_text(&cpus, text, sizeof(text));
		assert_string_equal(text, cases[i].written);
		pms_cpus_release(&cpus);
	}
}

static void a_long_list_is_cut(void **state)
{
	(void)state;
	struct pms_cpus cpus = { 0 };
	char text[10];
	assert_int_equal(pms_cpus_parse("0,2,4,6,8,10", &cpus, NULL), 0);
	pms_cpus_text(&cpus, text, sizeof(text));
	assert_string_equal(text, "0,2,4...");
	pms_cpus_release(&cpus);
}

static void a_cpu_has_its_place(void **state)
{
	(void)state;
	struct host_tree tree = host_make("0-1\n");
	host_put(&tree, "sys/devices/system/cpu/cpu1/topology/physical_package_id", "2\n");
	host_put(&tree, "sys/devices/system/cpu/cpu1/topology/core_id", "37\n");
	struct pms_cpu_place place = pms_cpu_place(tree.root, 1);
	assert_int_equal(place.package, 2);
	assert_int_equal(place.core, 37);
	place = pms_cpu_place(tree.root, 0); /* it does not say */
	assert_int_equal(place.package, 0);
	host_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_read_and_written),
		cmocka_unit_test(a_long_list_is_cut),
		cmocka_unit_test(a_cpu_has_its_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
