/* SPDX-License-Identifier: MIT */
/* The first process of the RISC-V test machine: runs the collector on the kernel's SBI PMU, reports
 * by the Test Anything Protocol as tests/live/init does, and switches the machine off. There are no
 * libraries for it in Debian 12, so it is the library's collector alone, without catalogs: the
 * events are Linux's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catalog/catalog.h"
#include "catalog/kernel.h"
#include "pmuscope/live.h"

static const uint64_t turns = 60000000;

/* What a measurement came to. */
struct result {
	struct pms_counts *total;
	uint64_t in_intervals; /* of the second event */
	unsigned intervals;
	char error[1100];
};

static void check(unsigned *n, int holds, const char *what, const struct result *r,
		  const struct pms_count *count)
{
	printf("TAP %sok %u - %s\n", holds ? "" : "not ", ++*n, what);
	if (!holds)
		printf("TAP # value %llu, enabled %llu, running %llu ns, state %d %s, intervals "
		       "%u with %llu, %s\n",
		       (unsigned long long)count->value, (unsigned long long)count->enabled_ns,
		       (unsigned long long)count->running_ns, (int)count->state,
		       count->because ? count->because : "", r->intervals,
		       (unsigned long long)r->in_intervals, r->error);
}

static int put(void *context, struct pms_counts **counts, struct pms_error *err)
{
	struct result *r = context;
	(void)err;
	r->in_intervals += counts[0]->total.counts[1].value;
	r->intervals++;
	pms_counts_free(counts[0]);
	return 0;
}

static void measure(const struct pms_catalog *catalog, const size_t *events, size_t n,
		    struct pms_live_options *options, struct result *r)
{
	char *command[] = { (char[]){ "/turns" }, NULL };
	struct pms_live_part part = {
		.catalog = catalog,
		.plan = { .events = events, .n_events = n, .counters = 4, .no_metrics = 1 }
	};
	struct pms_error err = { 0 };
	struct pms_live *live = NULL;
	options->target.command = command;
	options->ack_fd = -1;
	if (pms_live_open(&part, 1, options, &live, &err) ||
	    pms_live_run(live, put, r, &r->total, &err))
		snprintf(r->error, sizeof(r->error), "%s; %s", err.text, err.hint);
	pms_live_close(live);
	if (!r->total)
		r->total = pms_counts_new(catalog);
}

static void test_command(const struct pms_catalog *catalog, const size_t *events, unsigned *n)
{
	struct pms_live_options options = { .modes = PMS_LIVE_USER };
	struct result r = { 0 };
	measure(catalog, events, 2, &options, &r);
	const struct pms_count *cycles = &r.total->total.counts[events[0]];
	const struct pms_count *instructions = &r.total->total.counts[events[1]];
	/* The emulator counts the kernel too, whatever it is asked. */
	check(n, instructions->value >= turns && instructions->value < turns + turns / 10,
	      "instructions of a program", &r, instructions);
	check(n, cycles->value >= turns && cycles->value < turns + turns / 10,
	      "cycles of a program", &r, cycles);
	check(n, instructions->running_ns && instructions->running_ns == instructions->enabled_ns,
	      "they have counters all the time", &r, instructions);
	check(n, r.total->provenance.exit_status == 7, "its exit status", &r, instructions);
	pms_counts_free(r.total);
}

static void test_intervals(const struct pms_catalog *catalog, const size_t *events, unsigned *n)
{
	struct pms_live_options options = { .interval_ms = 20 };
	struct result r = { 0 };
	measure(catalog, events, 2, &options, &r);
	const struct pms_count *instructions = &r.total->total.counts[events[1]];
	check(n, r.intervals >= 15 && r.in_intervals == instructions->value, "intervals add up", &r,
	      instructions);
	pms_counts_free(r.total);
}

static void test_system(const struct pms_catalog *catalog, const size_t *events, unsigned *n)
{
	struct pms_live_options options = { .target = { .all_cpus = 1 }, .by = PMS_BY_CPU };
	struct result r = { 0 };
	measure(catalog, events, 2, &options, &r);
	const struct pms_count *instructions = &r.total->total.counts[events[1]];
	check(n, r.total->n_scopes == 1 && instructions->value >= turns, "so has its CPU", &r,
	      instructions);
	pms_counts_free(r.total);
}

/* Names of Linux, as they are where no CPU has a catalog. */
static int linux_events(struct pms_catalog *catalog, size_t *events)
{
	static const char *const names[] = { "cycles", "instructions" };
	catalog->cpu.name = PMS_KERNEL_CPU;
	catalog->cpu.product = "Linux";
	for (size_t i = 0; i < 2; i++) {
		struct pms_error err = { 0 };
		int64_t event = pms_live_event(catalog, names[i], &err);
		if (event < 0)
			return -1;
		events[i] = (size_t)event;
	}
	return 0;
}

int main(void)
{
	struct pms_catalog catalog = { 0 };
	size_t events[2];
	unsigned n = 0;
	mount("proc", "/proc", "proc", 0, "");
	mount("sysfs", "/sys", "sysfs", 0, "");
	if (!linux_events(&catalog, events)) {
		test_command(&catalog, events, &n);
		test_intervals(&catalog, events, &n);
		test_system(&catalog, events, &n);
		printf("TAP 1..%u\n", n);
	}
	fflush(stdout);
	sync();
	return reboot(RB_POWER_OFF);
}
