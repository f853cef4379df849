/* SPDX-License-Identifier: MIT */
/* Sets are edges over events. Compute the best choice of k events for every k at once: a profile.
 * Pieces that share no event are independent: their profiles combine as knapsacks do. A connected
 * piece is taken apart at the event that most sets share: either it is chosen, and its sets need
 * one event less, or it is not, and they are lost. A few such events (instructions retired,
 * operations executed) connect the sets of the catalogs, so that the pieces soon become small. */
#include "plan/pattern.h"

#include <stdlib.h>

#include "pmuscope/error.h"
#include "plan/bits.h"

/* weight[k], k < length: the greatest weight that k events hold, and events[k] such a choice. */
struct profile {
	size_t length; /* more than length - 1 events gain nothing */
	int64_t *weight;
	uint64_t *events;
};

struct edges {
	size_t n;
	int64_t *weight;
	uint64_t *set;
};

/* Working memory of one level of the recursion. */
struct level {
	struct edges piece, child;
	struct profile whole, part, with, sum;
	unsigned *degree;
	unsigned char *taken;
	uint64_t *reach;
	void *memory;
};

struct pms_pattern {
	size_t n_sets, n_events, words, most; /* most: the greatest capacity */
	size_t capacity;		      /* of this one */
	size_t n_levels;		      /* allocated so far */
	struct level *levels;
	struct pms_effort *effort;
	int failed; /* -status */
};

struct pms_pattern *pms_pattern_new(size_t n_sets, size_t n_events, size_t capacity)
{
	struct pms_pattern *pattern = calloc(1, sizeof(*pattern));
	if (!pattern)
		return NULL;
	*pattern = (struct pms_pattern){ .n_sets = n_sets +
						   n_events, /* each event by itself as well */
					 .n_events = n_events,
					 .words = pms_bits_words(n_events),
					 .most = capacity };
	/* A level deeper has an event less. */
	pattern->levels = calloc(n_events + 2, sizeof(struct level));
	if (!pattern->levels) {
		free(pattern);
		return NULL;
	}
	return pattern;
}

void pms_pattern_free(struct pms_pattern *pattern)
{
	if (!pattern)
		return;
	for (size_t i = 0; i < pattern->n_levels; i++)
		free(pattern->levels[i].memory);
	free(pattern->levels);
	free(pattern);
}

static uint64_t *carve(uint64_t **memory, size_t words)
{
	uint64_t *piece = *memory;
	*memory += words;
	return piece;
}

/* Allocate a level: all parts are 64-bit words, in one allocation. */
static int make_level(const struct pms_pattern *p, struct level *level)
{
	size_t most = p->most + 1, words = p->words;
	size_t edges = p->n_sets * (words + 1), profile = most * (words + 1);
	uint64_t *m = calloc(2 * edges + 4 * profile + words + p->n_events + p->n_sets, 8);
	level->memory = m;
	if (!m)
		return -1;
	struct edges *lists[] = { &level->piece, &level->child };
	struct profile *profiles[] = { &level->whole, &level->part, &level->with, &level->sum };
	for (size_t i = 0; i < 2; i++) {
		lists[i]->weight = (int64_t *)carve(&m, p->n_sets);
		lists[i]->set = carve(&m, p->n_sets * words);
	}
	for (size_t i = 0; i < 4; i++) {
		profiles[i]->weight = (int64_t *)carve(&m, most);
		profiles[i]->events = carve(&m, most * words);
	}
	level->reach = carve(&m, words);
	level->degree = (unsigned *)carve(&m, p->n_events);
	level->taken = (unsigned char *)carve(&m, p->n_sets);
	return 0;
}

static struct level *get_level(struct pms_pattern *p, size_t depth)
{
	if (depth == p->n_levels) {
		if (make_level(p, &p->levels[depth])) {
			p->failed = -PMS_ENOMEM;
			return NULL;
		}
		p->n_levels++;
	}
	return &p->levels[depth];
}

static void profile_start(struct profile *profile, size_t words)
{
	profile->length = 1;
	profile->weight[0] = 0;
	pms_bits_zero(profile->events, words);
}

static void profile_copy(struct profile *profile, const struct profile *from, size_t words)
{
	profile->length = from->length;
	for (size_t k = 0; k < from->length; k++)
		profile->weight[k] = from->weight[k];
	pms_bits_copy(profile->events, from->events, from->length * words);
}

