/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "vcore/model/tage.h"

enum { BRANCHES_MAX = 8, TABLES = 5 };
static const uint32_t lengths[TABLES] = { 6, 14, 32, 74, 160 };

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

static void run_tables(struct run *r, const struct program *p, unsigned rounds,
		       const uint32_t *histories, unsigned tables)
{
	uint64_t seed = 7;
	memset(r, 0, sizeof(*r));
	pms_history_init(&r->h, histories, tables);
	assert_int_equal(pms_tage_init(&r->t, 12, tables, 10), 0);
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

static void run_program(struct run *r, const struct program *p, unsigned rounds)
{
	run_tables(r, p, rounds, lengths, TABLES);
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

/* A loop of 40 turns ends where only histories of 40 outcomes and more tell: without one, its end
 * is always missed, one turn of 40. The number of tables and their lengths are the core's. */
static void histories_reach_as_far_as_they_are_long(void **state)
{
	static const struct {
		unsigned tables;
		uint32_t histories[PMS_HISTORY_TABLES];
		bool reaches;
	} cases[] = {
		{ 1, { 38 }, false },
		{ 1, { 39 }, true },
		{ 3, { 6, 14, 32 }, false },
		{ 4, { 8, 13, 32, 119 }, true },
		{ 8, { 2, 3, 4, 5, 6, 7, 8, 9 }, false },
		{ 8, { 2, 3, 4, 5, 6, 7, 8, 39 }, true },
	};
	static const struct program program = { 1, loop_of_40 };
	enum { ROUNDS = 8000, HALF = ROUNDS / 2 };
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run r;
		run_tables(&r, &program, ROUNDS, cases[i].histories, cases[i].tables);
		bool all = r.right[0] == HALF, but_ends = r.right[0] == HALF - HALF / 40;
		if (cases[i].reaches ? !all : !but_ends)
			fail_msg("%zu: %u of %u right", i, r.right[0], HALF);
	}
}

/* Counters start weakly not taken, so one taken branch turns its own and no other. */
static void usual_directions_are_read_by_the_line(void **state)
{
	const uint64_t line = 0x400040,
		       taken[] = { line, line + 7 * 4, line + 8 * 4, line + 15 * 4 };
	struct pms_tage t;
	(void)state;
	assert_int_equal(pms_tage_init(&t, 12, TABLES, 10), 0);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		pms_tage_update(&t, taken[i], &(struct pms_tage_look){ .taken = true }, true);
	assert_int_equal(pms_tage_usual(&t, line), 1u << 0 | 1u << 7 | 1u << 8 | 1u << 15);
	assert_int_equal(pms_tage_usual(&t, line - 64), 0);
	assert_int_equal(pms_tage_usual(&t, line + 64), 0);
	pms_tage_release(&t);
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
	assert_int_equal(pms_tage_init(&t, 6, TABLES, 6), 0);
	for (unsigned i = 0; i < sizeof(outcome); i++) {
		assert_int_equal(pms_tage_predict(&t, &h, 0x104, &look), want[i]);
		look.provider = 0;
		look.taken = outcome[i]; /* no misprediction: no entry in the tagged tables */
		pms_tage_update(&t, 0x104, &look, outcome[i]);
	}
	pms_tage_release(&t);
}

/* One branch before an empty history, in tables of 64 entries: what each of them does with it. */
struct single {
	struct pms_tage t;
	struct pms_history h;
	struct pms_tage_look look;
};

enum { PC = 0x104 };

static int setup(void **state)
{
	static struct single s;
	memset(&s, 0, sizeof(s));
	*state = &s;
	if (pms_tage_init(&s.t, 6, TABLES, 6) < 0)
		return -1;
	pms_tage_predict(&s.t, &s.h, PC, &s.look);
	return 0;
}

static int teardown(void **state)
{
	struct single *s = *state;
	pms_tage_release(&s->t);
	return 0;
}

/* The branch's place in @table (from 1), and an entry of its own tag or another one there. */
static uint16_t *place(struct single *s, unsigned table)
{
	return &s->t.tables[(table - 1) * 64 + (pms_history_lane(s->look.keys, table - 1) & 63)];
}

static void put(struct single *s, unsigned table, bool own, unsigned useful, unsigned counter)
{
	unsigned tag = pms_history_lane(s->look.keys, table - 1) >> 10;
	*place(s, table) = (uint16_t)((own ? tag : tag ^ 1) << 5 | useful << 3 | counter);
}

static unsigned useful_in(struct single *s, unsigned table)
{
	return *place(s, table) >> 3 & 3;
}

static unsigned counter_in(struct single *s, unsigned table)
{
	return *place(s, table) & 7;
}

static bool predict(struct single *s)
{
	return pms_tage_predict(&s->t, &s->h, PC, &s->look);
}

static void predict_and_update(struct single *s, bool taken)
{
	predict(s);
	pms_tage_update(&s->t, PC, &s->look, taken);
}

static void longest_history_decides(void **state)
{
	struct single *s = *state;
	assert_false(predict(s));
	put(s, 1, true, 1, 7);
	assert_true(predict(s));
	put(s, 3, true, 1, 0);
	assert_false(predict(s));
	assert_int_equal(s->look.provider, 3);
	assert_int_equal(s->look.alternate, 1);
	assert_true(s->look.alternate_taken);
	put(s, 5, false, 1, 7); /* another branch's */
	assert_false(predict(s));
	put(s, 5, true, 1, 4);
	assert_true(predict(s));
	assert_int_equal(s->look.provider, 5);
	assert_int_equal(s->look.alternate, 3);
}

/* In the longest table, so that mispredictions make no entry above it. */
static void provider_counts_up_and_down(void **state)
{
	struct single *s = *state;
	put(s, 5, true, 1, 6);
	static const struct {
		bool taken;
		unsigned counter;
	} steps[] = { { true, 7 }, { true, 7 }, { false, 6 }, { false, 5 }, { true, 6 } };
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		predict_and_update(s, steps[i].taken);
		assert_int_equal(counter_in(s, 5), steps[i].counter);
	}
	put(s, 5, true, 1, 1);
	predict_and_update(s, false);
	predict_and_update(s, false);
	assert_int_equal(counter_in(s, 5), 0);
}

