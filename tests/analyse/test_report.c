/* SPDX-License-Identifier: MIT */
/* Which rows a report has, and its warnings. */
#include "fixture.h"

struct row {
	const char *metric, *group;
	int stage, level;
};

static void assert_rows(const struct fixture *f, const struct pms_report *report,
			const struct row *want, size_t n)
{
	for (size_t i = 0; i < n && i < report->n_results; i++) {
		const struct pms_result *row = &report->results[i];
		assert_string_equal(metric_name(f, row->metric), want[i].metric);
		assert_string_equal(pms_catalog_group(f->catalog, row->group)->name, want[i].group);
		assert_int_equal(row->stage, want[i].stage);
		assert_int_equal(row->level, want[i].level);
	}
	assert_int_equal(report->n_results, n);
}

static void everything_is_in_the_order_of_the_tree(void **state)
{
	struct fixture *f = *state;
	static const struct row want[] = {
		{ "frontend_bound", "Topdown_L1", 1, 1 },
		{ "backend_bound", "Topdown_L1", 1, 1 },
		{ "retiring", "Topdown_L1", 1, 1 },
		{ "bad_speculation", "Topdown_L1", 1, 1 },
		{ "ipc", "General", 2, 0 },
		{ "branch_mpki", "MPKI", 2, 0 },
		{ "l1d_cache_mpki", "MPKI", 2, 0 },
		{ "l2_tlb_mpki", "MPKI", 2, 0 },
		{ "branch_mpki", "Branch_Effectiveness", 2, 0 },
		{ "l1d_cache_mpki", "L1D_Cache_Effectiveness", 2, 0 },
		{ "miss_balance", "L1D_Cache_Effectiveness", 2, 0 },
		{ "l2_tlb_mpki", "DTLB_Effectiveness", 2, 0 },
		{ "l2_tlb_miss_ratio", "DTLB_Effectiveness", 2, 0 },
	};
	struct pms_report *report = fixture_report(f, NULL);
	assert_rows(f, report, want, sizeof(want) / sizeof(want[0]));
	assert_near(report->results[1].value.value, 50);
	assert_near(report->results[12].value.value, 0.1);
	assert_ptr_equal(report->counts, f->counts);
	assert_ptr_equal(report->scope, &f->counts->total);
	assert_int_equal(report->n_warnings, 0);
	pms_report_free(report);
	pms_report_free(NULL);
}

static void names_select_metrics_and_groups(void **state)
{
	struct fixture *f = *state;
	/* branch_mpki by its own name: once, in its first group; the TLB's by its group: once. */
	static const char *const names[] = { "DTLB_effectiveness", "BRANCH_MPKI", "l2_tlb_mpki",
					     "retiring", "branch_mpki" };
	static const struct row want[] = {
		{ "retiring", "Topdown_L1", 1, 1 },
		{ "branch_mpki", "MPKI", 2, 0 },
		{ "l2_tlb_mpki", "DTLB_Effectiveness", 2, 0 },
		{ "l2_tlb_miss_ratio", "DTLB_Effectiveness", 2, 0 },
	};
	struct pms_analyse_options options = { .names = names, .n_names = 5 };
	struct pms_report *report = fixture_report(f, &options);
	assert_rows(f, report, want, sizeof(want) / sizeof(want[0]));
	pms_report_free(report);
}

static void unknown_names_are_refused(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *name, *text, *hint;
	} cases[] = {
		{ "branch_mkpi",
		  "\"branch_mkpi\" is neither a metric nor a metric group of Small Core",
		  "did you mean branch_mpki?" },
		{ "CPU_CYCLES",
		  "\"CPU_CYCLES\" is neither a metric nor a metric group of Small Core", "list" },
		{ "loose", "the metric loose is in no metric group of Small Core", "" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *const names[] = { "ipc", cases[i].name };
		struct pms_analyse_options options = { .names = names, .n_names = 2 };
		struct pms_report *report = NULL;
		struct pms_error err = { 0 };
		assert_int_equal(pms_analyse(f->counts, &f->counts->total, &options, &report, &err),
				 -PMS_ENAME);
		assert_null(report);
		assert_string_equal(err.text, cases[i].text);
		assert_non_null(strstr(err.hint, cases[i].hint));
	}
}

static const struct count deep_counts[] = {
	{ "CYCLES", 1000 },   { "LOST", 600 },	 { "BUSY", 400 },      { "LOST_MEMORY", 450 },
	{ "LOST_CORE", 150 }, { "LOST_L2", 45 }, { "LOST_DRAM", 405 },
};
enum { N_DEEP = sizeof(deep_counts) / sizeof(deep_counts[0]) };

static void level_bounds_stage_1(void **state)
{
	(void)state;
	static const struct row all[] = {
		{ "lost", "Level_1", 1, 1 },	    { "lost_core", "Level_2", 1, 2 },
		{ "lost_memory", "Level_2", 1, 2 }, { "lost_l2", "Level_3", 1, 3 },
		{ "lost_dram", "Level_3", 1, 3 },   { "retiring", "Level_1", 1, 1 },
		{ "lost_dram", "Memory", 2, 0 },
	};
	static const struct row two[] = {
		{ "lost", "Level_1", 1, 1 },	    { "lost_core", "Level_2", 1, 2 },
		{ "lost_memory", "Level_2", 1, 2 }, { "retiring", "Level_1", 1, 1 },
		{ "lost_dram", "Memory", 2, 0 },
	};
	struct pms_analyse_options options = { .level = 2 };
	struct fixture f = fixture_open("deep", deep_counts, N_DEEP);
	struct pms_report *report = fixture_report(&f, NULL);
	assert_rows(&f, report, all, sizeof(all) / sizeof(all[0]));
	pms_report_free(report);
	report = fixture_report(&f, &options);
	assert_rows(&f, report, two, sizeof(two) / sizeof(two[0]));
	pms_report_free(report);
	fixture_close(&f);
}

