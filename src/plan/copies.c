/* SPDX-License-Identifier: MIT */
#include "plan/copies.h"

#include <stdlib.h>
#include <string.h>

#include "pmuscope/error.h"
#include "plan/bits.h"
#include "plan/seen.h"
#include "plan/tight.h"

enum {
	MOST_SHARED = 24,   /* events of several passes */
	MOST_TYPES = 96,    /* of lumps */
	MOST_OF_TYPE = 127, /* lumps that are alike */
	BYTES = 8,	    /* of a word */
	WORDS = 20,	    /* of what is remembered, */
	MOST_SEEN = 120000, /* and how often, before it is forgotten */
	PAIRS_A_STEP = 128, /* pairs of a set and an event for an effort of 1 */
	TYPES_A_STEP = 32
};

/* The decision on an event: open, in several passes, or in one. */
enum { OPEN, SHARED, SINGLE };

/* Sets connected by events of a single pass. */
struct lump {
	uint32_t shared; /* the shared events that it needs, a bit each */
	unsigned own;	 /* events of a single pass */
	size_t root;	 /* one of its own events; the number of events: it has none */
};

/* Sets connected by events that were decided to be in a single pass. */
struct firm {
	size_t root, size;
	uint64_t *events;
};

/* Lumps that are alike. */
struct type {
	uint32_t shared;
	unsigned own, n;
};

struct copies {
	const struct pms_packing *packing;
	struct pms_effort *effort;
	size_t n_passes;
	unsigned char *chosen;	    /* by event: OPEN, … */
	size_t *degree;		    /* by event: sets that have it */
	size_t *parent;		    /* by event: towards the root of its lump */
	size_t shared[MOST_SHARED]; /* events */
	size_t n_shared;
	struct lump *lumps;
	size_t n_lumps;
	struct type types[MOST_TYPES];
	size_t n_types;
	struct firm *firm;
	size_t n_firm;
	uint64_t *firm_events; /* events of each firm piece */
	size_t *clash;	       /* some of them */
	uint64_t *scratch;     /* a set */
	unsigned *fillings;    /* by pass and type: how many are in it */
	struct pms_seen seen;
};

static size_t root_of(const struct copies *c, size_t event)
{
	while (c->parent[event] != event)
		event = c->parent[event];
	return event;
}

/* Whether an event is in one pass. @guess: the answer for undecided events */
static int is_single(const struct copies *c, size_t event, int guess)
{
	return c->chosen[event] == SINGLE || (guess && c->chosen[event] == OPEN);
}

/* Join the single-pass events of each set: they are in the same pass. */
static void join_events(struct copies *c, int guess)
{
	const struct pms_packing *packing = c->packing;
	size_t words = packing->words;
	for (size_t e = 0; e < packing->n_events; e++)
		c->parent[e] = e;
	for (size_t i = 0; i < packing->n_sets; i++) {
		const uint64_t *set = pms_packing_set(packing, i);
		size_t first = PMS_BITS_END;
		for (size_t e = pms_bits_next(set, words, 0); e != PMS_BITS_END;
		     e = pms_bits_next(set, words, e + 1)) {
			if (!is_single(c, e, guess))
				continue;
			if (first == PMS_BITS_END)
				first = root_of(c, e);
			else
				c->parent[root_of(c, e)] = first;
		}
	}
}

/* Returns the shared events of a set; @root: receives the root of its other events, or the number
 * of events. */
static uint32_t split_set(const struct copies *c, const uint64_t *set, size_t *root)
{
	uint32_t shared = 0;
	*root = c->packing->n_events;
	for (size_t k = 0; k < c->n_shared; k++)
		if (pms_bits_has(set, c->shared[k]))
			shared |= (uint32_t)1 << k;
	for (size_t e = pms_bits_next(set, c->packing->words, 0); e != PMS_BITS_END;
	     e = pms_bits_next(set, c->packing->words, e + 1))
		if (c->chosen[e] != SHARED) {
			*root = root_of(c, e);
			break;
		}
	return shared;
}