/* The base counter says not taken. */
static void useful_is_who_is_right_where_the_alternate_is_wrong(void **state)
{
	struct single *s = *state;
	put(s, 2, true, 1, 7);
	predict_and_update(s, true);
	assert_int_equal(useful_in(s, 2), 2);
	predict_and_update(s, false);
	assert_int_equal(useful_in(s, 2), 1);
	put(s, 2, true, 2, 0); /* agrees with the base counter */
	predict_and_update(s, false);
	predict_and_update(s, true);
	assert_int_equal(useful_in(s, 2), 2);
}

static void alternate_learns_while_the_provider_is_not_useful(void **state)
{
	struct single *s = *state;
	put(s, 2, true, 1, 4);
	put(s, 3, true, 0, 6);
	predict_and_update(s, true); /* both say so: no usefulness */
	assert_int_equal(counter_in(s, 2), 5);
	put(s, 3, true, 1, 6);
	predict_and_update(s, true);
	assert_int_equal(counter_in(s, 2), 5);
}

/* By one step for each branch, whoever provides; the base by those alone that nothing longer is
 * sure of. */
static void usual_direction_is_learned_from_every_branch(void **state)
{
	struct single *s = *state;
	uint8_t *base = &s->t.base[PC >> 2 & 63], *usual = &s->t.usual[PC >> 2 & 63];
	put(s, 4, true, 1, 7); /* useful, so its alternates learn nothing: these are two */
	put(s, 5, true, 1, 7);
	static const struct {
		bool taken;
		uint8_t want;
	} steps[] = { { true, 2 }, { true, 3 }, { true, 3 }, { false, 2 }, { false, 1 } };
	assert_int_equal(*usual, 1);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		predict_and_update(s, steps[i].taken);
		assert_int_equal(s->look.provider, 5);
		assert_int_equal(*usual, steps[i].want);
		assert_int_equal(*base, 1);
		unsigned says = pms_tage_usual(&s->t, PC & ~63u) >> (PC >> 2 & 15) & 1;
		assert_int_equal(says, steps[i].want >= 2);
	}
	put(s, 4, false, 0, 0);
	put(s, 5, true, 0, 6); /* not useful, so the base learns with it */
	predict_and_update(s, true);
	assert_int_equal(s->look.alternate, 0);
	assert_int_equal(*usual, 2);
	assert_int_equal(*base, 2);
}

/* New entries are not believed at first; each that was right where the base counter was wrong is
 * a step towards believing them. */
static void trust_in_new_entries_is_learned(void **state)
{
	struct single *s = *state;
	put(s, 2, true, 0, 4);
	assert_false(predict(s));
	assert_true(s->look.fresh && s->look.provider_taken);
	assert_int_equal(s->t.use_alt, 8);
	pms_tage_update(&s->t, PC, &s->look, true);
	assert_int_equal(s->t.use_alt, 7);
	for (unsigned table = 3; table <= 5; table++) /* it was right: no other is made */
		assert_int_equal(*place(s, table), 0);
	s->t.base[PC >> 2 & 63] = 0;
	put(s, 2, true, 0, 4);
	assert_true(predict(s));
	pms_tage_update(&s->t, PC, &s->look, false);
	assert_int_equal(s->t.use_alt, 8);
}

static void misprediction_makes_one_entry(void **state)
{
	struct single *s = *state;
	predict_and_update(s, true);
	unsigned made = 0;
	for (unsigned i = 0; i < TABLES << 6; i++)
		made += s->t.tables[i] != 0;
	assert_int_equal(made, 1);
	assert_true(predict(s));
	assert_int_not_equal(s->look.provider, 0);
	assert_int_equal(s->look.alternate, 0);
	assert_true(s->look.fresh && s->look.provider_taken);
}

