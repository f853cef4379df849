/* SPDX-License-Identifier: MIT */
/* Branch and price. Fill passes greedily first, and stop when there are no more than counting
 * events demands. Else the linear program gives a bound, and its solution says which two sets to
 * decide on. Either one pass serves both, and they become one set, or no pass does. Each case is a
 * smaller problem of the same kind. */
#include "plan/packing.h"

#include <stdlib.h>
#include <string.h>

#include "pmuscope/error.h"
#include "plan/bits.h"
#include "plan/bound.h"
#include "plan/copies.h"
#include "plan/fill.h"
#include "plan/master.h"
#include "plan/tight.h"

enum {
	FILL_ROUNDS = 24,
	FEW_COPIES_EFFORT = 100000,
	TIGHT_EFFORT = 3000000,
	COPIES_EFFORT = 16000000,
	MOST_COLUMNS = 100000, /* most columns to list for a question */
	MOST_SETS = 512,       /* most sets of a search; more are packed in the simplest way */
	MOST_EVENTS = 512,
	OPEN_PASSES = 32 /* simple packing looks at this many last passes */
};

struct search {
	const struct pms_packing *packing; /* the whole question */
	struct pms_pattern *pattern;
	struct pms_effort *effort;
	struct pms_packed *best;
	size_t below;	  /* look only for fewer passes than this */
	size_t enough;	  /* stop at this number of passes */
	size_t bound;	  /* proved for the whole */
	uint64_t *passes; /* of a filling */
};

/* A problem that owns its memory. */
struct node {
	struct pms_problem problem;
	uint64_t *sets;
	unsigned char *apart;
};

static void node_release(struct node *node)
{
	pms_pieces_release(&node->problem.pieces);
	free(node->sets);
	free(node->apart);
}

/* Release it whatever is returned. */
static int node_init(struct node *node, const struct pms_packing *like)
{
	uint64_t *sets = calloc(like->n_sets * like->words, sizeof(*sets));
	unsigned char *apart = calloc(like->n_sets * like->n_sets, 1);
	*node = (struct node){ .problem = { .packing = *like, .apart = apart },
			       .sets = sets,
			       .apart = apart };
	node->problem.packing.sets = sets;
	return sets && apart ? 0 : -PMS_ENOMEM;
}

/* Finish a node once its sets are there. */
static int node_finish(struct node *node)
{
	return pms_pieces_init(&node->problem.pieces, &node->problem.packing);
}

static int is_done(const struct search *s)
{
	return s->below <= s->bound || (s->best->n_passes && s->best->n_passes <= s->enough);
}

static void keep_best(struct search *s, size_t n)
{
	if (n >= s->best->n_passes && s->best->n_passes)
		return;
	memcpy(s->best->passes, s->passes, n * s->packing->words * sizeof(*s->passes));
	s->best->n_passes = n;
	if (n < s->below)
		s->below = n;
}

/* Fill passes for @packing by weights that get better, at most @rounds times. */
static int fill(struct search *s, const struct pms_packing *packing, int64_t *weights, int rounds)
{
	for (int i = 0; i < rounds && !is_done(s); i++) {
		size_t most = s->best->n_passes ? s->best->n_passes : packing->n_sets;
		int64_t n = pms_fill(s->pattern, packing, weights, most, s->effort, s->passes);
		if (n < 0)
			return (int)n;
		if ((size_t)n <= most)
			keep_best(s, (size_t)n);
	}
	return 0;
}

/* Fill by the linear program's weights, with weights of 0 raised a little. */
static int fill_by_master(struct search *s, const struct pms_problem *problem,
			  const struct pms_master *master)
{
	size_t n = problem->packing.n_sets;
	int64_t *weights = calloc(n, sizeof(*weights));
	if (!weights)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < n; i++)
		weights[i] = pms_master_weights(master)->sets[i] + 1000;
	int rc = fill(s, &problem->packing, weights, FILL_ROUNDS / 4);
	free(weights);
	return rc;
}

