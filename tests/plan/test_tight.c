/* SPDX-License-Identifier: MIT */
/* The linear program and what follows it, on problems that the cheaper bounds would mostly settle.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/tight.h"
#include "random_sets.h"

struct sample {
	uint64_t sets[SETS_MOST];
	struct pms_problem problem;
	size_t fewest;
};

static void make_sample(struct sample *sample, uint64_t *state)
{
	*sample = (struct sample){ 0 };
	struct pms_packing packing = random_packing(state, sample->sets);
	sample->problem = (struct pms_problem){ .packing = packing };
	assert_int_equal(pms_pieces_init(&sample->problem.pieces, &packing), 0);
	sample->fewest = naive_fewest(&packing);
}

static void check_tight(const struct sample *sample, struct pms_pattern *pattern,
			const struct pms_weights *weights, struct pms_effort *effort)
{
	const struct pms_packing *packing = &sample->problem.packing;
	for (size_t n = sample->fewest + 1; n-- > 0 && n + 2 > sample->fewest;) {
		uint64_t passes[SETS_MOST + 1] = { 0 };
		int answer =
			pms_tight(&sample->problem, pattern, weights, n, 10000, effort, passes);
		assert_int_equal(answer, n < sample->fewest ? PMS_ANSWER_NO : PMS_ANSWER_YES);
		if (answer == PMS_ANSWER_YES)
			assert_true(serves(packing, passes, n));
	}
}

static void bounds_hold_and_answers_are_right(void **unused)
{
	(void)unused;
	uint64_t state = 4;
	for (int run = 0; run < 1500; run++) {
		struct sample sample;
		make_sample(&sample, &state);
		const struct pms_packing *packing = &sample.problem.packing;
		struct pms_effort effort = { 100000000 };
		struct pms_pattern *pattern =
			pms_pattern_new(packing->n_sets, packing->n_events, packing->capacity);
		struct pms_master *master = pms_master_new(&sample.problem);
		size_t bound = 0;
		assert_non_null(pattern);
		assert_non_null(master);
		assert_int_equal(pms_master_solve(master, pattern, SIZE_MAX, &effort, &bound), 1);
		assert_true(bound <= sample.fewest);
		check_tight(&sample, pattern, pms_master_weights(master), &effort);
		pms_master_free(master);
		pms_pattern_free(pattern);
		pms_pieces_release(&sample.problem.pieces);
	}
}

/* A ring of five, two sets a pass: half of each pass five times is 2.5 passes. */
static void the_bound_is_that_of_fractions(void **unused)
{
	(void)unused;
	static const uint64_t sets[] = { 0x03, 0x06, 0x0c, 0x18, 0x11 };
	struct pms_problem problem = { .packing = { 5, 5, 1, 3, sets } };
	struct pms_effort effort = { 100000 };
	struct pms_pattern *pattern = pms_pattern_new(5, 5, 3);
	struct pms_master *master = pms_master_new(&problem);
	size_t bound = 0;
	uint64_t passes[3];
	assert_int_equal(pms_master_solve(master, pattern, SIZE_MAX, &effort, &bound), 1);
	assert_int_equal(bound, 3);
	const struct pms_weights *weights = pms_master_weights(master);
	double bound_by_weights = (double)weights->total / (double)weights->heaviest;
	assert_true(bound_by_weights > 2.499 && bound_by_weights < 2.501);
	assert_int_equal(pms_tight(&problem, pattern, weights, 3, 2, &effort, passes),
			 PMS_ANSWER_OPEN); /* more than 2 to list */
	assert_int_equal(pms_tight(&problem, pattern, weights, 3, 100, &effort, passes),
			 PMS_ANSWER_YES);
	pms_master_free(master);
	pms_pattern_free(pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_hold_and_answers_are_right),
		cmocka_unit_test(the_bound_is_that_of_fractions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
