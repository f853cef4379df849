/* SPDX-License-Identifier: MIT */
#include "spe/group.h"

#include <stdlib.h>

/* Sums ----------------------------------------------------------------------------------------- */

static uint64_t in_lanes(const struct pms_spe_group *group, unsigned i)
{
	return group->lanes[i / 8] >> 8 * (7 - i % 8) & 0xff;
}

static uint64_t count_of(const struct pms_spe_group *group, unsigned i)
{
	return in_lanes(group, i) + (group->counts ? group->counts[i] : 0);
}

static void flush(struct pms_spe_group *group, struct pms_sketch_budget *budget)
{
	if (!group->counts)
		group->counts = calloc(PMS_COUNTS, sizeof(*group->counts));
	budget->failed |= !group->counts;
	for (unsigned i = 0; i < PMS_COUNTS && group->counts; i++)
		group->counts[i] += in_lanes(group, i);
	for (unsigned lane = 0; lane < PMS_LANES; lane++)
		group->lanes[lane] = 0;
	group->pending = 0;
}

static unsigned source_number(struct pms_sources *sources, uint16_t source)
{
	unsigned number = sources->number[source];
	if (number)
		return number - 1;
	if (sources->count == PMS_SPE_FROM_MOST - 1)
		return PMS_SPE_FROM_MOST - 1;
	sources->source[sources->count] = source;
	sources->number[source] = (uint8_t)++sources->count;
	return sources->count - 1;
}

/* The first record of a source in a group. */
static struct pms_group_from *from_new(struct pms_spe_group *group, unsigned number,
				       struct pms_sketch_budget *budget)
{
	unsigned n = group->n_from;
	if (!(n & (n - 1))) {
		struct pms_group_from *more =
			reallocarray(group->from, n ? 2 * n : 1, sizeof(*group->from));
		if (!more) {
			budget->failed = 1;
			return NULL;
		}
		group->from = more;
	}
	group->from[n] = (struct pms_group_from){ 0 };
	group->from_at |= (uint64_t)n << 4 * number;
	group->has_from |= (uint16_t)(1U << number);
	group->n_from = n + 1;
	return &group->from[n];
}

static struct pms_group_from *from_get(const struct pms_spe_group *group, unsigned number)
{
	return group->has_from >> number & 1 ? &group->from[group->from_at >> 4 * number & 15]
					     : NULL;
}

/* Which kinds it is, in the order of enum pms_spe_group_kind. */
static uint64_t kinds(const struct pms_group_record *r)
{
	const uint32_t both = PMS_SPE_HAS_TOTAL | PMS_SPE_HAS_ISSUE;
	unsigned load = r->op == PMS_SPE_LOAD, branch = r->op == PMS_SPE_BRANCH;
	return load | (uint64_t)(r->op == PMS_SPE_STORE) << 1 | (uint64_t)branch << 2 |
	       (uint64_t)((r->has & PMS_SPE_HAS_EVENTS) != 0) << 3 |
	       (uint64_t)(load && (r->has & both) == both) << 4 |
	       (branch & r->events >> PMS_SPE_EV_NOT_TAKEN) << 5 |
	       (branch & r->events >> PMS_SPE_EV_MISPREDICTED) << 6 | (uint64_t)r->atomic << 7;
}

void pms_group_add(struct pms_spe_group *group, const struct pms_group_record *r,
		   struct pms_sources *sources, struct pms_sketch_budget *budget)
{
	uint64_t kind = kinds(r);
	group->records++;
	group->lanes[0] += pms_lanes_spread(r->events & 0xff);
	group->lanes[1] += pms_lanes_spread(r->events >> 8 & 0xff);
	group->lanes[2] += pms_lanes_spread(r->events >> 16 & 0xff);
	group->lanes[3] += pms_lanes_spread(kind);
	if (++group->pending == PMS_LANES_FULL)
		flush(group, budget);
	uint16_t wait = r->total > r->issue ? (uint16_t)(r->total - r->issue) : 0;
	unsigned waited = kind >> (PMS_KIND_WAITED - PMS_KIND_LOAD) & 1;
	if (r->latencies & PMS_SPE_HAS_TOTAL)
		pms_sketch_add(&group->total, r->total, budget);
	if (r->latencies & PMS_SPE_HAS_ISSUE)
		pms_sketch_add(&group->issue, r->issue, budget);
	if (r->latencies & PMS_SPE_HAS_TRANSLATION)
		pms_sketch_add(&group->translation, r->translation, budget);
	if (waited)
		pms_sketch_add(&group->wait, wait, budget);
	if (r->has & PMS_SPE_HAS_SOURCE) {
		unsigned number = source_number(sources, r->source);
		struct pms_group_from *from = from_get(group, number);
		if (__builtin_expect(!from, 0) && !(from = from_new(group, number, budget)))
			return;
		from->count++;
		from->sum += r->total; /* 0 where there is none */
		from->n_total += (r->has & PMS_SPE_HAS_TOTAL) != 0;
		from->wait += waited ? wait : 0;
		from->waited += waited;
	}
}

