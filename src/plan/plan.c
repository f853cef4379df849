/* SPDX-License-Identifier: MIT */
/* Turn metrics into sets of events, pack these, and turn the passes back into events and
 * metrics. */
#include "pmuscope/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/name.h"
#include "base/status.h"
#include "plan/bits.h"
#include "plan/choose.h"
#include "plan/packing.h"

enum {
	MOST_REDUCED = 2048,	/* most sets to compare with each other */
	BUNDLE_EFFORT = 1000000 /* effort to put metrics that belong together into one pass */
};

#define NO_NUMBER ((size_t)-1)

/* A plan and its memory. */
struct store {
	struct pms_plan plan; /* first: what the caller sees */
	struct pms_arena arena;
};

struct planner {
	const struct pms_catalog *catalog;
	struct pms_plan *plan;
	struct pms_arena *arena; /* memory of the plan */
	struct pms_arena work;	 /* memory for the time of planning */
	unsigned char *wanted;	 /* by metric */
	unsigned char *loose;	 /* by event: 1 to count it in any pass */
	size_t *number; /* by event: its number among events that need a counter, or NO_NUMBER */
	size_t *event;	/* the event of each number */
	size_t n_events, words;
	uint64_t *sets;		/* by metric: the events that need a counter */
	struct pms_packed best; /* the best passes so far */
};

static uint64_t *set_of(const struct planner *p, size_t metric)
{
	return p->sets + metric * p->words;
}

/* Mark a needed event: in @fixed if it has a counter of its own; else give it a number. */
static void number_event(struct planner *p, size_t event, unsigned char *fixed)
{
	if (pms_catalog_is_fixed(p->catalog, event)) {
		fixed[event] = 1;
	} else if (p->number[event] == NO_NUMBER) {
		p->event[p->n_events] = event;
		p->number[event] = p->n_events++;
	}
}

/* Number the events that need a counter, so that sets hold only these. */
static int number_events(struct planner *p)
{
	size_t n = pms_catalog_events(p->catalog);
	p->number = pms_arena_alloc(&p->work, n, sizeof(*p->number));
	p->event = pms_arena_alloc(&p->work, n, sizeof(*p->event));
	unsigned char *fixed = pms_arena_alloc(&p->work, n, 1);
	p->plan->fixed = pms_arena_alloc(p->arena, n, sizeof(*p->plan->fixed));
	if (!p->number || !p->event || !fixed || !p->plan->fixed)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < n; i++)
		p->number[i] = NO_NUMBER;
	for (size_t i = 0; i < pms_catalog_metrics(p->catalog); i++) {
		const struct pms_metric *metric = pms_catalog_metric(p->catalog, i);
		for (size_t k = 0; p->wanted[i] && k < metric->n_events; k++)
			number_event(p, metric->events[k], fixed);
	}
	for (size_t i = 0; i < n; i++)
		if (p->loose[i])
			number_event(p, i, fixed);
	for (size_t i = 0; i < n; i++)
		if (fixed[i])
			p->plan->fixed[p->plan->n_fixed++] = i;
	p->words = pms_bits_words(p->n_events);
	return 0;
}

/* Make the metrics' sets. Set metrics that no pass can hold aside; their events become loose. */
static int make_sets(struct planner *p)
{
	size_t n = pms_catalog_metrics(p->catalog);
	p->sets = pms_arena_alloc(&p->work, n * p->words, sizeof(*p->sets));
	p->plan->split = pms_arena_alloc(p->arena, n, sizeof(*p->plan->split));
	if (!p->sets || !p->plan->split)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct pms_metric *metric = pms_catalog_metric(p->catalog, i);
		for (size_t k = 0; p->wanted[i] && k < metric->n_events; k++)
			if (p->number[metric->events[k]] != NO_NUMBER)
				pms_bits_set(set_of(p, i), p->number[metric->events[k]]);
		if (pms_bits_count(set_of(p, i), p->words) <= p->plan->counters)
			continue;
		p->wanted[i] = 0;
		p->plan->split[p->plan->n_split++] = i;
		for (size_t k = 0; k < metric->n_events; k++)
			p->loose[metric->events[k]] = 1;
	}
	return 0;
}

/* The sets to pack. */
struct list {
	uint64_t *sets;
	size_t n, words;
};

static void list_append(struct list *list, const uint64_t *set)
{
	pms_bits_copy(list->sets + list->n++ * list->words, set, list->words);
}

