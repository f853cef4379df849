/* SPDX-License-Identifier: MIT */
#include "plan/tight.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "pmuscope/error.h"
#include "base/array.h"
#include "plan/bits.h"
#include "plan/seen.h"
#include "plan/twins.h"

/* The possible passes: for each the numbers of the sets that it serves, then its events. */
struct columns {
	uint64_t *bits;
	size_t n, most;
};

struct tight {
	const struct pms_problem *problem;
	struct pms_pattern *pattern;
	struct pms_effort *effort;
	const struct pms_weights *weights;
	int64_t *event_weights;
	int64_t spare; /* weight that all passes together may leave unused */
	size_t row_words, stride;
	struct columns columns;
	size_t *chosen;		      /* columns, one for each pass */
	size_t n_passes, most_passes; /* of the cover found; of any cover */
	struct pms_seen seen;	      /* sets that a number of passes cannot serve */
	struct pms_twins twins;
	uint64_t *scratch; /* a column */
};

/* The sets that the following passes still have to serve. */
struct state {
	uint64_t *left; /* sets to serve */
	size_t *room;	/* of each piece: counters that it needs */
	int64_t spare;
	size_t pass; /* number of the pass to choose next */
};

static const uint64_t *column(const struct tight *t, size_t i)
{
	return t->columns.bits + i * t->stride;
}

static size_t count_of(const struct tight *t, const uint64_t *col, size_t piece)
{
	const uint64_t *events = t->problem->pieces.pieces[piece].events;
	size_t n = 0;
	for (size_t w = 0; w < t->problem->packing.words; w++)
		n += (size_t)__builtin_popcountll(col[t->row_words + w] & events[w]);
	return n;
}

/* Returns the weight that a pass adds in this state. */
static int64_t use_of(const struct tight *t, const uint64_t *col, const struct state *state)
{
	int64_t sum = 0;
	for (size_t w = 0; w < t->row_words; w++)
		for (uint64_t rows = col[w] & state->left[w]; rows; rows &= rows - 1)
			sum += t->weights->sets[w * 64 + (size_t)__builtin_ctzll(rows)];
	for (size_t p = 0; p < t->problem->pieces.n; p++) {
		size_t count = count_of(t, col, p);
		sum += t->weights->pieces[p] *
		       (int64_t)(count < state->room[p] ? count : state->room[p]);
	}
	return sum;
}

static int64_t weigh(const struct tight *t, const uint64_t *col)
{
	int64_t sum = 0;
	for (size_t i = pms_bits_next(col, t->row_words, 0); i != PMS_BITS_END;
	     i = pms_bits_next(col, t->row_words, i + 1))
		sum += t->weights->sets[i];
	for (size_t p = 0; p < t->problem->pieces.n; p++)
		sum += t->weights->pieces[p] * (int64_t)count_of(t, col, p);
	return sum;
}

/* Append the column unless it leaves more unused than is to spare. */
static int append_column(struct tight *t, const uint64_t *col)
{
	if (weigh(t, col) < t->weights->heaviest - t->spare)
		return 0;
	if (t->columns.n == t->columns.most)
		return PMS_ANSWER_OPEN;
	uint64_t *grown = pms_array_room(t->columns.bits, t->columns.n, t->stride * sizeof(*grown));
	if (!grown)
		return -PMS_ENOMEM;
	t->columns.bits = grown;
	pms_bits_copy(grown + t->columns.n++ * t->stride, col, t->stride);
	return 0;
}

/* List a pass of these events, unless some are useless in it or one more event would serve more. */
static int list_pass(struct tight *t, const uint64_t *events)
{
	const struct pms_packing *packing = &t->problem->packing;
	size_t words = packing->words;
	uint64_t *of_use = t->scratch + t->row_words;
	pms_bits_zero(t->scratch, t->stride);
	for (size_t i = 0; i < packing->n_sets; i++) {
		const uint64_t *set = pms_packing_set(packing, i);
		if (pms_bits_within(set, events, words)) {
			pms_bits_set(t->scratch, i);
			pms_bits_add(of_use, set, words);
		} else if (pms_bits_count_union(set, events, words) <= packing->capacity) {
			return 0;
		}
	}
	return pms_bits_within(events, of_use, words) ? append_column(t, t->scratch) : 0;
}

