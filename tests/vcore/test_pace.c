/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "random.h"
#include "vcore/model/pace.h"

static void a_request_an_interval(void **state)
{
	(void)state;
	static struct pms_pace p;
	pms_pace_init(&p, 5);
	assert_int_equal(pms_pace_take(&p, 0), 0);
	assert_int_equal(pms_pace_take(&p, 0), 5);
	assert_int_equal(pms_pace_take(&p, 7), 10);
	assert_int_equal(pms_pace_take(&p, 17), 17);
	assert_int_equal(pms_pace_take(&p, 19), 20);
}

static void none_limits_nothing(void **state)
{
	(void)state;
	static struct pms_pace p;
	pms_pace_init(&p, 0);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(pms_pace_take(&p, 100), 100);
	pms_pace_init(&p, 1);
	for (uint64_t i = 0; i < 4; i++)
		assert_int_equal(pms_pace_take(&p, 100), 100 + i);
}

/* What was asked for later leaves room before it, and is gone round. */
static void turns_before_a_later_one_are_free(void **state)
{
	(void)state;
	static struct pms_pace p;
	pms_pace_init(&p, 2);
	assert_int_equal(pms_pace_take(&p, 1004), 1004);
	assert_int_equal(pms_pace_take(&p, 1000), 1000);
	assert_int_equal(pms_pace_take(&p, 1000), 1002);
	assert_int_equal(pms_pace_take(&p, 1000), 1006);
	assert_int_equal(pms_pace_take(&p, 1004), 1008);
}

enum { CYCLES = 1200, WINDOW = 300 };

/* The reference: a mark for each turn. */
static uint64_t naive_take(bool *taken, unsigned interval, uint64_t now)
{
	uint64_t turn = now / interval;
	while (taken[turn])
		turn++;
	taken[turn] = true;
	return turn * interval > now ? turn * interval : now;
}

static void agrees_with_a_naive_one(void **state)
{
	(void)state;
	for (unsigned interval = 1; interval <= 9; interval++) {
		static struct pms_pace p;
		uint64_t seed = interval, base = 0;
		bool *taken = calloc(100 * CYCLES, sizeof(*taken));
		pms_pace_init(&p, interval);
		while (base < 20 * CYCLES) {
			uint64_t now = base + random_below(&seed, WINDOW);
			assert_int_equal(pms_pace_take(&p, now), naive_take(taken, interval, now));
			base += random_below(&seed, 2 * interval + 2);
		}
		free(taken);
	}
}

/* Cycles far into a run, where the reciprocal of 3 has to be exact. */
static void turns_are_exact_late(void **state)
{
	(void)state;
	static struct pms_pace p;
	pms_pace_init(&p, 3);
	const uint64_t late = (UINT64_C(1) << 47) / 3 * 3;
	assert_int_equal(pms_pace_take(&p, late + 2), late + 2);
	assert_int_equal(pms_pace_take(&p, late + 2), late + 3);
	assert_int_equal(pms_pace_take(&p, late + 8), late + 8);
	assert_int_equal(pms_pace_take(&p, late + 6), late + 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_an_interval),
		cmocka_unit_test(none_limits_nothing),
		cmocka_unit_test(turns_before_a_later_one_are_free),
		cmocka_unit_test(agrees_with_a_naive_one),
		cmocka_unit_test(turns_are_exact_late),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
