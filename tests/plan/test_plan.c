/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pmuscope/pmuscope.h"

static struct pms_catalog *load(const char *cpu)
{
	struct pms_catalog *catalog = NULL;
	assert_int_equal(pms_catalog_load(PMS_SOURCE, cpu, &catalog, NULL), 0);
	return catalog;
}

static struct pms_plan *make(const struct pms_catalog *catalog,
			     const struct pms_plan_options *options)
{
	struct pms_plan *plan = NULL;
	struct pms_error err = { 0 };
	if (pms_plan_make(catalog, options, &plan, &err))
		fail_msg("%s", err.text);
	return plan;
}

static int has(const size_t *list, size_t n, size_t index)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == index)
			return 1;
	return 0;
}

static size_t event(const struct pms_catalog *catalog, const char *name)
{
	int64_t i = pms_catalog_find_event(catalog, name);
	assert_true(i >= 0);
	return (size_t)i;
}

static size_t metric(const struct pms_catalog *catalog, const char *name)
{
	int64_t i = pms_catalog_find_metric(catalog, name);
	assert_true(i >= 0);
	return (size_t)i;
}

/* Each metric once, with all of its events; no more events than counters, none for nothing. */
static void check(const struct pms_plan *plan)
{
	size_t metrics = 0;
	for (size_t k = 0; k < plan->n_passes; k++) {
		const struct pms_pass *pass = &plan->passes[k];
		assert_true(pass->counters <= plan->counters);
		assert_int_equal(pass->n_events, pass->counters + plan->n_fixed);
		for (size_t i = 0; i < pass->n_metrics; i++) {
			const struct pms_metric *m =
				pms_catalog_metric(plan->catalog, pass->metrics[i]);
			for (size_t e = 0; e < m->n_events; e++)
				assert_true(has(pass->events, pass->n_events, m->events[e]));
			for (size_t other = 0; other < k; other++)
				assert_false(has(plan->passes[other].metrics,
						 plan->passes[other].n_metrics, pass->metrics[i]));
		}
		metrics += pass->n_metrics;
	}
	assert_int_equal(metrics, plan->n_metrics);
	assert_true(plan->lower_bound <= plan->n_passes);
	assert_int_equal(plan->optimal, plan->lower_bound == plan->n_passes);
}

static void the_published_metrics_are_planned(void **unused)
{
	(void)unused;
	struct pms_catalog *catalog = load("neoverse-n1");
	struct pms_plan *plan = make(catalog, NULL);
	check(plan);
	/* N1 has 31 metrics in the groups of its stages; those of the guide are not among them. */
	assert_int_equal(plan->n_metrics, 31);
	assert_int_equal(plan->counters, 6);
	assert_int_equal(plan->n_fixed, 1);
	assert_int_equal(plan->fixed[0], event(catalog, "CPU_CYCLES"));
	pms_plan_free(plan);
	pms_catalog_free(catalog);
}

static void level_1_is_one_pass(void **unused)
{
	(void)unused;
	static const char *const cpus[] = { "neoverse-v1", "neoverse-v3", "neoverse-n2" };
	static const char *const level1[] = { "frontend_bound", "backend_bound", "retiring",
					      "bad_speculation" };
	for (size_t c = 0; c < sizeof(cpus) / sizeof(cpus[0]); c++) {
		struct pms_catalog *catalog = load(cpus[c]);
		struct pms_plan *plan = make(catalog, NULL);
		check(plan);
		assert_int_equal(plan->level1, 0);
		for (size_t i = 0; i < 4; i++)
			assert_true(has(plan->passes[0].metrics, plan->passes[0].n_metrics,
					metric(catalog, level1[i])));
		pms_plan_free(plan);
		pms_catalog_free(catalog);
	}
}

static void level_1_comes_first_wherever_it_is_one_pass(void **unused)
{
	(void)unused;
	struct pms_catalog *catalog = load("neoverse-v3");
	for (unsigned counters = 6; counters <= 20; counters++) {
		struct pms_plan_options options = { .counters = counters };
		struct pms_plan *plan = make(catalog, &options);
		check(plan);
		assert_true(plan->level1 == 0 || plan->level1 == PMS_NO_PASS);
		pms_plan_free(plan);
	}
	pms_catalog_free(catalog);
}

/* V1's Level 1 has six events beside the cycles. */
static void level_1_that_does_not_fit_is_said(void **unused)
{
	(void)unused;
	static const char *const names[] = { "Topdown_L1" };
	struct pms_catalog *catalog = load("neoverse-v1");
	struct pms_plan_options options = { .names = names, .n_names = 1, .counters = 5 };
	struct pms_plan *plan = make(catalog, &options);
	check(plan);
	assert_true(plan->level1 == PMS_NO_PASS);
	assert_int_equal(plan->n_passes, 2);
	pms_plan_free(plan);
	options.counters = 6;
	plan = make(catalog, &options);
	assert_int_equal(plan->level1, 0);
	assert_int_equal(plan->stage1, 0);
	assert_int_equal(plan->n_passes, 1);
	assert_int_equal(plan->passes[0].counters, 6);
	pms_plan_free(plan);
	pms_catalog_free(catalog);
}

