/* SPDX-License-Identifier: MIT */
#include "plan/twins.h"

#include <stdlib.h>
#include <string.h>

#include "pmuscope/error.h"
#include "plan/bits.h"

enum {
	HUB = 4,	 /* an event of this many sets is left out */
	MOST_EVENTS = 5, /* most events of a part, so that all their orders can be tried */
	MOST_SETS = 16
};

/* A set of a part: its events within the part, by their numbers there, and its other events. */
struct member {
	unsigned own;
	const uint64_t *set;
	size_t number;
};

struct part {
	size_t events[MOST_EVENTS];
	size_t n_events, n;
	struct member members[MOST_SETS];
};

struct finder {
	const struct pms_problem *problem;
	uint64_t *hubs; /* events */
	uint64_t *reach;
	unsigned char *taken;
	struct part *parts; /* the parts that are small enough */
	size_t n;
};

static void find_hubs(struct finder *f)
{
	const struct pms_packing *packing = &f->problem->packing;
	for (size_t e = 0; e < packing->n_events; e++) {
		size_t degree = 0;
		for (size_t i = 0; i < packing->n_sets; i++)
			degree += (size_t)pms_bits_has(pms_packing_set(packing, i), e);
		if (degree >= HUB)
			pms_bits_set(f->hubs, e);
	}
}

static int meets(const struct finder *f, const uint64_t *set)
{
	for (size_t w = 0; w < f->problem->packing.words; w++)
		if (set[w] & f->reach[w] & ~f->hubs[w])
			return 1;
	return 0;
}

/* Collect what hangs together with set @first. A part that is too large is not kept. */
static void collect(struct finder *f, size_t first)
{
	const struct pms_packing *packing = &f->problem->packing;
	struct part *part = &f->parts[f->n];
	int usable = 1, grown;
	*part = (struct part){ 0 };
	pms_bits_copy(f->reach, pms_packing_set(packing, first), packing->words);
	do {
		grown = 0;
		for (size_t i = first; i < packing->n_sets; i++) {
			const uint64_t *set = pms_packing_set(packing, i);
			if (f->taken[i] || (i != first && !meets(f, set)))
				continue;
			f->taken[i] = 1;
			grown = 1;
			pms_bits_add(f->reach, set, packing->words);
			usable = usable && part->n < MOST_SETS;
			if (usable)
				part->members[part->n++] =
					(struct member){ .set = set, .number = i };
		}
	} while (grown);
	for (size_t e = 0; usable && e < packing->n_events; e++) {
		if (!pms_bits_has(f->reach, e) || pms_bits_has(f->hubs, e))
			continue;
		usable = part->n_events < MOST_EVENTS;
		if (usable)
			part->events[part->n_events++] = e;
	}
	f->n += (size_t)usable;
}

