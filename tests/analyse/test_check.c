/* SPDX-License-Identifier: MIT */
/* Relations over counts whose sides are worked out by hand. */
#include "fixture.h"
#include "relate.h"
#include "pmuscope/check.h"

static struct pms_check *check(const struct fixture *f, const struct pms_check_options *options)
{
	struct pms_check *check = NULL;
	struct pms_error err = { 0 };
	if (pms_check(f->counts, options, &check, &err))
		fail_msg("%s", err.text);
	return check;
}

/* The row of a kind. */
static const struct pms_check_row *row_of(const struct pms_check *c, const char *kind)
{
	for (size_t i = 0; i < c->n_rows; i++)
		if (!strcmp(c->rows[i].kind, kind))
			return &c->rows[i];
	fail_msg("no row of kind %s", kind);
	return NULL;
}

static const struct {
	const char *kind;
	uint64_t lhs, rhs;
	enum pms_check_status status;
} kinds[] = {
	{ "sum", 60, 60, PMS_CHECK_KEPT },
	{ "sum", 60, 61, PMS_CHECK_BROKEN },
	{ "sum", 61, 60, PMS_CHECK_BROKEN },
	{ "equal", 0, 0, PMS_CHECK_KEPT },
	{ "equal", 0, 1, PMS_CHECK_BROKEN },
	{ "at_least", 60, 60, PMS_CHECK_KEPT },
	{ "at_least", 61, 60, PMS_CHECK_KEPT },
	{ "at_least", 59, 60, PMS_CHECK_BROKEN },
	{ "subset", 60, 60, PMS_CHECK_KEPT },
	{ "subset", 59, 60, PMS_CHECK_KEPT },
	{ "subset", 61, 60, PMS_CHECK_BROKEN },
	/* One apart, where a double still has every whole number. */
	{ "sum", 4503599627370496, 4503599627370497, PMS_CHECK_BROKEN },
};

static void each_kind_exactly(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct count counts[] = { { "L2D_TLB", kinds[i].lhs },
						{ "L2D_TLB_REFILL", kinds[i].rhs } };
		struct fixture f = fixture_open("small", counts, 2);
		relate_one(&f, kinds[i].kind, "L2D_TLB", "L2D_TLB_REFILL", "null");
		struct pms_check *c = check(&f, NULL);
		const struct pms_check_row *row = row_of(c, kinds[i].kind);
		if (row->status != kinds[i].status || row->tolerance != 0 || !row->has_values ||
		    row->lhs_value != (double)kinds[i].lhs ||
		    row->rhs_value != (double)kinds[i].rhs ||
		    !row->because != (row->status == PMS_CHECK_KEPT))
			fail_msg("case %zu: %d", i, row->status);
		assert_int_equal(c->n_status[PMS_CHECK_KEPT] + c->n_status[PMS_CHECK_BROKEN], 1);
		pms_check_free(c);
		fixture_close(&f);
	}
}

static void a_never_is_zero(void **state)
{
	(void)state;
	const struct count none = { "L2D_TLB", 0 }, some = { "L2D_TLB", 3 };
	struct fixture f = fixture_open("small", &none, 1);
	relate_one(&f, "never", "L2D_TLB", "0", "null");
	struct pms_check *c = check(&f, NULL);
	assert_int_equal(row_of(c, "never")->status, PMS_CHECK_KEPT);
	pms_check_free(c);
	fixture_set(&f, &some, 1);
	c = check(&f, NULL);
	assert_int_equal(row_of(c, "never")->status, PMS_CHECK_BROKEN);
	assert_string_equal(row_of(c, "never")->because, "the left side is 3 above the right");
	pms_check_free(c);
	fixture_close(&f);
}

static void it_says_by_how_much(void **state)
{
	(void)state;
	const struct count counts[] = { { "L2D_TLB", 75 }, { "L2D_TLB_REFILL", 100 } };
	struct fixture f = fixture_open("small", counts, 2);
	relate_one(&f, "at_least", "L2D_TLB", "L2D_TLB_REFILL", "null");
	struct pms_check *c = check(&f, NULL);
	const struct pms_check_row *row = row_of(c, "at_least");
	assert_string_equal(row->because, "the left side is 25 (25 %) below the right");
	assert_string_equal(row->note, "because");
	assert_string_equal(row->sign, ">=");
	pms_check_free(c);
	fixture_close(&f);
}

