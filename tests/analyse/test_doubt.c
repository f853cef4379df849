/* SPDX-License-Identifier: MIT */
/* Events that read 0 where documents say that they cannot. */
#include "relate.h"

#define UNDEFINED_BECAUSE                                                                          \
	"L1D_CACHE_REFILL was not counted: it read 0, which cannot be, since "                     \
	"L1D_CACHE_REFILL >= L2D_TLB_REFILL"

/* What l1d_cache_mpki comes to in a report. */
static const struct pms_value *mpki(const struct fixture *f, const struct pms_report *report)
{
	for (size_t i = 0; i < report->n_results; i++)
		if (!strcmp(metric_name(f, report->results[i].metric), "l1d_cache_mpki"))
			return &report->results[i].value;
	fail_msg("l1d_cache_mpki is not there");
	return NULL;
}

static const struct {
	const char *what;
	const char *kind, *lhs, *rhs, *condition;
	uint64_t refills, walks; /* L1D_CACHE_REFILL and L2D_TLB_REFILL */
	uint64_t running;	 /* of 100 ms, in ms */
	int modelled, doubted;
} cases[] = {
	{ "it cannot be 0", "at_least", "L1D_CACHE_REFILL", "L2D_TLB_REFILL", "null", 0, 5000, 100,
	  0, 1 },
	{ "the other way round", "subset", "L2D_TLB_REFILL", "L1D_CACHE_REFILL", "null", 0, 5000,
	  100, 0, 1 },
	{ "a sum", "sum", "L2D_TLB_REFILL", "L1D_CACHE_REFILL + OP_RETIRED", "null", 0, 5000, 100,
	  0, 0 },
	{ "it counts", "at_least", "L1D_CACHE_REFILL", "L2D_TLB_REFILL", "null", 1, 5000, 100, 0,
	  0 },
	{ "it can be 0", "at_least", "L2D_TLB_REFILL", "L1D_CACHE_REFILL", "null", 0, 5000, 100, 0,
	  0 },
	{ "both are", "at_least", "L1D_CACHE_REFILL", "L2D_TLB_REFILL", "null", 0, 0, 100, 0, 0 },
	{ "little happened", "at_least", "L1D_CACHE_REFILL", "L2D_TLB_REFILL", "null", 0, 999, 100,
	  0, 0 },
	{ "where that holds", "at_least", "L1D_CACHE_REFILL", "L2D_TLB_REFILL",
	  "{\"configuration\":\"one\"}", 0, 5000, 100, 0, 0 },
	{ "on some revisions", "at_least", "L1D_CACHE_REFILL", "L2D_TLB_REFILL",
	  "{\"errata\":\"1\",\"before\":\"r1p0\"}", 0, 5000, 100, 0, 0 },
	{ "half of the time", "at_least", "L1D_CACHE_REFILL", "L2D_TLB_REFILL", "null", 0, 5000, 50,
	  0, 1 },
	/* 8 ms are two windows: they tell nothing of the others. */
	{ "too short", "at_least", "L1D_CACHE_REFILL", "L2D_TLB_REFILL", "null", 0, 5000, 8, 0, 0 },
	{ "the model", "at_least", "L1D_CACHE_REFILL", "L2D_TLB_REFILL", "null", 0, 5000, 100, 1,
	  0 },
};

static void what_cannot_be_0_has_no_count(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = fixture_open("small", balanced, N_BALANCED);
		struct pms_count *refills = fixture_count(&f, "L1D_CACHE_REFILL");
		relate_one(&f, cases[i].kind, cases[i].lhs, cases[i].rhs, cases[i].condition);
		*refills = (struct pms_count){ .state = PMS_COUNTED,
					       .value = cases[i].refills,
					       .enabled_ns = 100000000,
					       .running_ns = cases[i].running * 1000000 };
		fixture_count(&f, "L2D_TLB_REFILL")->value = cases[i].walks;
		f.counts->provenance.modelled = cases[i].modelled;
		struct pms_report *report = fixture_report(&f, NULL);
		const struct pms_value *value = mpki(&f, report);
		int undefined = value->state == PMS_VALUE_UNDEFINED;
		if (undefined != cases[i].doubted)
			fail_msg("%s: %s", cases[i].what, undefined ? value->because : "defined");
		/* What was read stays with the counts: check goes by that. */
		assert_int_equal(refills->state, PMS_COUNTED);
		assert_int_equal(report->scope == &f.counts->total, !undefined);
		pms_report_free(report);
		fixture_close(&f);
	}
}

