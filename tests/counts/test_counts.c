/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../catalog/small.h"
#include "pmuscope/counts.h"

static void new_counts_are_not_counted(void **state)
{
	(void)state;
	struct pms_counts *counts = pms_counts_new(catalog);
	assert_ptr_equal(counts->catalog, catalog);
	assert_int_equal(counts->total.kind, PMS_SCOPE_TOTAL);
	for (size_t i = 0; i < pms_catalog_events(catalog); i++)
		assert_int_equal(counts->total.counts[i].state, PMS_NOT_COUNTED);
	pms_counts_sum(counts); /* without scopes, the total stays what it is */
	pms_counts_free(counts);
	pms_counts_free(NULL);
}

static void texts_are_kept_once(void **state)
{
	(void)state;
	struct pms_counts *counts = pms_counts_new(catalog);
	char text[] = "no such mechanism";
	const char *kept = pms_counts_keep(counts, text);
	text[0] = 'N';
	assert_string_equal(kept, "no such mechanism");
	assert_ptr_equal(pms_counts_keep(counts, "no such mechanism"), kept);
	assert_int_equal(counts->n_strings, 1);
	for (int i = 0; i < 100; i++)
		assert_int_equal(pms_counts_warn(counts, "thread %d was not followed", i), 0);
	assert_int_equal(counts->n_warnings, 100);
	assert_string_equal(counts->warnings[99], "thread 99 was not followed");
	counts->provenance.command = calloc(2, sizeof(char *));
	counts->provenance.command[0] = strdup("./prog");
	pms_counts_free(counts);
}

static void total_is_the_sum(void **state)
{
	(void)state;
	struct pms_counts *counts = pms_counts_new(catalog);
	for (int64_t tid = 1; tid <= 3; tid++) {
		struct pms_scope *scope = pms_counts_add_scope(counts, PMS_SCOPE_THREAD, tid);
		assert_int_equal(scope->id, tid);
		scope->counts[0] = (struct pms_count){ .state = PMS_COUNTED,
						       .cls = PMS_COUNT_EXACT,
						       .value = (uint64_t)tid * 100,
						       .enabled_ns = 10,
						       .running_ns = 5 };
		scope->counts[1] = scope->counts[0];
		scope->counts[2] = scope->counts[0];
		scope->counts[3] = scope->counts[0];
	}
	counts->scopes[1].counts[1] =
		(struct pms_count){ .state = PMS_NOT_MODELLED, .because = "no prefetcher" };
	counts->scopes[2].counts[1] =
		(struct pms_count){ .state = PMS_NOT_SUPPORTED, .because = "not here" };
	counts->scopes[2].counts[2].cls = PMS_COUNT_MODELLED;
	counts->scopes[0].counts[3].value = UINT64_MAX - 10;
	pms_counts_sum(counts);
	const struct pms_count *total = counts->total.counts;
	assert_int_equal(total[0].state, PMS_COUNTED);
	assert_int_equal(total[0].value, 600);
	assert_int_equal(total[0].enabled_ns, 30);
	assert_int_equal(total[0].running_ns, 15);
	assert_int_equal(total[0].cls, PMS_COUNT_EXACT);
	assert_int_equal(total[1].state, PMS_NOT_SUPPORTED);
	assert_string_equal(total[1].because, "not here");
	assert_int_equal(total[2].cls, PMS_COUNT_MODELLED);
	assert_true(total[3].value == UINT64_MAX); /* does not wrap */
	assert_int_equal(total[4].state, PMS_NOT_COUNTED);
	pms_counts_sum(counts); /* again: the same, not twice as much */
	assert_int_equal(total[0].value, 600);
	pms_counts_free(counts);
}

/* 100 with 3 % and 300 with 4 %, apart: sqrt(3^2 + 12^2) of 400. */
static void scaled_and_scattered_counts_add_up(void **state)
{
	(void)state;
	struct pms_count a = { .state = PMS_COUNTED, .value = 100, .spread = 0.03 };
	struct pms_count b = { .state = PMS_COUNTED, .value = 300, .spread = 0.04 };
	assert_float_equal(pms_count_scaled(&a), 100, 0);
	pms_count_add(&a, &b);
	assert_int_equal(a.value, 400);
	assert_float_equal(a.spread, sqrt(153) / 400, 1e-12);
	assert_float_equal(a.scaled, 0, 0); /* nobody told */
	/* 50 in half the time, which was told to be 101, and 300 all the time. */
	a = (struct pms_count){ .state = PMS_COUNTED,
				.value = 50,
				.enabled_ns = 10,
				.running_ns = 5,
				.scaled = 101,
				.loose_times = 1 };
	b = (struct pms_count){
		.state = PMS_COUNTED, .value = 300, .enabled_ns = 10, .running_ns = 10
	};
	struct pms_count c = b;
	assert_float_equal(pms_count_scaled(&a), 101, 0);
	pms_count_add(&c, &a);
	pms_count_add(&a, &b);
	assert_float_equal(a.scaled, 401, 0);
	assert_float_equal(c.scaled, 401, 0);
	assert_int_equal(a.value, 350);
	assert_int_equal(a.running_ns, 15);
	assert_true(a.loose_times && c.loose_times);
	/* Without being told, by the times. */
	b = (struct pms_count){
		.state = PMS_COUNTED, .value = 50, .enabled_ns = 10, .running_ns = 4
	};
	assert_float_equal(pms_count_scaled(&b), 125, 0);
}

