/* SPDX-License-Identifier: MIT */
/* Counts over the made-up cores of tests/data, by event name. */
#ifndef PMS_TEST_ANALYSE_FIXTURE_H
#define PMS_TEST_ANALYSE_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "pmuscope/analyse.h"

struct count {
	const char *name;
	uint64_t value;
};

struct fixture {
	struct pms_catalog *catalog;
	struct pms_counts *counts;
};

static inline struct pms_count *fixture_count(struct fixture *f, const char *name)
{
	int64_t event = pms_catalog_find_event(f->catalog, name);
	assert_true(event >= 0);
	return &f->counts->total.counts[event];
}

static inline void fixture_set(struct fixture *f, const struct count *counts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*fixture_count(f, counts[i].name) = (struct pms_count){ .state = PMS_COUNTED,
									.cls = PMS_COUNT_EXACT,
									.value = counts[i].value };
}

/* @data: the directory that holds cpus/ */
static inline struct fixture fixture_open_in(const char *data, const char *cpu,
					     const struct count *counts, size_t n)
{
	struct fixture f = { 0 };
	assert_int_equal(pms_catalog_load(data, cpu, &f.catalog, NULL), 0);
	f.counts = pms_counts_new(f.catalog);
	assert_non_null(f.counts);
	fixture_set(&f, counts, n);
	return f;
}

static inline struct fixture fixture_open(const char *cpu, const struct count *counts, size_t n)
{
	return fixture_open_in(PMS_TEST_DATA, cpu, counts, n);
}

static inline void fixture_close(struct fixture *f)
{
	pms_counts_free(f->counts);
	pms_catalog_free(f->catalog);
}

static inline struct pms_report *fixture_report(struct fixture *f,
						const struct pms_analyse_options *options)
{
	struct pms_report *report = NULL;
	struct pms_error err = { 0 };
	if (pms_analyse(f->counts, &f->counts->total, options, &report, &err))
		fail_msg("%s", err.text);
	return report;
}

static inline const char *metric_name(const struct fixture *f, size_t metric)
{
	return pms_catalog_metric(f->catalog, metric)->name;
}

static inline void assert_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
		fail_msg("%.17g, want %.17g", got, want);
}

/* 1000 cycles of 8 slots, worked out by hand:
 * backend 4000 / 8000 = 50 %; frontend 1600 / 8000 - 30 x 4 / 1000 = 20 - 12 = 8 %;
 * filled 1 - 5600 / 8000 = 30 %, of which 1800 / 2400 = 75 % retire: 22.5 %;
 * bad speculation 25 % of 30 % + 12 % = 19.5 %. Sum 100 %. */
static const struct count balanced[] = {
	{ "CPU_CYCLES", 1000 },
	{ "INST_RETIRED", 2000 },
	{ "OP_RETIRED", 1800 },
	{ "OP_SPEC", 2400 },
	{ "STALL_SLOT", 5600 },
	{ "STALL_SLOT_BACKEND", 4000 },
	{ "STALL_SLOT_FRONTEND", 1600 },
	{ "BR_MIS_PRED", 30 },
	{ "BR_MIS_PRED_RETIRED", 24 }, /* 12 MPKI */
	{ "L1D_CACHE_REFILL", 40 },    /* 20 MPKI */
	{ "L2D_TLB", 60 },
	{ "L2D_TLB_REFILL", 6 }, /* 3 MPKI, 0.1 per access */
};
enum { N_BALANCED = sizeof(balanced) / sizeof(balanced[0]) };

/* A test of these counts over the small core: its state is the fixture, which is closed behind it.
 */
static inline int balanced_begin(void **state)
{
	struct fixture *f = malloc(sizeof(*f));
	assert_non_null(f);
	*f = fixture_open("small", balanced, N_BALANCED);
	*state = f;
	return 0;
}

static inline int balanced_end(void **state)
{
	fixture_close(*state);
	free(*state);
	return 0;
}

#define BALANCED(name) cmocka_unit_test_setup_teardown(name, balanced_begin, balanced_end)

#endif
