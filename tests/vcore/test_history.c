/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "vcore/model/history.h"

enum { TABLES = 5, KEPT = PMS_HISTORY_MOST };
static const uint32_t lengths[TABLES] = { 6, 14, 32, 74, 160 };

static struct pms_history history(void)
{
	struct pms_history h;
	pms_history_init(&h, lengths, TABLES);
	return h;
}

/* By definition: the bit of age k counts in bit k mod 20 of the fold. */
static unsigned fold_of(const uint8_t *newest, unsigned length)
{
	unsigned fold = 0;
	for (unsigned k = 0; k < length; k++)
		fold ^= (unsigned)newest[-(ptrdiff_t)k] << k % 20;
	return fold;
}

static void compare(const struct pms_history *h, const uint32_t *of, unsigned tables,
		    const uint8_t *newest)
{
	for (unsigned k = 0; k < KEPT; k++)
		assert_int_equal(pms_history_outcome(h, k) & 1, newest[-(ptrdiff_t)k]);
	for (unsigned k = 0; k < 64; k++)
		assert_int_equal(h->recent >> k & 1, newest[-(ptrdiff_t)k]);
	for (unsigned i = 0; i < tables; i++)
		assert_int_equal(pms_history_lane(h->folds, i), fold_of(newest, of[i]));
}

/* Any number of tables with histories of any length, up to the most that is kept. */
static void folds_are_those_of_the_bits(void **state)
{
	(void)state;
	static const struct {
		unsigned tables;
		uint32_t lengths[PMS_HISTORY_TABLES];
	} cases[] = {
		{ 5, { 6, 14, 32, 74, 160 } },
		{ 1, { 1 } },
		{ 4, { 8, 13, 32, 119 } }, /* as in XiangShan Kunminghu V2 */
		{ 8, { 1, 2, 20, 21, 63, 64, 264, 512 } },
	};
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		uint8_t record[KEPT + 1200] = { 0 };
		uint64_t seed = 5;
		struct pms_history h;
		pms_history_init(&h, cases[c].lengths, cases[c].tables);
		for (unsigned i = KEPT; i < sizeof(record); i++) {
			record[i] = random_next(&seed) & 1;
			pms_history_push(&h, 0x1000, record[i]);
			compare(&h, cases[c].lengths, cases[c].tables, &record[i]);
		}
	}
}

/* One taken branch, then none: it is bit k mod 20 of the folds after k more, and leaves the
 * shortest history with the sixth. */
static void one_bit_travels_and_leaves(void **state)
{
	(void)state;
	struct pms_history h = history();
	pms_history_push(&h, 0, true);
	for (unsigned k = 0; k < 160; k++) {
		assert_int_equal(pms_history_lane(h.folds, 0), k < 6 ? 1 << k : 0);
		assert_int_equal(pms_history_lane(h.folds, 4), 1 << k % 20);
		pms_history_push(&h, 0, false);
	}
	for (unsigned i = 0; i < TABLES; i++)
		assert_int_equal(pms_history_lane(h.folds, i), 0);
	assert_true(pms_history_outcome(&h, 160));
	assert_false(pms_history_outcome(&h, 159));
}

static void targets_leave_different_paths(void **state)
{
	(void)state;
	struct pms_history a = { 0 }, b = { 0 }, c = { 0 };
	pms_history_push_target(&a, 0x1000, 0x2000);
	pms_history_push_target(&b, 0x1000, 0x2004);
	pms_history_push_target(&c, 0x1008, 0x2000);
	assert_true(a.path != b.path);
	assert_true(a.path != c.path);
	for (unsigned i = 0; i < 15; i++) {
		pms_history_push_target(&a, 0x1000, 0x3000);
		pms_history_push_target(&b, 0x1000, 0x3000);
	}
	assert_true(a.path != b.path); /* 4 bits each: the 16th last is still there */
}

static void assignment_restores_a_wrong_path(void **state)
{
	(void)state;
	uint8_t record[KEPT + 300] = { 0 };
	uint64_t seed = 6;
	struct pms_history h = history();
	for (unsigned i = KEPT; i < sizeof(record); i++) {
		struct pms_history saved = h;
		for (uint64_t wrong = random_below(&seed, 400); wrong > 0; wrong--) {
			pms_history_push(&h, wrong, wrong & 1);
			pms_history_push_target(&h, wrong, wrong * 64);
		}
		h = saved;
		record[i] = random_next(&seed) & 1;
		pms_history_push(&h, 0, record[i]);
		compare(&h, lengths, TABLES, &record[i]);
		assert_int_equal(h.path, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folds_are_those_of_the_bits),
		cmocka_unit_test(one_bit_travels_and_leaves),
		cmocka_unit_test(targets_leave_different_paths),
		cmocka_unit_test(assignment_restores_a_wrong_path),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
