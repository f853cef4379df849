/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pmuscope/gains.h"

/* L1D gains 80 %, of which L2 explains 70 and the system cache 40; TLBs gain 30, huge pages all of
 * it. */
static struct pms_gain all[] = {
	{ .name = "memory", .is_group = 1, .cycles = 850, .percent = 85 },
	{ .name = "l1d", .cycles = 800, .percent = 80 },
	{ .name = "l2", .within = "l1d", .cycles = 700, .percent = 70 },
	{ .name = "slc", .within = "l2", .cycles = 400, .percent = 40 },
	{ .name = "dtlb", .cycles = 300, .percent = 30 },
	{ .name = "huge_pages", .within = "dtlb", .cycles = 300, .percent = 30 },
};
static const struct pms_gains gains = { .cycles = 1000,
					.all = all,
					.n = sizeof(all) / sizeof(all[0]) };

static void the_first_is_no_group(void **state)
{
	(void)state;
	const struct pms_gains none = { .cycles = 1000, .all = all, .n = 1 };
	assert_string_equal(pms_gains_first(&gains)->name, "l1d");
	assert_null(pms_gains_first(&none));
	assert_null(pms_gains_find(&gains, "stores"));
}

static void a_cause_explains_most_of_a_gain(void **state)
{
	(void)state;
	assert_string_equal(pms_gains_cause(&gains, &all[1])->name, "l2");
	assert_string_equal(pms_gains_cause(&gains, &all[3])->name, "slc");
	/* Huge pages are what to do about it. */
	assert_string_equal(pms_gains_cause(&gains, &all[4])->name, "dtlb");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_is_no_group),
		cmocka_unit_test(a_cause_explains_most_of_a_gain),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