/* Add up, for each two sets, the parts of passes that serve both. */
static void add_together(const struct pms_master *master, size_t n, double *together)
{
	for (size_t k = 0; k < pms_master_basis(master); k++) {
		double amount;
		const uint64_t *rows = pms_master_column(master, k, &amount);
		size_t words = pms_bits_words(n);
		if (!rows || amount <= 0)
			continue;
		for (size_t i = pms_bits_next(rows, words, 0); i != PMS_BITS_END;
		     i = pms_bits_next(rows, words, i + 1))
			for (size_t j = pms_bits_next(rows, words, i + 1); j != PMS_BITS_END;
			     j = pms_bits_next(rows, words, j + 1))
				together[i * n + j] += amount;
	}
}

/* Choose the two sets to decide on: together in the largest part that is not whole, else in the
 * largest part. Returns 0 when no two sets are ever together. */
static int choose_pair(const double *together, size_t n, size_t pair[2])
{
	double best = 0;
	int any = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			double part = together[i * n + j];
			if (part > 0.99)
				part = 1e-3;
			if (part > best + 1e-6) {
				best = part;
				pair[0] = i;
				pair[1] = j;
				any = 1;
			}
		}
	return any;
}

static int has_apart(const struct pms_problem *problem, size_t i)
{
	for (size_t j = 0; j < problem->packing.n_sets; j++)
		if (pms_problem_apart(problem, i, j))
			return 1;
	return 0;
}

/* @to = @from with both sets in one. Drop sets that the merged one contains, unless they have to be
 * apart from others. */
static int merge(struct node *to, const struct pms_problem *from, const size_t pair[2])
{
	const struct pms_packing *packing = &from->packing;
	size_t n = 0, words = packing->words;
	size_t *old = calloc(packing->n_sets, sizeof(*old));
	int rc = node_init(to, packing);
	if (rc || !old) {
		free(old);
		return -PMS_ENOMEM;
	}
	uint64_t *both = to->sets;
	pms_bits_copy(both, pms_packing_set(packing, pair[0]), words);
	pms_bits_add(both, pms_packing_set(packing, pair[1]), words);
	old[n++] = pair[0];
	for (size_t i = 0; i < packing->n_sets; i++) {
		const uint64_t *set = pms_packing_set(packing, i);
		if (i == pair[0] || i == pair[1] ||
		    (pms_bits_within(set, both, words) && !has_apart(from, i)))
			continue;
		pms_bits_copy(to->sets + n * words, set, words);
		old[n++] = i;
	}
	to->problem.packing.n_sets = n;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			to->apart[i * n + j] =
				(unsigned char)pms_problem_apart(from, old[i], old[j]);
	for (size_t j = 1; j < n; j++)
		if (pms_problem_apart(from, pair[1], old[j]))
			to->apart[j] = to->apart[j * n] = 1;
	free(old);
	return node_finish(to);
}

static int separate(struct node *to, const struct pms_problem *from, const size_t pair[2])
{
	const struct pms_packing *packing = &from->packing;
	size_t n = packing->n_sets;
	int rc = node_init(to, packing);
	if (rc)
		return rc;
	pms_bits_copy(to->sets, packing->sets, n * packing->words);
	memcpy(to->apart, from->apart, n * n);
	to->apart[pair[0] * n + pair[1]] = to->apart[pair[1] * n + pair[0]] = 1;
	return node_finish(to);
}

static int explore(struct search *s, const struct pms_problem *problem,
		   const struct pms_problem *parent, const struct pms_master *parent_master);

