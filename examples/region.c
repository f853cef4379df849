/* SPDX-License-Identifier: MIT */
/* A program that measures a region of its own code.
 *
 *     cc region.c $(pkg-config --cflags --libs pmuscope) -o region && ./region
 *     ./region cycles instructions
 *
 * Without arguments it counts what every Linux has; with a PMU, name events of it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <pmuscope/pmuscope.h>

enum { MOST_EVENTS = 8 };

static int fail(const struct pms_error *err)
{
	fprintf(stderr, "region: %s\n", err->text);
	if (err->hint[0])
		fprintf(stderr, "  %s\n", err->hint);
	return 1;
}

/* This machine's CPU; Linux's own events where there is no catalog of it. */
static int load(struct pms_catalog **catalog, struct pms_error *err)
{
	char cpu[64];
	if (!pms_catalog_host_cpu(NULL, NULL, cpu, sizeof(cpu), NULL))
		return pms_catalog_load(NULL, cpu, catalog, err);
	return pms_catalog_load_kernel(catalog, err);
}

/* What is measured: touch memory that was not touched before, a page at a time. */
static size_t work(size_t pages)
{
	size_t sum = 0, size = pages * 4096;
	volatile char *memory =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 0;
	for (size_t i = 0; i < pages; i++)
		sum += (size_t)(memory[i * 4096] = (char)i);
	munmap((void *)memory, size);
	return sum;
}

static void print(const struct pms_counts *counts, const size_t *events, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct pms_count *count = &counts->total.counts[events[i]];
		const char *name = pms_catalog_event(counts->catalog, events[i])->name;
		if (count->state == PMS_COUNTED)
			printf("%-20s %12" PRIu64 "\n", name, count->value);
		else
			printf("%-20s %12s  %s\n", name, "-", count->because);
	}
}

static int measure(const struct pms_catalog *catalog, const size_t *events, size_t n)
{
	struct pms_error err = { 0 };
	struct pms_region *region = NULL;
	struct pms_counts *counts = NULL;
	if (pms_region_open(catalog, events, n, &region, &err))
		return fail(&err);
	for (int i = 0; i < 3; i++) {
		work(1000); /* not measured */
		pms_region_start(region);
		work(1000);
		pms_region_stop(region);
	}
	if (pms_region_counts(region, &counts, &err))
		return fail(&err);
	print(counts, events, n);
	printf("read %s\n", pms_region_is_direct(region) ? "in user space" : "by the kernel");
	pms_counts_free(counts);
	pms_region_close(region);
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const defaults[] = { "page-faults", "task-clock" };
	struct pms_error err = { 0 };
	struct pms_catalog *catalog = NULL;
	size_t events[MOST_EVENTS], n = 0;
	int words = argc > 1 ? argc - 1 : 2;
	if (load(&catalog, &err))
		return fail(&err);
	for (int i = 0; i < words && n < MOST_EVENTS; i++) {
		int64_t event = pms_live_event(catalog, argc > 1 ? argv[i + 1] : defaults[i], &err);
		if (event < 0)
			return fail(&err);
		events[n++] = (size_t)event;
	}
	int status = measure(catalog, events, n);
	pms_catalog_free(catalog);
	return status;
}