/* Make the profile of a single choice: all of @set for @weight. */
static void profile_single(struct profile *profile, const uint64_t *set, int64_t weight,
			   size_t words, size_t capacity)
{
	size_t size = pms_bits_count(set, words);
	profile_start(profile, words);
	if (size > capacity)
		return;
	for (size_t k = 1; k < size; k++) {
		profile->weight[k] = 0;
		pms_bits_zero(profile->events + k * words, words);
	}
	profile->weight[size] = weight;
	pms_bits_copy(profile->events + size * words, set, words);
	profile->length = size + 1;
}

/* @sum = the best of @a and @b side by side. */
static void profile_combine(struct profile *sum, const struct profile *a, const struct profile *b,
			    const struct pms_pattern *p)
{
	size_t most = a->length + b->length - 1, words = p->words;
	sum->length = most > p->capacity + 1 ? p->capacity + 1 : most;
	for (size_t k = 0; k < sum->length; k++) {
		size_t from = k < b->length ? 0 : k - b->length + 1, best = from;
		for (size_t i = from; i <= k && i < a->length; i++)
			if (a->weight[i] + b->weight[k - i] > a->weight[best] + b->weight[k - best])
				best = i;
		uint64_t *events = sum->events + k * words;
		sum->weight[k] = a->weight[best] + b->weight[k - best];
		pms_bits_copy(events, a->events + best * words, words);
		pms_bits_add(events, b->events + (k - best) * words, words);
	}
}

/* @part = the better of @without, and of @event for @gain with @with beside it. */
static void profile_choose(struct profile *part, const struct profile *without,
			   const struct profile *with, size_t event, int64_t gain,
			   const struct pms_pattern *p)
{
	size_t words = p->words, length = with->length + 1;
	profile_copy(part, without, words);
	if (length > p->capacity + 1)
		length = p->capacity + 1;
	for (size_t k = part->length; k < length; k++) {
		part->weight[k] = part->weight[k - 1];
		pms_bits_copy(part->events + k * words, part->events + (k - 1) * words, words);
	}
	if (part->length < length)
		part->length = length;
	for (size_t k = 1; k < part->length; k++) {
		size_t i = k - 1 < with->length ? k - 1 : with->length - 1;
		if (with->weight[i] + gain <= part->weight[k])
			continue;
		part->weight[k] = with->weight[i] + gain;
		pms_bits_copy(part->events + k * words, with->events + i * words, words);
		pms_bits_set(part->events + k * words, event);
	}
}

static void edges_append(struct edges *edges, const uint64_t *set, int64_t weight, size_t words)
{
	edges->weight[edges->n] = weight;
	pms_bits_copy(edges->set + edges->n * words, set, words);
	edges->n++;
}

/* Move the first connected piece of the sets not taken yet to level->piece, and its events to
 * ->reach. */
static int next_piece(struct pms_pattern *p, struct level *level, const struct edges *edges)
{
	size_t first = 0, words = p->words, before;
	while (first < edges->n && level->taken[first])
		first++;
	level->piece.n = 0;
	if (first == edges->n)
		return 0;
	pms_bits_copy(level->reach, edges->set + first * words, words);
	do {
		before = level->piece.n;
		if (!pms_effort_spend(p->effort, 1 + edges->n * words / 32))
			p->failed = -PMS_EINVAL;
		for (size_t i = first; i < edges->n; i++) {
			const uint64_t *set = edges->set + i * words;
			if (level->taken[i] || !pms_bits_meet(set, level->reach, words))
				continue;
			level->taken[i] = 1;
			pms_bits_add(level->reach, set, words);
			edges_append(&level->piece, set, edges->weight[i], words);
		}
	} while (level->piece.n > before && !p->failed);
	return 1;
}

/* Find the event that most sets of the piece have. */
static size_t pivot(struct level *level, size_t words)
{
	const struct edges *piece = &level->piece;
	size_t best = pms_bits_next(level->reach, words, 0);
	for (size_t e = best; e != PMS_BITS_END; e = pms_bits_next(level->reach, words, e + 1))
		level->degree[e] = 0;
	for (size_t i = 0; i < piece->n; i++) {
		const uint64_t *set = piece->set + i * words;
		for (size_t e = pms_bits_next(set, words, 0); e != PMS_BITS_END;
		     e = pms_bits_next(set, words, e + 1))
			level->degree[e]++;
	}
	for (size_t e = best; e != PMS_BITS_END; e = pms_bits_next(level->reach, words, e + 1))
		if (level->degree[e] > level->degree[best])
			best = e;
	return best;
}

