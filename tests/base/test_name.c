/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/name.h"
#include "pmuscope/pmuscope.h"
#include "base/status.h"

static void names_compare_without_case(void **state)
{
	(void)state;
	assert_int_equal(pms_name_compare("CPU_CYCLES", "cpu_Cycles"), 0);
	assert_true(pms_name_compare("a", "B") < 0);
	assert_true(pms_name_compare("L1D", "l1d_tlb") < 0);
	assert_true(pms_name_compare("l1d_tlb", "L1D") > 0);
}

static void index_finds_each_name(void **state)
{
	(void)state;
	struct pms_name_row rows[] = {
		{ "ST_SPEC", 0 }, { "br_pred", 1 }, { "LD_SPEC", 2 }, { "BR_PRED", 3 }, { "L1D", 4 }
	};
	struct pms_name_index index = { rows, sizeof(rows) / sizeof(rows[0]) };
	pms_name_index_sort(&index);
	assert_int_equal(pms_name_index_find(&index, "st_spec"), 0);
	assert_int_equal(pms_name_index_find(&index, "Br_Pred"), 1); /* the lower of two */
	assert_int_equal(pms_name_index_find(&index, "LD_SPEC"), 2);
	assert_int_equal(pms_name_index_find(&index, "l1d"), 4);
	assert_int_equal(pms_name_index_find(&index, "L1"), -PMS_ENAME);
	assert_int_equal(pms_name_index_find(&index, "ZZZ"), -PMS_ENAME);
	struct pms_name_index empty = { NULL, 0 };
	pms_name_index_sort(&empty);
	assert_int_equal(pms_name_index_find(&empty, "L1D"), -PMS_ENAME);
}

static void nearest_is_offered(void **state)
{
	(void)state;
	static const char *const names[] = { "branch_mpki", "itlb_mpki", "dtlb_mpki", "ipc", NULL };
	static const struct {
		const char *wrong, *best;
		size_t distance;
	} cases[] = {
		{ "branch_mpi", "branch_mpki", 1 },  { "BRANCH_MPKI", "branch_mpki", 0 },
		{ "itlb_mkpi", "itlb_mpki", 2 },     { "ipcs", "ipc", 1 },
		{ "retired_instructions", NULL, 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_nearest nearest = { 0 };
		for (size_t j = 0; names[j]; j++)
			pms_nearest_offer(&nearest, cases[i].wrong, names[j]);
		if (!cases[i].best) {
			assert_null(nearest.best);
			assert_null(pms_name_nearest(cases[i].wrong, names));
			continue;
		}
		assert_string_equal(nearest.best, cases[i].best);
		assert_int_equal(nearest.distance, cases[i].distance);
		assert_ptr_equal(pms_name_nearest(cases[i].wrong, names), nearest.best);
	}
}

static void names_are_listed_as_far_as_there_is_room(void **state)
{
	(void)state;
	char list[9] = "";
	pms_name_append(list, sizeof(list), "abc");
	assert_string_equal(list, "abc");
	pms_name_append(list, sizeof(list), "defg"); /* 3 + 2 + 4: the terminator has no room */
	assert_string_equal(list, "abc");
	pms_name_append(list, sizeof(list), "def");
	assert_string_equal(list, "abc, def");
	pms_name_append(list, sizeof(list), "");
	assert_string_equal(list, "abc, def");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_compare_without_case),
		cmocka_unit_test(index_finds_each_name),
		cmocka_unit_test(nearest_is_offered),
		cmocka_unit_test(names_are_listed_as_far_as_there_is_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