/* Offer the parent's columns, as far as they are valid here. */
static int inherit(struct pms_master *master, const struct pms_problem *parent,
		   const struct pms_master *from)
{
	size_t words = parent->packing.words, row_words = pms_bits_words(parent->packing.n_sets);
	uint64_t *events = calloc(words, sizeof(*events));
	int rc = events ? 0 : -PMS_ENOMEM;
	for (size_t k = 0; !rc && k < pms_master_basis(from); k++) {
		double amount;
		const uint64_t *rows = pms_master_column(from, k, &amount);
		if (!rows)
			continue;
		pms_bits_zero(events, words);
		for (size_t i = pms_bits_next(rows, row_words, 0); i != PMS_BITS_END;
		     i = pms_bits_next(rows, row_words, i + 1))
			pms_bits_add(events, pms_packing_set(&parent->packing, i), words);
		rc = pms_master_offer(master, events);
	}
	free(events);
	return rc;
}

/* Choose two sets, and explore the problem with them merged and with them apart. */
static int branch(struct search *s, const struct pms_problem *problem,
		  const struct pms_master *master)
{
	typedef int make(struct node *, const struct pms_problem *, const size_t[2]);
	static make *const makers[] = { merge, separate };
	size_t n = problem->packing.n_sets, pair[2];
	double *together = calloc(n * n, sizeof(*together));
	if (!together)
		return -PMS_ENOMEM;
	add_together(master, n, together);
	int any = choose_pair(together, n, pair), rc = 0;
	free(together);
	for (size_t i = 0; any && !rc && i < 2 && !is_done(s); i++) {
		struct node node;
		rc = makers[i](&node, problem, pair);
		if (!rc)
			rc = explore(s, &node.problem, problem, master);
		node_release(&node);
	}
	return rc;
}

/* A question about a problem, with its solution by the linear program. */
struct question {
	const struct pms_problem *problem;
	const struct pms_master *master;
	size_t n_passes; /* the number of passes asked about */
};

typedef int ask(struct search *s, const struct question *q, struct pms_effort *effort);

static int ask_copies(struct search *s, const struct question *q, struct pms_effort *effort)
{
	return pms_copies(q->problem, q->n_passes, effort, s->passes);
}

static int ask_tight(struct search *s, const struct question *q, struct pms_effort *effort)
{
	return pms_tight(q->problem, s->pattern, pms_master_weights(q->master), q->n_passes,
			 MOST_COLUMNS, effort, s->passes);
}

/* Ask each method in turn: each is fast on questions that are slow for another. */
static int ask_all(struct search *s, const struct question *q, int is_whole)
{
	static const struct {
		ask *ask;
		uint64_t effort;
		int of_whole; /* 1: only for the whole problem */
	} ways[] = { { ask_copies, FEW_COPIES_EFFORT, 1 },
		     { ask_tight, TIGHT_EFFORT, 0 },
		     { ask_copies, COPIES_EFFORT, 1 } };
	int rc = PMS_ANSWER_OPEN;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]) && rc == PMS_ANSWER_OPEN; i++) {
		if (ways[i].of_whole && !is_whole)
			continue;
		uint64_t given =
			s->effort->left < ways[i].effort ? s->effort->left : ways[i].effort;
		struct pms_effort some = { given };
		rc = ways[i].ask(s, q, &some);
		pms_effort_spend(s->effort, given - some.left);
		if (rc == -PMS_EINVAL)
			rc = PMS_ANSWER_OPEN;
	}
	return rc;
}

/* Settle whether there is a packing of one pass less than the best known. @is_whole: @problem is
 * the whole problem */
static int settle(struct search *s, const struct pms_problem *problem,
		  const struct pms_master *master, int is_whole)
{
	struct question question = { problem, master, s->below - 1 };
	int rc = ask_all(s, &question, is_whole);
	if (rc == PMS_ANSWER_YES) {
		keep_best(s, question.n_passes);
		return is_done(s) ? 0 : settle(s, problem, master, is_whole);
	}
	return rc == PMS_ANSWER_OPEN ? branch(s, problem, master) : rc;
}

