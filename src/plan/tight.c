/* SPDX-License-Identifier: MIT */
#include "plan/tight.h"

#include <stdlib.h>
#include <string.h>

#include "pmuscope/error.h"
#include "base/array.h"
#include "plan/bits.h"

/* What one pass may serve: a set of numbers of sets. */
struct columns {
	uint64_t *rows; /* n times row_words */
	size_t n, most;
};

struct tight {
	const struct pms_problem *problem;
	struct pms_pattern *pattern;
	struct pms_effort *effort;
	const int64_t *weights;
	int64_t heaviest, spare; /* spare: what all passes together may leave unused */
	size_t row_words;
	struct columns columns;
	size_t *chosen; /* columns, one for each pass */
	size_t n_passes;
	uint64_t *scratch; /* a set of rows */
};

static const uint64_t *column(const struct tight *t, size_t i)
{
	return t->columns.rows + i * t->row_words;
}

static int64_t weigh(const struct tight *t, const uint64_t *rows)
{
	int64_t sum = 0;
	for (size_t i = pms_bits_next(rows, t->row_words, 0); i != PMS_BITS_END;
	     i = pms_bits_next(rows, t->row_words, i + 1))
		sum += t->weights[i];
	return sum;
}

/* Append what is left of @rows when of each two that must be apart one is taken out, in every way
 * that leaves enough. */
static int append_columns(struct tight *t, const uint64_t *rows)
{
	size_t words = t->row_words;
	if (weigh(t, rows) < t->heaviest - t->spare)
		return 0;
	for (size_t i = pms_bits_next(rows, words, 0); i != PMS_BITS_END;
	     i = pms_bits_next(rows, words, i + 1))
		for (size_t j = pms_bits_next(rows, words, i + 1); j != PMS_BITS_END;
		     j = pms_bits_next(rows, words, j + 1)) {
			if (!pms_problem_apart(t->problem, i, j))
				continue;
			uint64_t *without = calloc(words, sizeof(*without));
			int rc = without ? 0 : -PMS_ENOMEM;
			for (size_t k = 0; !rc && k < 2; k++) {
				pms_bits_copy(without, rows, words);
				pms_bits_clear(without, k ? j : i);
				rc = append_columns(t, without);
			}
			free(without);
			return rc;
		}
	if (t->columns.n == t->columns.most)
		return PMS_ANSWER_OPEN;
	uint64_t *grown = pms_array_room(t->columns.rows, t->columns.n, words * sizeof(*grown));
	if (!grown)
		return -PMS_ENOMEM;
	t->columns.rows = grown;
	pms_bits_copy(grown + t->columns.n++ * words, rows, words);
	return 0;
}

/* A pass of these events, unless an event more would serve more. */
static int list_pass(struct tight *t, const uint64_t *events)
{
	const struct pms_packing *packing = &t->problem->packing;
	size_t words = packing->words;
	pms_bits_zero(t->scratch, t->row_words);
	for (size_t i = 0; i < packing->n_sets; i++) {
		const uint64_t *set = pms_packing_set(packing, i);
		if (pms_bits_within(set, events, words))
			pms_bits_set(t->scratch, i);
		else if (pms_bits_count_union(set, events, words) <= packing->capacity)
			return 0;
	}
	return append_columns(t, t->scratch);
}

/* A choice of events that is being made. */
struct choice {
	struct pms_packing rest; /* the sets that can still be served, without the chosen events */
	int64_t *weights;	 /* of those */
	uint64_t *sets;
	uint64_t *events; /* chosen */
	int64_t gain;	  /* the weight of sets that are served already */
};

static void choice_release(struct choice *choice)
{
	free(choice->weights);
	free(choice->sets);
	free(choice->events);
}

static int choice_init(struct choice *choice, const struct pms_packing *like)
{
	*choice = (struct choice){ .rest = *like,
				   .weights = calloc(like->n_sets + 1, sizeof(*choice->weights)),
				   .sets = calloc(like->n_sets * like->words + 1,
						  sizeof(*choice->sets)),
				   .events = calloc(like->words, sizeof(*choice->events)) };
	choice->rest.sets = choice->sets;
	choice->rest.n_sets = 0;
	if (choice->weights && choice->sets && choice->events)
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

/* @to = @from with @event chosen or given up. */
static int choice_decide(struct choice *to, const struct choice *from, size_t event, int chosen)
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
	return 0;
}

/* The event of most sets. */
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

