/* SPDX-License-Identifier: MIT */
/* Distributions beside the sorted values themselves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../vcore/random.h"
#include "spe/sketch.h"

enum { MOST = 20000 };

static int compare(const void *a, const void *b)
{
	return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* Every value lies in a bucket whose middle is within 1 % of it; buckets are in order. */
static void test_buckets(void **state)
{
	(void)state;
	for (unsigned v = 0; v < 65536; v++) {
		unsigned bucket = pms_sketch_bucket(v), middle = pms_sketch_middle(bucket);
		assert_true(bucket < PMS_SKETCH_BUCKETS);
		assert_true(fabs((double)middle - v) <= 0.01 * v);
		assert_int_equal(pms_sketch_bucket(middle), bucket);
		assert_true(!v || bucket - pms_sketch_bucket(v - 1) <= 1);
	}
	assert_int_equal(pms_sketch_bucket(65535), PMS_SKETCH_BUCKETS - 1);
}

/* By hand: 0 to 127 exactly, then 2 values a bucket to 255, 4 to 511. */
static void test_buckets_by_hand(void **state)
{
	static const struct {
		unsigned value, bucket, middle;
	} rows[] = { { 0, 0, 0 },	{ 127, 127, 127 }, { 128, 128, 128 }, { 129, 128, 128 },
		     { 130, 129, 130 }, { 255, 191, 254 }, { 256, 192, 257 }, { 259, 192, 257 },
		     { 260, 193, 261 }, { 511, 255, 509 }, { 512, 256, 515 } };
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(pms_sketch_bucket(rows[i].value), rows[i].bucket);
		assert_int_equal(pms_sketch_middle(rows[i].bucket), rows[i].middle);
	}
}

/* Values as latencies are: many small, a long tail; or all alike, or anything. */
static uint16_t draw(uint64_t *random, unsigned kind)
{
	uint64_t r = random_next(random);
	switch (kind) {
	case 0:
		return (uint16_t)(4 + r % 60);
	case 1:
		return (uint16_t)(r >> (48 + r % 16));
	case 2:
		return 777;
	case 3:
		return (uint16_t)r;
	default:
		return (uint16_t)(r % 1000 ? 5 : 65535);
	}
}

static void check(const struct pms_sketch *sketch, uint16_t *values, size_t n)
{
	static const double percents[] = { 0.001, 1, 10, 25, 50, 75, 90, 95, 99, 99.9, 100 };
	uint64_t sum = 0;
	qsort(values, n, sizeof(*values), compare);
	for (size_t i = 0; i < n; i++)
		sum += values[i];
	assert_int_equal(sketch->count, n);
	assert_int_equal(sketch->sum, sum);
	assert_int_equal(sketch->least, values[0]);
	assert_int_equal(sketch->greatest, values[n - 1]);
	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		size_t rank = (size_t)ceil(percents[i] * (double)n / 100);
		double want = values[rank ? rank - 1 : 0];
		double got = pms_sketch_percentile(sketch, percents[i]);
		assert_true(fabs(got - want) <= 0.01 * want);
	}
}

static void test_percentiles(void **state)
{
	static uint16_t values[MOST];
	uint64_t random = 1;
	(void)state;
	for (unsigned run = 0; run < 200; run++) {
		struct pms_sketch_budget budget = { .left = 1 << 16 };
		struct pms_sketch sketch = { 0 };
		size_t n = 1 + random_below(&random, run % 10 ? 300 : MOST);
		for (size_t i = 0; i < n; i++) {
			values[i] = draw(&random, run % 5);
			pms_sketch_add(&sketch, values[i], &budget);
		}
		check(&sketch, values, n);
		pms_sketch_release(&sketch, &budget);
		assert_int_equal(budget.left, 1 << 16);
	}
}

static void test_merge(void **state)
{
	static uint16_t values[MOST];
	uint64_t random = 2;
	(void)state;
	for (unsigned run = 0; run < 200; run++) {
		struct pms_sketch_budget budget = { .left = 1 << 16 };
		struct pms_sketch parts[3] = { { 0 } }, whole = { 0 };
		size_t n = 1 + random_below(&random, run % 2 ? 500 : 12);
		for (size_t i = 0; i < n; i++) {
			unsigned part = (unsigned)random_below(&random, 1 + run % 3);
			values[i] = draw(&random, (part + run) % 5);
			pms_sketch_add(&parts[part], values[i], &budget);
		}
		for (unsigned i = 0; i < 3; i++)
			pms_sketch_merge(&whole, &parts[i], &budget);
		check(&whole, values, n);
		for (unsigned i = 0; i < 3; i++)
			pms_sketch_release(&parts[i], &budget);
		pms_sketch_release(&whole, &budget);
		assert_int_equal(budget.left, 1 << 16);
	}
}

/* Without room the sums stay right, and percentiles are not made up. */
static void test_bound(void **state)
{
	struct pms_sketch_budget budget = { .left = PMS_SKETCH_BLOCK * sizeof(uint32_t) };
	struct pms_sketch sketch = { 0 }, other = { 0 }, none = { 0 };
	(void)state;
	assert_int_equal(pms_sketch_percentile(&none, 50), -1);
	pms_sketch_add(&sketch, 3, &budget);
	assert_int_equal(pms_sketch_percentile(&sketch, 50), 3);
	pms_sketch_add(&sketch, 4000, &budget);
	pms_sketch_add(&sketch, 4, &budget);
	assert_int_equal(pms_sketch_percentile(&sketch, 50), -1);
	assert_int_equal(sketch.sum, 4007);
	assert_int_equal(sketch.count, 3);
	assert_int_equal(sketch.greatest, 4000);
	pms_sketch_merge(&other, &sketch, &budget);
	assert_int_equal(pms_sketch_percentile(&other, 50), -1);
	assert_int_equal(other.count, 3);
	pms_sketch_release(&sketch, &budget);
	pms_sketch_release(&other, &budget);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets),	    cmocka_unit_test(test_buckets_by_hand),
		cmocka_unit_test(test_percentiles), cmocka_unit_test(test_merge),
		cmocka_unit_test(test_bound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
