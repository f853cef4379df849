/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "vcore/model/history.h"

static const unsigned lengths[PMS_HISTORY_TABLES] = { 6, 14, 32, 74, 160 };

/* By definition: the bit of age k counts in bit k mod 20 of the fold. */
static unsigned fold_of(const uint8_t *newest, unsigned length)
{
	unsigned fold = 0;
	for (unsigned k = 0; k < length; k++)
		fold ^= (unsigned)newest[-(ptrdiff_t)k] << k % 20;
	return fold;
}

static void compare(const struct pms_history *h, const uint8_t *newest)
{
	for (unsigned k = 0; k < 256; k++)
		assert_int_equal(h->bits[k / 64] >> k % 64 & 1, newest[-(ptrdiff_t)k]);
	for (unsigned i = 0; i < PMS_HISTORY_TABLES; i++)
		assert_int_equal(pms_history_lane(h->folds, i), fold_of(newest, lengths[i]));
}

static void folds_are_those_of_the_bits(void **state)
{
	(void)state;
	uint8_t record[256 + 1000] = { 0 };
	uint64_t seed = 5;
	struct pms_history h = { 0 };
	for (unsigned i = 256; i < sizeof(record); i++) {
		record[i] = random_next(&seed) & 1;
		pms_history_push(&h, 0x1000, record[i]);
		compare(&h, &record[i]);
	}
}

/* One taken branch, then none: it is bit k mod 20 of the folds after k more, and leaves the
 * shortest history with the sixth. */
static void one_bit_travels_and_leaves(void **state)
{
	(void)state;
	struct pms_history h = { 0 };
	pms_history_push(&h, 0, true);
	for (unsigned k = 0; k < 160; k++) {
		assert_int_equal(pms_history_lane(h.folds, 0), k < 6 ? 1 << k : 0);
		assert_int_equal(pms_history_lane(h.folds, 4), 1 << k % 20);
		pms_history_push(&h, 0, false);
	}
	assert_int_equal(h.folds[0], 0);
	assert_int_equal(h.folds[1], 0);
	assert_int_equal(h.bits[2], UINT64_C(1) << 32); /* 160 = 2 * 64 + 32 */
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
	uint8_t record[256 + 300] = { 0 };
	uint64_t seed = 6;
	struct pms_history h = { 0 };
	for (unsigned i = 256; i < sizeof(record); i++) {
		struct pms_history saved = h;
		for (uint64_t wrong = random_below(&seed, 400); wrong > 0; wrong--) {
			pms_history_push(&h, wrong, wrong & 1);
			pms_history_push_target(&h, wrong, wrong * 64);
		}
		h = saved;
		record[i] = random_next(&seed) & 1;
		pms_history_push(&h, 0, record[i]);
		compare(&h, &record[i]);
		assert_int_equal(h.path, 0);
	}
}

static void history_is_small_enough_to_save(void **state)
{
	(void)state;
	assert_true(sizeof(struct pms_history) <= 128);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folds_are_those_of_the_bits),
		cmocka_unit_test(one_bit_travels_and_leaves),
		cmocka_unit_test(targets_leave_different_paths),
		cmocka_unit_test(assignment_restores_a_wrong_path),
		cmocka_unit_test(history_is_small_enough_to_save),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