/* 500 in half the time are 1000, with a variance of 1000 (1 / 0.5 - 1) = 1000 for what was seen by
 * chance, of 1000^2 x 0.5 / 125 = 4000 for phases over 0.5 s / 4 ms windows, and of 0.25 for
 * rounding: four errors are 4 sqrt(5000.25) = 282.85. */
static void other_windows_are_given_room(void **state)
{
	(void)state;
	const struct {
		uint64_t rhs;
		enum pms_check_status status;
	} cases[] = { { 1282, PMS_CHECK_KEPT },
		      { 1283, PMS_CHECK_BROKEN },
		      { 718, PMS_CHECK_KEPT },
		      { 717, PMS_CHECK_BROKEN } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = fixture_open("small", NULL, 0);
		*fixture_count(&f, "L2D_TLB") = (struct pms_count){ .state = PMS_COUNTED,
								    .value = 500,
								    .enabled_ns = 1000000000,
								    .running_ns = 500000000 };
		*fixture_count(&f, "L2D_TLB_REFILL") =
			(struct pms_count){ .state = PMS_COUNTED,
					    .value = cases[i].rhs,
					    .enabled_ns = 1000000000,
					    .running_ns = 1000000000 };
		relate_one(&f, "sum", "L2D_TLB", "L2D_TLB_REFILL", "null");
		struct pms_check *c = check(&f, NULL);
		const struct pms_check_row *row = row_of(c, "sum");
		assert_int_equal(row->status, cases[i].status);
		assert_true(row->lhs_value == 1000);
		assert_true(fabs(row->tolerance - 282.85) < 0.01);
		pms_check_free(c);
		fixture_close(&f);
	}
}

/* In the same windows what holds, holds of what was seen: 4 sqrt(2 x 0.25) = 2.83 is left for
 * rounding. Times that were worked out from a percentage prove no windows. */
static void the_same_windows_are_given_none(void **state)
{
	(void)state;
	const struct {
		uint64_t rhs;
		int loose;
		enum pms_check_status status;
	} cases[] = { { 501, 0, PMS_CHECK_KEPT },
		      { 502, 0, PMS_CHECK_BROKEN },
		      { 502, 1, PMS_CHECK_KEPT } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = fixture_open("small", NULL, 0);
		struct pms_count half = { .state = PMS_COUNTED,
					  .value = 500,
					  .enabled_ns = 1000000000,
					  .running_ns = 500000000,
					  .spread = 0.5, /* of runs, which both are means over */
					  .loose_times = cases[i].loose };
		*fixture_count(&f, "L2D_TLB") = half;
		half.value = cases[i].rhs;
		*fixture_count(&f, "L2D_TLB_REFILL") = half;
		relate_one(&f, "sum", "L2D_TLB", "L2D_TLB_REFILL", "null");
		struct pms_check *c = check(&f, NULL);
		assert_int_equal(row_of(c, "sum")->status, cases[i].status);
		pms_check_free(c);
		fixture_close(&f);
	}
}

/* Means over the same runs scatter together, whatever each says of itself: rounding alone is left.
 */
static void runs_scatter_together(void **state)
{
	(void)state;
	for (uint64_t apart = 2; apart <= 3; apart++) {
		struct fixture f = fixture_open("small", NULL, 0);
		*fixture_count(&f, "L2D_TLB") = (struct pms_count){ .state = PMS_COUNTED,
								    .value = 500,
								    .enabled_ns = 1000,
								    .running_ns = 1000,
								    .spread = 0.5 };
		*fixture_count(&f, "L2D_TLB_REFILL") = (struct pms_count){ .state = PMS_COUNTED,
									   .value = 500 + apart,
									   .enabled_ns = 1001,
									   .running_ns = 1001,
									   .spread = 0.5 };
		relate_one(&f, "sum", "L2D_TLB", "L2D_TLB_REFILL", "null");
		struct pms_check *c = check(&f, NULL);
		assert_int_equal(row_of(c, "sum")->status,
				 apart == 2 ? PMS_CHECK_KEPT : PMS_CHECK_BROKEN);
		pms_check_free(c);
		fixture_close(&f);
	}
}