/* bad_speculation of V1 needs four events beside the cycles. */
static void a_metric_of_too_many_events_is_split(void **unused)
{
	(void)unused;
	static const char *const names[] = { "bad_speculation", "branch_mpki" };
	struct pms_catalog *catalog = load("neoverse-v1");
	struct pms_plan_options options = { .names = names, .n_names = 2, .counters = 3 };
	struct pms_plan *plan = make(catalog, &options);
	check(plan);
	assert_int_equal(plan->n_split, 1);
	assert_int_equal(plan->split[0], metric(catalog, "bad_speculation"));
	assert_int_equal(plan->n_metrics, 1);
	assert_int_equal(plan->n_passes, 2); /* four events and the two of branch_mpki */
	const struct pms_metric *split = pms_catalog_metric(catalog, plan->split[0]);
	for (size_t e = 0; e < split->n_events; e++) {
		int counted = 0;
		for (size_t k = 0; k < plan->n_passes; k++)
			counted += has(plan->passes[k].events, plan->passes[k].n_events,
				       split->events[e]);
		/* Cycles are in both passes, the others in one. */
		int is_cycles = split->events[e] == event(catalog, "CPU_CYCLES");
		assert_int_equal(counted, is_cycles ? 2 : 1);
	}
	pms_plan_free(plan);
	pms_catalog_free(catalog);
}

static void fixed_counters_are_free(void **unused)
{
	(void)unused;
	static const char *const ipc[] = { "IPC" };
	struct pms_catalog *catalog = load("riscv");
	struct pms_plan_options options = { .names = ipc, .n_names = 1, .counters = 1 };
	struct pms_plan *plan = make(catalog, &options);
	check(plan);
	assert_int_equal(plan->n_passes, 1);
	assert_int_equal(plan->n_fixed, 2);
	assert_int_equal(plan->passes[0].counters, 0);
	assert_int_equal(plan->passes[0].n_events, 2);
	assert_int_equal(plan->lower_bound, 1);
	pms_plan_free(plan);
	pms_catalog_free(catalog);
}

static void events_alone_are_planned(void **unused)
{
	(void)unused;
	struct pms_catalog *catalog = load("neoverse-v1");
	size_t events[] = { event(catalog, "INST_RETIRED"), event(catalog, "CPU_CYCLES"),
			    event(catalog, "LL_CACHE_RD"), event(catalog, "INST_RETIRED") };
	struct pms_plan_options options = {
		.events = events, .n_events = 4, .no_metrics = 1, .counters = 1
	};
	struct pms_plan *plan = make(catalog, &options);
	check(plan);
	assert_int_equal(plan->n_metrics, 0);
	assert_int_equal(plan->n_passes, 2);
	assert_int_equal(plan->passes[0].counters + plan->passes[1].counters, 2);
	pms_plan_free(plan);
	options.n_events = 0;
	plan = make(catalog, &options);
	assert_int_equal(plan->n_passes, 0);
	assert_int_equal(plan->lower_bound, 0);
	pms_plan_free(plan);
	pms_catalog_free(catalog);
}

static void what_cannot_be_planned_is_refused(void **unused)
{
	(void)unused;
	static const char *const wrong[] = { "ipcc" };
	struct pms_catalog *catalog = load("neoverse-v1");
	struct pms_plan *plan = NULL;
	struct pms_error err = { 0 };
	struct pms_plan_options options = { .names = wrong, .n_names = 1 };
	assert_int_equal(pms_plan_make(catalog, &options, &plan, &err), -PMS_ENAME);
	assert_non_null(strstr(err.text, "ipcc"));
	assert_non_null(strstr(err.hint, "ipc"));
	size_t none = pms_catalog_events(catalog);
	options = (struct pms_plan_options){ .events = &none, .n_events = 1 };
	assert_int_equal(pms_plan_make(catalog, &options, &plan, NULL), -PMS_EINVAL);
	options = (struct pms_plan_options){ .counters = PMS_MOST_COUNTERS + 1 };
	assert_int_equal(pms_plan_make(catalog, &options, &plan, NULL), -PMS_EINVAL);
	assert_null(plan);
	pms_plan_free(plan);
	pms_catalog_free(catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_published_metrics_are_planned),
		cmocka_unit_test(level_1_is_one_pass),
		cmocka_unit_test(level_1_comes_first_wherever_it_is_one_pass),
		cmocka_unit_test(level_1_that_does_not_fit_is_said),
		cmocka_unit_test(a_metric_of_too_many_events_is_split),
		cmocka_unit_test(fixed_counters_are_free),
		cmocka_unit_test(events_alone_are_planned),
		cmocka_unit_test(what_cannot_be_planned_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
