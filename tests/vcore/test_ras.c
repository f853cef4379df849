/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vcore/model/ras.h"

static void returns_come_in_reverse(void **state)
{
	(void)state;
	struct pms_ras r;
	pms_ras_init(&r, 16);
	assert_int_equal(pms_ras_pop(&r), 0);
	pms_ras_push(&r, 0x10);
	pms_ras_push(&r, 0x20);
	assert_int_equal(pms_ras_pop(&r), 0x20);
	pms_ras_push(&r, 0x30);
	assert_int_equal(pms_ras_pop(&r), 0x30);
	assert_int_equal(pms_ras_pop(&r), 0x10);
	assert_int_equal(pms_ras_pop(&r), 0);
	assert_int_equal(pms_ras_pop(&r), 0);
}

/* Five calls deep on three entries: the two outermost returns are unknown. */
static void deeper_than_the_stack_loses_the_outermost(void **state)
{
	(void)state;
	struct pms_ras r;
	pms_ras_init(&r, 3);
	for (uint64_t a = 1; a <= 5; a++)
		pms_ras_push(&r, a);
	for (uint64_t a = 5; a >= 3; a--)
		assert_int_equal(pms_ras_pop(&r), a);
	assert_int_equal(pms_ras_pop(&r), 0);
}

static void recursion_of_any_depth_keeps_the_innermost(void **state)
{
	(void)state;
	struct pms_ras r;
	pms_ras_init(&r, 3);
	for (uint64_t a = 1; a <= 200; a++) {
		pms_ras_push(&r, a);
		struct pms_ras saved = r;
		for (uint64_t k = 0; k < 3 && k < a; k++)
			assert_int_equal(pms_ras_pop(&r), a - k);
		assert_int_equal(pms_ras_pop(&r), 0);
		r = saved;
	}
}

static void assignment_restores(void **state)
{
	(void)state;
	struct pms_ras r;
	pms_ras_init(&r, 2);
	pms_ras_push(&r, 1);
	pms_ras_push(&r, 2);
	struct pms_ras saved = r;
	pms_ras_pop(&r);
	pms_ras_push(&r, 7);
	pms_ras_push(&r, 8);
	r = saved;
	assert_int_equal(pms_ras_pop(&r), 2);
	assert_int_equal(pms_ras_pop(&r), 1);
	assert_int_equal(pms_ras_pop(&r), 0);
}

static void all_entries_serve(void **state)
{
	(void)state;
	struct pms_ras r;
	pms_ras_init(&r, PMS_RAS_MAX);
	for (uint64_t a = 1; a <= PMS_RAS_MAX; a++)
		pms_ras_push(&r, a);
	for (uint64_t a = PMS_RAS_MAX; a >= 1; a--)
		assert_int_equal(pms_ras_pop(&r), a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(returns_come_in_reverse),
		cmocka_unit_test(deeper_than_the_stack_loses_the_outermost),
		cmocka_unit_test(recursion_of_any_depth_keeps_the_innermost),
		cmocka_unit_test(assignment_restores),
		cmocka_unit_test(all_entries_serve),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
