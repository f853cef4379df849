/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core_fixture.h"
#include "vcore/model/predict.h"

/* A return stack of 16, as the fixture has it. */
static int setup(void **state)
{
	static struct pms_predictor p;
	struct pms_params params = fixture_params();
	*state = &p;
	return pms_predictor_init(&p, &params);
}

static int teardown(void **state)
{
	pms_predictor_release(*state);
	return 0;
}

/* A branch of the right path goes to @next. Returns whether that was predicted. */
static bool go(struct pms_predictor *p, uint64_t pc, enum pms_branch kind, uint64_t next)
{
	struct pms_uop uop = { .branch = (uint8_t)kind };
	struct pms_prediction prediction;
	pms_predict(p, pc, &uop, false, &prediction);
	pms_predict_learn(p, pc, &uop, &prediction, true, next);
	pms_predict_follow(p, pc, &uop, true, next);
	return prediction.next == next;
}

static void calls_as_deep_as_the_stack_return(void **state)
{
	for (uint64_t i = 0; i < 16; i++)
		go(*state, 0x1000 + 16 * i, PMS_BRANCH_INDIRECT_CALL, 0x8000);
	for (uint64_t i = 16; i-- > 0;)
		assert_true(go(*state, 0x8000, PMS_BRANCH_RETURN, 0x1000 + 16 * i + 4));
}

/* 20 calls from one place to itself: the stack has the innermost 16 returns, which all go to the
 * same place. The outermost four are predicted by the path, as any indirect branch: once the target
 * buffer knows the return. */
static void deeper_calls_return_by_the_path(void **state)
{
	for (unsigned turn = 0; turn < 40; turn++) {
		unsigned right = 0;
		for (unsigned i = 0; i < 20; i++)
			go(*state, 0x1000, PMS_BRANCH_INDIRECT_CALL, 0x1000);
		for (unsigned i = 0; i < 20; i++)
			right += go(*state, 0x2000, PMS_BRANCH_RETURN, 0x1004);
		if (turn)
			assert_int_equal(right, 20);
		else
			assert_in_range(right, 16, 19);
	}
}

/* @n branches of one set round and round. Returns how many were predicted right in the last 50
 * turns. */
static unsigned right_in_one_set(struct pms_predictor *p, uint64_t n)
{
	const uint64_t apart = 2048 * 32; /* main: 8192 entries in 4 ways, regions of 32 bytes */
	unsigned right = 0;
	for (unsigned turn = 0; turn < 100; turn++)
		for (uint64_t i = 0; i < n; i++) {
			bool ok = go(p, 0x100000 + apart * i, PMS_BRANCH_INDIRECT,
				     0x100000 + apart * ((i + 1) % n));
			right += ok && turn >= 50;
		}
	return right;
}

/* The indirect predictor knows where they go from the path, but fetch runs past those that the
 * buffer does not hold. Its sets have four ways: five branches in turns drive each other out. */
static void branches_that_no_buffer_holds_are_run_past(void **state)
{
	assert_int_equal(right_in_one_set(*state, 5), 0);
	assert_int_equal(right_in_one_set(*state, 4), 4 * 50);
}

/* Of the last 100 of 1000 turns, how many were predicted wrong, without some mechanisms. */
static unsigned wrong_conditionals(uint64_t off)
{
	struct pms_params params = fixture_params();
	params.off = off;
	struct pms_predictor p;
	const struct pms_uop uop = { .branch = PMS_BRANCH_COND, .disp = 64 };
	unsigned wrong = 0;
	assert_int_equal(pms_predictor_init(&p, &params), 0);
	for (unsigned turn = 0; turn < 1000; turn++) {
		struct pms_prediction prediction;
		bool taken = turn % 3 != 0; /* two of three: a counter says always */
		uint64_t next = taken ? 0x1040 : 0x1004;
		pms_predict(&p, 0x1000, &uop, false, &prediction);
		wrong += turn >= 900 && prediction.next != next;
		pms_predict_learn(&p, 0x1000, &uop, &prediction, taken, next);
		pms_predict_follow(&p, 0x1000, &uop, taken, next);
	}
	pms_predictor_release(&p);
	return wrong;
}

/* Turns 900 to 999: 34 of them are divided by 3. */
static void conditionals_are_known_by_their_history(void **state)
{
	(void)state;
	assert_int_equal(wrong_conditionals(0), 0);
	assert_int_equal(wrong_conditionals(PMS_OFF(TAGE)), 34);
	assert_true(wrong_conditionals(PMS_OFF(TAGE_HISTORY)) >= 34);
}

