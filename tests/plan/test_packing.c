/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "plan/bits.h"
#include "plan/bound.h"
#include "random_sets.h"

/* Sets are written as letters: "ab bc" are two sets of three events. Worked out by hand. */
static const struct {
	const char *sets;
	size_t capacity, passes;
} cases[] = {
	{ "a", 1, 1 },
	{ "a b c", 1, 3 },
	{ "ab bc ca", 3, 1 },
	{ "ab bc ca", 2, 3 },	    /* no two fit */
	{ "ab ac ad ae af", 3, 3 }, /* two a pass, by their common event */
	{ "ab ac ad ae af", 6, 1 },
	{ "ab cd ef gh", 4, 2 },
	{ "abc def ghi", 5, 3 },	  /* 9 events fit into 2 passes of 5, the sets do not */
	{ "ab bc cd de ef fa", 3, 3 },	  /* a ring: two neighbours a pass */
	{ "ab bc cd de ef fa", 4, 2 },	  /* three neighbours a pass */
	{ "ab bc cd de ef fg ga", 4, 3 }, /* a ring of seven */
};

static size_t read_sets(const char *text, uint64_t *sets, size_t *n_events)
{
	size_t n = 0;
	sets[n] = 0;
	*n_events = 0;
	for (; *text; text++) {
		if (*text == ' ') {
			sets[++n] = 0;
			continue;
		}
		size_t event = (size_t)(*text - 'a');
		pms_bits_set(&sets[n], event);
		if (event >= *n_events)
			*n_events = event + 1;
	}
	return n + 1;
}

static void check_packed(const struct pms_packing *packing, const struct pms_packed *packed)
{
	assert_true(serves(packing, packed->passes, packed->n_passes));
}

static void packs_each_case(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t sets[16];
		struct pms_packing packing = { .words = 1,
					       .capacity = cases[i].capacity,
					       .sets = sets };
		packing.n_sets = read_sets(cases[i].sets, sets, &packing.n_events);
		struct pms_effort effort = { 1000000 };
		struct pms_packed packed;
		assert_int_equal(pms_packing_solve(&packing, 0, &effort, &packed), 0);
		check_packed(&packing, &packed);
		if (packed.n_passes != cases[i].passes || packed.lower_bound != cases[i].passes)
			fail_msg("%s by %zu: %zu passes, bound %zu, want %zu", cases[i].sets,
				 cases[i].capacity, packed.n_passes, packed.lower_bound,
				 cases[i].passes);
		pms_packed_release(&packed);
	}
}

static void packs_as_well_as_trying_all_ways(void **unused)
{
	(void)unused;
	uint64_t state = 2, sets[SETS_MOST];
	for (int run = 0; run < 1500; run++) {
		struct pms_packing packing = random_packing(&state, sets);
		struct pms_effort effort = { 100000000 };
		struct pms_packed packed;
		size_t want = naive_fewest(&packing);
		assert_int_equal(pms_packing_solve(&packing, 0, &effort, &packed), 0);
		check_packed(&packing, &packed);
		assert_int_equal(packed.n_passes, want);
		assert_int_equal(packed.lower_bound, want);
		assert_true(pms_packing_bound(&packing, &effort) <= want);
		pms_packed_release(&packed);
	}
}

/* A bound that is not reached is not claimed to be. */
static void little_effort_gives_passes_all_the_same(void **unused)
{
	(void)unused;
	uint64_t state = 3, sets[SETS_MOST];
	for (int run = 0; run < 1500; run++) {
		struct pms_packing packing = random_packing(&state, sets);
		struct pms_effort effort = { random_below(&state, 200) };
		struct pms_packed packed;
		size_t fewest = naive_fewest(&packing);
		assert_int_equal(pms_packing_solve(&packing, 0, &effort, &packed), 0);
		check_packed(&packing, &packed);
		assert_true(packed.n_passes >= fewest);
		assert_true(packed.lower_bound <= fewest);
		pms_packed_release(&packed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packs_each_case),
		cmocka_unit_test(packs_as_well_as_trying_all_ways),
		cmocka_unit_test(little_effort_gives_passes_all_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
