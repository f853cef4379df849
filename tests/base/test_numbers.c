/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../growth.h"
#include "base/numbers.h"

static void each_number_has_its_row(void **state)
{
	struct pms_numbers n = { 0 };
	(void)state;
	assert_int_equal(pms_numbers_get(&n, 0), PMS_NO_ROW);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(pms_numbers_set(&n, UINT64_MAX - 3 * (uint64_t)i, i), 0);
	assert_int_equal(pms_numbers_set(&n, UINT64_MAX, 7), 0); /* in the place of 0 */
	assert_int_equal(n.count, 1000);
	assert_int_equal(pms_numbers_get(&n, UINT64_MAX), 7);
	for (uint32_t i = 1; i < 1000; i++)
		assert_int_equal(pms_numbers_get(&n, UINT64_MAX - 3 * (uint64_t)i), i);
	assert_int_equal(pms_numbers_get(&n, UINT64_MAX - 1), PMS_NO_ROW);
	pms_numbers_release(&n);
}

/* An odd factor of 64 bits, and what it takes to undo it. */
static uint64_t inverse(uint64_t factor)
{
	uint64_t x = factor; /* right in 3 bits; each step doubles them */
	for (int i = 0; i < 5; i++)
		x *= 2 - factor * x;
	return x;
}

/* Numbers that a table which multiplies by the golden ratio, as many do, puts into one place:
 * their products differ in the lowest bits alone. Each would be compared with all before it. */
static void numbers_made_to_collide_take_no_longer(void **state)
{
	enum { MANY = 600000 };
	const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15), undo = inverse(factor);
	struct pms_numbers n = { 0 };
	(void)state;
	growth_needs_a_fast_machine();
	assert_true(factor * undo == 1);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(pms_numbers_set(&n, undo * i, i), 0);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(pms_numbers_get(&n, undo * i), i);
	pms_numbers_release(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_number_has_its_row),
		cmocka_unit_test(numbers_made_to_collide_take_no_longer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