/* A partial choice of events. */
struct choice {
	struct pms_packing rest; /* the sets that can still be served, without the chosen events */
	int64_t *weights;	 /* of those */
	int64_t *event_weights;	 /* weights of the events that these still need */
	uint64_t *sets;
	uint64_t *events; /* chosen */
	int64_t gain;	  /* the weight of the sets served already, and of the chosen events */
};

static void choice_release(struct choice *choice)
{
	free(choice->weights);
	free(choice->event_weights);
	free(choice->sets);
	free(choice->events);
}

static int choice_init(struct choice *choice, const struct pms_packing *like)
{
	*choice = (struct choice){
		.rest = *like,
		.weights = calloc(like->n_sets + 1, sizeof(*choice->weights)),
		.event_weights = calloc(like->n_events + 1, sizeof(*choice->event_weights)),
		.sets = calloc(like->n_sets * like->words + 1, sizeof(*choice->sets)),
		.events = calloc(like->words, sizeof(*choice->events))
	};
	choice->rest.sets = choice->sets;
	choice->rest.n_sets = 0;
	if (choice->weights && choice->event_weights && choice->sets && choice->events)
		return 0;
	choice_release(choice);
	return -PMS_ENOMEM;
}

static void choice_keep(struct choice *choice, const uint64_t *set, int64_t weight)
{
	uint64_t *to = choice->sets + choice->rest.n_sets * choice->rest.words;
	pms_bits_copy(to, set, choice->rest.words);
	choice->weights[choice->rest.n_sets++] = weight;
}

static void choice_weigh_events(struct choice *choice, const int64_t *event_weights)
{
	size_t words = choice->rest.words;
	for (size_t i = 0; i < choice->rest.n_sets; i++) {
		const uint64_t *set = choice->sets + i * words;
		for (size_t e = pms_bits_next(set, words, 0); e != PMS_BITS_END;
		     e = pms_bits_next(set, words, e + 1))
			choice->event_weights[e] = event_weights[e];
	}
}

/* @to = @from with @event chosen or given up. */
static int choice_decide(const struct tight *t, struct choice *to, const struct choice *from,
			 size_t event, int chosen)
{
	size_t words = from->rest.words;
	int rc = choice_init(to, &from->rest);
	if (rc)
		return rc;
	pms_bits_copy(to->events, from->events, words);
	to->gain = from->gain;
	if (chosen) {
		pms_bits_set(to->events, event);
		to->rest.capacity--;
		to->gain += t->event_weights[event];
	}
	for (size_t i = 0; i < from->rest.n_sets; i++) {
		const uint64_t *set = pms_packing_set(&from->rest, i);
		int has = pms_bits_has(set, event);
		if (has && !chosen)
			continue;
		choice_keep(to, set, from->weights[i]);
		uint64_t *kept = to->sets + (to->rest.n_sets - 1) * words;
		pms_bits_clear(kept, event);
		size_t size = pms_bits_count(kept, words);
		if (!size)
			to->gain += from->weights[i];
		if (!size || size > to->rest.capacity)
			to->rest.n_sets--;
	}
	choice_weigh_events(to, t->event_weights);
	return 0;
}

/* Find the event of most sets. */
static size_t busiest(const struct pms_packing *packing)
{
	size_t best = 0, most = 0;
	for (size_t e = 0; e < packing->n_events; e++) {
		size_t n = 0;
		for (size_t i = 0; i < packing->n_sets; i++)
			n += (size_t)pms_bits_has(pms_packing_set(packing, i), e);
		if (n > most) {
			most = n;
			best = e;
		}
	}
	return best;
}

/* List all passes that @choice can still become, and that leave no more weight unused than allowed.
 * @events: room for a set of events */
static int list_passes(struct tight *t, const struct choice *choice, uint64_t *events)
{
	int64_t least = t->weights->heaviest - t->spare;
	if (!choice->rest.n_sets)
		return choice->gain < least ? 0 : list_pass(t, choice->events);
	int64_t more = pms_pattern_best(t->pattern, &choice->rest, choice->weights,
					choice->event_weights, t->effort, events);
	if (more < 0)
		return (int)more;
	if (choice->gain + more < least)
		return 0;
	size_t event = busiest(&choice->rest);
	int rc = 0;
	for (int chosen = 1; chosen >= 0 && !rc; chosen--) {
		struct choice next;
		rc = choice_decide(t, &next, choice, event, chosen);
		if (rc)
			return rc;
		rc = list_passes(t, &next, events);
		choice_release(&next);
	}
	return rc;
}