/* Look for a packing of fewer passes than s->below under @problem. Returns 0 when there is none
 * that was not found. */
static int explore(struct search *s, const struct pms_problem *problem,
		   const struct pms_problem *parent, const struct pms_master *parent_master)
{
	/* The merged sets may need too many passes. */
	if (pms_packing_bound(&problem->packing, s->effort) >= s->below)
		return 0;
	struct pms_master *master = pms_master_new(problem);
	int rc = master ? 0 : -PMS_ENOMEM;
	size_t bound = 0;
	if (!rc && parent)
		rc = inherit(master, parent, parent_master);
	if (!rc)
		rc = pms_master_solve(master, s->pattern, s->below, s->effort, &bound);
	if (!parent && bound > s->bound)
		s->bound = bound;
	if (rc > 0)
		rc = fill_by_master(s, problem, master);
	if (!rc && bound < s->below && !is_done(s))
		rc = settle(s, problem, master, !parent);
	pms_master_free(master);
	return rc;
}

static int search_all(struct search *s)
{
	struct node root;
	int rc = node_init(&root, s->packing);
	if (!rc) {
		pms_bits_copy(root.sets, s->packing->sets, s->packing->n_sets * s->packing->words);
		rc = node_finish(&root);
	}
	if (!rc)
		rc = explore(s, &root.problem, NULL, NULL);
	node_release(&root);
	/* The search is complete: no packing has fewer passes. */
	if (!rc && s->below > s->bound && !s->enough)
		s->bound = s->below;
	return rc;
}

/* Put each set into the first of the last passes that has room for it. */
static void fill_simply(struct search *s)
{
	const struct pms_packing *packing = s->packing;
	size_t n = 0, words = packing->words;
	for (size_t i = 0; i < packing->n_sets; i++) {
		const uint64_t *set = pms_packing_set(packing, i);
		size_t k = n > OPEN_PASSES ? n - OPEN_PASSES : 0;
		while (k < n &&
		       pms_bits_count_union(s->passes + k * words, set, words) > packing->capacity)
			k++;
		if (k == n)
			pms_bits_zero(s->passes + n++ * words, words);
		pms_bits_add(s->passes + k * words, set, words);
	}
	keep_best(s, n);
}

static int search(struct search *s, int64_t *weights)
{
	const struct pms_packing *packing = s->packing;
	fill_simply(s);
	s->bound = pms_packing_bound(packing, s->effort);
	if (packing->n_sets > MOST_SETS || packing->n_events > MOST_EVENTS)
		return 0;
	int rc = pms_fill_weights(packing, weights);
	if (!rc)
		rc = fill(s, packing, weights, FILL_ROUNDS);
	if (!rc && !is_done(s))
		rc = search_all(s);
	return rc;
}

int pms_packing_solve(const struct pms_packing *packing, size_t enough, struct pms_effort *effort,
		      struct pms_packed *out)
{
	size_t n = packing->n_sets, size = n * packing->words;
	struct search s = { .packing = packing, .effort = effort, .best = out, .enough = enough };
	*out = (struct pms_packed){ .passes = calloc(size + 1, sizeof(*out->passes)) };
	s.passes = calloc(size + 1, sizeof(*s.passes));
	s.pattern = pms_pattern_new(n, packing->n_events, packing->capacity);
	s.below = enough ? enough + 1 : n + 1;
	int64_t *weights = calloc(n + 1, sizeof(*weights));
	int rc =
		out->passes && s.passes && s.pattern && weights ? search(&s, weights) : -PMS_ENOMEM;
	out->lower_bound = s.bound < out->n_passes ? s.bound : out->n_passes;
	free(s.passes);
	free(weights);
	pms_pattern_free(s.pattern);
	return rc == -PMS_EINVAL ? 0 : rc;
}

void pms_packed_release(struct pms_packed *packed)
{
	free(packed->passes);
	packed->passes = NULL;
}
