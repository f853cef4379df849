/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stdbool.h>

#include "random.h"
#include "vcore/model/indirect.h"

enum { PC = 0x400100, ROUNDS = 4000 };

struct run {
	struct pms_indirect t;
	struct pms_history h;
	unsigned right; /* in the second half of the rounds */
};

static void setup_run(struct run *r)
{
	memset(r, 0, sizeof(*r));
	assert_int_equal(pms_indirect_init(&r->t, 9), 0);
}

static void one_branch(struct run *r, unsigned round, uint64_t target)
{
	struct pms_indirect_look look;
	uint64_t guess = pms_indirect_predict(&r->t, &r->h, PC, &look);
	assert_true(guess == look.target);
	r->right += round >= ROUNDS / 2 && guess == target;
	pms_indirect_update(&r->t, PC, &look, target);
	pms_history_push_target(&r->h, PC, target);
}

static void nothing_known_is_0_then_the_last_target(void **state)
{
	(void)state;
	struct run r;
	struct pms_indirect_look look;
	setup_run(&r);
	assert_int_equal(pms_indirect_predict(&r.t, &r.h, PC, &look), 0);
	pms_indirect_update(&r.t, PC, &look, 0x5000);
	assert_int_equal(pms_indirect_predict(&r.t, &r.h, PC, &look), 0x5000);
	assert_int_equal(pms_indirect_predict(&r.t, &r.h, PC + 4, &look), 0);
	pms_indirect_release(&r.t);
}

static uint64_t one(unsigned round)
{
	(void)round;
	return 0x7000;
}

static uint64_t two_in_turn(unsigned round)
{
	return 0x7000 + round % 2 * 64;
}

static uint64_t seven_in_turn(unsigned round)
{
	return 0x7000 + round % 7 * 64;
}

/* A B A C B A D …: an interpreter's loop, where the last two operations tell the next. */
static uint64_t script(unsigned round)
{
	static const uint8_t operation[] = { 0, 1, 0, 2, 1, 0, 3, 3, 2, 0 };
	return 0x7000 + (uint64_t)operation[round % sizeof(operation)] * 64;
}

static void learns_each_sequence(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint64_t (*target)(unsigned round);
	} cases[] = { { "one", one },
		      { "two in turn", two_in_turn },
		      { "seven in turn", seven_in_turn },
		      { "script", script } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run r;
		setup_run(&r);
		for (unsigned round = 0; round < ROUNDS; round++)
			one_branch(&r, round, cases[i].target(round));
		if (r.right <= ROUNDS / 2 * 99 / 100)
			fail_msg("%s: %u of %u right", cases[i].name, r.right, ROUNDS / 2);
		pms_indirect_release(&r.t);
	}
}

/* A switch over a value that two conditional branches have tested before. The path of former
 * targets, random, says nothing and is not pushed. */
static void learns_from_outcomes(void **state)
{
	(void)state;
	struct run r;
	uint64_t seed = 8;
	setup_run(&r);
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned value = random_next(&seed) & 3;
		struct pms_indirect_look look;
		for (unsigned i = 0; i < 14; i++)
			pms_history_push(&r.h, 0x100, false);
		pms_history_push(&r.h, 0x200, value & 1);
		pms_history_push(&r.h, 0x300, value >> 1);
		uint64_t target = 0x7000 + value * 64;
		uint64_t guess = pms_indirect_predict(&r.t, &r.h, PC, &look);
		r.right += round >= ROUNDS / 2 && guess == target;
		pms_indirect_update(&r.t, PC, &look, target);
	}
	assert_true(r.right > ROUNDS / 2 * 99 / 100);
	pms_indirect_release(&r.t);
}

/* One of eight at random: one in eight is right by luck, 250 of 2000. */
static void does_not_learn_dice(void **state)
{
	(void)state;
	struct run r;
	uint64_t seed = 9;
	setup_run(&r);
	for (unsigned round = 0; round < ROUNDS; round++)
		one_branch(&r, round, 0x7000 + random_below(&seed, 8) * 64);
	assert_in_range(r.right, 250 - 75, 250 + 75); /* five standard deviations of 15 */
	pms_indirect_release(&r.t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_known_is_0_then_the_last_target),
		cmocka_unit_test(learns_each_sequence),
		cmocka_unit_test(learns_from_outcomes),
		cmocka_unit_test(does_not_learn_dice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