static int is_within_other(const struct list *list, size_t i)
{
	const uint64_t *set = list->sets + i * list->words;
	for (size_t k = 0; k < list->n; k++) {
		const uint64_t *other = list->sets + k * list->words;
		if (k == i || !pms_bits_within(set, other, list->words))
			continue;
		if (k < i || !pms_bits_within(other, set, list->words))
			return 1;
	}
	return 0;
}

/* Drop sets that another set contains, and all but the first of equal sets. */
static void list_reduce(struct list *list, unsigned char *drop)
{
	size_t kept = 0;
	for (size_t i = 0; i < list->n; i++)
		drop[i] = (unsigned char)is_within_other(list, i);
	for (size_t i = 0; i < list->n; i++)
		if (!drop[i])
			pms_bits_copy(list->sets + kept++ * list->words,
				      list->sets + i * list->words, list->words);
	list->n = kept;
}

/* List the sets to pack. @bundle: an extra set, or NULL. Returns NULL when out of memory. */
static struct list *make_list(struct planner *p, const uint64_t *bundle)
{
	size_t most = pms_catalog_metrics(p->catalog) + p->n_events + 1;
	struct list *list = pms_arena_alloc(&p->work, 1, sizeof(*list));
	uint64_t *one = pms_arena_alloc(&p->work, p->words, sizeof(*one));
	unsigned char *drop = pms_arena_alloc(&p->work, most, 1);
	uint64_t *sets = pms_arena_alloc(&p->work, most * p->words, sizeof(*sets));
	if (!list || !one || !drop || !sets)
		return NULL;
	*list = (struct list){ .sets = sets, .words = p->words };
	if (bundle)
		list_append(list, bundle);
	for (size_t i = 0; i < pms_catalog_metrics(p->catalog); i++)
		if (p->wanted[i] && pms_bits_count(set_of(p, i), p->words))
			list_append(list, set_of(p, i));
	for (size_t i = 0; i < p->n_events; i++)
		if (p->loose[p->event[i]]) {
			pms_bits_zero(one, p->words);
			pms_bits_set(one, i);
			list_append(list, one);
		}
	if (list->n <= MOST_REDUCED)
		list_reduce(list, drop);
	return list;
}

static int pack(struct planner *p, const uint64_t *bundle, size_t enough, uint64_t effort,
		struct pms_packed *out)
{
	struct list *list = make_list(p, bundle);
	if (!list)
		return -PMS_ENOMEM;
	struct pms_packing packing = { .n_sets = list->n,
				       .n_events = p->n_events,
				       .words = p->words,
				       .capacity = p->plan->counters,
				       .sets = list->sets };
	struct pms_effort given = { effort };
	return pms_packing_solve(&packing, enough, &given, out);
}

/* Unite the events of the marked metrics. */
static uint64_t *unite(struct planner *p, const unsigned char *marked)
{
	uint64_t *all = pms_arena_alloc(&p->work, p->words, sizeof(*all));
	for (size_t i = 0; all && i < pms_catalog_metrics(p->catalog); i++)
		if (marked[i])
			pms_bits_add(all, set_of(p, i), p->words);
	return all;
}

/* Find the first pass that has all of the events; PMS_NO_PASS when there is none. */
static size_t find_pass(const struct planner *p, const uint64_t *events)
{
	for (size_t i = 0; i < p->best.n_passes; i++)
		if (pms_bits_within(events, p->best.passes + i * p->words, p->words))
			return i;
	return PMS_NO_PASS;
}

/* Prefer a plan with all of @bundle in one pass, when it takes no more passes. */
static int prefer_together(struct planner *p, const uint64_t *bundle)
{
	struct pms_packed other = { 0 };
	if (pms_bits_count(bundle, p->words) > p->plan->counters ||
	    find_pass(p, bundle) != PMS_NO_PASS)
		return 0;
	int rc = pack(p, bundle, p->best.n_passes, BUNDLE_EFFORT, &other);
	if (!rc && other.n_passes <= p->best.n_passes) {
		struct pms_packed swap = p->best;
		/* The bound with the bundle does not hold without it: keep the old bound. */
		other.lower_bound = swap.lower_bound;
		p->best = other;
		other = swap;
	}
	pms_packed_release(&other);
	return rc;
}

static void swap_passes(struct planner *p, size_t a, size_t b)
{
	for (size_t w = 0; w < p->words; w++) {
		uint64_t *one = &p->best.passes[a * p->words + w];
		uint64_t *two = &p->best.passes[b * p->words + w];
		uint64_t swap = *one;
		*one = *two;
		*two = swap;
	}
}