/* List all passes that @choice can still become and that leave no more unused than is to spare. */
static int list_passes(struct tight *t, const struct choice *choice, uint64_t *events)
{
	if (!choice->rest.n_sets)
		return choice->gain < t->heaviest - t->spare ? 0 : list_pass(t, choice->events);
	int64_t more =
		pms_pattern_best(t->pattern, &choice->rest, choice->weights, t->effort, events);
	if (more < 0)
		return (int)more;
	if (choice->gain + more < t->heaviest - t->spare)
		return 0;
	size_t event = busiest(&choice->rest);
	int rc = 0;
	for (int chosen = 1; chosen >= 0 && !rc; chosen--) {
		struct choice next;
		rc = choice_decide(&next, choice, event, chosen);
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
		choice_keep(&all, pms_packing_set(packing, i), t->weights[i]);
	uint64_t *events = calloc(packing->words, sizeof(*events));
	rc = events ? list_passes(t, &all, events) : -PMS_ENOMEM;
	free(events);
	choice_release(&all);
	return rc;
}

/* Of the columns at @from, those that leave no more unused than @spare, now that only @left is to
 * be served, go to @to; @counts has how many there are for each row. Returns how many. */
static size_t usable(const struct tight *t, const size_t *from, size_t n, const uint64_t *left,
		     int64_t spare, size_t *to, size_t *counts)
{
	size_t kept = 0;
	memset(counts, 0, t->problem->packing.n_sets * sizeof(*counts));
	for (size_t c = 0; c < n; c++) {
		const uint64_t *rows = column(t, from[c]);
		int64_t weight = 0;
		for (size_t w = 0; w < t->row_words; w++)
			t->scratch[w] = rows[w] & left[w];
		weight = weigh(t, t->scratch);
		if (weight < t->heaviest - spare)
			continue;
		to[kept++] = from[c];
		for (size_t i = pms_bits_next(t->scratch, t->row_words, 0); i != PMS_BITS_END;
		     i = pms_bits_next(t->scratch, t->row_words, i + 1))
			counts[i]++;
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

static int cover(struct tight *t, size_t pass, const uint64_t *left, int64_t spare,
		 const size_t *from, size_t n);

/* Serve @row by each of the columns that can. */
static int cover_row(struct tight *t, size_t pass, const uint64_t *left, int64_t spare,
		     const size_t *list, size_t n, size_t row)
{
	uint64_t *next = calloc(t->row_words, sizeof(*next));
	int rc = next ? PMS_ANSWER_NO : -PMS_ENOMEM;
	for (size_t c = 0; c < n && rc == PMS_ANSWER_NO; c++) {
		const uint64_t *rows = column(t, list[c]);
		if (!pms_bits_has(rows, row))
			continue;
		for (size_t w = 0; w < t->row_words; w++) {
			t->scratch[w] = left[w] & rows[w];
			next[w] = left[w] & ~rows[w];
		}
		t->chosen[pass] = list[c];
		rc = cover(t, pass + 1, next, spare - (t->heaviest - weigh(t, t->scratch)), list,
			   n);
	}
	free(next);
	return rc;
}

static int cover(struct tight *t, size_t pass, const uint64_t *left, int64_t spare,
		 const size_t *from, size_t n)
{
	if (pms_bits_next(left, t->row_words, 0) == PMS_BITS_END) {
		t->n_passes = pass;
		return PMS_ANSWER_YES;
	}
	if (spare < 0)
		return PMS_ANSWER_NO;
	if (!pms_effort_spend(t->effort, 1 + n / 16))
		return -PMS_EINVAL;
	size_t *list = calloc(n + t->problem->packing.n_sets, sizeof(*list));
	if (!list)
		return -PMS_ENOMEM;
	size_t *counts = list + n;
	size_t kept = usable(t, from, n, left, spare, list, counts);
	size_t row = scarcest(left, t->row_words, counts);
	int rc = PMS_ANSWER_NO;
	if (counts[row])
		rc = cover_row(t, pass, left, spare, list, kept, row);
	free(list);
	return rc;
}

static int cover_all(struct tight *t)
{
	size_t n = t->columns.n;
	size_t *all = calloc(n + 1, sizeof(*all));
	uint64_t *left = calloc(t->row_words, sizeof(*left));
	for (size_t i = 0; all && i < n; i++)
		all[i] = i;
	for (size_t i = 0; left && i < t->problem->packing.n_sets; i++)
		pms_bits_set(left, i);
	int rc = all && left ? cover(t, 0, left, t->spare, all, n) : -PMS_ENOMEM;
	free(all);
	free(left);
	return rc;
}

static void write_passes(const struct tight *t, uint64_t *passes, size_t n_passes)
{
	const struct pms_packing *packing = &t->problem->packing;
	memset(passes, 0, n_passes * packing->words * sizeof(*passes));
	for (size_t k = 0; k < t->n_passes; k++) {
		const uint64_t *rows = column(t, t->chosen[k]);
		for (size_t i = pms_bits_next(rows, t->row_words, 0); i != PMS_BITS_END;
		     i = pms_bits_next(rows, t->row_words, i + 1))
			pms_bits_add(passes + k * packing->words, pms_packing_set(packing, i),
				     packing->words);
	}
}

int pms_tight(const struct pms_problem *problem, struct pms_pattern *pattern,
	      const int64_t *weights, int64_t heaviest, size_t n_passes, size_t most,
	      struct pms_effort *effort, uint64_t *passes)
{
	struct tight t = { .problem = problem,
			   .pattern = pattern,
			   .effort = effort,
			   .weights = weights,
			   .heaviest = heaviest,
			   .spare = (int64_t)n_passes * heaviest,
			   .row_words = pms_bits_words(problem->packing.n_sets),
			   .columns.most = most };
	for (size_t i = 0; i < problem->packing.n_sets; i++)
		t.spare -= weights[i];
	t.chosen = calloc(n_passes + 1, sizeof(*t.chosen));
	t.scratch = calloc(t.row_words, sizeof(*t.scratch));
	int rc = t.chosen && t.scratch ? PMS_ANSWER_NO : -PMS_ENOMEM;
	if (!rc && t.spare >= 0) {
		rc = list_all(&t);
		if (!rc)
			rc = cover_all(&t);
		if (rc == PMS_ANSWER_YES)
			write_passes(&t, passes, n_passes);
	}
	free(t.columns.rows);
	free(t.chosen);
	free(t.scratch);
	return rc;
}