static void merge_from(struct pms_spe_group *group, const struct pms_spe_group *other,
		       unsigned number, struct pms_sketch_budget *budget)
{
	const struct pms_group_from *more = from_get(other, number);
	struct pms_group_from *from = from_get(group, number);
	if (!more || (!from && !(from = from_new(group, number, budget))))
		return;
	from->count += more->count;
	from->sum += more->sum;
	from->n_total += more->n_total;
	from->wait += more->wait;
	from->waited += more->waited;
}

void pms_group_merge(struct pms_spe_group *group, const struct pms_spe_group *other,
		     struct pms_sketch_budget *budget)
{
	flush(group, budget);
	for (unsigned i = 0; i < PMS_COUNTS && group->counts; i++)
		group->counts[i] += count_of(other, i);
	group->records += other->records;
	pms_sketch_merge(&group->total, &other->total, budget);
	pms_sketch_merge(&group->issue, &other->issue, budget);
	pms_sketch_merge(&group->translation, &other->translation, budget);
	pms_sketch_merge(&group->wait, &other->wait, budget);
	for (unsigned i = 0; i < PMS_SPE_FROM_MOST; i++)
		merge_from(group, other, i, budget);
}

void pms_group_release(struct pms_spe_group *group, struct pms_sketch_budget *budget)
{
	pms_sketch_release(&group->total, budget);
	pms_sketch_release(&group->issue, budget);
	pms_sketch_release(&group->translation, budget);
	pms_sketch_release(&group->wait, budget);
	free(group->from);
	free(group->counts);
	group->from = NULL;
	group->counts = NULL;
	group->n_from = group->has_from = 0;
	group->from_at = 0;
}

/* Rows ----------------------------------------------------------------------------------------- */

static struct pms_spe_latency latency(const struct pms_sketch *sketch)
{
	return (struct pms_spe_latency){ .count = sketch->count,
					 .sum = sketch->sum,
					 .p50 = pms_sketch_percentile(sketch, 50),
					 .p90 = pms_sketch_percentile(sketch, 90),
					 .p99 = pms_sketch_percentile(sketch, 99),
					 .max = sketch->greatest };
}

/* The most records first; as many, the lower number. */
static int compare_from(const void *a, const void *b)
{
	const struct pms_spe_from *x = a, *y = b;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->source > y->source) - (x->source < y->source);
}

void pms_group_row(const struct pms_spe_group *group, const struct pms_sources *sources,
		   struct pms_spe_row *row)
{
	row->records = group->records;
	for (unsigned i = 0; i < PMS_KIND_LOAD; i++)
		row->events[i] = count_of(group, i);
	row->loads = count_of(group, PMS_KIND_LOAD);
	row->stores = count_of(group, PMS_KIND_STORE);
	row->atomics = count_of(group, PMS_KIND_ATOMIC);
	row->branches = count_of(group, PMS_KIND_BRANCH);
	row->with_events = count_of(group, PMS_KIND_EVENTS);
	row->waited = count_of(group, PMS_KIND_WAITED);
	row->not_taken = count_of(group, PMS_KIND_NOT_TAKEN);
	row->mispredicted = count_of(group, PMS_KIND_MISPREDICTED);
	row->wait = group->wait.sum;
	row->total = latency(&group->total);
	row->issue = latency(&group->issue);
	row->translation = latency(&group->translation);
	row->waiting = latency(&group->wait);
	row->n_from = 0;
	for (unsigned i = 0; i < PMS_SPE_FROM_MOST; i++) {
		const struct pms_group_from *from = from_get(group, i);
		if (from)
			row->from[row->n_from++] = (struct pms_spe_from){
				.source = i < PMS_SPE_FROM_MOST - 1 ? sources->source[i] : -1,
				.count = from->count,
				.sum = from->sum,
				.n_total = from->n_total,
				.wait = from->wait,
				.waited = from->waited
			};
	}
	qsort(row->from, row->n_from, sizeof(row->from[0]), compare_from);
}
