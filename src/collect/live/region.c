/* SPDX-License-Identifier: MIT */
/* Count in the calling thread itself; read counters in user space where that is allowed. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"
#include "collect/live/clock.h"
#include "collect/live/counter.h"
#include "collect/live/error.h"
#include "collect/live/live.h"
#include "collect/live/part.h"
#include "collect/live/sum.h"
#include "collect/live/system.h"
#include "pmuscope/region.h"

/* config1 of Arm's PMUs, best first: the program may read the counter (bit 1) of 64 bits (bit
 * 0); a counter of 32 bits, as on many cores except for cycles; only the kernel reads it. */
static const uint64_t arm_access[] = { 3, 2, 0 };

struct counter {
	size_t event;
	const char *because; /* why it is not open, borrowed from the plan; else NULL */
	const char *doubt;   /* why a 0 says nothing, of static storage; else NULL */
	int fd;		     /* -1: it is not open */
	struct perf_event_mmap_page *page; /* NULL: none */
	uint64_t start, total;
};

/* The kernel's groups: of the PMU, cycles alone, and what Linux counts itself. */
enum { MOST_GROUPS = 3 };

struct group {
	size_t first, n; /* counters */
	int leader;
	uint64_t gap;  /* enabled minus running, ns, at the start */
	uint64_t lost; /* such time within regions, in total */
};

struct pms_region {
	const struct pms_catalog *catalog;
	struct pms_live *live; /* has the plan */
	struct counter *counters;
	size_t n;
	struct group groups[MOST_GROUPS];
	size_t n_groups;
	uint64_t started, spent; /* ns */
	bool direct;
	struct read_format {
		uint64_t count, enabled, running, values[];
	} * raw;
};

/* Opening */

static int try_open(const struct pms_live *live, struct perf_event_attr *attr, int leader)
{
	return pms_perf_open(live->system, attr, 0, -1, leader, 0);
}

/* Open a counter, with the most direct access that the machine allows. */
static int open_counter(struct pms_region *r, struct group *g, struct counter *c,
			const struct pms_perf_member *member, struct pms_error *err)
{
	struct perf_event_attr attr = member->attr;
	struct pms_perf_place place = { pms_catalog_event(r->catalog, c->event)->name, 0, -1 };
	bool is_arm = r->live->parts[0].core.pmu && attr.type == r->live->parts[0].core.pmu->type &&
		      !strncmp(r->live->parts[0].core.pmu->name, "armv", 4);
	attr.size = sizeof(attr);
	attr.read_format =
		PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr.exclude_guest = !r->live->parts[0].core.whole;
	/* Linux may not start an event that joins a running group, so the group starts when
	 * complete. */
	attr.disabled = g->leader < 0;
	for (size_t i = is_arm ? 0 : 2; i < 3 && c->fd < 0; i++) {
		attr.config1 = arm_access[i];
		c->fd = try_open(r->live, &attr, g->leader);
	}
	if (c->fd < 0 && pms_perf_is_lack(errno)) {
		c->because = "the kernel does not count it on this machine";
		return 0;
	}
	if (c->fd < 0)
		return pms_perf_refused(r->live, &place, errno, err);
	if (g->leader < 0)
		g->leader = c->fd;
	void *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, c->fd, 0);
	c->page = page == MAP_FAILED ? NULL : page;
	return 0;
}

static int open_group(struct pms_region *r, const struct pms_perf_pass *pass, struct pms_error *err)
{
	struct group *g = &r->groups[r->n_groups++];
	int rc = 0;
	*g = (struct group){ .first = r->n, .leader = -1 };
	for (size_t i = 0; i < pass->n && !rc; i++) {
		struct counter *c = &r->counters[r->n++];
		*c = (struct counter){ .event = pass->members[i].event,
				       .because = pass->members[i].because,
				       .doubt = pass->members[i].doubt,
				       .fd = -1 };
		g->n++;
		if (!c->because)
			rc = open_counter(r, g, c, &pass->members[i], err);
	}
	if (!rc && g->leader >= 0 && ioctl(g->leader, PERF_EVENT_IOC_ENABLE, 0))
		rc = pms_fail(err, PMS_EIO, "the counters cannot be started: %s", strerror(errno));
	return rc;
}

static int make_plan(struct pms_region *r, const size_t *events, size_t n, struct pms_error *err)
{
	int self = (int)gettid();
	struct pms_live_part part = {
		.catalog = r->catalog, .plan = { .events = events, .n_events = n, .no_metrics = 1 }
	};
	struct pms_live_options options = { .target = { .tids = &self, .n_tids = 1 } };
	int rc = pms_live_open(&part, 1, &options, &r->live, err);
	if (rc || pms_perf_most_passes(r->live) == 1)
		return rc;
	rc = pms_fail(err, PMS_EINVAL, "%zu events need more than the %u counters that there are",
		      n, pms_live_plan(r->live, 0)->counters);
	pms_hint(err, "open several regions, and run what they measure for each");
	return rc;
}

int pms_region_open(const struct pms_catalog *catalog, const size_t *events, size_t n,
		    struct pms_region **out, struct pms_error *err)
{
	struct pms_region *r = calloc(1, sizeof(*r));
	if (!r)
		return pms_no_memory(err);
	r->catalog = catalog;
	r->counters = calloc(2 * n + 1, sizeof(*r->counters));
	r->raw = malloc(sizeof(*r->raw) + (2 * n + 1) * sizeof(r->raw->values[0]));
	int rc = r->counters && r->raw ? make_plan(r, events, n, err) : pms_no_memory(err);
	for (size_t i = 0; !rc && i < r->live->parts[0].n_passes; i++)
		rc = open_group(r, &r->live->parts[0].passes[i], err);
	if (rc) {
		pms_region_close(r);
		return rc;
	}
	*out = r;
	return 0;
}

