/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "host_tree.h"
#include "machine/pmu.h"

#define DEVICES "sys/bus/event_source/devices/"

static void no_pmu_is_no_error(void **state)
{
	(void)state;
	struct pms_pmus pmus;
	struct host_tree tree = host_make("0-3\n");
	assert_int_equal(pms_pmus_read(tree.root, &pmus, NULL), 0);
	assert_int_equal(pmus.count, 0);
	pms_pmus_release(&pmus);
	host_remove(&tree);
}

/* Two kinds of cores, and a PMU that is of none. */
static void pmus_of_cores_are_listed(void **state)
{
	(void)state;
	struct pms_pmus pmus;
	struct host_tree tree = host_make("0-7\n");
	host_put(&tree, DEVICES "armv8_b/type", "9\n");
	host_put(&tree, DEVICES "armv8_b/cpus", "4-7\n");
	host_put(&tree, DEVICES "armv8_b/caps/slots", "0x00000008\n");
	host_put(&tree, DEVICES "armv8_b/format/rdpmc", "config1:1\n");
	host_put(&tree, DEVICES "armv8_a/type", "8\n");
	host_put(&tree, DEVICES "armv8_a/cpus", "0-3\n");
	host_put(&tree, DEVICES "armv8_a/events/cpu_cycles", "event=0x0011\n");
	host_put(&tree, DEVICES "armv8_a/events/inst_retired", "event=0x0008\n");
	host_put(&tree, DEVICES "armv8_a/events/other", "event=0x0077,umask=0x1\n");
	host_put(&tree, DEVICES "apple_firestorm_pmu/type", "10\n");
	host_put(&tree, DEVICES "apple_firestorm_pmu/cpus", "8-9\n");
	host_put(&tree, DEVICES "arm_dsu_0/type", "12\n");
	host_put(&tree, DEVICES "software/type", "1\n");
	assert_int_equal(pms_pmus_read(tree.root, &pmus, NULL), 0);
	assert_int_equal(pmus.count, 3);
	assert_string_equal(pmus.pmus[2].name, "apple_firestorm_pmu");
	assert_string_equal(pmus.pmus[0].name, "armv8_a");
	assert_int_equal(pmus.pmus[0].type, 8);
	assert_int_equal(pmus.pmus[0].slots, 0);
	assert_int_equal(pmus.pmus[0].n_events, 2);
	assert_false(pmus.pmus[0].user_access);
	assert_string_equal(pmus.pmus[1].name, "armv8_b");
	assert_int_equal(pmus.pmus[1].slots, 8);
	assert_int_equal(pmus.pmus[1].cpus.count, 4);
	assert_true(pmus.pmus[1].user_access);
	pms_pmus_release(&pmus);
	host_remove(&tree);
}

/* "armv8_pmuv3" with these events. */
static int has(const char *const *codes, uint64_t code)
{
	struct pms_pmus pmus;
	struct host_tree tree = host_make("0\n");
	host_put(&tree, DEVICES "armv8_pmuv3/type", "8\n");
	for (size_t i = 0; codes[i]; i++) {
		char path[128];
		snprintf(path, sizeof(path), DEVICES "armv8_pmuv3/events/e%zu", i);
		host_put(&tree, path, codes[i]);
	}
	assert_int_equal(pms_pmus_read(tree.root, &pmus, NULL), 0);
	int rc = pms_pmu_has(&pmus.pmus[0], code);
	pms_pmus_release(&pmus);
	host_remove(&tree);
	return rc;
}

/* What Linux names is there when it is listed; of what it has no name for nothing is known. */
static void presence_is_what_the_kernel_lists(void **state)
{
	(void)state;
	static const char *const some[] = { "event=0x0011\n", "event=0x003f\n", NULL };
	static const char *const old[] = { "event=0x0011\n", NULL };
	static const char *const middle[] = { "event=0x0011\n", "event=0x0034\n", NULL };
	static const char *const none[] = { NULL };
	assert_int_equal(has(some, 0x11), 1);
	assert_int_equal(has(some, 0x3f), 1);
	assert_int_equal(has(some, 0x03), 0);
	assert_int_equal(has(some, 0x3e), 0);
	assert_int_equal(has(some, 0x1e), -1);	 /* CHAIN is never listed */
	assert_int_equal(has(some, 0x40), -1);	 /* the core's own */
	assert_int_equal(has(some, 0x4005), -1); /* named by some kernels */
	assert_int_equal(has(old, 0x3f), -1);	 /* a kernel that knew no name for it? */
	assert_int_equal(has(old, 0x38), -1);	 /* as of Linux 4.14, on which an N1 has this one */
	assert_int_equal(has(old, 0x30), 0);
	assert_int_equal(has(middle, 0x37), 0);
	assert_int_equal(has(middle, 0x3f), -1);
	assert_int_equal(has(some, 0x38), 0);
	assert_int_equal(has(none, 0x11), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_pmu_is_no_error),
		cmocka_unit_test(pmus_of_cores_are_listed),
		cmocka_unit_test(presence_is_what_the_kernel_lists),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