/* Find what has to be in one pass whatever else is decided, the largest first: c->firm. */
static void find_firm(struct copies *c)
{
	const struct pms_packing *packing = c->packing;
	size_t words = packing->words;
	join_events(c, 0);
	c->n_firm = 0;
	for (size_t i = 0; i < packing->n_sets; i++) {
		const uint64_t *set = pms_packing_set(packing, i);
		size_t root = packing->n_events, k = 0;
		for (size_t e = pms_bits_next(set, words, 0);
		     e != PMS_BITS_END && root == packing->n_events;
		     e = pms_bits_next(set, words, e + 1))
			if (is_single(c, e, 0))
				root = root_of(c, e);
		while (k < c->n_firm && (root == packing->n_events || c->firm[k].root != root))
			k++;
		if (k == c->n_firm) {
			c->firm[c->n_firm++].root = root;
			pms_bits_zero(c->firm[k].events, words);
		}
		pms_bits_add(c->firm[k].events, set, words);
	}
	for (size_t i = 0; i < c->n_firm; i++) {
		struct firm firm = c->firm[i];
		size_t k = i;
		firm.size = pms_bits_count(firm.events, words);
		for (; k && c->firm[k - 1].size < firm.size; k--)
			c->firm[k] = c->firm[k - 1];
		c->firm[k] = firm;
	}
}

/* Returns a lower bound of the passes that an event is in. One bound is the passes filled by the
 * events that go with it. The other is a number of firm pieces of which no pass can hold two. */
static size_t least_passes(const struct copies *c, size_t event, uint64_t *with)
{
	size_t words = c->packing->words, capacity = c->packing->capacity, n = 0;
	pms_bits_zero(with, words);
	for (size_t i = 0; i < c->n_firm; i++) {
		const struct firm *firm = &c->firm[i];
		if (!pms_bits_has(firm->events, event))
			continue;
		pms_bits_add(with, firm->events, words);
		size_t k = 0;
		while (k < n && pms_bits_count_union(firm->events, c->firm[c->clash[k]].events,
						     words) > capacity)
			k++;
		if (k == n)
			c->clash[n++] = i;
	}
	size_t others = pms_bits_count(with, words) - 1;
	size_t filled = others ? (others + capacity - 2) / (capacity - 1) : 1;
	return filled > n ? filled : n;
}

/* Returns the counters needed whatever else is decided; SIZE_MAX where a piece is too large. */
static size_t least_counters(struct copies *c)
{
	size_t sum = 0;
	find_firm(c);
	if (c->firm[0].size > c->packing->capacity)
		return SIZE_MAX;
	for (size_t e = 0; e < c->packing->n_events; e++) {
		size_t least = c->chosen[e] == SHARED ? 2 : c->degree[e] > 0;
		size_t passes =
			c->degree[e] && c->chosen[e] != SINGLE ? least_passes(c, e, c->scratch) : 0;
		sum += passes > least ? passes : least;
	}
	return sum;
}

/* Find the lumps that the decisions leave, with undecided events in a single pass. */
static void find_lumps(struct copies *c)
{
	const struct pms_packing *packing = c->packing;
	join_events(c, 1);
	c->n_lumps = 0;
	for (size_t i = 0; i < packing->n_sets; i++) {
		size_t root, k = 0;
		uint32_t shared = split_set(c, pms_packing_set(packing, i), &root);
		while (k < c->n_lumps && (root == packing->n_events || c->lumps[k].root != root))
			k++;
		if (k == c->n_lumps)
			c->lumps[c->n_lumps++] = (struct lump){ .root = root };
		c->lumps[k].shared |= shared;
	}
	for (size_t e = 0; e < packing->n_events; e++) {
		size_t root =
			c->degree[e] && c->chosen[e] != SHARED ? root_of(c, e) : packing->n_events;
		for (size_t k = 0; root < packing->n_events && k < c->n_lumps; k++)
			c->lumps[k].own += c->lumps[k].root == root;
	}
}

static size_t size_of(uint32_t shared, unsigned own)
{
	return own + (size_t)__builtin_popcount(shared);
}

/* Returns a lower bound of the passes of a shared event: the passes that its lumps fill, and one
 * for each lump too large to share a pass with another such lump. */
static size_t passes_of(const struct copies *c, const unsigned *left, size_t shared)
{
	size_t capacity = c->packing->capacity, with = 0, large = 0, any = 0;
	for (size_t i = 0; i < c->n_types; i++) {
		const struct type *type = &c->types[i];
		if (!left[i] || !(type->shared >> shared & 1))
			continue;
		any = 1;
		with += (size_t)left[i] * type->own;
		if (type->own + size_of(type->shared, type->own) > capacity)
			large += left[i];
	}
	size_t filled = with && capacity > 1 ? (with + capacity - 2) / (capacity - 1) : any;
	return filled > large ? filled : large;
}

/* Returns a lower bound of the counters that lumps take up: their own events once, shared events in
 * each of their passes. */