/* A jump to eight places in turn, never to where it went the last time. */
static unsigned wrong_targets(uint64_t off)
{
	struct pms_params params = fixture_params();
	params.off = off;
	struct pms_predictor p;
	unsigned wrong = 0;
	assert_int_equal(pms_predictor_init(&p, &params), 0);
	for (uint64_t turn = 0; turn < 1000; turn++)
		wrong += !go(&p, 0x1000, PMS_BRANCH_INDIRECT, 0x8000 + 0x100 * (turn % 8)) &&
			 turn >= 900;
	pms_predictor_release(&p);
	return wrong;
}

static void targets_are_known_by_the_path(void **state)
{
	(void)state;
	assert_int_equal(wrong_targets(0), 0);
	assert_int_equal(wrong_targets(PMS_OFF(INDIRECT)), 100);
	assert_true(wrong_targets(PMS_OFF(TARGET_HISTORY)) >= 80);
}

/* 20 calls inside each other, from two places by turns, and their returns: 16 by the stack. The
 * last four go to the two places by turns, so the place of the one before is always wrong, and the
 * path right. With no stack the path has them all, but for the start. */
static unsigned wrong_returns(uint64_t off, uint32_t entries)
{
	struct pms_params params = fixture_params();
	params.off = off;
	params.ras_entries = entries;
	struct pms_predictor p;
	unsigned wrong = 0;
	assert_int_equal(pms_predictor_init(&p, &params), 0);
	for (unsigned turn = 0; turn < 100; turn++) {
		for (uint64_t i = 0; i < 20; i++)
			go(&p, 0x1000 + 0x100 * (i % 2), PMS_BRANCH_INDIRECT_CALL,
			   0x1000 + 0x100 * ((i + 1) % 2));
		for (uint64_t i = 20; i-- > 0;)
			wrong += !go(&p, 0x2000, PMS_BRANCH_RETURN, 0x1004 + 0x100 * (i % 2)) &&
				 turn >= 90;
	}
	pms_predictor_release(&p);
	return wrong;
}

static void returns_that_are_lost_are_known_by_the_path(void **state)
{
	(void)state;
	assert_int_equal(wrong_returns(0, 16), 0);
	assert_int_equal(wrong_returns(PMS_OFF(RETURN_BY_PATH), 16), 10 * 4);
	assert_int_equal(wrong_returns(PMS_OFF(RETURN_BY_PATH), 20), 0);
	assert_int_equal(wrong_returns(PMS_OFF(RETURN_BY_PATH), 0), 10 * 20);
}

static void bubbles_by_what_knows_the_target(void **state)
{
	(void)state;
	const struct pms_params params = { .decode_redirect = 5,
					   .btb_main_bubble = 1,
					   .btb_far_bubble = 3,
					   .indirect_bubble = 2 };
	static const struct {
		struct pms_prediction prediction;
		unsigned bubble;
	} cases[] = {
		{ { .btb = PMS_BTB_NANO }, 0 },
		{ { .btb = PMS_BTB_MAIN }, 1 },
		{ { .btb = PMS_BTB_FAR }, 3 },
		{ { .btb = PMS_BTB_MISS }, 5 },
		{ { .btb = PMS_BTB_NANO, .by_path = true }, 0 },
		{ { .btb = PMS_BTB_NANO, .by_path = true, .overrides = true }, 2 },
		{ { .btb = PMS_BTB_MAIN, .by_path = true }, 1 },
		{ { .btb = PMS_BTB_MAIN, .by_path = true, .overrides = true }, 2 },
		{ { .btb = PMS_BTB_MISS, .runs_on = true, .by_path = true }, 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(pms_predict_bubble(&params, &cases[i].prediction),
				 cases[i].bubble);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditionals_are_known_by_their_history),
		cmocka_unit_test(targets_are_known_by_the_path),
		cmocka_unit_test(returns_that_are_lost_are_known_by_the_path),
		cmocka_unit_test(bubbles_by_what_knows_the_target),
		cmocka_unit_test_setup_teardown(calls_as_deep_as_the_stack_return, setup, teardown),
		cmocka_unit_test_setup_teardown(deeper_calls_return_by_the_path, setup, teardown),
		cmocka_unit_test_setup_teardown(branches_that_no_buffer_holds_are_run_past, setup,
						teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