/* Put Level 1 into the first pass, with as much of Stage 1 as it has room for. */
static int arrange(struct planner *p)
{
	size_t n = pms_catalog_metrics(p->catalog), first;
	unsigned char *stage1 = pms_arena_alloc(&p->work, n, 1);
	unsigned char *level1 = pms_arena_alloc(&p->work, n, 1);
	if (!stage1 || !level1)
		return -PMS_ENOMEM;
	pms_choose_stage1(p->catalog, p->wanted, stage1);
	pms_choose_level1(p->catalog, p->wanted, level1);
	uint64_t *stage = unite(p, stage1), *level = unite(p, level1);
	int rc = stage && level ? 0 : -PMS_ENOMEM;
	if (!rc)
		rc = prefer_together(p, stage);
	if (!rc)
		rc = prefer_together(p, level);
	if (rc)
		return rc;
	first = find_pass(p, stage);
	if (first == PMS_NO_PASS)
		first = find_pass(p, level);
	if (first != PMS_NO_PASS)
		swap_passes(p, 0, first);
	p->plan->stage1 = memchr(stage1, 1, n) ? find_pass(p, stage) : PMS_NO_PASS;
	p->plan->level1 = memchr(level1, 1, n) ? find_pass(p, level) : PMS_NO_PASS;
	return 0;
}

/* The pass of each metric, and the lowest metric of each pass. */
struct places {
	size_t *pass;	/* by metric */
	size_t *lowest; /* by pass; the number of metrics: none */
};

static int make_places(struct planner *p, struct places *places)
{
	size_t n = pms_catalog_metrics(p->catalog);
	places->pass = pms_arena_alloc(&p->work, n, sizeof(*places->pass));
	places->lowest = pms_arena_alloc(&p->work, p->best.n_passes, sizeof(*places->lowest));
	if (!places->pass || !places->lowest)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < p->best.n_passes; i++)
		places->lowest[i] = n;
	for (size_t i = 0; i < n; i++) {
		if (!p->wanted[i])
			continue;
		size_t pass = find_pass(p, set_of(p, i));
		places->pass[i] = pass;
		if (places->lowest[pass] == n)
			places->lowest[pass] = i;
	}
	return 0;
}

/* Keep the first pass first, and sort the others by their lowest metric. */
static void sort_passes(struct planner *p, struct places *places)
{
	for (size_t i = 1; i < p->best.n_passes; i++) {
		size_t next = i;
		for (size_t k = i + 1; k < p->best.n_passes; k++)
			if (places->lowest[k] < places->lowest[next])
				next = k;
		swap_passes(p, i, next);
		size_t swap = places->lowest[i];
		places->lowest[i] = places->lowest[next];
		places->lowest[next] = swap;
	}
	for (size_t i = 0; i < pms_catalog_metrics(p->catalog); i++)
		if (p->wanted[i])
			places->pass[i] = find_pass(p, set_of(p, i));
}

/* Collect a pass's events: the events of its metrics, and loose events that no earlier pass has. */
static uint64_t *events_of(struct planner *p, const struct places *places, size_t pass)
{
	uint64_t *events = pms_arena_alloc(&p->work, p->words, sizeof(*events));
	const uint64_t *packed = p->best.passes + pass * p->words;
	for (size_t i = 0; events && i < pms_catalog_metrics(p->catalog); i++)
		if (p->wanted[i] && places->pass[i] == pass)
			pms_bits_add(events, set_of(p, i), p->words);
	for (size_t i = 0; events && i < p->n_events; i++)
		if (p->loose[p->event[i]] && pms_bits_has(packed, i)) {
			pms_bits_set(events, i);
			p->loose[p->event[i]] = 0;
		}
	return events;
}

/* Write a pass as the caller sees it: indices of events and metrics. */
static int write_pass(struct planner *p, const struct places *places, size_t pass)
{
	struct pms_pass *out = &p->plan->passes[p->plan->n_passes];
	const uint64_t *events = events_of(p, places, pass);
	if (!events)
		return -PMS_ENOMEM;
	size_t n = pms_bits_count(events, p->words), n_metrics = pms_catalog_metrics(p->catalog);
	size_t n_here = 0;
	for (size_t i = 0; i < n_metrics; i++)
		n_here += p->wanted[i] && places->pass[i] == pass;
	out->events = pms_arena_alloc(p->arena, p->plan->n_fixed + n, sizeof(*out->events));
	out->metrics = pms_arena_alloc(p->arena, n_here, sizeof(*out->metrics));
	if (!out->events || !out->metrics)
		return -PMS_ENOMEM;
	out->counters = (unsigned)n;
	for (size_t i = 0; i < p->plan->n_fixed; i++)
		out->events[out->n_events++] = p->plan->fixed[i];
	for (size_t i = 0; i < pms_catalog_events(p->catalog); i++)
		if (p->number[i] != NO_NUMBER && pms_bits_has(events, p->number[i]))
			out->events[out->n_events++] = i;
	for (size_t i = 0; i < n_metrics; i++)
		if (p->wanted[i] && places->pass[i] == pass)
			out->metrics[out->n_metrics++] = i;
	p->plan->n_metrics += out->n_metrics;
	p->plan->n_passes++;
	return 0;
}

