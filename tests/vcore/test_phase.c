/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vcore/extent/phase.h"

enum { MODES = PMS_MODE_COUNT + 1 };

/* Instructions of each mode in the first @total, in blocks of @block; windows that were begun. */
struct spent {
	int64_t modes[MODES];
	unsigned windows;
};

/* Pass the start: a million instructions, or a period. */
static void start(struct pms_phase *p)
{
	assert_true(p->first);
	assert_int_equal(p->mode, PMS_MODE_COUNT);
	const struct pms_share_extent *e = p->extent;
	uint64_t period = e->warm + e->detail + e->skip;
	assert_int_equal(p->left, period > 1000000 ? period : 1000000);
	p->left = 0;
	pms_phase_next(p);
	assert_false(p->first);
}

static struct spent run(struct pms_phase *p, int64_t total, int64_t block)
{
	struct spent spent = { 0 };
	uint64_t last = UINT64_MAX;
	for (int64_t done = 0; done < total; done += block) {
		if (p->left <= 0)
			pms_phase_next(p);
		if (p->mode == PMS_MODE_COUNT && p->period != last) {
			last = p->period;
			spent.windows++;
		}
		spent.modes[p->mode] += block;
		p->left -= block;
	}
	return spent;
}

static void a_period_has_its_parts(void **state)
{
	(void)state;
	const struct pms_share_extent extent = { .warm = 20000, .detail = 5000, .skip = 75000 };
	const struct pms_share_extent large = { .warm = 50000, .detail = 20000, .skip = 30000 };
	const struct pms_share_extent bare = { .warm = 1000, .detail = 20000, .skip = 79000 };
	_Atomic uint64_t taken = 0;
	struct pms_phase p;
	for (unsigned thread = 0; thread < 5; thread++) {
		pms_phase_init(&p, &extent, &taken, thread);
		start(&p);
		struct spent s = run(&p, 1000 * 100000, 1);
		assert_int_equal(s.windows, 1000);
		assert_int_equal(s.modes[PMS_MODE_COUNT], 1000 * 5000);
		assert_int_equal(s.modes[PMS_MODE_RUN], 1000 * 4096);
		assert_int_equal(s.modes[PMS_MODE_WARM], 1000 * (20000 - 4096));
		assert_int_equal(s.modes[PMS_MODE_FOLLOW], 1000 * 75000);
		assert_int_equal(s.modes[PMS_MODE_SKIP], 0);
	}
	pms_phase_init(&p, &large, &taken, 0);
	start(&p);
	assert_int_equal(run(&p, 1000 * 100000, 1).modes[PMS_MODE_RUN], 1000 * 10000);
	pms_phase_init(&p, &bare, &taken, 0);
	start(&p);
	assert_int_equal(run(&p, 1000 * 100000, 1).modes[PMS_MODE_RUN], 1000 * 500);
}

/* With nothing to skip, windows lie anywhere in what is warmed. */
static void all_may_be_warmed(void **state)
{
	(void)state;
	const struct pms_share_extent extent = { .warm = 90000, .detail = 10000 };
	_Atomic uint64_t taken = 0;
	struct pms_phase p, again;
	pms_phase_init(&p, &extent, &taken, 0);
	start(&p);
	struct spent s = run(&p, 1000 * 100000, 1);
	assert_int_equal(s.windows, 1000);
	assert_int_equal(s.modes[PMS_MODE_COUNT], 1000 * 10000);
	assert_int_equal(s.modes[PMS_MODE_RUN], 1000 * 5000);
	assert_int_equal(s.modes[PMS_MODE_WARM], 1000 * 85000);
	pms_phase_init(&p, &extent, &taken, 1);
	start(&p);
	pms_phase_init(&again, &extent, &taken, 2);
	start(&again);
	assert_true(p.left != again.left);
}

/* Blocks that do not divide the parts: what one has too much the next one lacks. */
static void blocks_do_not_shift_periods(void **state)
{
	(void)state;
	const struct pms_share_extent extent = { .warm = 2000, .detail = 1000, .skip = 7000 };
	_Atomic uint64_t taken = 0;
	struct pms_phase p;
	pms_phase_init(&p, &extent, &taken, 0);
	start(&p);
	struct spent s = run(&p, 7 * 1000 * 10000, 7);
	assert_int_equal(s.windows, 7000);
	assert_in_range(s.modes[PMS_MODE_COUNT], 7000 * 1000 - 7 * 7000 / 10,
			7000 * 1000 + 7 * 7000 / 10);
}

/* Where windows lie in their periods: of 1000 the mean of 0 .. 90000 is 45000, with a standard
 * error of 90000 / sqrt(12 x 1000) = 822. */
