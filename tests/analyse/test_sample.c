/* SPDX-License-Identifier: MIT */
/* Intervals of a sampled run, worked out by hand. */
#include "fixture.h"

#include <math.h>

#include "analyse/sample.h"

/* Four groups of 100 instructions each, of 10,000 that ran: 4 % was counted. */
static struct pms_sample *sampled(struct fixture *f, size_t n_groups, const char *name,
				  const double *counts)
{
	struct pms_scope *total = &f->counts->total;
	struct pms_sample *s =
		total->sample ? total->sample : pms_scope_add_sample(f->counts, total, n_groups);
	double sum = 0;
	s->instructions = 10000;
	s->counted = 100 * n_groups;
	s->windows = n_groups;
	int64_t event = pms_catalog_find_event(f->catalog, name);
	for (size_t g = 0; g < n_groups; g++) {
		s->sizes[g] = 100;
		s->groups[g][event] = counts[g];
		sum += counts[g];
	}
	struct pms_count *count = &total->counts[event];
	count->state = PMS_COUNTED;
	count->scaled = sum * 10000 / (100 * (double)n_groups);
	count->value = (uint64_t)count->scaled;
	return s;
}

static struct pms_value value_of(struct fixture *f, const char *name)
{
	int64_t metric = pms_catalog_find_metric(f->catalog, name);
	struct pms_value value;
	assert_int_equal(pms_metric_value(f->counts, &f->counts->total,
					  pms_catalog_metric(f->catalog, (size_t)metric), &value),
			 0);
	return value;
}

static const double instructions[] = { 100, 100, 100, 100 };

/* Cycles of 40, 60, 50, 50, mean 50: each unit stands for 25 (10,000 / 400). The groups are off by
 * -10, 10, 0, 0 units, -250 and 250 cycles; squares 2 x 62,500; 4/3 of it, less 4 %: 160,000, a
 * standard error of 400 cycles; Student's t for 3 degrees is 3.182: 5000 +- 1272.8. */
static void a_total(void **state)
{
	(void)state;
	static const double cycles[] = { 40, 60, 50, 50 };
	struct fixture f = fixture_open("small", balanced, N_BALANCED);
	double low, high;
	sampled(&f, 4, "CPU_CYCLES", cycles);
	size_t event = (size_t)pms_catalog_find_event(f.catalog, "CPU_CYCLES");
	assert_int_equal(pms_sample_interval(&f.counts->total, event, &low, &high), 1);
	assert_near(low, 5000 - 3.182 * 400);
	assert_near(high, 5000 + 3.182 * 400);
	fixture_close(&f);
}

/* The same windows behind a start of 100 instructions and 77 cycles, which are certain. */
static void a_total_with_its_start(void **state)
{
	(void)state;
	static const double cycles[] = { 40, 60, 50, 50 };
	struct fixture f = fixture_open("small", balanced, N_BALANCED);
	double low, high;
	struct pms_sample *s = sampled(&f, 4, "CPU_CYCLES", cycles);
	s->instructions += 100;
	s->counted += 100;
	fixture_count(&f, "CPU_CYCLES")->scaled += 77;
	size_t event = (size_t)pms_catalog_find_event(f.catalog, "CPU_CYCLES");
	assert_int_equal(pms_sample_interval(&f.counts->total, event, &low, &high), 1);
	assert_near(low, 5077 - 3.182 * 400);
	assert_near(high, 5077 + 3.182 * 400);
	fixture_close(&f);
}

/* Of 32 groups one met all 32 misses: it is off by 31, the others by -1, each unit standing for
 * 10000 / 3200. Squares 31 x 31 + 31 = 992, fourths 31^4 + 31 = 923,552: a kurtosis of 32 x 923,552
 * / 992^2 = 30.03, so 64 / 29.03 = 2.2 degrees of freedom: t of 2 is 4.303. */
static void a_burst_has_a_wide_interval(void **state)
{
	(void)state;
	double misses[32] = { 32 }, low, high;
	struct fixture f = fixture_open("small", balanced, N_BALANCED);
	struct pms_sample *s = sampled(&f, 32, "L2D_TLB_REFILL", misses);
	size_t event = (size_t)pms_catalog_find_event(f.catalog, "L2D_TLB_REFILL");
	assert_int_equal(pms_sample_interval(&f.counts->total, event, &low, &high), 1);
	assert_near(low, 0);
	assert_near(high, 100 + 4.303 * 3.125 * sqrt(32.0 / 31 * 992 * 0.68));
	/* No window met any: nobody knows, whatever the start had. */
	s->groups[0][event] = 0;
	s->instructions += 100;
	s->counted += 100;
	assert_int_equal(pms_sample_interval(&f.counts->total, event, &low, &high), 0);
	fixture_close(&f);
}