static const struct profile *solve(struct pms_pattern *p, size_t depth, const struct edges *edges);

/* Copy the piece's sets to level->child. @chosen: all sets, without @event; else only the sets that
 * do not have it. Returns the weight of the sets that have no event left. */
static int64_t remove_event(struct level *level, size_t event, int chosen, size_t words)
{
	int64_t gain = 0;
	level->child.n = 0;
	for (size_t i = 0; i < level->piece.n; i++) {
		const uint64_t *set = level->piece.set + i * words;
		int has = pms_bits_has(set, event);
		if (has && !chosen)
			continue;
		edges_append(&level->child, set, level->piece.weight[i], words);
		uint64_t *rest = level->child.set + (level->child.n - 1) * words;
		pms_bits_clear(rest, event);
		if (has && !pms_bits_count(rest, words)) {
			gain += level->piece.weight[i];
			level->child.n--;
		}
	}
	return gain;
}

/* Solve a connected piece: take the better of choosing its pivot event and giving it up. */
static void solve_piece(struct pms_pattern *p, size_t depth, struct level *level)
{
	size_t words = p->words, events = pms_bits_count(level->reach, words);
	if (level->piece.n == 1 || events == 1) {
		int64_t weight = 0;
		for (size_t i = 0; i < level->piece.n; i++)
			weight += level->piece.weight[i];
		profile_single(&level->part, level->reach, weight, words, p->capacity);
		return;
	}
	size_t event = pivot(level, words);
	int64_t gain = remove_event(level, event, 1, words);
	const struct profile *got = solve(p, depth + 1, &level->child);
	if (!got)
		return;
	profile_copy(&level->with, got, words);
	remove_event(level, event, 0, words);
	got = solve(p, depth + 1, &level->child);
	if (got)
		profile_choose(&level->part, got, &level->with, event, gain, p);
}

/* Solve the edges. Returns the profile, owned by the level; NULL when it failed. */
static const struct profile *solve(struct pms_pattern *p, size_t depth, const struct edges *edges)
{
	struct level *level = get_level(p, depth);
	if (!level)
		return NULL;
	for (size_t i = 0; i < edges->n; i++)
		level->taken[i] = 0;
	profile_start(&level->whole, p->words);
	while (!p->failed && next_piece(p, level, edges)) {
		if (!p->failed)
			solve_piece(p, depth, level);
		if (p->failed)
			break;
		profile_combine(&level->sum, &level->whole, &level->part, p);
		struct profile swap = level->whole;
		level->whole = level->sum;
		level->sum = swap;
	}
	return p->failed ? NULL : &level->whole;
}

/* List the edges. An event's own weight becomes a set of that event alone. @scratch: a set of
 * events */
static void list_edges(struct edges *edges, const struct pms_packing *packing,
		       const int64_t *weights, const int64_t *event_weights, uint64_t *scratch)
{
	edges->n = 0;
	for (size_t i = 0; i < packing->n_sets; i++)
		if (weights[i] > 0)
			edges_append(edges, pms_packing_set(packing, i), weights[i],
				     packing->words);
	for (size_t e = 0; event_weights && e < packing->n_events; e++)
		if (event_weights[e] > 0) {
			pms_bits_zero(scratch, packing->words);
			pms_bits_set(scratch, e);
			edges_append(edges, scratch, event_weights[e], packing->words);
		}
}

int64_t pms_pattern_best(struct pms_pattern *p, const struct pms_packing *packing,
			 const int64_t *weights, const int64_t *event_weights,
			 struct pms_effort *effort, uint64_t *events)
{
	p->capacity = packing->capacity;
	p->effort = effort;
	p->failed = 0;
	struct level *top = get_level(p, 0);
	if (!top)
		return p->failed;
	list_edges(&top->child, packing, weights, event_weights, top->reach);
	const struct profile *profile = solve(p, 1, &top->child);
	if (!profile)
		return p->failed;
	size_t best = 0;
	for (size_t k = 1; k < profile->length; k++)
		if (profile->weight[k] > profile->weight[best])
			best = k;
	pms_bits_copy(events, profile->events + best * packing->words, packing->words);
	return profile->weight[best];
}
