/* SPDX-License-Identifier: MIT */
#include "fixture.h"

static struct pms_value value_of(struct fixture *f, const char *name)
{
	int64_t metric = pms_catalog_find_metric(f->catalog, name);
	assert_true(metric >= 0);
	struct pms_value value;
	assert_int_equal(pms_metric_value(f->counts, &f->counts->total,
					  pms_catalog_metric(f->catalog, (size_t)metric), &value),
			 0);
	return value;
}

static void exact_counts_give_exact_values(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *name;
		double value;
	} cases[] = {
		{ "backend_bound", 50 },
		{ "frontend_bound", 8 },
		{ "retiring", 22.5 },
		{ "bad_speculation", 19.5 },
		{ "ipc", 2 },
		{ "branch_mpki", 12 },
		{ "l1d_cache_mpki", 20 },
		{ "l2_tlb_mpki", 3 },
		{ "l2_tlb_miss_ratio", 0.1 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_value value = value_of(f, cases[i].name);
		assert_int_equal(value.state, PMS_VALUE_EXACT);
		assert_near(value.value, cases[i].value);
		assert_true(value.low == value.value && value.high == value.value);
		assert_true(value.run_pct == 100);
		assert_null(value.because);
	}
}

/* Where one event lacks, the others of a metric are not counted for that alone: it is the one to
 * name, also where the formula meets another first. */
static void what_lacks_is_named_before_what_was_left_out(void **state)
{
	struct fixture *f = *state;
	*fixture_count(f, "OP_RETIRED") = (struct pms_count){ 0 };
	*fixture_count(f, "OP_SPEC") = (struct pms_count){ 0 };
	assert_string_equal(value_of(f, "retiring").because, "OP_RETIRED was not counted");
	*fixture_count(f, "STALL_SLOT") =
		(struct pms_count){ .state = PMS_NOT_SUPPORTED, .because = "it is hidden" };
	assert_string_equal(value_of(f, "retiring").because,
			    "STALL_SLOT is not supported by the machine: it is hidden");
}

