/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "vcore/model/tage.h"

enum { BRANCHES_MAX = 8 };

/* A program: in each round its branches run in order; outcome() says how the branch `which` of
 * the round goes, given the outcomes of the branches before it in the round. */
struct program {
	unsigned branches;
	bool (*outcome)(unsigned round, unsigned which, const bool *before, uint64_t *seed);
};

struct run {
	struct pms_tage t;
	struct pms_history h;
	unsigned right[BRANCHES_MAX]; /* in the second half of the rounds */
};

static void run_program(struct run *r, const struct program *p, unsigned rounds)
{
	uint64_t seed = 7;
	memset(r, 0, sizeof(*r));
	assert_int_equal(pms_tage_init(&r->t, 12, 10), 0);
	for (unsigned round = 0; round < rounds; round++) {
		bool outcome[BRANCHES_MAX] = { 0 };
		for (unsigned b = 0; b < p->branches; b++) {
			uint64_t pc = 0x400000 + b * 24;
			struct pms_tage_look look;
			outcome[b] = p->outcome(round, b, outcome, &seed);
			bool taken = pms_tage_predict(&r->t, &r->h, pc, &look);
			assert_int_equal(taken, look.taken);
			if (round >= rounds / 2)
				r->right[b] += taken == outcome[b];
			pms_tage_update(&r->t, pc, &look, outcome[b]);
			pms_history_push(&r->h, pc, outcome[b]);
		}
	}
	pms_tage_release(&r->t);
}

static bool always(unsigned round, unsigned which, const bool *before, uint64_t *seed)
{
	(void)round, (void)which, (void)before, (void)seed;
	return true;
}

static bool never(unsigned round, unsigned which, const bool *before, uint64_t *seed)
{
	(void)round, (void)which, (void)before, (void)seed;
	return false;
}

static bool alternating(unsigned round, unsigned which, const bool *before, uint64_t *seed)
{
	(void)which, (void)before, (void)seed;
	return round & 1;
}

static bool loop_of_7(unsigned round, unsigned which, const bool *before, uint64_t *seed)
{
	(void)which, (void)before, (void)seed;
	return round % 7 != 6;
}

/* More turns than the counters or the two shortest histories can tell apart. */
static bool loop_of_40(unsigned round, unsigned which, const bool *before, uint64_t *seed)
{
	(void)which, (void)before, (void)seed;
	return round % 40 != 39;
}

/* Two coin tosses, and a third branch that follows from them. */
static bool exclusive_or(unsigned round, unsigned which, const bool *before, uint64_t *seed)
{
	(void)round;
	return which == 2 ? before[0] != before[1] : random_next(seed) & 1;
}

static bool first_again(unsigned round, unsigned which, const bool *before, uint64_t *seed)
{
	(void)round;
	if (which == 0)
		return random_next(seed) & 1;
	return which == 7 ? before[0] : true;
}

static bool coin(unsigned round, unsigned which, const bool *before, uint64_t *seed)
{
	(void)round, (void)which, (void)before;
	return random_next(seed) & 1;
}

static void learns_each_pattern(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct program program;
		unsigned checked; /* the branch that can be learned */
	} cases[] = {
		{ "always", { 1, always }, 0 },
		{ "never", { 1, never }, 0 },
		{ "alternating", { 1, alternating }, 0 },
		{ "loop of 7", { 1, loop_of_7 }, 0 },
		{ "loop of 40", { 1, loop_of_40 }, 0 },
		{ "exclusive or", { 3, exclusive_or }, 2 },
		{ "as the first of eight", { 8, first_again }, 7 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run r;
		run_program(&r, &cases[i].program, 20000);
		if (r.right[cases[i].checked] <= 9900)
			fail_msg("%s: %u of 10000 right", cases[i].name, r.right[cases[i].checked]);
	}
}

static void does_not_learn_a_coin(void **state)
{
	(void)state;
	struct run r;
	const struct program p = { 1, coin };
	run_program(&r, &p, 40000);
	/* 20000 tosses: five standard deviations are 354. */
	assert_in_range(r.right[0], 10000 - 354, 10000 + 354);
}

static void same_run_gives_the_same_predictions(void **state)
{
	(void)state;
	struct run a, b;
	const struct program p = { 3, exclusive_or };
	run_program(&a, &p, 3000);
	run_program(&b, &p, 3000);
	assert_memory_equal(a.right, b.right, sizeof(a.right));
	assert_memory_equal(&a.h, &b.h, sizeof(a.h));
}