static int write_plan(struct planner *p)
{
	struct places places;
	p->plan->passes = pms_arena_alloc(p->arena, p->best.n_passes, sizeof(*p->plan->passes));
	int rc = p->plan->passes ? make_places(p, &places) : -PMS_ENOMEM;
	if (!rc)
		sort_passes(p, &places);
	for (size_t i = 0; !rc && i < p->best.n_passes; i++)
		rc = write_pass(p, &places, i);
	p->plan->lower_bound = p->best.lower_bound;
	p->plan->optimal = p->plan->n_passes == p->plan->lower_bound;
	return rc;
}

/* Pack all sets. Fixed counters alone need one pass, and no search. */
static int pack_all(struct planner *p, uint64_t effort)
{
	if (p->n_events)
		return pack(p, NULL, 0, effort, &p->best);
	p->best.n_passes = p->best.lower_bound = p->plan->n_fixed > 0;
	p->best.passes = calloc(1, sizeof(*p->best.passes));
	return p->best.passes ? 0 : -PMS_ENOMEM;
}

/* Take the steps of planning in order. */
static int make(struct planner *p, const struct pms_plan_options *options, struct pms_error *err)
{
	size_t n_events = pms_catalog_events(p->catalog);
	p->wanted = pms_arena_alloc(&p->work, pms_catalog_metrics(p->catalog), 1);
	p->loose = pms_arena_alloc(&p->work, n_events, 1);
	if (!p->wanted || !p->loose)
		return pms_no_memory(err);
	for (size_t i = 0; i < options->n_events; i++) {
		if (options->events[i] >= n_events)
			return pms_fail(err, PMS_EINVAL, "there is no event of index %zu",
					options->events[i]);
		p->loose[options->events[i]] = 1;
	}
	int rc = pms_choose_metrics(p->catalog, options, p->wanted, err);
	if (rc)
		return rc;
	rc = number_events(p);
	if (!rc)
		rc = make_sets(p);
	if (!rc)
		rc = pack_all(p, options->effort ? options->effort : PMS_PLAN_EFFORT);
	if (!rc && p->n_events)
		rc = arrange(p);
	if (!rc)
		rc = write_plan(p);
	return rc ? pms_no_memory(err) : 0;
}

static int check_counters(const struct pms_catalog *catalog, unsigned asked, unsigned *counters,
			  struct pms_error *err)
{
	*counters = asked ? asked : pms_catalog_cpu(catalog)->counters;
	if (*counters >= 1 && *counters <= PMS_MOST_COUNTERS)
		return 0;
	return pms_fail(err, PMS_EINVAL, "%u counters: a core has 1 to %d", *counters,
			PMS_MOST_COUNTERS);
}

int pms_plan_make(const struct pms_catalog *catalog, const struct pms_plan_options *options,
		  struct pms_plan **out, struct pms_error *err)
{
	static const struct pms_plan_options none = { 0 };
	struct store *store = calloc(1, sizeof(*store));
	if (!store)
		return pms_no_memory(err);
	struct planner p = { .catalog = catalog, .plan = &store->plan, .arena = &store->arena };
	store->plan.catalog = catalog;
	store->plan.stage1 = store->plan.level1 = PMS_NO_PASS;
	options = options ? options : &none;
	int rc = check_counters(catalog, options->counters, &store->plan.counters, err);
	if (!rc)
		rc = make(&p, options, err);
	pms_packed_release(&p.best);
	pms_arena_release(&p.work);
	if (rc)
		pms_plan_free(&store->plan);
	else
		*out = &store->plan;
	return rc;
}

void pms_plan_free(struct pms_plan *plan)
{
	struct store *store = (struct store *)plan;
	if (!store)
		return;
	pms_arena_release(&store->arena);
	free(store);
}