static int list_all(struct tight *t)
{
	const struct pms_packing *packing = &t->problem->packing;
	struct choice all;
	int rc = choice_init(&all, packing);
	if (rc)
		return rc;
	for (size_t i = 0; i < packing->n_sets; i++)
		choice_keep(&all, pms_packing_set(packing, i), t->weights->sets[i]);
	choice_weigh_events(&all, t->event_weights);
	uint64_t *events = calloc(packing->words, sizeof(*events));
	rc = events ? list_passes(t, &all, events) : -PMS_ENOMEM;
	free(events);
	choice_release(&all);
	return rc;
}

/* Copy the columns of @from that leave no more weight unused than this state allows to @to.
 * @counts: receives the number of them for each set. Returns how many. */
static size_t usable(const struct tight *t, const size_t *from, size_t n, const struct state *state,
		     size_t *to, size_t *counts)
{
	size_t kept = 0;
	memset(counts, 0, t->problem->packing.n_sets * sizeof(*counts));
	for (size_t c = 0; c < n; c++) {
		const uint64_t *col = column(t, from[c]);
		if (use_of(t, col, state) < t->weights->heaviest - state->spare)
			continue;
		to[kept++] = from[c];
		for (size_t w = 0; w < t->row_words; w++)
			for (uint64_t rows = col[w] & state->left[w]; rows; rows &= rows - 1)
				counts[w * 64 + (size_t)__builtin_ctzll(rows)]++;
	}
	return kept;
}

static size_t scarcest(const uint64_t *left, size_t words, const size_t *counts)
{
	size_t best = pms_bits_next(left, words, 0);
	for (size_t i = best; i != PMS_BITS_END; i = pms_bits_next(left, words, i + 1))
		if (counts[i] < counts[best])
			best = i;
	return best;
}

static int cover(struct tight *t, const struct state *state, const size_t *from, size_t n);

/* @to = @from with one pass more, this column. */
static void state_take(const struct tight *t, struct state *to, const struct state *from,
		       const uint64_t *col)
{
	to->pass = from->pass + 1;
	to->spare = from->spare - (t->weights->heaviest - use_of(t, col, from));
	for (size_t w = 0; w < t->row_words; w++)
		to->left[w] = from->left[w] & ~col[w];
	for (size_t p = 0; p < t->problem->pieces.n; p++) {
		size_t count = count_of(t, col, p);
		to->room[p] = from->room[p] > count ? from->room[p] - count : 0;
	}
}

static int state_init(const struct tight *t, struct state *state)
{
	*state = (struct state){ .left = calloc(t->row_words, sizeof(*state->left)),
				 .room = calloc(t->problem->pieces.n + 1, sizeof(*state->room)) };
	return state->left && state->room ? 0 : -PMS_ENOMEM;
}

static void state_release(struct state *state)
{
	free(state->left);
	free(state->room);
}

/* Try to serve @row by each of the columns that can. */
static int cover_row(struct tight *t, const struct state *state, const size_t *list, size_t n,
		     size_t row)
{
	struct state next;
	int rc = state_init(t, &next);
	for (size_t c = 0; c < n && rc == PMS_ANSWER_NO; c++) {
		if (!pms_bits_has(column(t, list[c]), row))
			continue;
		t->chosen[state->pass] = list[c];
		state_take(t, &next, state, column(t, list[c]));
		rc = cover(t, &next, list, n);
	}
	state_release(&next);
	return rc;
}

/* Serve the set that the fewest of the n columns at @from can serve, then the others. */
static int cover_scarcest(struct tight *t, const struct state *state, const size_t *from, size_t n)
{
	size_t n_sets = t->problem->packing.n_sets;
	assert(n_sets); /* some are left */
	size_t *list = calloc(n + n_sets, sizeof(*list));
	if (!list)
		return -PMS_ENOMEM;
	size_t *counts = list + n, kept = usable(t, from, n, state, list, counts);
	size_t row = scarcest(state->left, t->row_words, counts);
	int rc = counts[row] ? cover_row(t, state, list, kept, row) : PMS_ANSWER_NO;
	free(list);
	return rc;
}

