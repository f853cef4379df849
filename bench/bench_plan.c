/* SPDX-License-Identifier: MIT */
/* bench/bench_plan.c - milliseconds to plan the published metrics of each CPU, with the proof.
 * Run: build/bench/bench_plan. Seven runs each; median, fastest and slowest. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

#include "pmuscope/pmuscope.h"

enum { RUNS = 7 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static int bench(const struct pms_catalog *catalog, unsigned counters)
{
	struct pms_plan_options options = { .counters = counters };
	struct pms_error err = { 0 };
	double times[RUNS];
	size_t passes = 0;
	int optimal = 0;
	for (int run = 0; run < RUNS; run++) {
		struct pms_plan *plan = NULL;
		double start = now();
		if (pms_plan_make(catalog, &options, &plan, &err)) {
			fprintf(stderr, "bench_plan: %s\n", err.text);
			return 1;
		}
		times[run] = now() - start;
		passes = plan->n_passes;
		optimal = plan->optimal;
		pms_plan_free(plan);
	}
	qsort(times, RUNS, sizeof(times[0]), by_value);
	printf("%-12s %8u %6zu %7s %8.2f %8.2f %8.2f\n", pms_catalog_cpu(catalog)->name, counters,
	       passes, optimal ? "yes" : "no", times[RUNS / 2], times[0], times[RUNS - 1]);
	return 0;
}

static int bench_cpu(const char *cpu)
{
	static const unsigned counters[] = { 2, 3, 4, 5, 6, 8, 10, 16, 31 };
	struct pms_error err = { 0 };
	struct pms_catalog *catalog = NULL;
	if (pms_catalog_load(NULL, cpu, &catalog, &err)) {
		fprintf(stderr, "bench_plan: %s\n", err.text);
		return 1;
	}
	int failed = 0;
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		failed |= bench(catalog, counters[i]);
	pms_catalog_free(catalog);
	return failed;
}

int main(void)
{
	struct pms_names cpus = { 0 };
	struct utsname host;
	int failed = pms_catalog_cpus(NULL, &cpus, NULL) != 0;
	if (!uname(&host))
		printf("%s %s, compiler %s, pmuscope %s, %d runs\n", host.sysname, host.machine,
		       __VERSION__, pms_version(), RUNS);
	printf("%-12s %8s %6s %7s %8s %8s %8s\n", "cpu", "counters", "passes", "optimal", "median",
	       "fastest", "slowest");
	for (size_t i = 0; i < cpus.count; i++)
		failed |= bench_cpu(cpus.names[i]);
	pms_names_free(&cpus);
	return failed;
}