static void assert_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-12 * (1 + fabs(want))))
		fail_msg("%.17g, want %.17g", got, want);
}

/* A part that had a counter for a quarter of the time and one that had one always: 400 of 100 and
 * 200. Four were counted where one was seen, 3 missed for each: 400 x 3 of 600, and one event more
 * of the worst. */
static void each_part_of_a_sum_is_scaled_by_its_own_time(void **state)
{
	(void)state;
	struct pms_count a = {
		.state = PMS_COUNTED, .value = 100, .enabled_ns = 400000000, .running_ns = 100000000
	};
	struct pms_count b = {
		.state = PMS_COUNTED, .value = 200, .enabled_ns = 400000000, .running_ns = 400000000
	};
	assert_near(pms_count_missed(&a), 3);
	assert_near(pms_count_phases(&a), 0.75 / 25); /* 25 windows of 4 ms */
	assert_near(pms_count_missed(&b), 0);
	assert_near(pms_count_phases(&b), 0);
	struct pms_count c = b;
	pms_count_add(&c, &a);
	pms_count_add(&a, &b);
	assert_near(pms_count_scaled(&a), 600);
	assert_near(pms_count_scaled(&c), 600);
	assert_int_equal(a.value, 300);
	assert_near(pms_count_missed(&a), (400 * 3 + 3) / 601.0);
	assert_near(pms_count_phases(&a), (400 * 400 * 0.03 + 0.03) / (600 * 600 + 1));
	assert_near(pms_count_missed(&c), pms_count_missed(&a));
	/* Nothing seen in either: as far off as the worse of the two. */
	a = (struct pms_count){ .state = PMS_COUNTED, .enabled_ns = 100, .running_ns = 10 };
	b = (struct pms_count){ .state = PMS_COUNTED, .enabled_ns = 100, .running_ns = 50 };
	pms_count_add(&a, &b);
	assert_near(pms_count_scaled(&a), 0);
	assert_near(pms_count_missed(&a), 9);
	/* All of the time in both. */
	a = c = (struct pms_count){
		.state = PMS_COUNTED, .value = 7, .enabled_ns = 10, .running_ns = 10
	};
	pms_count_add(&a, &c);
	assert_true(a.value == 14 && a.scaled == 0 && a.missed == 0 && a.phases == 0);
}

/* A metric is worked out from the first pass that has been told of all of its events, even when
 * that is that the machine lacks one; else from the whole. */
static void a_metric_has_its_pass(void **state)
{
	(void)state;
	struct pms_counts *counts = pms_counts_new(catalog);
	const struct pms_metric *metric = NULL;
	for (size_t i = 0; i < pms_catalog_metrics(catalog) && !metric; i++)
		if (pms_catalog_metric(catalog, i)->n_events == 2)
			metric = pms_catalog_metric(catalog, i);
	assert_non_null(metric);
	struct pms_count *first = pms_scope_add_pass(counts, &counts->total);
	struct pms_count *second = pms_scope_add_pass(counts, &counts->total);
	assert_ptr_equal(pms_scope_of_metric(&counts->total, metric), counts->total.counts);
	first[metric->events[0]].state = PMS_COUNTED;
	second[metric->events[0]].state = PMS_COUNTED;
	assert_ptr_equal(pms_scope_of_metric(&counts->total, metric), counts->total.counts);
	second[metric->events[1]].state = PMS_NOT_SUPPORTED;
	assert_ptr_equal(pms_scope_of_metric(&counts->total, metric), second);
	first[metric->events[1]].because = "it never had a counter";
	assert_ptr_equal(pms_scope_of_metric(&counts->total, metric), first);
	pms_counts_free(counts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_counts_are_not_counted),
		cmocka_unit_test(texts_are_kept_once),
		cmocka_unit_test(total_is_the_sum),
		cmocka_unit_test(scaled_and_scattered_counts_add_up),
		cmocka_unit_test(each_part_of_a_sum_is_scaled_by_its_own_time),
		cmocka_unit_test(a_metric_has_its_pass),
	};
	return cmocka_run_group_tests(tests, open_catalog, close_catalog);
}
