/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct counted {
	const char *name;
	enum pms_count_state state;
	enum pms_count_class cls;
	uint64_t value;
} counted[] = {
	{ "CPU_CYCLES", PMS_COUNTED, PMS_COUNT_MODELLED, 1000000 },
	{ "INST_RETIRED", PMS_COUNTED, PMS_COUNT_EXACT, 1234567 },
	{ "BR_RETIRED", PMS_COUNTED, PMS_COUNT_EXACT, 0 },
	{ "BR_MIS_PRED_RETIRED", PMS_COUNTED, PMS_COUNT_MODELLED, 9 },
	{ "LL_CACHE_RD", PMS_NOT_MODELLED, 0, 0 },
};

/* A slot of the demo core is 25 % of a cycle; the shares add up to 100. */
static const struct valued {
	const char *metric, *group;
	int stage, level;
	struct pms_value value;
} valued[] = {
	{ "frontend_bound", "Topdown_L1", 1, 1, { PMS_VALUE_EXACT, -0.5, -0.5, -0.5, 100, NULL } },
	{ "backend_bound",
	  "Topdown_L1",
	  1,
	  1,
	  { PMS_VALUE_EXACT, 30.25, 30.25, 30.25, 100, NULL } },
	{ "retiring", "Topdown_L1", 1, 1, { PMS_VALUE_EXACT, 20, 20, 20, 100, NULL } },
	{ "bad_speculation",
	  "Topdown_L1",
	  1,
	  1,
	  { PMS_VALUE_EXACT, 50.25, 50.25, 50.25, 100, NULL } },
	{ "memory_bound",
	  "Topdown_Backend",
	  1,
	  2,
	  { PMS_VALUE_SCALED, 28, 26.5, 29.5, 33.3, NULL } },
	{ "core_bound", "Topdown_Backend", 1, 2, { .because = "LL_CACHE_RD is not modelled" } },
	{ "ipc", "Work", 2, 0, { PMS_VALUE_EXACT, 1.234567, 1.234567, 1.234567, 100, NULL } },
	{ "branch_mpki", "MPKI", 2, 0, { PMS_VALUE_EXACT, 0.1, 0.1, 0.1, 100, NULL } },
	{ "l1d_mpki", "MPKI", 2, 0, { PMS_VALUE_EXACT, 1e-7, 1e-7, 1e-7, 100, NULL } },
	{ "branch_mpki",
	  "Branch_Effectiveness",
	  2,
	  0,
	  { PMS_VALUE_EXACT, 0.1, 0.1, 0.1, 100, NULL } },
	{ "branch_miss_ratio",
	  "Branch_Effectiveness",
	  2,
	  0,
	  { .because = "divides by BR_RETIRED, which is 0" } },
	{ "l1d_mpki",
	  "Cache_Effectiveness",
	  2,
	  0,
	  { PMS_VALUE_EXACT, 1e-7, 1e-7, 1e-7, 100, NULL } },
	{ "ll_reads", "Cache_Effectiveness", 2, 0, { .because = "LL_CACHE_RD is not modelled" } },
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

size_t fixture_event(const struct fixture *f, const char *name)
{
	int64_t i = pms_catalog_find_event(f->catalog, name);
	assert_true(i >= 0);
	return (size_t)i;
}

size_t fixture_metric(const struct fixture *f, const char *name)
{
	int64_t i = pms_catalog_find_metric(f->catalog, name);
	assert_true(i >= 0);
	return (size_t)i;
}

size_t fixture_group(const struct fixture *f, const char *name)
{
	int64_t i = pms_catalog_find_group(f->catalog, PMS_GROUP_METRICS, name);
	assert_true(i >= 0);
	return (size_t)i;
}

size_t fixture_node(const struct fixture *f, const char *metric)
{
	size_t i = 0, wanted = fixture_metric(f, metric);
	while (i < pms_catalog_nodes(f->catalog) &&
	       pms_catalog_node(f->catalog, i)->metric != wanted)
		i++;
	assert_true(i < pms_catalog_nodes(f->catalog));
	return i;
}

struct pms_result *fixture_result(struct fixture *f, const char *metric, const char *group)
{
	for (size_t i = 0; i < f->report.n_results; i++)
		if (f->results[i].metric == fixture_metric(f, metric) &&
		    f->results[i].group == fixture_group(f, group))
			return &f->results[i];
	fail_msg("no result of %s in %s", metric, group);
	return NULL;
}

static void fill_counts(struct fixture *f)
{
	for (size_t i = 0; i < COUNT(counted); i++)
		f->counts->total.counts[fixture_event(f, counted[i].name)] = (struct pms_count){
			.state = counted[i].state, .cls = counted[i].cls, .value = counted[i].value
		};
	for (int i = 0; i < 2; i++) {
		struct pms_scope *scope = pms_counts_add_scope(f->counts, PMS_SCOPE_THREAD, 11 + i);
		assert_non_null(scope);
		strcpy(scope->name, i ? "worker, \"b\"" : "main");
		memcpy(scope->counts, f->counts->total.counts,
		       pms_catalog_events(f->catalog) * sizeof(*scope->counts));
	}
	assert_int_equal(pms_counts_warn(f->counts, "one system call of the program was not run"),
			 0);
}

static void fill_provenance(struct pms_provenance *p)
{
	static const char *const words[] = { "./prog", "a b", "it's", "x\ny\033[31m", "\xff" };
	strcpy(p->source, "vcore");
	p->modelled = 1;
	strcpy(p->core, "Demo One");
	strcpy(p->model_version, "3");
	p->command = calloc(COUNT(words) + 1, sizeof(char *));
	assert_non_null(p->command);
	for (size_t i = 0; i < COUNT(words); i++)
		p->command[i] = strdup(words[i]);
	p->exit_status = 139;
	p->signal = 11;
	p->counters_available = 6;
}

static void fill_results(struct fixture *f, struct pms_result *results)
{
	for (size_t i = 0; i < COUNT(valued); i++)
		results[i] = (struct pms_result){ .metric = fixture_metric(f, valued[i].metric),
						  .group = fixture_group(f, valued[i].group),
						  .stage = valued[i].stage,
						  .level = valued[i].level,
						  .value = valued[i].value };
}

static void fill_findings(struct fixture *f)
{
	f->paths[0][0] = fixture_node(f, "bad_speculation");
	f->evidence[0][0] = 9;
	f->evidence[0][1] = 10;
	f->findings[0] =
		(struct pms_finding){ .node = f->paths[0][0],
				      .path = f->paths[0],
				      .n_path = 1,
				      .group = (int64_t)fixture_group(f, "Branch_Effectiveness"),
				      .value = 50.25,
				      .share = 40.5,
				      .severity = PMS_SEVERITY_HIGH,
				      .advice = pms_catalog_advice(f->catalog, 0),
				      .evidence = f->evidence[0],
				      .n_evidence = 2 };
	f->paths[1][0] = fixture_node(f, "backend_bound");
	f->paths[1][1] = fixture_node(f, "memory_bound");
	f->findings[1] = (struct pms_finding){ .node = f->paths[1][1],
					       .path = f->paths[1],
					       .n_path = 2,
					       .group = -1,
					       .value = 28,
					       .share = 28,
					       .unexplained = 14.5,
					       .severity = PMS_SEVERITY_MODERATE };
}

static const struct pms_report *scope_report(void *context, size_t i, struct pms_error *err)
{
	struct fixture *f = context;
	(void)err;
	return &f->threads[i];
}

void fixture_init(struct fixture *f)
{
	static char negative[] =
		"frontend_bound is negative: 4 cycles a misprediction are taken off";
	struct pms_error err = { 0 };
	memset(f, 0, sizeof(*f));
	if (pms_catalog_load(PMS_TEST_DATA "/show", "demo", &f->catalog, &err))
		fail_msg("%s:%u: %s", err.source, err.line, err.text);
	f->counts = pms_counts_new(f->catalog);
	assert_non_null(f->counts);
	fill_counts(f);
	fill_provenance(&f->counts->provenance);
	fill_results(f, f->results);
	fill_findings(f);
	f->warnings[0] = negative;
	f->report = (struct pms_report){ .counts = f->counts,
					 .scope = &f->counts->total,
					 .results = f->results,
					 .n_results = COUNT(valued),
					 .findings = f->findings,
					 .n_findings = 2,
					 .warnings = f->warnings,
					 .n_warnings = 1 };
	for (int i = 0; i < 2; i++) {
		fill_results(f, f->thread_results[i]);
		f->threads[i] = f->report;
		f->threads[i].scope = &f->counts->scopes[i];
		f->threads[i].results = f->thread_results[i];
	}
	f->scopes = (struct pms_scope_reports){ scope_report, f };
	f->thread_results[1][2].value = (struct pms_value){ .because = "nothing ran" };
}

void fixture_release(struct fixture *f)
{
	pms_counts_free(f->counts);
	pms_catalog_free(f->catalog);
}

int fixture_begin(void **state)
{
	static struct fixture fixture;
	fixture_init(&fixture);
	*state = &fixture;
	return 0;
}

int fixture_end(void **state)
{
	fixture_release(*state);
	return 0;
}

FILE *fixture_open(struct fixture_text *to)
{
	*to = (struct fixture_text){ 0 };
	to->out = open_memstream(&to->text, &to->size);
	assert_non_null(to->out);
	return to->out;
}

char *fixture_close(struct fixture_text *to)
{
	assert_int_equal(fclose(to->out), 0);
	return to->text;
}