/* In the first table with room half the time, in the next a quarter of it: of 1600, 800, 400, 200,
 * 100, and what is left, 100. Five standard deviations are 100, 87, 66, 48 and 48. */
static void new_entries_spread_over_the_tables(void **state)
{
	struct single *s = *state;
	static const unsigned want[] = { 800, 400, 200, 100, 100 },
			      most[] = { 100, 87, 66, 48, 48 };
	unsigned made[5] = { 0 };
	for (unsigned i = 0; i < 1600; i++) {
		memset(s->t.tables, 0, (TABLES << 6) * sizeof(*s->t.tables));
		memset(s->t.base, 1, 64);
		predict_and_update(s, true);
		for (unsigned table = 1; table <= 5; table++)
			made[table - 1] += *place(s, table) != 0;
	}
	for (unsigned i = 0; i < 5; i++)
		assert_in_range(made[i], want[i] - most[i], want[i] + most[i]);
}

static void new_entry_is_above_the_provider_and_spares_the_useful(void **state)
{
	struct single *s = *state;
	put(s, 3, true, 1, 0);
	put(s, 4, false, 1, 7);
	uint16_t spared = *place(s, 4);
	predict_and_update(s, true);
	assert_int_equal(*place(s, 1), 0);
	assert_int_equal(*place(s, 2), 0);
	assert_int_equal(*place(s, 4), spared);
	assert_int_equal(counter_in(s, 5), 4);
	assert_true(predict(s) || s->look.provider == 5);
}

static void full_tables_make_room_in_the_end(void **state)
{
	struct single *s = *state;
	for (unsigned table = 1; table <= 5; table++)
		put(s, table, false, 3, 0);
	for (unsigned i = 0; i < 4; i++) { /* three to wear them down, one to take a place */
		predict(s);
		assert_int_equal(s->look.provider, 0);
		s->look.taken = false;
		pms_tage_update(&s->t, PC, &s->look, true);
	}
	predict(s);
	assert_int_not_equal(s->look.provider, 0);
}

/* The 1023rd failure in excess of successes halves all usefulness: 3 to 1, 1 to 0. */
static void many_failures_age_everything(void **state)
{
	struct single *s = *state;
	uint16_t *elsewhere = &s->t.tables[4 * 64]; /* in the last table */
	elsewhere += elsewhere == place(s, 5);
	*elsewhere = 9 << 5 | 3 << 3 | 5;
	for (unsigned table = 1; table <= 5; table++)
		put(s, table, false, 3, 0);
	s->t.failed = 1022;
	predict_and_update(s, true);
	assert_int_equal(*elsewhere, 9 << 5 | 1 << 3 | 5);
	assert_int_equal(useful_in(s, 1), 1); /* 3, less 1, halved */
	assert_int_equal(s->t.failed, 0);
}

static void each_index_bit_is_used(void **state)
{
	struct single *s = *state;
	bool seen[64] = { 0 };
	unsigned count = 0;
	for (uint64_t pc = 0; pc < 4000; pc += 4) {
		pms_tage_predict(&s->t, &s->h, pc, &s->look);
		unsigned index = (unsigned)(place(s, 1) - s->t.tables);
		count += !seen[index];
		seen[index] = true;
	}
	assert_int_equal(count, 64);
}

static void restored_history_predicts_the_same(void **state)
{
	(void)state;
	struct pms_tage t;
	struct pms_history h;
	struct pms_tage_look before, after;
	pms_history_init(&h, lengths, TABLES);
	assert_int_equal(pms_tage_init(&t, 10, TABLES, 8), 0);
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
#define SINGLE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(learns_each_pattern),
		cmocka_unit_test(does_not_learn_a_coin),
		cmocka_unit_test(same_run_gives_the_same_predictions),
		cmocka_unit_test(histories_reach_as_far_as_they_are_long),
		cmocka_unit_test(usual_directions_are_read_by_the_line),
		cmocka_unit_test(base_counter_needs_one_to_turn_and_two_to_turn_back),
		SINGLE(longest_history_decides),
		SINGLE(provider_counts_up_and_down),
		SINGLE(useful_is_who_is_right_where_the_alternate_is_wrong),
		SINGLE(alternate_learns_while_the_provider_is_not_useful),
		SINGLE(usual_direction_is_learned_from_every_branch),
		SINGLE(trust_in_new_entries_is_learned),
		SINGLE(misprediction_makes_one_entry),
		SINGLE(new_entries_spread_over_the_tables),
		SINGLE(new_entry_is_above_the_provider_and_spares_the_useful),
		SINGLE(full_tables_make_room_in_the_end),
		SINGLE(many_failures_age_everything),
		SINGLE(each_index_bit_is_used),
		cmocka_unit_test(restored_history_predicts_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
