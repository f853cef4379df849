/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vcore/model/btb.h"

/* Nano of 2, main of 4 sets of 2: the set is pc bits 5 and 6, the tag bits 2 to 4 and 7 to 18. */
static int setup(void **state)
{
	static struct pms_btb b;
	*state = &b;
	return pms_btb_init(&b, 2, 8, 2);
}

static int teardown(void **state)
{
	pms_btb_release(*state);
	return 0;
}

static int where(struct pms_btb *b, uint64_t pc, uint64_t want_target)
{
	uint64_t target = 0;
	uint8_t kind;
	int found = pms_btb_lookup(b, pc, &target, &kind);
	assert_int_equal(target, want_target);
	return found;
}

static void taken_branch_is_in_main_then_in_nano(void **state)
{
	struct pms_btb *b = *state;
	uint64_t target = 77;
	uint8_t kind = 66;
	assert_int_equal(pms_btb_lookup(b, 0x1000, &target, &kind), PMS_BTB_MISS);
	assert_int_equal(target, 77);
	assert_int_equal(kind, 66);
	pms_btb_update(b, 0x1000, 0x2000, 3);
	assert_int_equal(pms_btb_lookup(b, 0x1000, &target, &kind), PMS_BTB_MAIN);
	assert_int_equal(target, 0x2000);
	assert_int_equal(kind, 3);
	target = kind = 0;
	assert_int_equal(pms_btb_lookup(b, 0x1000, &target, &kind), PMS_BTB_NANO);
	assert_int_equal(target, 0x2000);
	assert_int_equal(kind, 3);
}

static void new_target_replaces_the_old_in_both(void **state)
{
	struct pms_btb *b = *state;
	pms_btb_update(b, 0x1000, 0x2000, 3);
	assert_int_equal(where(b, 0x1000, 0x2000), PMS_BTB_MAIN);
	pms_btb_update(b, 0x1000, 0x3000, 3);
	assert_int_equal(where(b, 0x1000, 0x3000), PMS_BTB_NANO);
	pms_btb_update(b, 0x1020, 4, 1);
	pms_btb_update(b, 0x1040, 8, 1);
	where(b, 0x1020, 4);
	where(b, 0x1040, 8); /* nano holds these two now */
	assert_int_equal(where(b, 0x1000, 0x3000), PMS_BTB_MAIN);
}

static void new_kind_replaces_the_old(void **state)
{
	struct pms_btb *b = *state;
	uint64_t target;
	uint8_t kind = 0;
	pms_btb_update(b, 0x1000, 0x2000, 3);
	where(b, 0x1000, 0x2000);
	pms_btb_update(b, 0x1000, 0x2000, 4);
	pms_btb_lookup(b, 0x1000, &target, &kind);
	assert_int_equal(kind, 4);
}

static void least_recent_leaves_nano(void **state)
{
	struct pms_btb *b = *state;
	for (uint64_t pc = 0; pc < 0x60; pc += 0x20) {
		pms_btb_update(b, 0x1000 + pc, 100 + pc, 1);
		where(b, 0x1000 + pc, 100 + pc);
	}
	assert_int_equal(where(b, 0x1020, 0x20 + 100), PMS_BTB_NANO);
	assert_int_equal(where(b, 0x1040, 0x40 + 100), PMS_BTB_NANO);
	assert_int_equal(where(b, 0x1000, 100), PMS_BTB_MAIN);
}

/* 0x1000, 0x1080 and 0x1100 share a set of two. */
static void least_recent_of_the_set_leaves_main(void **state)
{
	struct pms_btb *b = *state;
	pms_btb_update(b, 0x1000, 1, 1);
	pms_btb_update(b, 0x1080, 2, 1);
	pms_btb_update(b, 0x1000, 1, 1); /* now 0x1080 is the older one */
	pms_btb_update(b, 0x1100, 3, 1);
	assert_int_equal(where(b, 0x1080, 0), PMS_BTB_MISS);
	assert_int_equal(where(b, 0x1000, 1), PMS_BTB_MAIN);
	assert_int_equal(where(b, 0x1100, 3), PMS_BTB_MAIN);
}