static void a_report_says_what_says_so(void **state)
{
	struct fixture *f = *state;
	relate_one(f, "at_least", "L1D_CACHE_REFILL", "L2D_TLB_REFILL", "null");
	fixture_count(f, "L1D_CACHE_REFILL")->value = 0;
	fixture_count(f, "L2D_TLB_REFILL")->value = 5000;
	struct pms_report *report = fixture_report(f, NULL);
	assert_string_equal(mpki(f, report)->because, UNDEFINED_BECAUSE);
	pms_report_free(report);
}

/* A CPU that read 0 of an event that counts on others was idle; one that nobody counts has no count
 * on any, nor in any pass. */
static void all_columns_and_passes_are_meant(void **state)
{
	struct fixture *f = *state;
	relate_one(f, "at_least", "L1D_CACHE_REFILL", "L2D_TLB_REFILL", "null");
	size_t refills = (size_t)pms_catalog_find_event(f->catalog, "L1D_CACHE_REFILL");
	size_t events = pms_catalog_events(f->catalog);
	struct pms_scope *cpu = pms_counts_add_scope(f->counts, PMS_SCOPE_CPU, 1);
	for (size_t i = 0; i < events; i++)
		cpu->counts[i] = f->counts->total.counts[i];
	cpu->counts[refills].value = 0;
	struct pms_count *pass = pms_scope_add_pass(f->counts, cpu);
	for (size_t i = 0; i < events; i++)
		pass[i] = cpu->counts[i];
	fixture_count(f, "L2D_TLB_REFILL")->value = 5000;
	for (int whole = 0; whole < 2; whole++) {
		struct pms_report *report = NULL;
		fixture_count(f, "L1D_CACHE_REFILL")->value = whole ? 6000 : 0;
		assert_int_equal(pms_analyse(f->counts, cpu, NULL, &report, NULL), 0);
		assert_int_equal(report->scope->counts[refills].state,
				 whole ? PMS_COUNTED : PMS_NOT_COUNTED);
		assert_int_equal(mpki(f, report)->state,
				 whole ? PMS_VALUE_EXACT : PMS_VALUE_UNDEFINED);
		pms_report_free(report);
	}
}

/* The total's report tells what is doubted: columns do not look again. */
static void columns_take_over_what_the_total_found(void **state)
{
	struct fixture *f = *state;
	relate_one(f, "at_least", "L1D_CACHE_REFILL", "L2D_TLB_REFILL", "null");
	struct pms_scope *cpu = pms_counts_add_scope(f->counts, PMS_SCOPE_CPU, 1);
	for (size_t i = 0; i < pms_catalog_events(f->catalog); i++)
		cpu->counts[i] = f->counts->total.counts[i];
	cpu->counts[pms_catalog_find_event(f->catalog, "L1D_CACHE_REFILL")].value = 0;
	fixture_count(f, "L2D_TLB_REFILL")->value = 5000;
	for (int known = 0; known < 2; known++) {
		struct pms_report *report = NULL;
		fixture_count(f, "L1D_CACHE_REFILL")->value = known ? 6000 : 0;
		struct pms_report *total = fixture_report(f, NULL);
		/* Were they looked for again, the other way round would come out. */
		fixture_count(f, "L1D_CACHE_REFILL")->value = known ? 0 : 6000;
		struct pms_analyse_options options = { .total = total };
		assert_int_equal(pms_analyse(f->counts, cpu, &options, &report, NULL), 0);
		assert_int_equal(mpki(f, report)->state,
				 known ? PMS_VALUE_EXACT : PMS_VALUE_UNDEFINED);
		pms_report_free(total);
		pms_report_free(report);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_be_0_has_no_count),
		BALANCED(a_report_says_what_says_so),
		BALANCED(all_columns_and_passes_are_meant),
		BALANCED(columns_take_over_what_the_total_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
