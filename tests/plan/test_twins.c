/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "plan/bits.h"
#include "plan/twins.h"

/* Event 0 is in all sets but those that say how often a cache was accessed. */
enum { HUB, A, A_REFILL, B, B_REFILL, C, D };
#define SET(one, two) ((uint64_t)1 << (one) | (uint64_t)1 << (two))

static const uint64_t sets[] = {
	SET(HUB, A_REFILL), SET(A, A_REFILL), SET(B, B_REFILL),
	SET(HUB, B_REFILL), SET(HUB, C),      SET(HUB, D),
};
enum { N = sizeof(sets) / sizeof(sets[0]) };

static uint64_t settle(uint64_t rows)
{
	struct pms_problem problem = { .packing = { N, 7, 1, 4, sets } };
	struct pms_twins twins;
	assert_int_equal(pms_twins_init(&twins, &problem), 0);
	pms_twins_settle(&twins, &rows);
	pms_twins_release(&twins);
	return rows;
}

static void choices_that_differ_by_twins_become_the_same(void **unused)
{
	(void)unused;
	/* The rate of A's refills, and that of B's. */
	assert_int_equal(settle(1 << 0), settle(1 << 3));
	assert_int_equal(settle(1 << 1), settle(1 << 2));
	assert_int_equal(settle(1 << 4), settle(1 << 5));
	assert_int_equal(settle(1 << 0 | 1 << 2), settle(1 << 3 | 1 << 1));
	/* Others stay apart. */
	assert_int_not_equal(settle(1 << 0), settle(1 << 1));
	assert_int_not_equal(settle(1 << 0), settle(1 << 4));
	assert_int_not_equal(settle(1 << 0 | 1 << 1), settle(1 << 0 | 1 << 2));
	assert_int_not_equal(settle(1 << 4), settle(1 << 4 | 1 << 5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choices_that_differ_by_twins_become_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
