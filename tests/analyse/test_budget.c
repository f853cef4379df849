/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include "pmuscope/check.h"

static int parse(const struct fixture *f, const char *text, struct pms_budget *budget,
		 struct pms_error *err)
{
	*err = (struct pms_error){ 0 };
	return pms_budget_parse("budget.csv", text, f->catalog, budget, err);
}

static void rows_are_read(void **state)
{
	(void)state;
	struct fixture f = fixture_open("small", NULL, 0);
	struct pms_budget b;
	struct pms_error err;
	int rc = parse(&f,
		       "\xef\xbb\xbf# a comment\n\n metric , low,high\r\n"
		       "ipc,0.5,\n\t# another\nBranch_MPKI, ,-1.5e1\r\nretiring,,\nloose,2,2",
		       &b, &err);
	if (rc)
		fail_msg("%u: %s", err.line, err.text);
	assert_int_equal(b.n_rows, 4);
	assert_string_equal(b.rows[0].metric->name, "ipc");
	assert_true(b.rows[0].has_low && !b.rows[0].has_high && b.rows[0].low == 0.5);
	assert_int_equal(b.rows[0].line, 4);
	assert_string_equal(b.rows[1].metric->name, "branch_mpki");
	assert_true(!b.rows[1].has_low && b.rows[1].has_high && b.rows[1].high == -15);
	assert_int_equal(b.rows[1].line, 6);
	assert_true(!b.rows[2].has_low && !b.rows[2].has_high);
	assert_true(b.rows[3].low == 2 && b.rows[3].high == 2);
	pms_budget_release(&b);
	fixture_close(&f);
}

/* What an event was counted is held as it is: it is a metric of itself. */
static void events_stand_for_their_counts(void **state)
{
	(void)state;
	struct fixture f = fixture_open("small", NULL, 0);
	struct pms_budget b;
	struct pms_error err;
	int rc = parse(&f, "metric,low,high\nINST_RETIRED,,1e9\nr11,1,\nipc,1,", &b, &err);
	if (rc)
		fail_msg("%u: %s", err.line, err.text);
	assert_int_equal(b.n_rows, 3);
	assert_string_equal(b.rows[0].metric->name, "INST_RETIRED");
	assert_string_equal(b.rows[0].metric->units, "events");
	assert_string_equal(b.rows[1].metric->name, "CPU_CYCLES");
	assert_null(b.rows[2].own);
	f.counts->total.counts[pms_catalog_find_event(f.catalog, "INST_RETIRED")] =
		(struct pms_count){ .state = PMS_COUNTED, .value = 12345 };
	f.counts->total.counts[pms_catalog_find_event(f.catalog, "CPU_CYCLES")] =
		(struct pms_count){ .state = PMS_NOT_COUNTED };
	struct pms_value value;
	assert_int_equal(pms_metric_value(f.counts, &f.counts->total, b.rows[0].metric, &value), 0);
	assert_true(value.state != PMS_VALUE_UNDEFINED && value.value == 12345);
	assert_int_equal(pms_budget_status(&b.rows[0], &value), PMS_BUDGET_KEPT);
	assert_int_equal(pms_metric_value(f.counts, &f.counts->total, b.rows[1].metric, &value), 0);
	assert_int_equal(pms_budget_status(&b.rows[1], &value), PMS_BUDGET_UNDEFINED);
	assert_non_null(strstr(value.because, "CPU_CYCLES was not counted"));
	pms_budget_release(&b);
	fixture_close(&f);
}

