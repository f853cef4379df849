/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "random.h"
#include "vcore/model/slots.h"

/* Ask at @now for one that is held for @cycles. Returns from when on it is. */
static uint64_t take(struct pms_slots *s, uint64_t now, uint64_t cycles)
{
	uint64_t from = pms_slots_free_at(s, now);
	pms_slots_occupy(s, from, from + cycles);
	return from;
}

/* Three, held until 10, 5 and 20: the next are free at 5, then at 10, then, when these are given
 * back at 30 and 11, at 11. */
static void what_is_given_back_first_is_taken_first(void **state)
{
	(void)state;
	struct pms_slots s;
	pms_slots_init(&s, 3);
	assert_int_equal(take(&s, 0, 10), 0);
	assert_int_equal(take(&s, 0, 5), 0);
	assert_int_equal(take(&s, 0, 20), 0);
	assert_int_equal(take(&s, 0, 25), 5);
	assert_int_equal(take(&s, 2, 1), 10);
	assert_true(pms_slots_full(&s, 9));
	assert_true(pms_slots_full(&s, 10));
	assert_false(pms_slots_full(&s, 11));
	assert_int_equal(pms_slots_free_at(&s, 0), 11);
	assert_int_equal(pms_slots_free_at(&s, 13), 13);
}

static void one_is_a_queue(void **state)
{
	(void)state;
	struct pms_slots s;
	pms_slots_init(&s, 1);
	assert_int_equal(take(&s, 0, 7), 0);
	assert_int_equal(take(&s, 1, 2), 7);
	assert_int_equal(take(&s, 2, 2), 9);
	assert_int_equal(take(&s, 20, 2), 20);
}

/* Of 21 requests for 20 the last waits until the first is back. */
static void one_more_than_there_are_waits(void **state)
{
	(void)state;
	static const unsigned counts[] = { 1, 20, PMS_SLOTS_MAX };
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		struct pms_slots s;
		pms_slots_init(&s, counts[c]);
		for (uint64_t i = 0; i < counts[c]; i++)
			assert_int_equal(take(&s, 100 + i, 300), 100 + i);
		assert_int_equal(take(&s, 100 + counts[c], 300), 400);
		assert_int_equal(take(&s, 100 + counts[c], 300), counts[c] == 1 ? 700 : 401);
	}
}

/* 24 that wait for each other hold one at a time: at any time one of two is free. But one at a
 * time only: two that come then wait for each other. */
static void a_chain_holds_one_at_a_time(void **state)
{
	(void)state;
	struct pms_slots s;
	pms_slots_init(&s, 2);
	for (uint64_t i = 0; i < 24; i++)
		assert_int_equal(take(&s, 300 * i, 300), 300 * i);
	assert_int_equal(take(&s, 5, 300), 5);
	assert_int_equal(take(&s, 6, 300), 305);
	assert_int_equal(take(&s, 24 * 300 - 1, 300), 24 * 300 - 1);
}

/* The gap between 10 and 20 is taken, though the only one is held from 20 on. It is used once. */
static void gaps_are_used(void **state)
{
	(void)state;
	struct pms_slots s;
	pms_slots_init(&s, 1);
	assert_int_equal(take(&s, 0, 10), 0);
	assert_int_equal(take(&s, 20, 10), 20);
	assert_int_equal(take(&s, 5, 4), 10);
	assert_int_equal(take(&s, 5, 6), 14);
	assert_int_equal(take(&s, 5, 1), 30);
}

/* Who takes it at 0 for 15 cycles keeps it, though another has it from 10 on: both hold it from 10
 * to 15, nobody else gets it before 20. */
static void a_later_one_does_not_put_off_an_earlier_one(void **state)
{
	(void)state;
	struct pms_slots s;
	pms_slots_init(&s, 1);
	assert_int_equal(take(&s, 10, 10), 10);
	assert_int_equal(take(&s, 0, 15), 0);
	assert_int_equal(take(&s, 1, 10), 20);
}

/* 600 cycles, of which the last 512 are remembered: 88 to 599. */
static void what_was_long_ago_is_forgotten(void **state)
{
	(void)state;
	struct pms_slots s;
	pms_slots_init(&s, 1);
	for (uint64_t i = 0; i < 600; i++)
		take(&s, i, 1);
	assert_int_equal(pms_slots_free_at(&s, 88), 600);
	assert_int_equal(pms_slots_free_at(&s, 87), 87);
}

enum { REQUESTS = 1500, WINDOW = 400 };

/* The reference: all that were ever held. */
struct naive {
	unsigned count, taken;
	uint64_t from[REQUESTS], until[REQUESTS];
};

static uint64_t naive_free_at(const struct naive *n, uint64_t now)
{
	for (;; now++) {
		unsigned held = 0;
		for (unsigned i = 0; i < n->taken; i++)
			held += n->from[i] <= now && now < n->until[i];
		if (held < n->count)
			return now;
	}
}

/* Requests within a window that moves so fast that those remembered are all that matter. */
static void agrees_with_a_naive_one(void **state)
{
	(void)state;
	static const unsigned counts[] = { 1, 2, 3, 20, 64 };
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		struct pms_slots s;
		struct naive *n = calloc(1, sizeof(*n));
		uint64_t seed = 3, base = 0;
		n->count = counts[c];
		pms_slots_init(&s, counts[c]);
		for (; n->taken < REQUESTS; n->taken++) {
			uint64_t now = base + random_below(&seed, WINDOW);
			uint64_t from = pms_slots_free_at(&s, now);
			assert_int_equal(from, naive_free_at(n, now));
			n->from[n->taken] = from;
			n->until[n->taken] = from + random_below(&seed, 100);
			pms_slots_occupy(&s, from, n->until[n->taken]);
			base += random_below(&seed, 2 + 120 / counts[c]);
		}
		free(n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_given_back_first_is_taken_first),
		cmocka_unit_test(one_is_a_queue),
		cmocka_unit_test(one_more_than_there_are_waits),
		cmocka_unit_test(a_chain_holds_one_at_a_time),
		cmocka_unit_test(gaps_are_used),
		cmocka_unit_test(a_later_one_does_not_put_off_an_earlier_one),
		cmocka_unit_test(what_was_long_ago_is_forgotten),
		cmocka_unit_test(agrees_with_a_naive_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
