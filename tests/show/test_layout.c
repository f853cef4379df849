/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"
#include "show/layout.h"

/* One row as text: blanks for its depth, then N, G, M or S and the name. */
static void describe(const struct fixture *f, const struct pms_layout *layout, size_t i, char *text,
		     size_t size)
{
	const struct pms_row *row = &layout->rows[i];
	int depth = 0;
	for (size_t up = row->parent; up != PMS_NO_ROW; up = layout->rows[up].parent)
		depth++;
	snprintf(text, size, "%*s%c %s", depth, "", "NGMS"[row->kind],
		 row -> result ? pms_catalog_metric(f->catalog, row->result->metric) -> name
			       : pms_catalog_group(f->catalog, row->group) -> name);
}

static void lays_out(struct fixture *f, int all, const char *const *want, size_t hidden)
{
	struct pms_layout layout;
	assert_int_equal(pms_layout_init(&layout, &f->report, all), 0);
	for (size_t i = 0; i < layout.n_rows; i++) {
		char text[128];
		describe(f, &layout, i, text, sizeof(text));
		if (!want[i])
			fail_msg("row %zu is too much: %s", i, text);
		assert_string_equal(text, want[i]);
	}
	assert_null(want[layout.n_rows]);
	assert_int_equal(layout.n_hidden, hidden);
	pms_layout_release(&layout);
}

/* Findings end at bad_speculation and memory_bound. MPKI only repeats what is in the groups that
 * nodes lead to; Work does not, and no node leads to it. */
static void groups_of_findings_are_shown(void **state)
{
	static const char *const want[] = { "N frontend_bound",
					    "N backend_bound",
					    " N memory_bound",
					    "  G Cache_Effectiveness",
					    "   M l1d_mpki",
					    "   M ll_reads",
					    " N core_bound",
					    "N retiring",
					    "N bad_speculation",
					    " G Branch_Effectiveness",
					    "  M branch_mpki",
					    "  M branch_miss_ratio",
					    "G Work",
					    " M ipc",
					    NULL };
	lays_out(*state, 0, want, 1);
}

/* Branch_Effectiveness belongs to the larger of the two nodes that lead to it. */
static void every_group_is_shown_once(void **state)
{
	static const char *const want[] = { "N frontend_bound",
					    " S Branch_Effectiveness",
					    "N backend_bound",
					    " N memory_bound",
					    "  G Cache_Effectiveness",
					    "   M l1d_mpki",
					    "   M ll_reads",
					    " N core_bound",
					    "N retiring",
					    "N bad_speculation",
					    " G Branch_Effectiveness",
					    "  M branch_mpki",
					    "  M branch_miss_ratio",
					    "G Work",
					    " M ipc",
					    "G MPKI",
					    " M branch_mpki",
					    " M l1d_mpki",
					    NULL };
	lays_out(*state, 1, want, 0);
}

static void the_larger_share_owns_a_group(void **state)
{
	struct fixture *f = *state;
	struct pms_layout layout;
	fixture_result(f, "frontend_bound", "Topdown_L1")->value.value = 60;
	assert_int_equal(pms_layout_init(&layout, &f->report, 1), 0);
	assert_int_equal(layout.rows[1].kind, PMS_ROW_GROUP);
	fixture_result(f, "frontend_bound", "Topdown_L1")->value.state = PMS_VALUE_UNDEFINED;
	pms_layout_release(&layout);
	assert_int_equal(pms_layout_init(&layout, &f->report, 1), 0);
	assert_int_equal(layout.rows[1].kind, PMS_ROW_SEE);
	assert_int_equal(layout.rows[1].node, fixture_node(f, "bad_speculation"));
	pms_layout_release(&layout);
}

/* Without findings nothing says which group matters: each is shown. */
static void without_findings_nothing_is_hidden_under_nodes(void **state)
{
	struct fixture *f = *state;
	struct pms_layout layout;
	f->report.n_findings = 0;
	assert_int_equal(pms_layout_init(&layout, &f->report, 0), 0);
	assert_int_equal(layout.rows[1].kind, PMS_ROW_SEE);
	pms_layout_release(&layout);
}

/* A part of the results, as -M gives it: what leads nowhere stands alone. */
static void groups_stand_alone_without_nodes(void **state)
{
	static const char *const want[] = { "G MPKI",	      " M branch_mpki",
					    " M l1d_mpki",    "G Branch_Effectiveness",
					    " M branch_mpki", NULL };
	struct fixture *f = *state;
	f->report.results = f->results + 7;
	f->report.n_results = 3;
	f->report.n_findings = 0;
	lays_out(f, 1, want, 0);
}

static void an_empty_report_has_no_rows(void **state)
{
	static const char *const want[] = { NULL };
	struct fixture *f = *state;
	f->report.n_results = 0;
	f->report.n_findings = 0;
	lays_out(f, 0, want, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(groups_of_findings_are_shown, fixture_begin,
						fixture_end),
		cmocka_unit_test_setup_teardown(every_group_is_shown_once, fixture_begin,
						fixture_end),
		cmocka_unit_test_setup_teardown(the_larger_share_owns_a_group, fixture_begin,
						fixture_end),
		cmocka_unit_test_setup_teardown(without_findings_nothing_is_hidden_under_nodes,
						fixture_begin, fixture_end),
		cmocka_unit_test_setup_teardown(groups_stand_alone_without_nodes, fixture_begin,
						fixture_end),
		cmocka_unit_test_setup_teardown(an_empty_report_has_no_rows, fixture_begin,
						fixture_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