static void level_1_that_does_not_close_is_told(void **state)
{
	struct fixture *f = *state;
	fixture_count(f, "STALL_SLOT_BACKEND")->value = 4400; /* 55 %: the sum is 105 % */
	struct pms_report *report = fixture_report(f, NULL);
	assert_int_equal(report->n_warnings, 1);
	assert_non_null(strstr(report->warnings[0], "Level 1 adds up to 105.0 %"));
	pms_report_free(report);
	/* 4 slots of 8000 are 0.05 %: rounding, not skew */
	fixture_count(f, "STALL_SLOT_BACKEND")->value = 4004;
	report = fixture_report(f, NULL);
	assert_int_equal(report->n_warnings, 0);
	pms_report_free(report);
	/* an undefined share says itself why; there is no sum to complain of */
	fixture_count(f, "STALL_SLOT_BACKEND")->state = PMS_NOT_COUNTED;
	report = fixture_report(f, NULL);
	assert_int_equal(report->n_warnings, 0);
	pms_report_free(report);
}

/* The interval is what may be wrong: 5 % too much is nothing to warn of when the events had a
 * counter for a tenth of the time. */
static void closing_allows_for_the_interval(void **state)
{
	struct fixture *f = *state;
	struct pms_count *backend = fixture_count(f, "STALL_SLOT_BACKEND");
	backend->value = 440;
	backend->enabled_ns = 100000000;
	backend->running_ns = 10000000;
	struct pms_report *report = fixture_report(f, NULL);
	assert_near(report->results[1].value.value, 55);
	assert_int_equal(report->n_warnings, 0);
	pms_report_free(report);
}

/* 30 x 4 / 1000 = 12 % are taken from 400 / 8000 = 5 % of frontend stalls. */
static void negative_shares_are_shown_and_explained(void **state)
{
	struct fixture *f = *state;
	fixture_count(f, "STALL_SLOT_FRONTEND")->value = 400;
	fixture_count(f, "STALL_SLOT_BACKEND")->value = 5200;
	struct pms_report *report = fixture_report(f, NULL);
	assert_near(report->results[0].value.value, -7);
	assert_int_equal(report->n_warnings, 1);
	assert_non_null(strstr(report->warnings[0], "frontend_bound is negative (-7.00"));
	assert_non_null(strstr(report->warnings[0], "BR_MIS_PRED"));
	pms_report_free(report);
}

/* Of a model, whose caches are empty at first; on a machine counting may begin in mid-run. */
static void short_runs_are_told_of(void **state)
{
	(void)state;
	static const struct {
		int modelled;
		uint64_t instructions;
		size_t warnings;
	} cases[] = {
		{ 0, 20000, 0 }, { 1, 0, 0 }, { 1, 20000, 1 }, { 1, 999999, 1 }, { 1, 1000000, 0 }
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = fixture_open("small", balanced, N_BALANCED);
		f.counts->provenance.modelled = cases[i].modelled;
		*fixture_count(&f, "INST_RETIRED") =
			(struct pms_count){ .state = PMS_COUNTED, .value = cases[i].instructions };
		struct pms_report *report = fixture_report(&f, NULL);
		assert_int_equal(report->n_warnings, cases[i].warnings);
		if (cases[i].instructions == 20000 && cases[i].modelled)
			assert_non_null(strstr(report->warnings[0], "only 20000 instructions ran"));
		pms_report_free(report);
		fixture_close(&f);
	}
}

/* What ran before it on the model has filled the caches: the words about a start would be false. */
static void a_short_part_of_a_program_is_not_called_its_start(void **state)
{
	(void)state;
	static struct {
		char region[8];
		uint64_t outside, forwarded;
		const char *warning;
	} cases[] = {
		{ "", 0, 0, "only 20000 instructions ran: much of what is shown is the" },
		{ "walk", 980000, 0, "only 20000 instructions of walk were counted: a few" },
		{ "walk", 979999, 0, "only 20000 instructions ran: much of what is shown is the" },
		{ "walk", 980000, 5, "only 20000 instructions of walk were counted: a few" },
		{ "walk", 0, 5000, "only 20000 instructions were counted behind those left out" },
		{ "", 0, 5000, "only 20000 instructions were counted behind those left out" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = fixture_open("small", balanced, N_BALANCED);
		f.counts->provenance.modelled = 1;
		f.counts->provenance.extent =
			(struct pms_extent){ .region = cases[i].region[0] ? cases[i].region : NULL,
					     .outside = cases[i].outside,
					     .forwarded = cases[i].forwarded };
		fixture_count(&f, "INST_RETIRED")->value = 20000;
		struct pms_report *report = fixture_report(&f, NULL);
		assert_int_equal(report->n_first, 1);
		if (strncmp(report->warnings[0], cases[i].warning, strlen(cases[i].warning)))
			fail_msg("%zu: %s", i, report->warnings[0]);
		pms_report_free(report);
		f.counts->provenance.extent.region = NULL; /* it is not the counts' own */
		fixture_close(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BALANCED(everything_is_in_the_order_of_the_tree),
		BALANCED(names_select_metrics_and_groups),
		BALANCED(unknown_names_are_refused),
		cmocka_unit_test(level_bounds_stage_1),
		BALANCED(level_1_that_does_not_close_is_told),
		BALANCED(closing_allows_for_the_interval),
		BALANCED(negative_shares_are_shown_and_explained),
		cmocka_unit_test(short_runs_are_told_of),
		cmocka_unit_test(a_short_part_of_a_program_is_not_called_its_start),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