/* Compare by the events within the part, then by the hubs. */
static int compare_members(const struct member *a, const struct member *b, const uint64_t *hubs,
			   size_t words)
{
	if (a->own != b->own)
		return a->own < b->own ? -1 : 1;
	for (size_t w = 0; w < words; w++) {
		uint64_t x = a->set[w] & hubs[w], y = b->set[w] & hubs[w];
		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

static int compare_parts(const struct part *a, const struct part *b, const struct finder *f)
{
	if (a->n_events != b->n_events)
		return a->n_events < b->n_events ? -1 : 1;
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (size_t i = 0; i < a->n; i++) {
		int order = compare_members(&a->members[i], &b->members[i], f->hubs,
					    f->problem->packing.words);
		if (order)
			return order;
	}
	return 0;
}

/* Number the part's events in the order that they have, and sort the members by that. */
static void number_members(struct part *part, const struct finder *f)
{
	for (size_t i = 0; i < part->n; i++) {
		part->members[i].own = 0;
		for (size_t k = 0; k < part->n_events; k++)
			if (pms_bits_has(part->members[i].set, part->events[k]))
				part->members[i].own |= 1u << k;
	}
	for (size_t i = 1; i < part->n; i++)
		for (size_t k = i;
		     k > 0 && compare_members(&part->members[k], &part->members[k - 1], f->hubs,
					      f->problem->packing.words) < 0;
		     k--) {
			struct member swap = part->members[k];
			part->members[k] = part->members[k - 1];
			part->members[k - 1] = swap;
		}
}

/* Find the order of the part's events from @from on that makes the part least: then like parts
 * become equal. */
static void make_least(struct part *part, struct part *least, size_t from, const struct finder *f)
{
	if (from >= part->n_events) {
		struct part numbered = *part;
		number_members(&numbered, f);
		if (!least->n || compare_parts(&numbered, least, f) < 0)
			*least = numbered;
		return;
	}
	for (size_t k = from; k < part->n_events; k++) {
		struct part next = *part;
		next.events[from] = part->events[k];
		next.events[k] = part->events[from];
		make_least(&next, least, from + 1, f);
	}
}

static void sort_parts(struct finder *f)
{
	for (size_t i = 1; i < f->n; i++)
		for (size_t k = i; k > 0 && compare_parts(&f->parts[k], &f->parts[k - 1], f) < 0;
		     k--) {
			struct part swap = f->parts[k];
			f->parts[k] = f->parts[k - 1];
			f->parts[k - 1] = swap;
		}
}

static int is_like_other(const struct finder *f, size_t i)
{
	return (i && !compare_parts(&f->parts[i - 1], &f->parts[i], f)) ||
	       (i + 1 < f->n && !compare_parts(&f->parts[i], &f->parts[i + 1], f));
}

static void write_twins(struct pms_twins *twins, const struct finder *f)
{
	size_t *sets = twins->sets, kind = 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct part *part = &f->parts[i];
		kind += i && compare_parts(&f->parts[i - 1], part, f);
		if (!is_like_other(f, i))
			continue;
		for (size_t k = 0; k < part->n; k++)
			sets[k] = part->members[k].number;
		twins->twins[twins->n++] = (struct pms_twin){ sets, part->n, kind };
		sets += part->n;
	}
}

static void find(struct pms_twins *twins, struct finder *f)
{
	size_t n = f->problem->packing.n_sets;
	find_hubs(f);
	for (size_t i = 0; i < n; i++)
		if (!f->taken[i])
			collect(f, i);
	for (size_t i = 0; i < f->n; i++) {
		struct part least = { 0 };
		make_least(&f->parts[i], &least, 0, f);
		f->parts[i] = least;
	}
	sort_parts(f);
	write_twins(twins, f);
}

int pms_twins_init(struct pms_twins *twins, const struct pms_problem *problem)
{
	const struct pms_packing *packing = &problem->packing;
	size_t n = packing->n_sets, words = packing->words;
	struct finder f = { .problem = problem,
			    .hubs = calloc(words, sizeof(*f.hubs)),
			    .reach = calloc(words, sizeof(*f.reach)),
			    .taken = calloc(n + 1, 1),
			    .parts = calloc(n + 1, sizeof(*f.parts)) };
	*twins = (struct pms_twins){ .twins = calloc(n + 1, sizeof(*twins->twins)),
				     .sets = calloc(n + 1, sizeof(*twins->sets)) };
	int made = f.hubs && f.reach && f.taken && f.parts && twins->twins && twins->sets;
	if (made)
		find(twins, &f);
	free(f.hubs);
	free(f.reach);
	free(f.taken);
	free(f.parts);
	return made ? 0 : -PMS_ENOMEM;
}

void pms_twins_release(struct pms_twins *twins)
{
	free(twins->twins);
	free(twins->sets);
}

static unsigned pick(const struct pms_twin *twin, const uint64_t *rows)
{
	unsigned some = 0;
	for (size_t k = 0; k < twin->n; k++)
		some |= (unsigned)pms_bits_has(rows, twin->sets[k]) << k;
	return some;
}

static void put(const struct pms_twin *twin, uint64_t *rows, unsigned some)
{
	for (size_t k = 0; k < twin->n; k++) {
		pms_bits_clear(rows, twin->sets[k]);
		if (some >> k & 1)
			pms_bits_set(rows, twin->sets[k]);
	}
}

void pms_twins_settle(const struct pms_twins *twins, uint64_t *rows)
{
	for (size_t i = 1; i < twins->n; i++)
		for (size_t k = i; k > 0 && twins->twins[k - 1].of == twins->twins[k].of; k--) {
			unsigned one = pick(&twins->twins[k - 1], rows);
			unsigned two = pick(&twins->twins[k], rows);
			if (one <= two)
				break;
			put(&twins->twins[k - 1], rows, two);
			put(&twins->twins[k], rows, one);
		}
}