/* What is unknown goes on: two of two-bit counters' four states say not taken. */
static void base_counter_needs_one_to_turn_and_two_to_turn_back(void **state)
{
	(void)state;
	struct pms_tage t;
	struct pms_tage_look look;
	struct pms_history h = { 0 };
	static const bool outcome[] = { true, true, false, false, false },
			  want[] = { false, true, true, true, false };
	assert_int_equal(pms_tage_init(&t, 6, 6), 0);
	for (unsigned i = 0; i < sizeof(outcome); i++) {
		assert_int_equal(pms_tage_predict(&t, &h, 0x104, &look), want[i]);
		look.provider = 0;
		look.taken = outcome[i]; /* no misprediction: no entry in the tagged tables */
		pms_tage_update(&t, 0x104, &look, outcome[i]);
	}
	pms_tage_release(&t);
}

/* A new entry is made above the provider with every misprediction that finds room; with none, all
 * that were in the way lose usefulness, so room comes in the end. */
static void misprediction_makes_one_entry(void **state)
{
	(void)state;
	struct pms_tage t;
	struct pms_tage_look look;
	struct pms_history h = { 0 };
	assert_int_equal(pms_tage_init(&t, 6, 6), 0);
	assert_false(pms_tage_predict(&t, &h, 0x104, &look));
	assert_int_equal(look.provider, 0);
	pms_tage_update(&t, 0x104, &look, true);
	unsigned made = 0;
	for (unsigned i = 0; i < PMS_HISTORY_TABLES << 6; i++)
		made += t.tables[i] != 0;
	assert_int_equal(made, 1);
	assert_true(pms_tage_predict(&t, &h, 0x104, &look));
	assert_int_not_equal(look.provider, 0);
	assert_int_equal(look.alternate, 0);
	assert_true(look.fresh && look.provider_taken);
	pms_tage_release(&t);
}

static void full_tables_make_room_in_the_end(void **state)
{
	(void)state;
	struct pms_tage t;
	struct pms_tage_look look;
	struct pms_history h = { 0 };
	assert_int_equal(pms_tage_init(&t, 6, 6), 0);
	pms_tage_predict(&t, &h, 0x104, &look);
	for (unsigned i = 0; i < PMS_HISTORY_TABLES; i++) /* another's: tag 1, usefulness 3 */
		t.tables[(i << 6) + look.index[i]] = (uint16_t)((look.tag[i] ^ 1) << 5 | 3 << 3);
	for (unsigned i = 0; i < 3; i++) {
		pms_tage_predict(&t, &h, 0x104, &look);
		assert_int_equal(look.provider, 0);
		look.taken = false;
		pms_tage_update(&t, 0x104, &look, true);
	}
	pms_tage_predict(&t, &h, 0x104, &look);
	assert_int_equal(look.provider, 0); /* room there is, but nobody has taken it */
	look.taken = false;
	pms_tage_update(&t, 0x104, &look, true);
	pms_tage_predict(&t, &h, 0x104, &look);
	assert_int_not_equal(look.provider, 0);
	pms_tage_release(&t);
}

static void restored_history_predicts_the_same(void **state)
{
	(void)state;
	struct pms_tage t;
	struct pms_history h = { 0 };
	struct pms_tage_look before, after;
	assert_int_equal(pms_tage_init(&t, 10, 8), 0);
	memset(&before, 0, sizeof(before));
	memset(&after, 0, sizeof(after));
	for (unsigned i = 0; i < 2000; i++) {
		pms_tage_predict(&t, &h, 0x500, &before);
		struct pms_history saved = h;
		for (unsigned wrong = 0; wrong < i % 50; wrong++) {
			struct pms_tage_look look;
			pms_history_push(&h, 0x600, pms_tage_predict(&t, &h, 0x600, &look));
		}
		h = saved;
		pms_tage_predict(&t, &h, 0x500, &after);
		assert_memory_equal(&before, &after, sizeof(before));
		pms_tage_update(&t, 0x500, &after, i % 5 < 3);
		pms_history_push(&h, 0x500, i % 5 < 3);
	}
	pms_tage_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(learns_each_pattern),
		cmocka_unit_test(does_not_learn_a_coin),
		cmocka_unit_test(same_run_gives_the_same_predictions),
		cmocka_unit_test(base_counter_needs_one_to_turn_and_two_to_turn_back),
		cmocka_unit_test(misprediction_makes_one_entry),
		cmocka_unit_test(full_tables_make_room_in_the_end),
		cmocka_unit_test(restored_history_predicts_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