static size_t counters_of(const struct copies *c, const unsigned *left)
{
	size_t sum = 0;
	for (size_t i = 0; i < c->n_types; i++)
		sum += (size_t)left[i] * c->types[i].own;
	for (size_t k = 0; k < c->n_shared; k++)
		sum += passes_of(c, left, k);
	return sum;
}

/* Sort like lumps into types, the largest first. Returns 0 when there are too many types, or too
 * many lumps of one. */
static int find_types(struct copies *c)
{
	c->n_types = 0;
	for (size_t i = 0; i < c->n_lumps; i++) {
		const struct lump *lump = &c->lumps[i];
		size_t k = 0;
		while (k < c->n_types &&
		       (c->types[k].shared != lump->shared || c->types[k].own != lump->own))
			k++;
		if (k == MOST_TYPES || (k < c->n_types && c->types[k].n == MOST_OF_TYPE))
			return 0;
		if (k == c->n_types)
			c->types[c->n_types++] = (struct type){ lump->shared, lump->own, 0 };
		c->types[k].n++;
	}
	for (size_t i = 1; i < c->n_types; i++) {
		struct type type = c->types[i];
		size_t k = i;
		for (; k && size_of(c->types[k - 1].shared, c->types[k - 1].own) <
				    size_of(type.shared, type.own);
		     k--)
			c->types[k] = c->types[k - 1];
		c->types[k] = type;
	}
	return 1;
}

/* A pass that is being filled. */
struct pass {
	size_t left;	   /* passes after it */
	unsigned *counts;  /* by type: lumps in no pass yet */
	unsigned *filling; /* by type: lumps in it */
	size_t own;
	uint32_t shared;
};

static int fill_passes(struct copies *c, unsigned *counts, size_t left);

static int has_room(const struct copies *c, const struct pass *p, const struct type *type)
{
	return size_of(p->shared | type->shared, (unsigned)p->own + type->own) <=
	       c->packing->capacity;
}

/* Fill the pass with lumps of type @from on, in every way that leaves room for no other lump. */
static int fill_pass(struct copies *c, struct pass *p, size_t from)
{
	if (from == c->n_types) {
		if (!pms_effort_spend(c->effort, 1 + c->n_types / TYPES_A_STEP))
			return PMS_ANSWER_OPEN;
		for (size_t i = 0; i < c->n_types; i++)
			if (p->counts[i] && has_room(c, p, &c->types[i]))
				return PMS_ANSWER_NO;
		return fill_passes(c, p->counts, p->left);
	}
	const struct type *type = &c->types[from];
	struct pass next = *p;
	unsigned n = 0;
	while (n < p->counts[from] && has_room(c, &next, type)) {
		next.own += type->own;
		next.shared |= type->shared;
		n++;
	}
	int rc = PMS_ANSWER_NO;
	for (;; n--) {
		next.own = p->own + (size_t)n * type->own;
		next.shared = n ? p->shared | type->shared : p->shared;
		p->counts[from] -= n;
		p->filling[from] += n;
		rc = fill_pass(c, &next, from + 1);
		if (rc != PMS_ANSWER_NO)
			return rc;
		p->counts[from] += n;
		p->filling[from] -= n;
		if (!n)
			return rc;
	}
}

static void sort_words(uint64_t *words, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t word = words[i];
		size_t k = i;
		for (; k && words[k - 1] > word; k--)
			words[k] = words[k - 1];
		words[k] = word;
	}
}

/* Find the shared events that are not interchangeable: a lump that is left has another shared event
 * too, or is too large to be counted in a byte of its size. */
static uint32_t peculiar(const struct copies *c, const unsigned *counts)
{
	uint32_t all = 0;
	for (size_t i = 0; i < c->n_types; i++) {
		uint32_t shared = c->types[i].shared;
		if (counts[i] && ((shared & (shared - 1)) || c->types[i].own >= BYTES))
			all |= shared;
	}
	return all;
}

/* Marks a word for a type. Words of one byte for each size do not have it, since no byte exceeds
 * MOST_OF_TYPE. */
#define MARK ((uint64_t)1 << 63)

/* Make a word for lumps of a type: their shared events, their size, their number. Returns 0 where
 * these do not fit into a word. */
static uint64_t word_of(const struct copies *c, const struct type *type, unsigned count)
{
	uint64_t word = 0;
	size_t n = 0;
	for (uint32_t rest = type->shared; rest; rest &= rest - 1, n++)
		word = word << 10 | (c->shared[__builtin_ctz(rest)] + 1);
	return n > 4 || c->packing->n_events >= 1023 || type->own >= 64
		       ? 0
		       : MARK | word << 14 | (uint64_t)type->own << 8 | count;
}

