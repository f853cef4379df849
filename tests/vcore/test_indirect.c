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

enum { PC = 0x400100, ROUNDS = 4000, PATHS = 3 };
static const uint32_t targets[PATHS] = { 3, 9, 16 };

struct run {
	struct pms_indirect t;
	struct pms_history h;
	unsigned right; /* in the second half of the rounds */
};

static void setup_run(struct run *r)
{
	memset(r, 0, sizeof(*r));
	assert_int_equal(pms_indirect_init(&r->t, 9, targets, PATHS, 16), 0);
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

/* The @k-th target that leaves a 0 in the history of outcomes: only the path tells them apart. */
static uint64_t quiet_target(unsigned k)
{
	for (uint64_t target = 0x7000;; target += 64) {
		struct pms_history h = { 0 };
		pms_history_push_target(&h, PC, target);
		if (!h.recent && k-- == 0)
			return target;
	}
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
	return quiet_target(0);
}

static uint64_t two_in_turn(unsigned round)
{
	return quiet_target(round % 2);
}

static uint64_t seven_in_turn(unsigned round)
{
	return quiet_target(round % 7);
}

/* A B A C B A D …: an interpreter's loop, where the last two operations tell the next. */
static uint64_t script(unsigned round)
{
	static const uint8_t operation[] = { 0, 1, 0, 2, 1, 0, 3, 3, 2, 0 };
	return quiet_target(operation[round % sizeof(operation)]);
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

/* The paths are the core's: of this script the last target tells the next of half, the last three
 * that of all. */
static void paths_reach_as_far_as_they_are_long(void **state)
{
	(void)state;
	static const struct {
		unsigned paths;
		uint32_t targets[PMS_INDIRECT_TABLES - 1];
		bool reaches;
	} cases[] = {
		{ 0, { 0 }, false },
		{ 1, { 1 }, false },
		{ 1, { 3 }, true },
		{ 5, { 1, 2, 3, 8, 16 }, true },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run r;
		memset(&r, 0, sizeof(r));
		assert_int_equal(pms_indirect_init(&r.t, 9, cases[i].targets, cases[i].paths, 0),
				 0);
		for (unsigned round = 0; round < ROUNDS; round++)
			one_branch(&r, round, script(round));
		unsigned most = ROUNDS / 2, least = most * 99 / 100;
		if (cases[i].reaches ? r.right < least : r.right > most * 9 / 10)
			fail_msg("%zu: %u of %u right", i, r.right, most);
		pms_indirect_release(&r.t);
	}
}

/* Run a switch over a value that two conditional branches have tested before. The path of former
 * targets, random, says nothing and is not pushed. Returns how often its target is right in the
 * second half, where the longest path sees @outcomes of them. */
static unsigned right_with_outcomes(unsigned outcomes)
{
	struct run r;
	uint64_t seed = 8;
	memset(&r, 0, sizeof(r));
	assert_int_equal(pms_indirect_init(&r.t, 9, targets, PATHS, outcomes), 0);
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
	pms_indirect_release(&r.t);
	return r.right;
}

/* With one outcome it is one of two, with none one of four. */
static void learns_from_outcomes(void **state)
{
	(void)state;
	enum { HALF = ROUNDS / 2 };
	assert_true(right_with_outcomes(16) > HALF * 99 / 100);
	assert_true(right_with_outcomes(2) > HALF * 99 / 100);
	assert_in_range(right_with_outcomes(1), HALF / 2 - 120, HALF / 2 + 120);
	assert_in_range(right_with_outcomes(0), HALF / 4 - 120, HALF / 4 + 120);
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

/* One branch before an empty history: what each of its entries does. */
struct single {
	struct pms_indirect t;
	struct pms_history h;
	struct pms_indirect_look look;
};

enum { A = 0xa000, B = 0xb000, C = 0xc000 };

static int single_setup(void **state)
{
	static struct single s;
	memset(&s, 0, sizeof(s));
	*state = &s;
	if (pms_indirect_init(&s.t, 5, targets, PATHS, 16) < 0)
		return -1;
	pms_indirect_predict(&s.t, &s.h, PC, &s.look);
	return 0;
}

static int single_teardown(void **state)
{
	struct single *s = *state;
	pms_indirect_release(&s->t);
	return 0;
}

static struct pms_indirect_entry *at(struct single *s, unsigned table)
{
	return &s->t.tables[table * 32 + s->look.index[table]];
}

static void put(struct single *s, unsigned table, uint64_t target, uint8_t confidence)
{
	*at(s, table) = (struct pms_indirect_entry){ target, s->look.tag[table], confidence, 0 };
}

static uint64_t predict(struct single *s)
{
	return pms_indirect_predict(&s->t, &s->h, PC, &s->look);
}

static void predict_and_update(struct single *s, uint64_t target)
{
	predict(s);
	pms_indirect_update(&s->t, PC, &s->look, target);
}

static void longest_path_decides_if_it_has_been_right(void **state)
{
	struct single *s = *state;
	put(s, 0, A, 3);
	assert_int_equal(predict(s), A);
	put(s, 2, B, 1);
	assert_int_equal(predict(s), B);
	put(s, 3, C, 0); /* new */
	assert_int_equal(predict(s), B);
	assert_int_equal(s->look.provider, 3);
	pms_indirect_update(&s->t, PC, &s->look, C);
	assert_int_equal(predict(s), C);
	at(s, 3)->tag ^= 1; /* another branch's */
	assert_int_equal(predict(s), B);
}

static void new_entry_is_believed_where_nothing_else_is(void **state)
{
	struct single *s = *state;
	put(s, 1, B, 0);
	assert_int_equal(predict(s), B);
}

static void target_is_replaced_when_confidence_is_gone(void **state)
{
	struct single *s = *state;
	put(s, 3, A, 3);
	for (unsigned i = 0; i < 3; i++) {
		predict_and_update(s, B);
		assert_int_equal(at(s, 3)->target, A);
	}
	predict_and_update(s, B);
	assert_int_equal(at(s, 3)->target, B);
	assert_int_equal(at(s, 3)->confidence, 0);
	for (unsigned i = 0; i < 5; i++)
		predict_and_update(s, B);
	assert_int_equal(at(s, 3)->confidence, 3);
}

static void misprediction_makes_an_entry_above_the_provider(void **state)
{
	struct single *s = *state;
	put(s, 1, A, 3);
	predict_and_update(s, B);
	assert_int_equal(at(s, 2)->target, B);
	assert_int_equal(at(s, 2)->tag, s->look.tag[2]);
	assert_int_equal(at(s, 3)->target, 0);
	/* Not believed, but right: nothing more to make. */
	predict_and_update(s, B);
	assert_int_equal(at(s, 2)->confidence, 1);
	assert_int_equal(at(s, 3)->target, 0);
}

static void useful_entries_of_others_are_spared_once(void **state)
{
	struct single *s = *state;
	put(s, 1, A, 3);
	for (unsigned i = 2; i <= 3; i++) {
		put(s, i, C, 3);
		at(s, i)->tag ^= 1;
		at(s, i)->useful = 1;
	}
	at(s, 3)->useful = 0;
	predict_and_update(s, B);
	assert_int_equal(at(s, 2)->target, C);
	assert_int_equal(at(s, 3)->target, B);
	put(s, 3, C, 3);
	at(s, 3)->tag ^= 1;
	at(s, 3)->useful = 1;
	predict_and_update(s, B);
	assert_int_equal(at(s, 3)->target, C);
	predict_and_update(s, B);
	assert_int_equal(at(s, 2)->target, B);
}

static void useful_is_who_is_right_where_the_alternate_is_wrong(void **state)
{
	struct single *s = *state;
	put(s, 0, A, 3);
	put(s, 3, B, 3);
	predict_and_update(s, B);
	assert_int_equal(at(s, 3)->useful, 1);
	predict_and_update(s, C); /* both wrong: it stays */
	assert_int_equal(at(s, 3)->useful, 1);
	predict_and_update(s, A);
	assert_int_equal(at(s, 3)->useful, 0);
	put(s, 3, B, 3);
	put(s, 1, C, 3); /* a nearer alternate */
	at(s, 3)->useful = 1;
	predict_and_update(s, C);
	assert_int_equal(at(s, 3)->useful, 0);
	put(s, 1, A, 3);
	put(s, 3, A, 3); /* agrees with the alternate */
	predict_and_update(s, A);
	assert_int_equal(at(s, 3)->useful, 0);
}

/* Table 1 says B where the base table says A, and no other knows the branch. */
static void put_unlike(struct single *s, uint8_t confidence)
{
	put(s, 0, A, 3);
	put(s, 1, B, confidence);
	for (unsigned i = 2; i < (1 + PATHS); i++)
		put(s, i, 0, 0);
}

static void unsure_entries_are_believed_while_they_do_better(void **state)
{
	struct single *s = *state;
	assert_int_equal(s->t.use_alt, 8); /* the middle: not believed */
	put_unlike(s, 0);
	assert_int_equal(predict(s), A);
	pms_indirect_update(&s->t, PC, &s->look, B);
	assert_int_equal(s->t.use_alt, 7);
	put_unlike(s, 0);
	assert_int_equal(predict(s), B);
	assert_int_equal(s->look.alternate_target, A);
	pms_indirect_update(&s->t, PC, &s->look, A);
	assert_int_equal(s->t.use_alt, 8);
	put_unlike(s, 0);
	assert_int_equal(predict(s), A);
}

static void unsure_entries_are_believed_one_above_another(void **state)
{
	struct single *s = *state;
	put_unlike(s, 0);
	put(s, 3, C, 0);
	assert_int_equal(predict(s), A);
	s->t.use_alt = 7;
	assert_int_equal(predict(s), C);
	assert_int_equal(s->look.alternate_target, B);
}

static void only_unsure_entries_with_one_of_two_right_tell_whom_to_believe(void **state)
{
	struct single *s = *state;
	static const struct {
		uint8_t before, confidence;
		uint64_t target;
		uint8_t after;
	} cases[] = {
		{ 8, 0, A, 9 },	  { 8, 0, B, 7 },   { 8, 0, C, 8 }, /* both wrong */
		{ 8, 1, A, 8 },	  { 8, 1, B, 8 },		    /* it is sure */
		{ 14, 0, A, 15 }, { 15, 0, A, 15 }, { 1, 0, B, 0 }, { 0, 0, B, 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_unlike(s, cases[i].confidence);
		s->t.use_alt = cases[i].before;
		predict_and_update(s, cases[i].target);
		if (s->t.use_alt != cases[i].after)
			fail_msg("case %zu: %u", i, s->t.use_alt);
	}
	put(s, 0, B, 3);
	put(s, 1, B, 0); /* they agree */
	s->t.use_alt = 8;
	predict_and_update(s, B);
	assert_int_equal(s->t.use_alt, 8);
	s->t.use_alt = 8;
	at(s, 1)->tag ^= 1; /* the base table alone */
	put(s, 0, A, 0);
	predict_and_update(s, B);
	assert_int_equal(s->t.use_alt, 8);
}

int main(void)
{
#define SINGLE(f) cmocka_unit_test_setup_teardown(f, single_setup, single_teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_known_is_0_then_the_last_target),
		cmocka_unit_test(learns_each_sequence),
		cmocka_unit_test(paths_reach_as_far_as_they_are_long),
		cmocka_unit_test(learns_from_outcomes),
		cmocka_unit_test(does_not_learn_dice),
		SINGLE(longest_path_decides_if_it_has_been_right),
		SINGLE(new_entry_is_believed_where_nothing_else_is),
		SINGLE(target_is_replaced_when_confidence_is_gone),
		SINGLE(misprediction_makes_an_entry_above_the_provider),
		SINGLE(useful_entries_of_others_are_spared_once),
		SINGLE(useful_is_who_is_right_where_the_alternate_is_wrong),
		SINGLE(unsure_entries_are_believed_while_they_do_better),
		SINGLE(unsure_entries_are_believed_one_above_another),
		SINGLE(only_unsure_entries_with_one_of_two_right_tell_whom_to_believe),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