void pms_region_close(struct pms_region *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++) {
		if (r->counters[i].page)
			munmap(r->counters[i].page, (size_t)sysconf(_SC_PAGESIZE));
		if (r->counters[i].fd >= 0)
			close(r->counters[i].fd);
	}
	pms_live_close(r->live);
	free(r->counters);
	free(r->raw);
	free(r);
}

/* Reading */

/* Read the count and the time without a counter, consistently. Returns -1 where only the kernel
 * can tell. */
static int read_page(const struct perf_event_mmap_page *page, uint64_t *count, uint64_t *gap)
{
	const volatile struct perf_event_mmap_page *p = page;
	uint32_t sequence, index;
	if (!PMS_COUNTERS_READABLE || !p)
		return -1;
	do {
		sequence = p->lock;
		atomic_signal_fence(memory_order_seq_cst);
		index = p->index;
		if (!p->cap_user_rdpmc || !index || !p->pmc_width)
			return -1;
		unsigned unused = 64u - p->pmc_width;
		int64_t counter = (int64_t)(pms_counter_read(index - 1) << unused) >> unused;
		*count = (uint64_t)(p->offset + counter);
		*gap = p->time_enabled - p->time_running;
		atomic_signal_fence(memory_order_seq_cst);
	} while (p->lock != sequence);
	return 0;
}

static bool read_direct(const struct pms_region *r, const struct group *g, uint64_t *counts,
			uint64_t *gap)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct counter *c = &r->counters[g->first + i];
		if (c->fd >= 0 && read_page(c->page, &counts[i], gap))
			return false;
	}
	return true;
}

static int read_kernel(const struct pms_region *r, const struct group *g, uint64_t *counts,
		       uint64_t *gap)
{
	size_t k = 0;
	if (g->leader < 0)
		return 0;
	if (read(g->leader, r->raw, sizeof(*r->raw) + g->n * sizeof(r->raw->values[0])) <= 0)
		return -PMS_EIO;
	*gap = r->raw->enabled - r->raw->running;
	for (size_t i = 0; i < g->n && k < r->raw->count; i++)
		if (r->counters[g->first + i].fd >= 0)
			counts[i] = r->raw->values[k++];
	return 0;
}

/* @store: takes the counts of a group. */
typedef void storer(struct pms_region *r, struct group *g, const uint64_t *counts, uint64_t gap);

static int read_all(struct pms_region *r, storer *store)
{
	bool direct = true;
	for (size_t i = 0; i < r->n_groups; i++) {
		struct group *g = &r->groups[i];
		uint64_t counts[PMS_MOST_COUNTERS + 32] = { 0 }, gap = 0;
		if (g->n > sizeof(counts) / sizeof(counts[0]))
			return -PMS_EIO;
		if (!read_direct(r, g, counts, &gap)) {
			int rc = read_kernel(r, g, counts, &gap);
			if (rc)
				return rc;
			direct = false;
		}
		store(r, g, counts, gap);
	}
	r->direct = direct;
	return 0;
}

static void store_start(struct pms_region *r, struct group *g, const uint64_t *counts, uint64_t gap)
{
	for (size_t i = 0; i < g->n; i++)
		r->counters[g->first + i].start = counts[i];
	g->gap = gap;
}

static void store_stop(struct pms_region *r, struct group *g, const uint64_t *counts, uint64_t gap)
{
	for (size_t i = 0; i < g->n; i++)
		r->counters[g->first + i].total += counts[i] - r->counters[g->first + i].start;
	g->lost += gap - g->gap;
}

int pms_region_start(struct pms_region *r)
{
	r->started = pms_perf_now();
	return read_all(r, store_start);
}

int pms_region_stop(struct pms_region *r)
{
	int rc = read_all(r, store_stop);
	r->spent += pms_perf_now() - r->started;
	return rc;
}

int pms_region_is_direct(const struct pms_region *r)
{
	return r->direct;
}

static struct pms_count count_of(const struct pms_region *r, const struct group *g,
				 const struct counter *c, struct pms_counts *counts)
{
	const char *because = c->fd < 0 ? c->because : c->total ? NULL : c->doubt;
	if (because)
		return (struct pms_count){ .state = PMS_NOT_SUPPORTED,
					   .because = pms_counts_keep(counts, because) };
	return (struct pms_count){ .state = PMS_COUNTED,
				   .value = c->total,
				   .enabled_ns = r->spent,
				   .running_ns = r->spent > g->lost ? r->spent - g->lost : 0 };
}

int pms_region_counts(struct pms_region *r, struct pms_counts **out, struct pms_error *err)
{
	struct pms_counts *counts = pms_counts_new(r->catalog);
	if (!counts)
		return pms_no_memory(err);
	pms_perf_describe(r->live, &r->live->parts[0], &counts->provenance);
	for (size_t i = 0; i < r->n_groups; i++)
		for (size_t k = 0; k < r->groups[i].n; k++) {
			const struct counter *c = &r->counters[r->groups[i].first + k];
			counts->total.counts[c->event] = count_of(r, &r->groups[i], c, counts);
		}
	*out = counts;
	return 0;
}