/* Describe what is left, to remember it. The description does not depend on which events were
 * chosen to be shared. It is equal when interchangeable events were exchanged: for these only the
 * lumps of each size count. Returns 0 where that takes too many words. */
static int describe(const struct copies *c, const unsigned *counts, uint64_t *set)
{
	uint64_t alike[MOST_SHARED] = { 0 };
	uint32_t apart = peculiar(c, counts);
	size_t n = 0;
	pms_bits_zero(set, WORDS);
	for (size_t i = 0; i < c->n_types; i++) {
		const struct type *type = &c->types[i];
		if (!counts[i])
			continue;
		if (type->shared && !(type->shared & apart)) {
			alike[__builtin_ctz(type->shared)] |= (uint64_t)counts[i] << 8 * type->own;
			continue;
		}
		if (n == WORDS || !(set[n++] = word_of(c, type, counts[i])))
			return 0;
	}
	sort_words(set, n);
	size_t first = n;
	for (size_t k = 0; k < c->n_shared; k++) {
		if (alike[k] && n == WORDS)
			return 0;
		if (alike[k])
			set[n++] = alike[k];
	}
	sort_words(set + first, n - first);
	return 1;
}

/* Put all lumps that are left into the @left passes that are left. */
static int fill_passes(struct copies *c, unsigned *counts, size_t left)
{
	uint64_t set[WORDS];
	size_t first = 0;
	while (first < c->n_types && !counts[first])
		first++;
	if (first == c->n_types)
		return PMS_ANSWER_YES;
	if (counters_of(c, counts) > left * c->packing->capacity)
		return PMS_ANSWER_NO;
	int is_kept = describe(c, counts, set);
	if (is_kept && pms_seen_has(&c->seen, set, left))
		return PMS_ANSWER_NO;
	/* Put the largest lump into this pass: it has to be in one. */
	struct pass pass = { .left = left - 1,
			     .counts = counts,
			     .filling = c->fillings + (c->n_passes - left) * MOST_TYPES,
			     .own = c->types[first].own,
			     .shared = c->types[first].shared };
	memset(pass.filling, 0, MOST_TYPES * sizeof(*pass.filling));
	counts[first]--;
	pass.filling[first]++;
	int rc = fill_pass(c, &pass, 0);
	if (rc == PMS_ANSWER_YES)
		return rc;
	counts[first]++;
	if (rc == PMS_ANSWER_NO && is_kept)
		pms_seen_add(&c->seen, set, left);
	return rc;
}

static int fill_all(struct copies *c)
{
	unsigned counts[MOST_TYPES] = { 0 };
	for (size_t i = 0; i < c->n_types; i++)
		counts[i] = c->types[i].n;
	if (c->seen.n > MOST_SEEN) {
		pms_seen_release(&c->seen);
		c->seen = (struct pms_seen){ .words = WORDS };
	}
	memset(c->fillings, 0, c->n_passes * MOST_TYPES * sizeof(*c->fillings));
	return fill_passes(c, counts, c->n_passes);
}

/* Choose the undecided event of most sets, in a lump or in all (@root: the number of events). An
 * event of a single set is never worth a copy. */
static size_t choose_event(const struct copies *c, size_t root)
{
	size_t best = PMS_BITS_END;
	for (size_t e = 0; e < c->packing->n_events; e++)
		if (c->chosen[e] == OPEN && c->degree[e] > 1 &&
		    (root == c->packing->n_events || root_of(c, e) == root) &&
		    (best == PMS_BITS_END || c->degree[e] > c->degree[best]))
			best = e;
	return best;
}

static const struct lump *too_large(const struct copies *c)
{
	for (size_t i = 0; i < c->n_lumps; i++)
		if (size_of(c->lumps[i].shared, c->lumps[i].own) > c->packing->capacity)
			return &c->lumps[i];
	return NULL;
}

static int choose(struct copies *c, int tried);

/* Try @event in several passes, then in one. */
static int decide(struct copies *c, size_t event, int tried)
{
	if (event == PMS_BITS_END)
		return PMS_ANSWER_NO;
	if (c->n_shared == MOST_SHARED)
		return PMS_ANSWER_OPEN;
	c->chosen[event] = SHARED;
	c->shared[c->n_shared++] = event;
	int rc = choose(c, 0);
	if (rc == PMS_ANSWER_YES)
		return rc;
	c->n_shared--;
	c->chosen[event] = SINGLE;
	if (rc == PMS_ANSWER_NO)
		rc = choose(c, tried);
	if (rc != PMS_ANSWER_YES)
		c->chosen[event] = OPEN;
	return rc;
}

