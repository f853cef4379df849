/* SPDX-License-Identifier: MIT */
/* Answers by which events are in several passes, held against all ways to divide small packings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/copies.h"
#include "plan/tight.h"
#include "random_sets.h"

static const unsigned char none_apart[64 * 64];

static int ask(const struct pms_packing *packing, size_t n, uint64_t effort, uint64_t *passes)
{
	struct pms_problem problem = { .packing = *packing, .apart = none_apart };
	struct pms_effort given = { effort };
	return pms_copies(&problem, n, &given, passes);
}

static void check_answers(const struct pms_packing *packing)
{
	size_t fewest = naive_fewest(packing, NULL);
	for (size_t n = fewest - 1; n <= fewest + 1; n++) {
		uint64_t passes[SETS_MOST + 1] = { 0 };
		int answer = ask(packing, n, 100000000, passes);
		assert_int_equal(answer, n < fewest ? PMS_ANSWER_NO : PMS_ANSWER_YES);
		if (answer == PMS_ANSWER_YES)
			assert_true(serves(packing, passes, n));
	}
}

static void answers_are_right(void **unused)
{
	(void)unused;
	uint64_t state = 9;
	for (int run = 0; run < 4000; run++) {
		uint64_t sets[SETS_MOST];
		struct pms_packing packing = random_packing(&state, sets);
		check_answers(&packing);
	}
}

/* As catalogs are: a few events that most sets have one of, sometimes two, and others that few do.
 */
static struct pms_packing catalog_like(uint64_t *state, uint64_t *sets, size_t n)
{
	struct pms_packing packing = {
		.n_sets = n, .words = 1, .capacity = 5 + random_below(state, 3), .sets = sets
	};
	size_t popular = 1 + random_below(state, 4);
	packing.n_events = popular;
	for (size_t i = 0; i < packing.n_sets; i++) {
		sets[i] = (uint64_t)1 << random_below(state, popular);
		if (!random_below(state, 6))
			sets[i] |= (uint64_t)1 << random_below(state, popular);
		for (size_t own = 1 + random_below(state, 2); own > 0; own--)
			sets[i] |= (uint64_t)1 << packing.n_events++;
		if (i && !random_below(state, 5))
			sets[i] |= (uint64_t)1 << (packing.n_events - 3);
	}
	return packing;
}

static void answers_about_alike_lumps_are_right(void **unused)
{
	(void)unused;
	uint64_t state = 3;
	for (int run = 0; run < 1500; run++) {
		uint64_t sets[SETS_MOST];
		struct pms_packing packing = catalog_like(&state, sets, SETS_MOST);
		check_answers(&packing);
	}
}

/* Passes that are full, of lumps that each go with one popular event: taken apart and mixed. */
static struct pms_packing take_apart(uint64_t *state, uint64_t *sets, size_t n_passes)
{
	struct pms_packing packing = {
		.words = 1, .n_events = 4, .capacity = 4 + random_below(state, 3), .sets = sets
	};
	for (size_t pass = 0; pass < n_passes; pass++) {
		uint64_t popular = (uint64_t)1 << random_below(state, 4);
		size_t left = packing.capacity - 1;
		while (left) {
			size_t size = 1 + random_below(state, left < 3 ? left : 3);
			uint64_t *set = &sets[packing.n_sets++];
			for (*set = popular, left -= size; size; size--)
				*set |= (uint64_t)1 << packing.n_events++;
		}
	}
	for (size_t i = packing.n_sets; i-- > 1;) {
		size_t k = random_below(state, i + 1);
		uint64_t swap = sets[i];
		sets[i] = sets[k];
		sets[k] = swap;
	}
	return packing;
}

static void what_was_taken_apart_fits_together(void **unused)
{
	(void)unused;
	enum { PASSES = 10, MOST = PASSES * 6 };
	uint64_t state = 2;
	for (int run = 0; run < 2000; run++) {
		uint64_t sets[MOST], passes[PASSES];
		struct pms_packing packing = take_apart(&state, sets, PASSES);
		assert_int_equal(ask(&packing, PASSES, 10000000, passes), PMS_ANSWER_YES);
		assert_true(serves(&packing, passes, PASSES));
		/* There is not one counter to spare. */
		assert_int_equal(ask(&packing, PASSES - 1, 10000000, passes), PMS_ANSWER_NO);
	}
}

/* A ring of six events, two neighbours a set, four counters: two passes have room for two copies,
 * which are those of opposite events. What has two opposite events can be
 * in one of them; of two such sets one needs a third pass. */
static void copies_are_where_parts_meet(void **unused)
{
	(void)unused;
	static const uint64_t sets[] = { 0x03, 0x06, 0x0c, 0x18, 0x30, 0x21, 0x09, 0x12 };
	struct pms_packing ring = { 6, 6, 1, 4, sets }, crossed = { 8, 6, 1, 4, sets };
	struct pms_packing halved = { 7, 6, 1, 4, sets };
	uint64_t passes[3] = { 0 };
	assert_int_equal(ask(&ring, 2, 100000, passes), PMS_ANSWER_YES);
	assert_int_equal(__builtin_popcountll(passes[0] & passes[1]), 2);
	assert_int_equal(passes[0] | passes[1], 0x3f);
	assert_int_equal(ask(&halved, 2, 100000, passes), PMS_ANSWER_YES);
	assert_int_equal(ask(&crossed, 2, 100000, passes), PMS_ANSWER_NO);
	assert_int_equal(ask(&crossed, 3, 100000, passes), PMS_ANSWER_YES);
}

/* Events of two words, lumps of more counters than a byte of what is remembered has numbers. */
static void large_lumps_are_lumps(void **unused)
{
	(void)unused;
	uint64_t sets[6][2] = { { 0 } };
	for (size_t i = 0; i < 6; i++) /* ten events each, and one that all have */
		for (size_t k = 0; k < 11; k++) {
			size_t event = k < 10 ? 1 + 10 * i + k : 70;
			sets[i][event / 64] |= (uint64_t)1 << event % 64;
		}
	struct pms_packing packing = { 6, 71, 2, 21, sets[0] };
	uint64_t passes[6] = { 0 };
	assert_int_equal(ask(&packing, 2, 100000, passes), PMS_ANSWER_NO);
	assert_int_equal(ask(&packing, 3, 100000, passes), PMS_ANSWER_YES);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(__builtin_popcountll(passes[2 * i]) +
					 __builtin_popcountll(passes[2 * i + 1]),
				 21);
}

static void without_an_answer_it_is_open(void **unused)
{
	(void)unused;
	static const uint64_t sets[] = { 0x03, 0x06, 0x0c };
	static const unsigned char apart[9] = { 0, 1, 0, 1, 0, 0, 0, 0, 0 };
	struct pms_packing packing = { 3, 4, 1, 3, sets };
	struct pms_problem problem = { .packing = packing, .apart = apart };
	struct pms_effort plenty = { 1000 };
	uint64_t passes[2];
	assert_int_equal(pms_copies(&problem, 2, &plenty, passes), PMS_ANSWER_OPEN);
	assert_int_equal(ask(&packing, 2, 0, passes), PMS_ANSWER_OPEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_right),
		cmocka_unit_test(answers_about_alike_lumps_are_right),
		cmocka_unit_test(what_was_taken_apart_fits_together),
		cmocka_unit_test(copies_are_where_parts_meet),
		cmocka_unit_test(large_lumps_are_lumps),
		cmocka_unit_test(without_an_answer_it_is_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
