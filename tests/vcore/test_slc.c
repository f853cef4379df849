/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vcore/model/slc.h"

/* 4 sets of 3 ways. */
static struct pms_slc small(void)
{
	struct pms_slc slc;
	assert_int_equal(pms_slc_init(&slc, 4 * 3 * 64, 3, 64), 0);
	return slc;
}

static void the_least_recent_goes(void **state)
{
	(void)state;
	struct pms_slc slc = small();
	for (uint64_t i = 0; i < 3; i++)
		pms_slc_put(&slc, 1 + 4 * i); /* all in set 1 */
	assert_true(pms_slc_find(&slc, 1));   /* now 5 is the oldest */
	pms_slc_put(&slc, 1 + 4 * 3);
	assert_false(pms_slc_find(&slc, 5));
	assert_true(pms_slc_find(&slc, 1));
	assert_true(pms_slc_find(&slc, 9));
	assert_true(pms_slc_find(&slc, 13));
	pms_slc_release(&slc);
}

static void putting_again_keeps_one_copy(void **state)
{
	(void)state;
	struct pms_slc slc = small();
	pms_slc_put(&slc, 2);
	pms_slc_put(&slc, 6);
	for (int i = 0; i < 5; i++)
		pms_slc_put(&slc, 2);
	pms_slc_put(&slc, 10);
	assert_true(pms_slc_find(&slc, 6));
	assert_true(pms_slc_find(&slc, 2));
	assert_true(pms_slc_find(&slc, 10));
	pms_slc_release(&slc);
}

static void an_empty_cache_holds_nothing(void **state)
{
	(void)state;
	struct pms_slc slc = small();
	for (uint64_t line = 0; line < 16; line++)
		assert_false(pms_slc_find(&slc, line));
	pms_slc_put(&slc, 0); /* whose tag would be that of an empty entry */
	assert_true(pms_slc_find(&slc, 0));
	assert_false(pms_slc_find(&slc, 4));
	pms_slc_release(&slc);
}

/* Against an array of last uses. */
static void agrees_with_a_plain_account(void **state)
{
	(void)state;
	enum { SETS = 8, WAYS = 16, LINES = SETS * 40 };
	struct pms_slc slc;
	assert_int_equal(pms_slc_init(&slc, SETS * WAYS * 64, WAYS, 64), 0);
	uint64_t used[LINES] = { 0 }, clock = 0, random = 7;
	for (unsigned step = 0; step < 200000; step++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		uint64_t line = (random >> 33) % LINES;
		unsigned newer = 0;
		for (uint64_t other = line % SETS; other < LINES; other += SETS)
			newer += used[other] > used[line];
		bool there = used[line] && newer < WAYS;
		if (random >> 62 & 1) {
			assert_int_equal(pms_slc_find(&slc, line), there);
			if (there)
				used[line] = ++clock;
		} else {
			pms_slc_put(&slc, line);
			used[line] = ++clock;
		}
	}
	pms_slc_release(&slc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_recent_goes),
		cmocka_unit_test(putting_again_keeps_one_copy),
		cmocka_unit_test(an_empty_cache_holds_nothing),
		cmocka_unit_test(agrees_with_a_plain_account),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