/* A ratio of misses that the start alone met to accesses that all windows do. */
static void what_no_window_met_makes_a_metric_uncertain(void **state)
{
	(void)state;
	double accesses[32], none[32] = { 0 };
	struct fixture f = fixture_open("small", balanced, N_BALANCED);
	for (size_t g = 0; g < 32; g++)
		accesses[g] = g % 2 ? 40 : 60;
	sampled(&f, 32, "L2D_TLB", accesses);
	struct pms_sample *s = sampled(&f, 32, "L2D_TLB_REFILL", none);
	assert_true(isinf(value_of(&f, "l2_tlb_miss_ratio").high));
	s->instructions += 100;
	s->counted += 100;
	fixture_count(&f, "L2D_TLB_REFILL")->scaled = 500;
	assert_true(isinf(value_of(&f, "l2_tlb_miss_ratio").high));
	fixture_close(&f);
}

/* Instructions are what the windows are of: as many in each, whatever else they count. 10,000 over
 * 5000 cycles is 2; it falls by 2 / 5000 for each cycle: 400 of them make 0.16. */
static void a_ratio_to_what_is_exact(void **state)
{
	(void)state;
	static const double cycles[] = { 40, 60, 50, 50 };
	struct fixture f = fixture_open("small", balanced, N_BALANCED);
	sampled(&f, 4, "CPU_CYCLES", cycles);
	sampled(&f, 4, "INST_RETIRED", instructions);
	struct pms_value ipc = value_of(&f, "ipc");
	assert_int_equal(ipc.state, PMS_VALUE_SCALED);
	assert_near(ipc.value, 2);
	assert_near(ipc.high, 2 + 3.182 * 0.16);
	assert_near(ipc.low, 2 - 3.182 * 0.16);
	assert_near(ipc.run_pct, 4);
	fixture_close(&f);
}

/* Misses that are always a fifth of the accesses: how many there are is uncertain, the share not.
 */
static void what_goes_together_is_certain(void **state)
{
	(void)state;
	static const double accesses[] = { 50, 100, 25, 75 }, misses[] = { 10, 20, 5, 15 };
	struct fixture f = fixture_open("small", balanced, N_BALANCED);
	sampled(&f, 4, "L2D_TLB", accesses);
	sampled(&f, 4, "L2D_TLB_REFILL", misses);
	struct pms_value share = value_of(&f, "l2_tlb_miss_ratio");
	assert_near(share.value, 0.2);
	assert_near(share.low, 0.2);
	assert_near(share.high, 0.2);
	double low, high;
	size_t event = (size_t)pms_catalog_find_event(f.catalog, "L2D_TLB");
	pms_sample_interval(&f.counts->total, event, &low, &high);
	assert_true(high - low > 1000);
	fixture_close(&f);
}

static void one_group_tells_nothing(void **state)
{
	(void)state;
	static const double cycles[] = { 40 };
	struct fixture f = fixture_open("small", balanced, N_BALANCED);
	double low, high;
	sampled(&f, 1, "CPU_CYCLES", cycles);
	sampled(&f, 1, "INST_RETIRED", instructions);
	struct pms_value ipc = value_of(&f, "ipc");
	assert_int_equal(ipc.state, PMS_VALUE_SCALED);
	assert_near(ipc.value, 2.5);
	assert_true(isinf(ipc.low) && isinf(ipc.high));
	size_t event = (size_t)pms_catalog_find_event(f.catalog, "CPU_CYCLES");
	assert_int_equal(pms_sample_interval(&f.counts->total, event, &low, &high), 0);
	fixture_close(&f);
}

static void what_was_counted_whole_is_exact(void **state)
{
	(void)state;
	static const double cycles[] = { 40, 60, 50, 50 };
	struct fixture f = fixture_open("small", balanced, N_BALANCED);
	sampled(&f, 4, "INST_RETIRED", instructions);
	struct pms_sample *s = sampled(&f, 4, "CPU_CYCLES", cycles);
	s->instructions = 400;
	fixture_count(&f, "CPU_CYCLES")->scaled = 200;
	fixture_count(&f, "INST_RETIRED")->scaled = 400;
	struct pms_value ipc = value_of(&f, "ipc");
	assert_int_equal(ipc.state, PMS_VALUE_EXACT);
	assert_true(ipc.low == ipc.value && ipc.high == ipc.value);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_total),
		cmocka_unit_test(a_total_with_its_start),
		cmocka_unit_test(a_burst_has_a_wide_interval),
		cmocka_unit_test(what_no_window_met_makes_a_metric_uncertain),
		cmocka_unit_test(a_ratio_to_what_is_exact),
		cmocka_unit_test(what_goes_together_is_certain),
		cmocka_unit_test(one_group_tells_nothing),
		cmocka_unit_test(what_was_counted_whole_is_exact),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
