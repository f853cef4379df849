/* SPDX-License-Identifier: MIT */
/* self EVENT: a program of known length measures itself. Prints how many more of the event 2,000
 * turns of a loop of two instructions are than 1,000, each the least of several trials, which no
 * interrupt fell into; and how its counters are read. */
#include <inttypes.h>
#include <stdio.h>

#include <pmuscope/pmuscope.h>

enum { TRIALS = 20 };

struct self {
	struct pms_catalog *catalog;
	struct pms_region *region;
	size_t event;
	uint64_t before; /* what the region had counted before the trial */
};

static void turn(unsigned long turns)
{
#if defined(__aarch64__)
	__asm__ volatile("1: subs %0, %0, #1\n b.ne 1b" : "+r"(turns)::"cc");
#else
	__asm__ volatile("1: addi %0, %0, -1\n bnez %0, 1b" : "+r"(turns));
#endif
}

/* What so many turns count. Returns -1 when it cannot be counted. */
static int64_t trial(struct self *self, unsigned long turns)
{
	struct pms_counts *counts;
	if (pms_region_start(self->region))
		return -1;
	turn(turns);
	if (pms_region_stop(self->region) || pms_region_counts(self->region, &counts, NULL))
		return -1;
	const struct pms_count *count = &counts->total.counts[self->event];
	int64_t value = count->state == PMS_COUNTED ? (int64_t)(count->value - self->before) : -1;
	self->before = count->value;
	pms_counts_free(counts);
	return value;
}

static int64_t least(struct self *self, unsigned long turns)
{
	int64_t least = INT64_MAX;
	for (int i = 0; i < TRIALS; i++) {
		int64_t value = trial(self, turns);
		if (value < least)
			least = value;
	}
	return least;
}

static int open_self(struct self *self, const char *word, struct pms_error *err)
{
	char cpu[64];
	int rc = pms_catalog_host_cpu(NULL, NULL, cpu, sizeof(cpu), err);
	if (!rc)
		rc = pms_catalog_load(NULL, cpu, &self->catalog, err);
	int64_t event = rc ? -1 : pms_live_event(self->catalog, word, err);
	if (event < 0)
		return -1;
	self->event = (size_t)event;
	return pms_region_open(self->catalog, &self->event, 1, &self->region, err);
}

int main(int argc, char **argv)
{
	struct self self = { 0 };
	struct pms_error err = { 0 };
	int64_t few = -1, many = -1;
	if (argc == 2 && !open_self(&self, argv[1], &err)) {
		few = least(&self, 1000);
		many = least(&self, 2000);
	}
	if (few >= 0 && many >= 0)
		printf("%" PRId64 " read %s\n", many - few,
		       pms_region_is_direct(self.region) ? "in user space" : "by the kernel");
	else
		fprintf(stderr, "self: not counted; %s\n", err.text);
	pms_region_close(self.region);
	pms_catalog_free(self.catalog);
	return few >= 0 && many >= 0 ? 0 : 3;
}
