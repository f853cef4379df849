/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "pmuscope/validate.h"

static struct pms_catalog *v1(void)
{
	struct pms_catalog *catalog = NULL;
	assert_int_equal(pms_catalog_load(PMS_SOURCE, "neoverse-v1", &catalog, NULL), 0);
	return catalog;
}

/* Load a workloads.json of this text, from a data directory of its own. */
static int load(const struct pms_catalog *catalog, const char *text, struct pms_workloads **out,
		struct pms_error *err)
{
	char folder[] = "/tmp/pmuscope-validate-XXXXXX", cpus[64], cpu[96], file[128];
	*err = (struct pms_error){ 0 };
	assert_non_null(mkdtemp(folder));
	snprintf(cpus, sizeof(cpus), "%s/cpus", folder);
	snprintf(cpu, sizeof(cpu), "%s/neoverse-v1", cpus);
	snprintf(file, sizeof(file), "%s/workloads.json", cpu);
	assert_false(mkdir(cpus, 0700) || mkdir(cpu, 0700));
	FILE *stream = fopen(file, "w");
	assert_non_null(stream);
	fputs(text, stream);
	fclose(stream);
	int rc = pms_workloads_load(catalog, folder, out, err);
	assert_false(unlink(file) || rmdir(cpu) || rmdir(cpus) || rmdir(folder));
	return rc;
}

#define FIGURES(f)                                                                                 \
	"{\"workloads\": [{\"name\": \"a\", \"category\": \"c\", \"dominant\": "                   \
	"\"bad_speculation\", \"figures\": [" f "]}]}"

static void ends_are_given_or_at_a_distance(void **state)
{
	static const struct {
		const char *ends;
		int has_low, has_high;
		double low, high;
	} rows[] = {
		{ "\"low\": 2, \"high\": 3", 1, 1, 2, 3 },
		{ "\"low\": 2", 1, 0, 2, 0 },
		{ "\"high\": 0", 0, 1, 0, 0 },
		{ "\"published\": 50, \"within_percent\": 10", 1, 1, 45, 55 },
		{ "\"published\": 50, \"within_points\": 3", 1, 1, 47, 53 },
		{ "\"published\": 1, \"within_points\": 3", 1, 1, 0, 4 },
		{ "\"published\": -1, \"within_points\": 3", 1, 1, -4, 2 },
	};
	(void)state;
	struct pms_catalog *catalog = v1();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[512];
		struct pms_workloads *w = NULL;
		struct pms_error err;
		snprintf(text, sizeof(text),
			 FIGURES("{\"metric\": \"ipc\", \"source\": \"s\", %s}"), rows[i].ends);
		if (load(catalog, text, &w, &err))
			fail_msg("%s: %s", rows[i].ends, err.text);
		const struct pms_figure *f = pms_workload(w, 0)->figures;
		assert_int_equal(f->has_low, rows[i].has_low);
		assert_int_equal(f->has_high, rows[i].has_high);
		assert_true(!f->has_low || f->low == rows[i].low);
		assert_true(!f->has_high || f->high == rows[i].high);
		pms_workloads_free(w);
	}
	pms_catalog_free(catalog);
}

static void bad_files_are_refused(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ "{", "end of file" },
		{ "{}", "workloads" },
		{ FIGURES("{\"metric\": \"ipd\", \"low\": 1, \"source\": \"s\"}"), "ipd" },
		{ FIGURES("{\"metric\": \"ipc\", \"source\": \"s\"}"), "needs low or high" },
		{ FIGURES("{\"metric\": \"ipc\", \"low\": 1}"), "source" },
		{ FIGURES("{\"metric\": \"ipc\", \"source\": \"s\", \"published\": 1}"),
		  "needs low" },
		{ FIGURES("{\"metric\": \"ipc\", \"source\": \"s\", \"published\": 1, \"low\": 0, "
			  "\"within_points\": 1}"),
		  "needs low" },
		{ FIGURES("{\"metric\": \"ipc\", \"source\": \"s\", \"low\": 0, "
			  "\"within_points\": 1}"),
		  "needs low" },
		{ FIGURES("{\"metric\": \"ipc\", \"source\": \"s\", \"published\": 1, "
			  "\"within_percent\": 1, \"within_points\": 1}"),
		  "needs low" },
		{ FIGURES("{\"name\": \"x\", \"units\": \"u\", \"formula\": \"CPU_CYCLES / "
			  "NONE\", \"low\": 1, \"source\": \"s\"}"),
		  "NONE" },
		{ FIGURES("{\"name\": \"x\", \"formula\": \"CPU_CYCLES\", \"low\": 1, "
			  "\"source\": \"s\"}"),
		  "units" },
		{ "{\"workloads\": [{\"name\": \"../a\", \"category\": \"c\", \"figures\": []}]}",
		  "no name" },
	};
	(void)state;
	struct pms_catalog *catalog = v1();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pms_workloads *w = NULL;
		struct pms_error err;
		assert_int_equal(load(catalog, rows[i].text, &w, &err), -PMS_EPARSE);
		if (!strstr(err.text, rows[i].says))
			fail_msg("%zu: %s", i, err.text);
		assert_non_null(strstr(err.source, "workloads.json"));
		assert_null(w);
	}
	pms_catalog_free(catalog);
}