/* What stands on both sides is the same count: its error is none of the difference. */
static void both_sides_share_an_error(void **state)
{
	(void)state;
	const struct count counts[] = { { "L2D_TLB_REFILL", 10 }, { "L1D_CACHE_REFILL", 11 } };
	struct fixture f = fixture_open("small", counts, 2);
	*fixture_count(&f, "L2D_TLB") = (struct pms_count){ .state = PMS_COUNTED,
							    .value = 1000,
							    .enabled_ns = 1000000000,
							    .running_ns = 100000000 };
	relate_one(&f, "equal", "L2D_TLB + L2D_TLB_REFILL", "L2D_TLB + L1D_CACHE_REFILL", "null");
	struct pms_check *c = check(&f, NULL);
	assert_int_equal(row_of(c, "equal")->status, PMS_CHECK_BROKEN);
	pms_check_free(c);
	fixture_close(&f);
}

static void without_counts_it_is_unchecked(void **state)
{
	(void)state;
	const struct count counts[] = { { "L2D_TLB", 7 }, { "CPU_CYCLES", 0 } };
	struct fixture f = fixture_open("small", counts, 2);
	relate_one(&f, "subset", "L2D_TLB_REFILL", "L2D_TLB", "null");
	struct pms_check *c = check(&f, NULL);
	const struct pms_check_row *row = row_of(c, "subset");
	assert_int_equal(row->status, PMS_CHECK_UNCHECKED);
	assert_int_equal(row->reason, PMS_REASON_COUNT);
	assert_string_equal(row->because, "L2D_TLB_REFILL was not counted");
	assert_false(row->has_values);
	pms_check_free(c);

	*fixture_count(&f, "L2D_TLB_REFILL") =
		(struct pms_count){ .state = PMS_COUNTED, .enabled_ns = 5 };
	c = check(&f, NULL);
	assert_string_equal(row_of(c, "subset")->because, "L2D_TLB_REFILL never had a counter");
	pms_check_free(c);
	fixture_close(&f);

	f = fixture_open("small", counts, 2);
	relate_one(&f, "equal", "L2D_TLB / CPU_CYCLES", "L2D_TLB", "null");
	c = check(&f, NULL);
	assert_int_equal(row_of(c, "equal")->reason, PMS_REASON_VALUE);
	assert_string_equal(row_of(c, "equal")->because, "divides by CPU_CYCLES, which is 0");
	pms_check_free(c);
	fixture_close(&f);
}

static const char *const one[] = { "one" };
static const char *const both[] = { "two", "one" };

static const struct {
	const char *condition;
	struct pms_check_options options;
	enum pms_check_reason reason; /* none: it is checked */
} conditions[] = {
	{ "{\"configuration\":\"one\"}", { 0 }, PMS_REASON_CONFIGURATION },
	{ "{\"configuration\":\"one\"}", { one, 1, NULL }, PMS_REASON_NONE },
	{ "{\"configuration\":\"two\"}", { one, 1, NULL }, PMS_REASON_CONFIGURATION },
	{ "{\"configuration\":\"one and two\"}", { one, 1, NULL }, PMS_REASON_CONFIGURATION },
	{ "{\"configuration\":\"one and two\"}", { both, 2, NULL }, PMS_REASON_NONE },
	{ "{\"errata\":\"123\",\"before\":\"r4p0\"}", { 0 }, PMS_REASON_ERRATUM },
	{ "{\"errata\":\"123\",\"before\":\"r4p0\"}", { NULL, 0, "r3p1" }, PMS_REASON_ERRATUM },
	{ "{\"errata\":\"123\",\"before\":\"r4p0\"}", { NULL, 0, "r3p15" }, PMS_REASON_ERRATUM },
	{ "{\"errata\":\"123\",\"before\":\"r4p0\"}", { NULL, 0, "r4p0" }, PMS_REASON_NONE },
	{ "{\"errata\":\"123\",\"before\":\"r4p0\"}", { NULL, 0, "R10P0" }, PMS_REASON_NONE },
	{ "{\"configuration\":\"one\",\"errata\":\"123\",\"before\":\"r4p0\"}",
	  { NULL, 0, "r4p1" },
	  PMS_REASON_CONFIGURATION },
	{ "{\"configuration\":\"one\",\"errata\":\"123\",\"before\":\"r4p0\"}",
	  { one, 1, NULL },
	  PMS_REASON_ERRATUM },
	{ "{\"configuration\":\"one\",\"errata\":\"123\",\"before\":\"r4p0\"}",
	  { one, 1, "r4p1" },
	  PMS_REASON_NONE },
};