static void windows_lie_anywhere_in_a_period(void **state)
{
	(void)state;
	const struct pms_share_extent extent = { .detail = 10000, .skip = 90000 };
	_Atomic uint64_t taken = 0;
	struct pms_phase p;
	pms_phase_init(&p, &extent, &taken, 3);
	start(&p);
	int64_t at = 0, sum = 0, least = INT64_MAX, most = 0;
	for (unsigned windows = 0; windows < 1000;) {
		if (p.mode == PMS_MODE_COUNT) {
			int64_t place = at - 100000 * (int64_t)p.period;
			sum += place;
			least = place < least ? place : least;
			most = place > most ? place : most;
			windows++;
		}
		at += p.left;
		p.left = 0;
		pms_phase_next(&p);
	}
	assert_in_range(sum / 1000, 45000 - 4 * 822, 45000 + 4 * 822);
	assert_in_range(least, 0, 2000);
	assert_in_range(most, 88000, 90000);
}

static void threads_differ_and_runs_do_not(void **state)
{
	(void)state;
	const struct pms_share_extent extent = { .detail = 1000, .skip = 1000000 };
	_Atomic uint64_t taken = 0;
	struct pms_phase a, again, b;
	pms_phase_init(&a, &extent, &taken, 1);
	start(&a);
	pms_phase_init(&again, &extent, &taken, 1);
	start(&again);
	pms_phase_init(&b, &extent, &taken, 2);
	start(&b);
	assert_true(a.left == again.left);
	assert_true(a.left != b.left);
}

static void each_round_of_windows_meets_each_group_once(void **state)
{
	(void)state;
	struct pms_phase p = { .seed = 0x123456789abcdef };
	unsigned same_order = 0, first[PMS_SHARE_GROUPS];
	for (unsigned round = 0; round < 100; round++) {
		uint64_t met = 0;
		unsigned same = 0;
		for (unsigned i = 0; i < PMS_SHARE_GROUPS; i++, p.period++) {
			unsigned group = pms_phase_group(&p);
			assert_in_range(group, 0, PMS_SHARE_GROUPS - 1);
			met |= UINT64_C(1) << group;
			same += round && group == first[i];
			if (!round)
				first[i] = group;
		}
		assert_true(met == 0xffffffff);
		same_order += same == PMS_SHARE_GROUPS;
	}
	assert_in_range(same_order, 0, 5); /* one of 16 x 32 orders */
}

static void threads_share_what_is_left_out(void **state)
{
	(void)state;
	enum { TOTAL = 3 * PMS_PHASE_PORTION + 1000 };
	const struct pms_share_extent extent = { .forward = TOTAL };
	_Atomic uint64_t taken = 0;
	struct pms_phase threads[2];
	int64_t skipped = 0;
	for (unsigned i = 0; i < 2; i++)
		pms_phase_init(&threads[i], &extent, &taken, i);
	for (int64_t done = 0; done < 4 * TOTAL; done += 100) {
		struct pms_phase *p = &threads[done / 100 % 2];
		if (p->left <= 0)
			pms_phase_next(p);
		skipped += p->mode == PMS_MODE_SKIP ? 100 : 0;
		p->left -= 100;
	}
	/* To the block: each thread's last portion ends within one. */
	assert_in_range(skipped, TOTAL, TOTAL + 200);
	assert_true(taken == TOTAL);
	assert_int_equal(threads[0].mode, PMS_MODE_COUNT);
}

static void a_region_is_counted_and_warms_up_around(void **state)
{
	(void)state;
	const struct pms_share_extent extent = { .forward = 50, .n_regions = 1 };
	_Atomic uint64_t taken = 0;
	struct pms_phase p;
	pms_phase_init(&p, &extent, &taken, 0);
	assert_int_equal(p.mode, PMS_MODE_SKIP);
	pms_phase_enter(&p); /* it is not counted before what is left out has run */
	assert_int_equal(p.mode, PMS_MODE_SKIP);
	struct spent s = run(&p, 1050, 10);
	assert_int_equal(s.modes[PMS_MODE_SKIP], 50);
	assert_int_equal(s.modes[PMS_MODE_COUNT], 1000);
	pms_phase_leave(&p);
	s = run(&p, PMS_PHASE_RUN_ON + 500, 10);
	assert_int_equal(s.modes[PMS_MODE_RUN], PMS_PHASE_RUN_ON);
	assert_int_equal(s.modes[PMS_MODE_WARM], 500);
	pms_phase_enter(&p);
	s = run(&p, 100000, 10);
	assert_int_equal(s.modes[PMS_MODE_COUNT], 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_period_has_its_parts),
		cmocka_unit_test(all_may_be_warmed),
		cmocka_unit_test(blocks_do_not_shift_periods),
		cmocka_unit_test(windows_lie_anywhere_in_a_period),
		cmocka_unit_test(threads_differ_and_runs_do_not),
		cmocka_unit_test(each_round_of_windows_meets_each_group_once),
		cmocka_unit_test(threads_share_what_is_left_out),
		cmocka_unit_test(a_region_is_counted_and_warms_up_around),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
