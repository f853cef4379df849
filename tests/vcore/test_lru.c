/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vcore/model/lru.h"

static void oldest_is_empty_then_least_recent(void **state)
{
	(void)state;
	uint16_t stamps[4] = { 0 }, clock = 0;
	for (unsigned w = 0; w < 4; w++) {
		assert_int_equal(pms_lru_oldest(stamps, 4), w);
		pms_lru_touch(stamps, &clock, 4, w);
	}
	pms_lru_touch(stamps, &clock, 4, 0); /* order, oldest first: 1 2 3 0 */
	assert_int_equal(pms_lru_oldest(stamps, 4), 1);
	pms_lru_touch(stamps, &clock, 4, 1); /* 2 3 0 1 */
	pms_lru_touch(stamps, &clock, 4, 2); /* 3 0 1 2 */
	assert_int_equal(pms_lru_oldest(stamps, 4), 3);
	stamps[0] = 0; /* emptied */
	assert_int_equal(pms_lru_oldest(stamps, 4), 0);
}

static void order_survives_the_clock_running_out(void **state)
{
	(void)state;
	uint16_t stamps[4] = { 0 }, clock = 0;
	for (unsigned i = 0; i < 32765; i++) {
		pms_lru_touch(stamps, &clock, 4, 3);
		pms_lru_touch(stamps, &clock, 4, 1);
	}
	assert_int_equal(clock, 65530);
	pms_lru_touch(stamps, &clock, 4, 0);
	for (unsigned i = 0; i < 10; i++) {
		pms_lru_touch(stamps, &clock, 4, 3);
		pms_lru_touch(stamps, &clock, 4, 1);
	}
	assert_int_equal(stamps[2], 0); /* still empty; oldest first: 0 3 1 */
	assert_true(stamps[0] && stamps[0] < stamps[3] && stamps[3] < stamps[1]);
	assert_true(clock < 100);
}

static void renumber_keeps_order_and_empties(void **state)
{
	(void)state;
	uint16_t stamps[5] = { 900, 0, 17, 65535, 18 }, clock = 65535;
	const uint16_t want[5] = { 3, 0, 1, 4, 2 };
	pms_lru_renumber(stamps, &clock, 5);
	assert_memory_equal(stamps, want, sizeof(want));
	assert_int_equal(clock, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(oldest_is_empty_then_least_recent),
		cmocka_unit_test(order_survives_the_clock_running_out),
		cmocka_unit_test(renumber_keeps_order_and_empties),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
