/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/sizes.h"

/* Worked out by hand: m passes of N hold m * (N - 1) + 1 events of whole pieces. */
static const struct {
	size_t sizes[8], n, capacity;
	int64_t passes;
} cases[] = {
	{ { 1 }, 1, 5, 1 },
	{ { 5 }, 1, 5, 1 },
	{ { 6 }, 1, 5, 2 }, /* 9 fit into two */
	{ { 9 }, 1, 5, 2 },
	{ { 10 }, 1, 5, 3 },
	{ { 3, 3 }, 2, 5, 2 },
	{ { 3, 2 }, 2, 5, 1 },
	{ { 3, 3, 3 }, 3, 5, 2 }, /* all linked: 9 */
	{ { 4, 4, 2 }, 3, 5, 3 }, /* 10 are one too many for two that are linked or are not */
	{ { 5, 5 }, 2, 5, 2 },
	{ { 3, 3, 4 }, 3, 5, 3 },
	/* 63 events fill 5 passes of 13 in groups of 2, 2 and 1 alone: 25, 25 and 13. Beside 19
	 * there would have to be 6 each time. */
	{ { 19, 19, 12, 10, 1, 1, 1 }, 7, 13, 6 },
	{ { 19, 19, 12, 6, 6, 1 }, 6, 13, 5 },
};

static void bounds_each_case(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_effort effort = { 100000 };
		int64_t got =
			pms_sizes_bound(cases[i].sizes, cases[i].n, cases[i].capacity, 1, &effort);
		if (got != cases[i].passes)
			fail_msg("case %zu: %d passes, want %d", i, (int)got, (int)cases[i].passes);
	}
}

static void what_is_not_worked_out_is_not_claimed(void **unused)
{
	(void)unused;
	static const size_t sizes[] = { 19, 19, 12, 10, 1, 1, 1 };
	for (uint64_t units = 0; units < 40; units++) {
		struct pms_effort effort = { units };
		int64_t got = pms_sizes_bound(sizes, 7, 13, 5, &effort);
		assert_in_range(got, 5, 6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_each_case),
		cmocka_unit_test(what_is_not_worked_out_is_not_claimed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
