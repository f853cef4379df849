/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pmuscope/error.h"
#include "plan/pattern.h"
#include "random_sets.h"

/* @own: of each event by itself */
static int64_t weight_of(const struct pms_packing *packing, const int64_t *weights,
			 const int64_t *own, uint64_t events)
{
	int64_t sum = 0;
	for (size_t e = 0; e < packing->n_events; e++)
		if (events >> e & 1)
			sum += own[e];
	for (size_t i = 0; i < packing->n_sets; i++)
		if (!(packing->sets[i] & ~events))
			sum += weights[i];
	return sum;
}

/* Every choice of events is looked at. */
static int64_t naive_best(const struct pms_packing *packing, const int64_t *weights,
			  const int64_t *own)
{
	int64_t best = 0;
	for (uint64_t events = 0; events < (uint64_t)1 << packing->n_events; events++) {
		int64_t weight = weight_of(packing, weights, own, events);
		if ((size_t)__builtin_popcountll(events) <= packing->capacity && weight > best)
			best = weight;
	}
	return best;
}

static void the_best_pass_is_as_good_as_any(void **unused)
{
	(void)unused;
	uint64_t state = 1, sets[SETS_MOST];
	struct pms_pattern *pattern = pms_pattern_new(SETS_MOST, 16, 5);
	assert_non_null(pattern);
	for (int run = 0; run < 2000; run++) {
		struct pms_packing packing = random_packing(&state, sets);
		int64_t weights[SETS_MOST];
		for (size_t i = 0; i < packing.n_sets; i++)
			weights[i] = (int64_t)random_below(&state, 6);
		int64_t own[16] = { 0 };
		for (size_t e = 0; e < packing.n_events && run % 2; e++)
			own[e] = (int64_t)random_below(&state, 3);
		struct pms_effort effort = { UINT64_MAX };
		uint64_t events = 0;
		int64_t got = pms_pattern_best(pattern, &packing, weights, own, &effort, &events);
		assert_int_equal(got, naive_best(&packing, weights, own));
		assert_int_equal(got, weight_of(&packing, weights, own, events));
		assert_true((size_t)__builtin_popcountll(events) <= packing.capacity);
	}
	pms_pattern_free(pattern);
}

static void effort_that_is_used_up_is_told(void **unused)
{
	(void)unused;
	uint64_t sets[] = { 3, 6, 12 }, events;
	int64_t weights[] = { 1, 1, 1 }, own[4] = { 0 };
	struct pms_packing packing = { 3, 4, 1, 3, sets };
	struct pms_effort effort = { 1 };
	struct pms_pattern *pattern = pms_pattern_new(3, 4, 3);
	assert_int_equal(pms_pattern_best(pattern, &packing, weights, own, &effort, &events),
			 -PMS_EINVAL);
	assert_int_equal(effort.left, 0);
	effort.left = 1000;
	assert_int_equal(pms_pattern_best(pattern, &packing, weights, own, &effort, &events), 2);
	pms_pattern_free(pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_pass_is_as_good_as_any),
		cmocka_unit_test(effort_that_is_used_up_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