/* Go on with the decisions so far. @tried: these shared events alone were tried already */
static int choose(struct copies *c, int tried)
{
	size_t pairs = c->packing->n_sets * c->packing->n_events * c->packing->words;
	if (!pms_effort_spend(c->effort, 1 + pairs / PAIRS_A_STEP))
		return PMS_ANSWER_OPEN;
	size_t room = c->n_passes * c->packing->capacity, needed = least_counters(c);
	if (needed > room)
		return PMS_ANSWER_NO;
	find_lumps(c);
	const struct lump *large = too_large(c);
	if (large)
		return decide(c, choose_event(c, large->root), 0);
	if (!find_types(c))
		return PMS_ANSWER_OPEN;
	int rc = tried ? PMS_ANSWER_NO : fill_all(c);
	if (rc != PMS_ANSWER_NO || needed == room)
		return rc;
	return decide(c, choose_event(c, c->packing->n_events), 1);
}

/* Write the events of the lumps in each pass; take lumps of a type in any order. */
static void write_passes(struct copies *c, uint64_t *passes)
{
	const struct pms_packing *packing = c->packing;
	size_t words = packing->words;
	memset(passes, 0, c->n_passes * words * sizeof(*passes));
	for (size_t i = 0; i < c->n_lumps; i++) {
		const struct lump *lump = &c->lumps[i];
		size_t t = 0, pass = 0;
		while (c->types[t].shared != lump->shared || c->types[t].own != lump->own)
			t++;
		while (!c->fillings[pass * MOST_TYPES + t])
			pass++;
		c->fillings[pass * MOST_TYPES + t]--;
		for (size_t e = 0; e < packing->n_events; e++)
			if (c->degree[e] && c->chosen[e] != SHARED && root_of(c, e) == lump->root)
				pms_bits_set(passes + pass * words, e);
		for (size_t k = 0; k < c->n_shared; k++)
			if (lump->shared >> k & 1)
				pms_bits_set(passes + pass * words, c->shared[k]);
	}
}

static int has_apart(const struct pms_problem *problem)
{
	size_t n = problem->packing.n_sets;
	return memchr(problem->apart, 1, n * n) != NULL;
}

static void count_degrees(struct copies *c)
{
	for (size_t e = 0; e < c->packing->n_events; e++)
		for (size_t i = 0; i < c->packing->n_sets; i++)
			c->degree[e] += (size_t)pms_bits_has(pms_packing_set(c->packing, i), e);
}

static void release(struct copies *c)
{
	pms_seen_release(&c->seen);
	free(c->firm);
	free(c->firm_events);
	free(c->clash);
	free(c->scratch);
	free(c->chosen);
	free(c->degree);
	free(c->parent);
	free(c->lumps);
	free(c->fillings);
}

/* Release it, whatever is returned. */
static int init(struct copies *c)
{
	size_t n = c->packing->n_sets, events = c->packing->n_events, words = c->packing->words;
	c->firm = calloc(n + 1, sizeof(*c->firm));
	c->firm_events = calloc(n * words + 1, sizeof(*c->firm_events));
	c->clash = calloc(n + 1, sizeof(*c->clash));
	c->scratch = calloc(words, sizeof(*c->scratch));
	c->chosen = calloc(events + 1, 1);
	c->degree = calloc(events + 1, sizeof(*c->degree));
	c->parent = calloc(events + 1, sizeof(*c->parent));
	c->lumps = calloc(n + 1, sizeof(*c->lumps));
	c->fillings = calloc(c->n_passes * MOST_TYPES + 1, sizeof(*c->fillings));
	if (!c->firm || !c->firm_events || !c->clash || !c->scratch || !c->chosen || !c->degree ||
	    !c->parent || !c->lumps || !c->fillings)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < n; i++)
		c->firm[i].events = c->firm_events + i * words;
	count_degrees(c);
	return 0;
}

int pms_copies(const struct pms_problem *problem, size_t n_passes, struct pms_effort *effort,
	       uint64_t *passes)
{
	struct copies c = { .packing = &problem->packing,
			    .effort = effort,
			    .n_passes = n_passes,
			    .seen = { .words = WORDS } };
	if (has_apart(problem))
		return PMS_ANSWER_OPEN;
	int rc = init(&c);
	if (!rc)
		rc = choose(&c, 0);
	if (rc == PMS_ANSWER_YES)
		write_passes(&c, passes);
	release(&c);
	return rc;
}