static void undefined_says_why(void **state)
{
	struct fixture *f = *state;
	struct pms_count *tlb = fixture_count(f, "L2D_TLB");
	static const struct {
		struct pms_count count;
		const char *because;
	} cases[] = {
		{ { .state = PMS_COUNTED, .value = 0 }, "divides by L2D_TLB, which is 0" },
		{ { .state = PMS_NOT_COUNTED }, "L2D_TLB was not counted" },
		{ { .state = PMS_NOT_COUNTED, .because = "the program forked" },
		  "L2D_TLB was not counted: the program forked" },
		{ { .state = PMS_NOT_SUPPORTED }, "L2D_TLB is not supported by the machine" },
		{ { .state = PMS_NOT_MODELLED, .because = "one level of translation" },
		  "L2D_TLB is not modelled: one level of translation" },
		{ { .state = PMS_COUNTED, .value = 7, .enabled_ns = 100 },
		  "L2D_TLB never had a counter" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		*tlb = cases[i].count;
		struct pms_value value = value_of(f, "l2_tlb_miss_ratio");
		assert_int_equal(value.state, PMS_VALUE_UNDEFINED);
		assert_string_equal(value.because, cases[i].because);
	}
	*tlb = (struct pms_count){ .state = PMS_COUNTED, .value = 6 };
	assert_string_equal(value_of(f, "miss_balance").because, "a divisor is 0");
	fixture_count(f, "CPU_CYCLES")->value = 0;
	assert_string_equal(value_of(f, "backend_bound").because,
			    "divides by CPU_CYCLES, which is 0");
}

static void multiplexed(struct pms_count *count, uint64_t value, uint64_t enabled, uint64_t running)
{
	*count = (struct pms_count){
		.state = PMS_COUNTED, .value = value, .enabled_ns = enabled, .running_ns = running
	};
}

/* Where the count that came to @is would be a deviation of 1.96 off, had @n really happened. */
static void assert_surprise(double n, double is, double missed, double phases)
{
	double z = 1.959963984540054;
	assert_near((is - n) * (is - n), z * z * (n * missed + n * n * phases));
}

/* Instructions had a counter for half of 100 ms: 5000 seen, 10000 taken. One was missed for each
 * that was seen, and of 12.5 windows of 4 ms the phases scatter by (1 - 0.5) / 12.5 = 0.04. */
static void multiplexing_gives_an_interval(void **state)
{
	(void)state;
	struct fixture f = fixture_open("small", NULL, 0);
	multiplexed(fixture_count(&f, "INST_RETIRED"), 5000, 100000000, 50000000);
	multiplexed(fixture_count(&f, "CPU_CYCLES"), 10000, 100000000, 100000000);
	struct pms_value value = value_of(&f, "ipc");
	assert_int_equal(value.state, PMS_VALUE_SCALED);
	assert_near(value.value, 1);
	assert_near(value.run_pct, 50);
	assert_true(value.low < 0.8 && value.high > 1.4);
	assert_surprise(10000 * value.low, 10000, 1, 0.04);
	assert_surprise(10000 * value.high, 10000, 1, 0.04);
	fixture_close(&f);
}

/* Both at half of the time, in the same windows: what is left is chance. Of each, the ends are the
 * roots of (10000 - N)^2 = z^2 N: 10000 + 1.920729 -+ 196.01. Logarithms: ln (10000 / 9805.915) =
 * 0.0195993 downwards, and as much upwards; for both, times sqrt 2: 0.0277176. */
static void one_pass_shares_its_windows(void **state)
{
	(void)state;
	struct fixture f = fixture_open("small", NULL, 0);
	multiplexed(fixture_count(&f, "INST_RETIRED"), 5000, 100000000, 50000000);
	multiplexed(fixture_count(&f, "CPU_CYCLES"), 5000, 100000000, 50000000);
	struct pms_value value = value_of(&f, "ipc");
	assert_int_equal(value.state, PMS_VALUE_SCALED);
	assert_near(value.value, 1);
	assert_true(fabs(log(value.high) - 0.0277176) < 1e-6);
	assert_true(fabs(log(value.low) + 0.0277176) < 1e-6);
	fixture_close(&f);
}

/* No interval of a count or of a ratio of counts reaches below what was seen, or below 0; a share
 * not above 100 %; and what read 0 has an upper end. */
static void intervals_hold_only_what_can_be(void **state)
{
	(void)state;
	struct fixture f = fixture_open("small", NULL, 0);
	multiplexed(fixture_count(&f, "INST_RETIRED"), 1000000, 1000000000, 1000000000);
	/* 2 % of the time, five windows: by a normal distribution, 500 -+ 437 or more. */
	multiplexed(fixture_count(&f, "L1D_CACHE_REFILL"), 10, 1000000000, 20000000);
	struct pms_value value = value_of(&f, "l1d_cache_mpki");
	assert_near(value.value, 0.5);
	assert_true(value.low >= 10 / 1000.0 && value.low < value.value);
	assert_surprise(1000 * value.low, 500, 49, 0.196);
	assert_surprise(1000 * value.high, 500, 49, 0.196);
	/* None seen: N = z^2 49 / (1 - z^2 0.196) = 761.8 at most. */
	multiplexed(fixture_count(&f, "L1D_CACHE_REFILL"), 0, 1000000000, 20000000);
	value = value_of(&f, "l1d_cache_mpki");
	assert_true(value.value == 0 && value.low == 0);
	assert_true(fabs(value.high - 0.7618) < 1e-4);
	/* Three windows: what was missed may be any number. What was seen was there. */
	multiplexed(fixture_count(&f, "L1D_CACHE_REFILL"), 10, 1000000000, 12000000);
	value = value_of(&f, "l1d_cache_mpki");
	assert_true(isinf(value.high) && value.low >= 10 / 1000.0);
	/* Slots of the backend: 95 % of all, in a fifth of the time. */
	multiplexed(fixture_count(&f, "STALL_SLOT_BACKEND"), 15200, 100000000, 20000000);
	multiplexed(fixture_count(&f, "CPU_CYCLES"), 10000, 100000000, 100000000);
	value = value_of(&f, "backend_bound");
	assert_near(value.value, 95);
	assert_true(value.high == 100 && value.low >= 19 && value.low < 70);
	/* As much, but nearly all of the time: no less than was seen. */
	multiplexed(fixture_count(&f, "STALL_SLOT_BACKEND"), 75000, 100000000, 99000000);
	value = value_of(&f, "backend_bound");
	assert_near(value.low, 100 * 75000.0 / 80000);
	fixture_close(&f);
}

/* A divisor without an upper end: the ratio may be anything down to 0. */
static void a_divisor_may_be_any_number(void **state)
{
	(void)state;
	struct fixture f = fixture_open("small", NULL, 0);
	multiplexed(fixture_count(&f, "INST_RETIRED"), 5000, 100000000, 100000000);
	multiplexed(fixture_count(&f, "CPU_CYCLES"), 100, 100000000, 10000000);
	struct pms_value value = value_of(&f, "ipc");
	assert_near(value.value, 5);
	assert_true(value.low >= 0 && value.low < 1e-9);
	assert_true(value.high > 5 && value.high <= 50);
	fixture_close(&f);
}

/* The counts' own intervals, for those who show them. */
static void counts_have_intervals(void **state)
{
	(void)state;
	struct fixture f = fixture_open("small", NULL, 0);
	size_t event = (size_t)pms_catalog_find_event(f.catalog, "CPU_CYCLES");
	double low, high;
	multiplexed(fixture_count(&f, "CPU_CYCLES"), 5000, 100000000, 100000000);
	assert_int_equal(pms_count_interval(&f.counts->total, event, &low, &high), 0);
	assert_true(low == 5000 && high == 5000);
	multiplexed(fixture_count(&f, "CPU_CYCLES"), 5000, 100000000, 50000000);
	assert_int_equal(pms_count_interval(&f.counts->total, event, &low, &high), 1);
	assert_surprise(low, 10000, 1, 0.04);
	assert_surprise(high, 10000, 1, 0.04);
	fixture_close(&f);
}

static void all_the_time_is_exact(void **state)
{
	(void)state;
	struct fixture f = fixture_open("small", NULL, 0);
	multiplexed(fixture_count(&f, "INST_RETIRED"), 5000, 100, 100);
	multiplexed(fixture_count(&f, "CPU_CYCLES"), 10000, 100, 101); /* clocks read one by one */
	struct pms_value value = value_of(&f, "ipc");
	assert_int_equal(value.state, PMS_VALUE_EXACT);
	assert_near(value.value, 0.5);
	fixture_close(&f);
}

/* Means of the runs, with the relative standard error of each. */
static void repeated(struct fixture *f, const char *name, uint64_t mean, double spread)
{
	*fixture_count(f, name) =
		(struct pms_count){ .state = PMS_COUNTED, .value = mean, .spread = spread };
}

static struct pms_runs *add_runs(struct fixture *f, const char *a, const char *b,
				 const double *values, size_t n)
{
	const size_t events[] = { (size_t)pms_catalog_find_event(f->catalog, a),
				  (size_t)pms_catalog_find_event(f->catalog, b) };
	struct pms_runs *runs = pms_scope_add_runs(&f->counts->total, 0, events, 2, n);
	assert_non_null(runs);
	memcpy(runs->values, values, 2 * n * sizeof(values[0]));
	return runs;
}

/* Runs of 1000, 2000 and 3000 instructions: a standard error of 1000 / sqrt(3) / 2000 of the mean.
 * With a cycle for each, every run has an ipc of 1, and nothing scatters. With 1000 cycles each,
 * the runs have 1, 2 and 3: a deviation of 1, a standard error of 1 / sqrt(3), and
 * Student's 4.3027. */
static void a_metric_scatters_as_its_runs_do(void **state)
{
	(void)state;
	static const struct {
		double values[6];
		double cycles_spread, ipc, half;
	} cases[] = {
		{ { 1000, 1000, 2000, 2000, 3000, 3000 }, 0.288675, 1, 0 },
		{ { 1000, 1000, 2000, 1000, 3000, 1000 }, 0, 2, 4.3027 * 0.57735027 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = fixture_open("small", NULL, 0);
		repeated(&f, "INST_RETIRED", 2000, 0.288675);
		repeated(&f, "CPU_CYCLES", cases[i].ipc > 1 ? 1000 : 2000, cases[i].cycles_spread);
		add_runs(&f, "INST_RETIRED", "CPU_CYCLES", cases[i].values, 3);
		struct pms_value value = value_of(&f, "ipc");
		assert_int_equal(value.state, PMS_VALUE_EXACT);
		assert_near(value.value, cases[i].ipc);
		assert_true(fabs(value.high - value.value - cases[i].half) < 1e-4);
		assert_true(fabs(value.low - fmax(0, value.value - cases[i].half)) < 1e-4);
		fixture_close(&f);
	}
}

/* What was not counted in the same runs is taken to scatter independently: 0.1 and 0.2 of each, by
 * Student's 4.3027 for the three runs there are. Instructions are 2000 -+ 43 %, cycles 1000 -+
 * 86 %. Downwards ln 0.56973 = -0.56259 and ln 1.86054 = 0.62087 make 0.83785 together, upwards
 * ln 1.43027 = 0.35786 and ln 0.13946 = -1.96998 make 2.00222. */
static void what_has_no_runs_in_common_is_independent(void **state)
{
	(void)state;
	static const double values[] = { 1, 10, 2, 20, 3, 30 };
	struct fixture f = fixture_open("small", NULL, 0);
	repeated(&f, "INST_RETIRED", 2000, 0.1);
	repeated(&f, "CPU_CYCLES", 1000, 0.2);
	add_runs(&f, "L2D_TLB", "CPU_CYCLES", values, 3);
	struct pms_value value = value_of(&f, "ipc");
	assert_near(value.value, 2);
	assert_true(fabs(value.low - 2 * exp(-0.83785)) < 1e-4);
	assert_true(fabs(value.high - 2 * exp(2.00222)) < 1e-3);
	fixture_close(&f);
}

/* A run without cycles has no ipc, and one run does not scatter: what there is of each count is
 * taken, by the normal distribution where the number of runs is not known. */
static void a_run_without_a_value_is_left_out(void **state)
{
	(void)state;
	static const double values[] = { 2000, 1000, 0, 0, 4000, 2000, 1000, 500 };
	struct fixture f = fixture_open("small", NULL, 0);
	repeated(&f, "INST_RETIRED", 2000, 0.1);
	repeated(&f, "CPU_CYCLES", 1000, 0);
	struct pms_value value = value_of(&f, "ipc");
	assert_near(value.high - 2, 1.959963984540054 * 0.2);
	add_runs(&f, "INST_RETIRED", "CPU_CYCLES", values, 4);
	value = value_of(&f, "ipc");
	assert_true(value.high == value.value && value.low == value.value);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BALANCED(exact_counts_give_exact_values),
		BALANCED(undefined_says_why),
		BALANCED(what_lacks_is_named_before_what_was_left_out),
		cmocka_unit_test(multiplexing_gives_an_interval),
		cmocka_unit_test(one_pass_shares_its_windows),
		cmocka_unit_test(intervals_hold_only_what_can_be),
		cmocka_unit_test(a_divisor_may_be_any_number),
		cmocka_unit_test(counts_have_intervals),
		cmocka_unit_test(all_the_time_is_exact),
		cmocka_unit_test(a_metric_scatters_as_its_runs_do),
		cmocka_unit_test(what_has_no_runs_in_common_is_independent),
		cmocka_unit_test(a_run_without_a_value_is_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
