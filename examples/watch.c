/* SPDX-License-Identifier: MIT */
/* Attach to a process, and print what it does each second until it ends.
 *
 *     cc watch.c $(pkg-config --cflags --libs pmuscope) -o watch && ./watch PID [MS]
 *
 * With a PMU and a catalog of this machine's CPU these are the metrics of Level 1, else some events
 * that every Linux counts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <pmuscope/pmuscope.h>

static int fail(const struct pms_error *err)
{
	fprintf(stderr, "watch: %s\n", err->text);
	if (err->hint[0])
		fprintf(stderr, "  %s\n", err->hint);
	return 1;
}

static void print_metrics(struct pms_counts *counts)
{
	struct pms_report *report = NULL;
	struct pms_analyse_options level1 = { .level = 1 };
	if (pms_analyse(counts, &counts->total, &level1, &report, NULL))
		return;
	for (size_t i = 0; i < report->n_results; i++) {
		const struct pms_result *r = &report->results[i];
		if (r->stage == 1 && r->value.state != PMS_VALUE_UNDEFINED)
			printf("  %s %.1f", pms_catalog_metric(counts->catalog, r->metric)->name,
			       r->value.value);
	}
	pms_report_free(report);
}

static void print_events(const struct pms_counts *counts)
{
	for (size_t i = 0; i < pms_catalog_events(counts->catalog); i++)
		if (counts->total.counts[i].state == PMS_COUNTED)
			printf("  %s %" PRIu64, pms_catalog_event(counts->catalog, i)->name,
			       counts->total.counts[i].value);
}

/* One part, so one set of counts. They are ours to free. */
static int put(void *context, struct pms_counts **counts, struct pms_error *err)
{
	(void)err;
	printf("%8.3f s", counts[0]->time);
	if (*(const int *)context)
		print_metrics(counts[0]);
	else
		print_events(counts[0]);
	putchar('\n');
	fflush(stdout);
	pms_counts_free(counts[0]);
	return 0;
}

int main(int argc, char **argv)
{
	struct pms_error err = { 0 };
	struct pms_catalog *catalog = NULL;
	struct pms_live *live = NULL;
	struct pms_counts *total = NULL;
	size_t events[3];
	char cpu[64];
	int pid = argc > 1 ? atoi(argv[1]) : 0, ms = argc > 2 ? atoi(argv[2]) : 1000;
	if (pid <= 0 || ms <= 0) {
		fprintf(stderr, "usage: watch PID [MS]\n");
		return 2;
	}
	int metrics = !pms_catalog_host_cpu(NULL, NULL, cpu, sizeof(cpu), NULL);
	if (metrics ? pms_catalog_load(NULL, cpu, &catalog, &err)
		    : pms_catalog_load_kernel(&catalog, &err))
		return fail(&err);
	static const char *const names[] = { "task-clock", "page-faults", "context-switches" };
	for (size_t i = 0; i < 3; i++)
		events[i] = (size_t)pms_live_event(catalog, names[i], NULL);
	struct pms_live_part part = {
		.catalog = catalog,
		.plan = { .events = events, .n_events = metrics ? 0 : 3, .no_metrics = !metrics }
	};
	struct pms_live_options options = { .target = { .pids = &pid, .n_pids = 1 },
					    .interval_ms = (unsigned)ms };
	if (pms_live_open(&part, 1, &options, &live, &err) ||
	    pms_live_run(live, put, &metrics, &total, &err))
		return fail(&err);
	pms_counts_free(total);
	pms_live_close(live);
	pms_catalog_free(catalog);
	return 0;
}