static void conditions_have_to_be_known(void **state)
{
	(void)state;
	const struct count counts[] = { { "L2D_TLB", 7 }, { "L2D_TLB_REFILL", 7 } };
	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
		struct fixture f = fixture_open("small", counts, 2);
		relate_one(&f, "equal", "L2D_TLB_REFILL", "L2D_TLB", conditions[i].condition);
		struct pms_check *c = check(&f, &conditions[i].options);
		const struct pms_check_row *row = row_of(c, "equal");
		int is_open = conditions[i].reason != PMS_REASON_NONE;
		if (row->reason != conditions[i].reason ||
		    row->status != (is_open ? PMS_CHECK_UNCHECKED : PMS_CHECK_KEPT) ||
		    is_open != (row->because != NULL))
			fail_msg("case %zu: %d", i, row->reason);
		pms_check_free(c);
		fixture_close(&f);
	}
}

/* A core that was measured tells its revision: r3p1 and r4p0. What the caller says goes before. */
static void a_core_that_was_measured_tells_its_revision(void **state)
{
	(void)state;
	const struct count counts[] = { { "L2D_TLB", 7 }, { "L2D_TLB_REFILL", 7 } };
	static const struct {
		uint64_t midr;
		const char *said;
		enum pms_check_reason reason;
	} cases[] = { { 0, NULL, PMS_REASON_ERRATUM },
		      { 0x413fd0c1, NULL, PMS_REASON_ERRATUM },
		      { 0x414fd0c0, NULL, PMS_REASON_NONE },
		      { 0x414fd0c0, "r3p1", PMS_REASON_ERRATUM } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = fixture_open("small", counts, 2);
		struct pms_check_options options = { .revision = cases[i].said };
		relate_one(&f, "equal", "L2D_TLB_REFILL", "L2D_TLB",
			   "{\"errata\":\"123\",\"before\":\"r4p0\"}");
		f.counts->provenance.midr = cases[i].midr;
		struct pms_check *c = check(&f, &options);
		assert_int_equal(row_of(c, "equal")->reason, cases[i].reason);
		if (i == 1)
			assert_non_null(strstr(row_of(c, "equal")->because, "this one is r3p1"));
		pms_check_free(c);
		fixture_close(&f);
	}
}

static void what_is_said_of_the_machine_has_to_make_sense(void **state)
{
	(void)state;
	static const char *const three[] = { "one", "three" };
	static const char *const revisions[] = { "",	  "4",	   "r4",     "rp1",   "r4p",
						 "r4p0x", "r-1p0", "r256p0", "r1p256" };
	struct fixture f = fixture_open("small", NULL, 0);
	relate(&f, "");
	struct pms_check *c = NULL;
	struct pms_error err = { 0 };
	struct pms_check_options options = { three, 2, NULL };
	assert_int_equal(pms_check(f.counts, &options, &c, &err), -PMS_ENAME);
	assert_non_null(strstr(err.text, "three"));
	assert_string_equal(err.hint, "there are: one, two");
	for (size_t i = 0; i < sizeof(revisions) / sizeof(revisions[0]); i++) {
		options = (struct pms_check_options){ .revision = revisions[i] };
		if (pms_check(f.counts, &options, &c, NULL) != -PMS_EINVAL)
			fail_msg("\"%s\" was taken for a revision", revisions[i]);
	}
	fixture_close(&f);
}

