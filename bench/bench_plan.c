/* SPDX-License-Identifier: MIT */
/* bench/bench_plan.c - milliseconds of processor time to plan the published metrics of each CPU,
 * with the proof. Run: build/bench/bench_plan. Seven runs each; median, fastest and slowest.
 *
 * build/bench/bench_plan random N [SEED] plans N random choices of metrics and groups of each CPU,
 * for 2 to 31 counters, and prints those whose number of passes stays unproved, and the slowest. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "../tests/vcore/random.h"
#include "pmuscope/pmuscope.h"

enum { RUNS = 7 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Plan a catalog's published metrics several times and print the times. */
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

/* Names of a catalog to choose from. The chosen ones move to the front. */
struct choice {
	const char **names;
	size_t n;
};

static void draw(struct choice *from, size_t n, uint64_t *state)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = i + random_below(state, from->n - i);
		const char *swap = from->names[i];
		from->names[i] = from->names[k];
		from->names[k] = swap;
	}
}

/* Choose at random: half of the time a few metrics and groups, else a part of all metrics, often
 * most of them. */
static size_t choose(struct choice *metrics, struct choice *groups, const char **names,
		     uint64_t *state)
{
	size_t n_groups = 0, n_metrics = 1 + random_below(state, metrics->n);
	if (random_below(state, 2)) {
		n_groups = random_below(state, 4);
		n_metrics = 1 + random_below(state, 20);
	}
	n_groups = n_groups < groups->n ? n_groups : groups->n;
	n_metrics = n_metrics < metrics->n ? n_metrics : metrics->n;
	draw(groups, n_groups, state);
	draw(metrics, n_metrics, state);
	for (size_t i = 0; i < n_groups; i++)
		names[i] = groups->names[i];
	for (size_t i = 0; i < n_metrics; i++)
		names[n_groups + i] = metrics->names[i];
	return n_groups + n_metrics;
}

static void print_open(const char *cpu, const struct pms_plan *plan,
		       const struct pms_plan_options *options)
{
	printf("%s: %zu passes, %zu proved: --counters %u -M ", cpu, plan->n_passes,
	       plan->lower_bound, options->counters);
	for (size_t i = 0; i < options->n_names; i++)
		printf("%s%s", i ? "," : "", options->names[i]);
	putchar('\n');
}

/* Plan one choice. Returns 1 proved, 0 not proved, -1 failed. @slowest: raised to the time taken,
 * ms. */
static int plan_choice(const struct pms_catalog *catalog, const struct pms_plan_options *options,
		       double *slowest)
{
	struct pms_error err = { 0 };
	struct pms_plan *plan = NULL;
	double start = now();
	if (pms_plan_make(catalog, options, &plan, &err)) {
		fprintf(stderr, "bench_plan: %s\n", err.text);
		return -1;
	}
	double took = now() - start;
	*slowest = took > *slowest ? took : *slowest;
	int optimal = plan->optimal;
	if (!optimal)
		print_open(pms_catalog_cpu(catalog)->name, plan, options);
	pms_plan_free(plan);
	return optimal;
}

static int plan_choices(const struct pms_catalog *catalog, struct choice *metrics,
			struct choice *groups, const char **names, uint64_t n, uint64_t state)
{
	unsigned open = 0;
	double slowest = 0;
	for (uint64_t i = 0; i < n; i++) {
		struct pms_plan_options options = { .names = names };
		options.n_names = choose(metrics, groups, names, &state);
		options.counters = 2 + (unsigned)random_below(&state, PMS_MOST_COUNTERS - 1);
		int proved = plan_choice(catalog, &options, &slowest);
		if (proved < 0)
			return 1;
		open += !proved;
	}
	printf("%-12s %8" PRIu64 " choices, %u open, the slowest %.1f ms\n",
	       pms_catalog_cpu(catalog)->name, n, open, slowest);
	fflush(stdout);
	return 0;
}

/* Plan random choices of one CPU, to find those that stay unproved or take long. */
static int random_cpu(const char *cpu, uint64_t n, uint64_t seed)
{
	struct pms_error err = { 0 };
	struct pms_catalog *catalog = NULL;
	if (pms_catalog_load(NULL, cpu, &catalog, &err)) {
		fprintf(stderr, "bench_plan: %s\n", err.text);
		return 1;
	}
	struct choice metrics = { .n = pms_catalog_metrics(catalog) };
	struct choice groups = { .n = 0 };
	metrics.names = calloc(metrics.n + 1, sizeof(*metrics.names));
	groups.names = calloc(pms_catalog_groups(catalog) + 1, sizeof(*groups.names));
	const char **names = calloc(metrics.n + pms_catalog_groups(catalog) + 1, sizeof(*names));
	int failed = !metrics.names || !groups.names || !names;
	for (size_t i = 0; !failed && i < metrics.n; i++)
		metrics.names[i] = pms_catalog_metric(catalog, i)->name;
	for (size_t i = 0; !failed && i < pms_catalog_groups(catalog); i++)
		if (pms_catalog_group(catalog, i)->kind == PMS_GROUP_METRICS)
			groups.names[groups.n++] = pms_catalog_group(catalog, i)->name;
	if (!failed)
		failed = plan_choices(catalog, &metrics, &groups, names, n, seed);
	free(metrics.names);
	free(groups.names);
	free(names);
	pms_catalog_free(catalog);
	return failed;
}

static int random_choices(const struct pms_names *cpus, const char *n, const char *seed)
{
	int failed = 0;
	for (size_t i = 0; i < cpus->count; i++)
		failed |=
			random_cpu(cpus->names[i], strtoull(n, NULL, 10), strtoull(seed, NULL, 10));
	return failed;
}

int main(int argc, char **argv)
{
	struct pms_names cpus = { 0 };
	struct utsname host;
	int failed = pms_catalog_cpus(NULL, &cpus, NULL) != 0;
	if (argc > 2 && !strcmp(argv[1], "random")) {
		failed |= random_choices(&cpus, argv[2], argc > 3 ? argv[3] : "1");
		pms_names_free(&cpus);
		return failed;
	}
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
