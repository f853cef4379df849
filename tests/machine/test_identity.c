/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "host_tree.h"
#include "machine/identity.h"

static void a_host_that_does_not_tell_has_none(void **state)
{
	(void)state;
	struct pms_identity ids[2];
	struct host_tree tree = host_make("0-3\n");
	assert_int_equal(pms_identity_read(tree.root, ids, 2), 0);
	host_put(&tree, "proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\n");
	assert_int_equal(pms_identity_read(tree.root, ids, 2), 0);
	host_remove(&tree);
	assert_int_equal(pms_identity_read("/nonexistent", ids, 2), 0);
}

/* Neoverse N1 r3p1: implementer 0x41, variant 3, architecture 0xf, part 0xd0c, revision 1. */
static void equal_cores_are_one(void **state)
{
	(void)state;
	struct pms_identity ids[4];
	struct host_tree tree = host_make("0-79\n");
	host_put_midr(&tree, 0, "0x00000000413fd0c1\n");
	host_put_midr(&tree, 1, "0x00000000413fd0c1\n");
	host_put_midr(&tree, 79, "0x00000000414fd0c1\n"); /* another variant of it */
	assert_int_equal(pms_identity_read(tree.root, ids, 4), 1);
	assert_int_equal(ids[0].kind, PMS_IDENTITY_ARM);
	assert_int_equal(ids[0].vendor, 0x41);
	assert_int_equal(ids[0].part, 0xd0c);
	host_remove(&tree);
}

static void different_cores_are_told_apart(void **state)
{
	(void)state;
	struct pms_identity ids[4];
	struct host_tree tree = host_make("0-3,8-9\n");
	host_put_midr(&tree, 0, "0x00000000411fd401\n");
	host_put_midr(&tree, 2, "not a number\n");
	host_put_midr(&tree, 9, "0x00000000413fd0c1\n");
	host_put_midr(&tree, 10, "0x00000000410fd840\n"); /* not possible */
	assert_int_equal(pms_identity_read(tree.root, ids, 4), 2);
	assert_int_equal(ids[0].part, 0xd40);
	assert_int_equal(ids[1].part, 0xd0c);
	assert_int_equal(pms_identity_read(tree.root, ids, 1), 1);
	host_remove(&tree);
}

static void harts_give_vendor_and_architecture(void **state)
{
	(void)state;
	struct pms_identity ids[4];
	struct host_tree tree = host_make("0-1\n");
	host_put(&tree, "proc/cpuinfo",
		 "processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\n"
		 "mvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000008\nmimpid\t\t: 0x6220425\n\n"
		 "processor\t: 1\nmvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000008\n");
	assert_int_equal(pms_identity_read(tree.root, ids, 4), 1);
	assert_int_equal(ids[0].kind, PMS_IDENTITY_RISCV);
	assert_int_equal(ids[0].vendor, 0x489);
	assert_true(ids[0].part == UINT64_C(0x8000000000000008));
	host_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_that_does_not_tell_has_none),
		cmocka_unit_test(equal_cores_are_one),
		cmocka_unit_test(different_cores_are_told_apart),
		cmocka_unit_test(harts_give_vendor_and_architecture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