/* Serve what is left, unless the state is known to fail. */
static int cover(struct tight *t, const struct state *state, const size_t *from, size_t n)
{
	size_t passes = t->most_passes - state->pass;
	if (pms_bits_next(state->left, t->row_words, 0) == PMS_BITS_END) {
		t->n_passes = state->pass;
		return PMS_ANSWER_YES;
	}
	if (state->spare < 0)
		return PMS_ANSWER_NO;
	/* A state that differs only by exchanged twins was tried already. */
	pms_bits_copy(t->scratch, state->left, t->row_words);
	pms_twins_settle(&t->twins, t->scratch);
	if (pms_seen_has(&t->seen, t->scratch, passes))
		return PMS_ANSWER_NO;
	if (!pms_effort_spend(t->effort, 1 + n / 16))
		return -PMS_EINVAL;
	int rc = cover_scarcest(t, state, from, n);
	if (rc == PMS_ANSWER_NO) {
		pms_bits_copy(t->scratch, state->left, t->row_words);
		pms_twins_settle(&t->twins, t->scratch);
		pms_seen_add(&t->seen, t->scratch, passes);
	}
	return rc;
}

/* Ask whether the columns cover the whole problem. */
static int cover_all(struct tight *t)
{
	struct state whole;
	size_t n = t->columns.n;
	size_t *all = calloc(n + 1, sizeof(*all));
	int rc = state_init(t, &whole);
	if (!all)
		rc = -PMS_ENOMEM;
	for (size_t i = 0; !rc && i < n; i++)
		all[i] = i;
	for (size_t i = 0; !rc && i < t->problem->packing.n_sets; i++)
		pms_bits_set(whole.left, i);
	for (size_t p = 0; !rc && p < t->problem->pieces.n; p++)
		whole.room[p] = t->problem->pieces.pieces[p].needs;
	whole.spare = t->spare;
	if (!rc)
		rc = cover(t, &whole, all, n);
	state_release(&whole);
	free(all);
	return rc;
}

static void write_passes(const struct tight *t, uint64_t *passes, size_t n_passes)
{
	size_t words = t->problem->packing.words;
	memset(passes, 0, n_passes * words * sizeof(*passes));
	for (size_t k = 0; k < t->n_passes; k++)
		pms_bits_copy(passes + k * words, column(t, t->chosen[k]) + t->row_words, words);
}

static void weigh_events(struct tight *t)
{
	size_t words = t->problem->packing.words;
	for (size_t p = 0; p < t->problem->pieces.n; p++) {
		const uint64_t *events = t->problem->pieces.pieces[p].events;
		for (size_t e = pms_bits_next(events, words, 0); e != PMS_BITS_END;
		     e = pms_bits_next(events, words, e + 1))
			t->event_weights[e] = t->weights->pieces[p];
	}
}

int pms_tight(const struct pms_problem *problem, struct pms_pattern *pattern,
	      const struct pms_weights *weights, size_t n_passes, size_t most,
	      struct pms_effort *effort, uint64_t *passes)
{
	const struct pms_packing *packing = &problem->packing;
	struct tight t = { .problem = problem,
			   .pattern = pattern,
			   .effort = effort,
			   .weights = weights,
			   .spare = (int64_t)n_passes * weights->heaviest - weights->total,
			   .row_words = pms_bits_words(packing->n_sets),
			   .columns.most = most,
			   .most_passes = n_passes };
	t.seen.words = t.row_words;
	t.stride = t.row_words + packing->words;
	t.chosen = calloc(n_passes + 1, sizeof(*t.chosen));
	t.scratch = calloc(t.stride, sizeof(*t.scratch));
	t.event_weights = calloc(packing->n_events, sizeof(*t.event_weights));
	int rc = t.chosen && t.scratch && t.event_weights ? PMS_ANSWER_NO : -PMS_ENOMEM;
	if (!rc && t.spare >= 0) {
		weigh_events(&t);
		rc = pms_twins_init(&t.twins, problem);
		if (!rc)
			rc = list_all(&t);
		if (!rc)
			rc = cover_all(&t);
		if (rc == PMS_ANSWER_YES)
			write_passes(&t, passes, n_passes);
	}
	pms_seen_release(&t.seen);
	pms_twins_release(&t.twins);
	free(t.columns.bits);
	free(t.chosen);
	free(t.scratch);
	free(t.event_weights);
	return rc;
}