static const struct {
	const char *text;
	int rc;
	unsigned line;
	const char *says;
} bad[] = {
	{ "", -PMS_EPARSE, 1, "no heading" },
	{ "# only\n", -PMS_EPARSE, 2, "no heading" },
	{ "ipc,1,2\n", -PMS_EPARSE, 1, "heading" },
	{ "metric;low;high\n", -PMS_EPARSE, 1, "1 field instead" },
	{ "metric,low,high\nipc,1\n", -PMS_EPARSE, 2, "2 fields" },
	{ "metric,low,high\nipc,1,2,3\n", -PMS_EPARSE, 2, "4 fields" },
	{ "metric,low,high\n\nipc,one,2\n", -PMS_EPARSE, 3, "low end, \"one\"" },
	{ "metric,low,high\nipc,1,2x\n", -PMS_EPARSE, 2, "high end, \"2x\"" },
	{ "metric,low,high\nipc,nan,2\n", -PMS_EPARSE, 2, "nan" },
	{ "metric,low,high\nipc,1,inf\n", -PMS_EPARSE, 2, "inf" },
	{ "metric,low,high\nipc,2,1\n", -PMS_EPARSE, 2, "above" },
	{ "metric,low,high\nipc,1,2\nretiring,1,\nIPC,1,2\n", -PMS_EPARSE, 4, "line 2" },
	{ "metric,low,high\nCPU_CYCLES,1,2\nr11,1,2\n", -PMS_EPARSE, 3, "line 2" },
	{ "metric,low,high\nipd,1,2\n", -PMS_ENAME, 2, "ipd" },
	{ "metric,low,high\n,1,2\n", -PMS_ENAME, 2, "no metric" },
};

static void errors_name_the_line(void **state)
{
	(void)state;
	struct fixture f = fixture_open("small", NULL, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pms_budget b;
		struct pms_error err;
		int rc = parse(&f, bad[i].text, &b, &err);
		if (rc != bad[i].rc || err.line != bad[i].line || !strstr(err.text, bad[i].says) ||
		    strcmp(err.source, "budget.csv") != 0)
			fail_msg("case %zu: %d, line %u: %s", i, rc, err.line, err.text);
		pms_budget_release(&b);
	}
	fixture_close(&f);
}

static void the_nearest_metric_is_hinted(void **state)
{
	(void)state;
	struct fixture f = fixture_open("small", NULL, 0);
	struct pms_budget b;
	struct pms_error err;
	assert_int_equal(parse(&f, "metric,low,high\nbranch_mpk,1,2\n", &b, &err), -PMS_ENAME);
	assert_string_equal(err.hint, "did you mean branch_mpki?");
	pms_budget_release(&b);
	err = (struct pms_error){ 0 };
	assert_int_equal(pms_budget_load("/nowhere/budget.csv", f.catalog, &b, &err), -PMS_EIO);
	pms_budget_release(&b);
	fixture_close(&f);
}

static void both_ends_are_within(void **state)
{
	(void)state;
	const struct {
		struct pms_budget_row row;
		double value;
		enum pms_budget_status status;
	} cases[] = {
		{ { .has_low = 1, .low = 2 }, 2, PMS_BUDGET_KEPT },
		{ { .has_low = 1, .low = 2 }, 1.999, PMS_BUDGET_BELOW },
		{ { .has_low = 1, .low = 2 }, 1e9, PMS_BUDGET_KEPT },
		{ { .has_high = 1, .high = 2 }, 2, PMS_BUDGET_KEPT },
		{ { .has_high = 1, .high = 2 }, 2.001, PMS_BUDGET_ABOVE },
		{ { .has_high = 1, .high = 2 }, -1e9, PMS_BUDGET_KEPT },
		{ { 0 }, 5, PMS_BUDGET_KEPT },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_value value = { .state = PMS_VALUE_EXACT, .value = cases[i].value };
		assert_int_equal(pms_budget_status(&cases[i].row, &value), cases[i].status);
		value.state = PMS_VALUE_UNDEFINED;
		assert_int_equal(pms_budget_status(&cases[i].row, &value), PMS_BUDGET_UNDEFINED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_read),
		cmocka_unit_test(events_stand_for_their_counts),
		cmocka_unit_test(errors_name_the_line),
		cmocka_unit_test(the_nearest_metric_is_hinted),
		cmocka_unit_test(both_ends_are_within),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