/* Three of the eight places of a region of 32 bytes, and two ways; the next region has its own. */
static void branches_of_a_region_share_a_set(void **state)
{
	struct pms_btb *b = *state;
	pms_btb_update(b, 0x1000, 1, 1);
	pms_btb_update(b, 0x101c, 2, 1);
	pms_btb_update(b, 0x1020, 3, 1);
	assert_int_equal(where(b, 0x1000, 1), PMS_BTB_MAIN);
	assert_int_equal(where(b, 0x101c, 2), PMS_BTB_MAIN);
	assert_int_equal(where(b, 0x1020, 3), PMS_BTB_MAIN);
	pms_btb_update(b, 0x1010, 4, 1);
	assert_int_equal(where(b, 0x1000, 0), PMS_BTB_MISS);
	assert_int_equal(where(b, 0x101c, 2), PMS_BTB_NANO);
	assert_int_equal(where(b, 0x1010, 4), PMS_BTB_MAIN);
}

/* Sets of 128 bytes and 12 tag bits: 512 KiB apart is the same branch to main, less is not. */
static void distant_branch_is_an_alias(void **state)
{
	struct pms_btb *b = *state;
	pms_btb_update(b, 0x1000, 0x2000, 3);
	assert_int_equal(where(b, 0x41000, 0), PMS_BTB_MISS);
	assert_int_equal(where(b, 0x81000, 0x2000), PMS_BTB_MAIN);
	pms_btb_update(b, 0x81000, 0x5000, 3); /* corrected, in nano and in main */
	assert_int_equal(where(b, 0x81000, 0x5000), PMS_BTB_NANO);
	assert_int_equal(where(b, 0x1000, 0x5000), PMS_BTB_MAIN);
}

/* With a hint that is right, wrong (another branch has the entry now) or new. */
static void where_a_branch_is_needs_no_target(void **state)
{
	struct pms_btb *b = *state;
	uint16_t hint = 0;
	assert_int_equal(pms_btb_where(b, 0x1000, &hint), PMS_BTB_MISS);
	pms_btb_update(b, 0x1000, 0x2000, 3);
	assert_int_equal(pms_btb_where(b, 0x1000, &hint), PMS_BTB_MAIN);
	assert_int_equal(pms_btb_where(b, 0x1000, &hint), PMS_BTB_NANO);
	for (unsigned i = 1; i < 3; i++) { /* two others: nano has room for them alone */
		pms_btb_update(b, 0x1000 + 0x20 * i, 0x3000, 3);
		assert_int_equal(where(b, 0x1000 + 0x20 * i, 0x3000), PMS_BTB_MAIN);
	}
	assert_int_equal(pms_btb_where(b, 0x1000, &hint), PMS_BTB_MAIN);
	assert_int_equal(where(b, 0x1020, 0x3000), PMS_BTB_MAIN); /* it was the oldest */
	hint = 0;
	assert_int_equal(pms_btb_where(b, 0x1000, &hint), PMS_BTB_NANO);
	assert_int_equal(where(b, 0x1000, 0x2000), PMS_BTB_NANO);
}

static void address_0_misses_when_empty(void **state)
{
	struct pms_btb *b = *state;
	assert_int_equal(where(b, 0, 0), PMS_BTB_MISS);
}

/* Four branches of one set of main, which has two ways: the far buffer still has the first. A hit
 * there brings it to main and nano again, where it drives out the least recent one. */
static void a_far_buffer_keeps_what_main_has_lost(void **state)
{
	struct pms_btb *b = *state;
	assert_int_equal(pms_btb_add_far(b, 16, 4), 0);
	for (uint64_t i = 0; i < 4; i++) /* a set of main each 128 bytes */
		pms_btb_update(b, 0x1000 + 0x80 * i, 0x2000 + i, 3);
	assert_true(pms_btb_knows(b, 0x1000));
	assert_int_equal(where(b, 0x1000, 0x2000), PMS_BTB_FAR);
	assert_int_equal(where(b, 0x1000, 0x2000), PMS_BTB_NANO);
	assert_int_equal(where(b, 0x1180, 0x2003), PMS_BTB_MAIN);
	/* 0x1000 took its place, and gives it back. */
	assert_int_equal(where(b, 0x1100, 0x2002), PMS_BTB_FAR);
	assert_int_equal(where(b, 0x1000, 0x2000), PMS_BTB_FAR);
	assert_int_equal(where(b, 0x1200, 0), PMS_BTB_MISS);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(taken_branch_is_in_main_then_in_nano),
		TEST(new_target_replaces_the_old_in_both),
		TEST(new_kind_replaces_the_old),
		TEST(least_recent_leaves_nano),
		TEST(least_recent_of_the_set_leaves_main),
		TEST(branches_of_a_region_share_a_set),
		TEST(distant_branch_is_an_alias),
		TEST(where_a_branch_is_needs_no_target),
		TEST(address_0_misses_when_empty),
		cmocka_unit_test_setup_teardown(a_far_buffer_keeps_what_main_has_lost, setup,
						teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