/* The balanced counts add up to 100 %; one slot more that no side explains does not. */
static void level_1_adds_up(void **state)
{
	struct fixture *f = *state;
	struct pms_check *c = check(f, NULL);
	const struct pms_check_row *row = row_of(c, "level_1");
	assert_int_equal(row->status, PMS_CHECK_KEPT);
	assert_string_equal(row->lhs,
			    "frontend_bound + backend_bound + retiring + bad_speculation");
	assert_near(row->lhs_value, 100);
	assert_true(row->rhs_value == 100);
	pms_check_free(c);

	/* 100 (1 + (1600 + 4000 - 5601) / 8000) = 99.9875 */
	fixture_count(f, "STALL_SLOT")->value++;
	c = check(f, NULL);
	row = row_of(c, "level_1");
	assert_int_equal(row->status, PMS_CHECK_BROKEN);
	assert_near(row->lhs_value, 99.9875);
	pms_check_free(c);
}

/* Shares of something else than their parent are held against 100 %, one by one. */
static void a_share_is_at_most_the_whole(void **state)
{
	(void)state;
	const struct count counts[] = {
		{ "CYCLES", 100 }, { "LOST", 50 }, { "LOST_MEMORY", 51 }, { "LOST_CORE", 50 }
	};
	struct fixture f = fixture_open("deep", counts, 4);
	struct pms_check *c = check(&f, NULL);
	/* Level 1 is of cycles, which need not add up: it has no row. */
	assert_int_equal(c->n_rows, 4);
	assert_int_equal(c->n_status[PMS_CHECK_BROKEN], 1);
	assert_int_equal(c->n_status[PMS_CHECK_KEPT], 1);
	assert_int_equal(c->n_status[PMS_CHECK_UNCHECKED], 2);
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct pms_check_row *row = &c->rows[i];
		assert_string_equal(row->kind, "tree");
		assert_string_equal(row->rhs, "100");
		if (row->status != PMS_CHECK_BROKEN)
			continue;
		assert_string_equal(row->lhs, "lost_memory");
		assert_near(row->lhs_value, 102);
	}
	pms_check_free(c);
	fixture_close(&f);
}

/* RISC-V's tree has one unit throughout. */
static void a_child_is_at_most_its_parent(void **state)
{
	(void)state;
	const struct count counts[] = { { "TOPDOWN.SLOTS", 1000 },
					{ "TOPDOWN.FRONTEND_BOUND.SLOTS", 300 },
					{ "TOPDOWN.FRONTEND_BOUND.LATENCY.SLOTS", 301 },
					{ "TOPDOWN.FRONTEND_BOUND.BANDWIDTH.SLOTS", 300 } };
	struct fixture f = fixture_open_in(PMS_SOURCE, "riscv", counts, 4);
	struct pms_check *c = check(&f, NULL);
	size_t broken = 0, kept = 0;
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct pms_check_row *row = &c->rows[i];
		if (strcmp(row->kind, "tree") != 0 || row->status == PMS_CHECK_UNCHECKED)
			continue;
		assert_string_equal(row->rhs, "TOPDOWN.FRONTEND_BOUND.RATE");
		broken += row->status == PMS_CHECK_BROKEN;
		kept += row->status == PMS_CHECK_KEPT;
	}
	assert_int_equal(broken, 1);
	assert_int_equal(kept, 1);
	pms_check_free(c);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_exactly),
		cmocka_unit_test(a_never_is_zero),
		cmocka_unit_test(it_says_by_how_much),
		cmocka_unit_test(other_windows_are_given_room),
		cmocka_unit_test(the_same_windows_are_given_none),
		cmocka_unit_test(runs_scatter_together),
		cmocka_unit_test(both_sides_share_an_error),
		cmocka_unit_test(without_counts_it_is_unchecked),
		cmocka_unit_test(conditions_have_to_be_known),
		cmocka_unit_test(a_core_that_was_measured_tells_its_revision),
		cmocka_unit_test(what_is_said_of_the_machine_has_to_make_sense),
		BALANCED(level_1_adds_up),
		cmocka_unit_test(a_share_is_at_most_the_whole),
		cmocka_unit_test(a_child_is_at_most_its_parent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
