/* SPDX-License-Identifier: MIT */
/* The places in a cache line that are touched: how much each is, by whom and from where. */
#include <stdlib.h>
#include <string.h>

#include "spe/report.h"

enum { LINE = 1 << PMS_LINE_SHIFT };

/* By offset, and one more of what makes touches of a place different. */
static int order(const struct pms_touch *x, const struct pms_touch *y, int64_t a, int64_t b)
{
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (a > b) - (a < b);
}

static int by_thread(const void *a, const void *b)
{
	const struct pms_touch *x = a, *y = b;
	return order(x, y, x->tid, y->tid);
}

static int by_cpu(const void *a, const void *b)
{
	const struct pms_touch *x = a, *y = b;
	return order(x, y, x->cpu, y->cpu);
}

static int by_code(const void *a, const void *b)
{
	const struct pms_touch *x = a, *y = b;
	return order(x, y, x->place, y->place);
}

/* How many different ones there are in each place; what is not known is none. */
static void count_threads(struct pms_touch *touches, size_t n, struct pms_spe_spot *spots)
{
	qsort(touches, n, sizeof(*touches), by_thread);
	for (size_t i = 0; i < n; i++)
		spots[touches[i].offset].threads +=
			touches[i].tid >= 0 && (!i || by_thread(&touches[i - 1], &touches[i]));
}

static void count_cpus(struct pms_touch *touches, size_t n, struct pms_spe_spot *spots)
{
	qsort(touches, n, sizeof(*touches), by_cpu);
	for (size_t i = 0; i < n; i++)
		spots[touches[i].offset].cpus +=
			touches[i].cpu >= 0 && (!i || by_cpu(&touches[i - 1], &touches[i]));
}

static int by_cpu_alone(const void *a, const void *b)
{
	const struct pms_touch *x = a, *y = b;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* CPUs of the whole line. */
static size_t count_all_cpus(struct pms_touch *touches, size_t n)
{
	size_t count = 0;
	qsort(touches, n, sizeof(*touches), by_cpu_alone);
	for (size_t i = 0; i < n; i++)
		count += touches[i].cpu >= 0 && (!i || touches[i].cpu != touches[i - 1].cpu);
	return count;
}

/* The instruction of the most records in each place; of as many the one that was met first. */
static void find_code(struct pms_spe_report *r, struct pms_touch *touches, size_t n,
		      struct pms_spe_spot *spots)
{
	uint64_t most[LINE] = { 0 };
	uint32_t places[LINE] = { 0 };
	qsort(touches, n, sizeof(*touches), by_code);
	for (size_t i = 0, next; i < n; i = next) {
		unsigned offset = touches[i].offset;
		uint64_t count = 0;
		for (next = i; next < n && !by_code(&touches[i], &touches[next]); next++)
			count += touches[next].count;
		spots[offset].instructions += touches[i].place != PMS_TABLE_NONE;
		if (count <= most[offset])
			continue;
		most[offset] = count;
		places[offset] = touches[i].place;
	}
	for (unsigned offset = 0; offset < LINE; offset++)
		if (most[offset])
			spots[offset].code = pms_spe_label_code(r, places[offset]);
}

static void sum_up(const struct pms_touch *touches, size_t n, struct pms_spe_spot *spots)
{
	for (size_t i = 0; i < n; i++) {
		struct pms_spe_spot *spot = &spots[touches[i].offset];
		spot->offset = touches[i].offset;
		spot->records += touches[i].count;
		spot->loads += touches[i].loads;
		spot->stores += touches[i].stores;
		spot->peers += touches[i].peers;
		spot->wait += touches[i].wait;
		spot->waited += touches[i].waited;
	}
}

/* The variable at the place, by the data address of the line's first record. */
static void name_spot(struct pms_spe_report *r, const struct pms_spe_group *group,
		      struct pms_spe_spot *spot)
{
	uint64_t line = group->address >> PMS_LINE_SHIFT << PMS_LINE_SHIFT;
	struct pms_datum datum;
	if (!group->address)
		return;
	if (pms_data_find(&r->data, group->space, line + spot->offset, &datum)) {
		r->failed = 1;
		return;
	}
	spot->data_symbol = datum.is_told ? datum.name : NULL;
	spot->has_data_offset = datum.is_variable;
	spot->data_offset = datum.offset;
}

static int most_first(const void *a, const void *b)
{
	const struct pms_spe_spot *x = a, *y = b;
	if (x->records != y->records)
		return x->records < y->records ? 1 : -1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

void pms_spe_label_spots(struct pms_spe_report *r, uint32_t group)
{
	const struct pms_spe_group *of = pms_aggregate_group(&r->aggregate, group);
	const struct pms_touch *first;
	size_t n = pms_touches_of(&r->aggregate.touches, group, &first), count = 0;
	struct pms_touch *touches = reallocarray(NULL, n + 1, sizeof(*touches));
	struct pms_spe_spot *spots = pms_arena_alloc(&r->strings, LINE, sizeof(*spots));
	if (!touches || !spots) {
		free(touches);
		r->failed = 1;
		return;
	}
	memset(spots, 0, LINE * sizeof(*spots));
	if (n)
		memcpy(touches, first, n * sizeof(*touches));
	sum_up(touches, n, spots);
	count_threads(touches, n, spots);
	count_cpus(touches, n, spots);
	r->row.cpus = count_all_cpus(touches, n);
	find_code(r, touches, n, spots);
	free(touches);
	for (size_t i = 0; i < LINE; i++)
		if (spots[i].records)
			spots[count++] = spots[i];
	for (size_t i = 0; i < count; i++)
		name_spot(r, of, &spots[i]);
	qsort(spots, count, sizeof(*spots), most_first);
	r->row.spots = spots;
	r->row.n_spots = count;
}