static void set(struct pms_counts *counts, const char *event, uint64_t value)
{
	int64_t i = pms_catalog_find_event(counts->catalog, event);
	assert_true(i >= 0);
	counts->total.counts[i] = (struct pms_count){ .state = PMS_COUNTED, .value = value };
}

/* 1000 cycles, 8000 slots: 4000 filled, half of those thrown away; 2000 lost to the frontend, 2000
 * to the backend; 10 mispredictions, which take 40 cycles, 4 %, from the frontend's 25 %. So
 * retiring is 25, bad speculation 25 + 4, frontend 21, backend 25. */
static void the_largest_share_is_found(void **state)
{
	(void)state;
	struct pms_catalog *catalog = v1();
	struct pms_workloads *w = NULL;
	struct pms_error err;
	struct pms_trial *trial = NULL;
	assert_int_equal(
		load(catalog,
		     FIGURES("{\"metric\": \"bad_speculation\", \"low\": 28, \"high\": 30, "
			     "\"source\": \"s\"}, {\"name\": \"x\", \"units\": \"u\", "
			     "\"formula\": \"OP_SPEC / OP_RETIRED\", \"low\": 2.5, "
			     "\"source\": \"s\"}, {\"metric\": \"ipc\", \"high\": 1, "
			     "\"source\": \"s\"}"),
		     &w, &err),
		0);
	struct pms_counts *counts = pms_counts_new(catalog);
	assert_non_null(counts);
	set(counts, "CPU_CYCLES", 1000);
	set(counts, "OP_SPEC", 4000);
	set(counts, "OP_RETIRED", 2000);
	set(counts, "STALL_SLOT", 4000);
	set(counts, "STALL_SLOT_FRONTEND", 2000);
	set(counts, "STALL_SLOT_BACKEND", 2000);
	set(counts, "BR_MIS_PRED", 10);
	assert_int_equal(pms_trial_make(pms_workload(w, 0), counts, &trial, &err), 0);
	const struct pms_figure *f = trial->workload->figures;
	assert_int_equal(pms_figure_judge(&f[0], &trial->values[0]), PMS_AGREES);
	assert_int_equal(pms_figure_judge(&f[1], &trial->values[1]), PMS_TOO_LOW);
	assert_int_equal(pms_figure_judge(&f[2], &trial->values[2]), PMS_NO_VALUE);
	assert_true(trial->stage1_agrees && !trial->agrees);
	assert_int_equal(trial->n_level1, 4);
	assert_true(fabs(trial->level1[trial->largest].value - 29) < 1e-9);
	pms_trial_free(trial);
	set(counts, "BR_MIS_PRED", 0); /* 25 of each: the first one is the largest */
	assert_int_equal(pms_trial_make(pms_workload(w, 0), counts, &trial, &err), 0);
	assert_int_equal(pms_figure_judge(&f[0], &trial->values[0]), PMS_TOO_LOW);
	assert_false(trial->stage1_agrees || trial->agrees);
	pms_trial_free(trial);
	pms_counts_free(counts);
	pms_workloads_free(w);
	pms_catalog_free(catalog);
}

/* The 22 of the paper's table 6, each program's name once, and no share that Level 1 lacks. */
static void ours_has_the_published_ones(void **state)
{
	(void)state;
	struct pms_catalog *catalog = v1();
	struct pms_workloads *w = NULL;
	struct pms_error err = { 0 };
	size_t published = 0;
	assert_int_equal(pms_workloads_load(catalog, PMS_SOURCE, &w, &err), 0);
	for (size_t i = 0; i < pms_workloads_count(w); i++) {
		const struct pms_workload *workload = pms_workload(w, i);
		published += !workload->argued;
		assert_int_equal(pms_workload_find(w, workload->name, &err), i);
		assert_true(workload->n_figures > 0);
	}
	assert_int_equal(published, 22);
	assert_null(pms_workload(w, pms_workloads_count(w)));
	assert_int_equal(pms_workload_find(w, "branch_dirct", &err), -PMS_ENAME);
	assert_string_equal(err.hint, "did you mean branch_direct?");
	pms_workloads_free(w);
	pms_catalog_free(catalog);
}

static void a_cpu_without_workloads_says_so(void **state)
{
	(void)state;
	struct pms_catalog *catalog = NULL;
	struct pms_workloads *w = NULL;
	struct pms_error err = { 0 };
	assert_int_equal(pms_catalog_load(PMS_SOURCE, "neoverse-n1", &catalog, NULL), 0);
	assert_int_equal(pms_workloads_load(catalog, PMS_SOURCE, &w, &err), -PMS_ENAME);
	assert_non_null(strstr(err.text, "neoverse-n1"));
	pms_catalog_free(catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_are_given_or_at_a_distance),
		cmocka_unit_test(bad_files_are_refused),
		cmocka_unit_test(the_largest_share_is_found),
		cmocka_unit_test(ours_has_the_published_ones),
		cmocka_unit_test(a_cpu_without_workloads_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
