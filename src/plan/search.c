/* SPDX-License-Identifier: MIT */
/* First passes are filled greedily; when there are as many as counting events demands, that is all.
 * Else the linear program bounds what is possible, and all passes that waste little are tried. What
 * that leaves open stays open: the bound is then below the passes. */
#include "plan/packing.h"

#include <stdlib.h>
#include <string.h>

#include "pmuscope/error.h"
#include "plan/bits.h"
#include "plan/bound.h"
#include "plan/fill.h"
#include "plan/master.h"
#include "plan/tight.h"

enum {
	FILL_ROUNDS = 24,
	TIGHT_EFFORT = 3000000,
	MOST_COLUMNS = 100000, /* that are listed to settle a question */
	MOST_SETS = 512,       /* of a search; more are packed in the simplest way */
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

/* Whether there is a packing of one pass less than is known, and of one less than that. Returns 0
 * when there is none below those that were found, -PMS_EINVAL when it is not known. */
static int settle(struct search *s, const struct pms_problem *problem,
		  const struct pms_master *master)
{
	while (!is_done(s)) {
		struct pms_effort some = { s->effort->left < TIGHT_EFFORT ? s->effort->left
									  : TIGHT_EFFORT };
		uint64_t given = some.left;
		size_t n_passes = s->below - 1;
		int rc = pms_tight(problem, s->pattern, pms_master_weights(master), n_passes,
				   MOST_COLUMNS, &some, s->passes);
		pms_effort_spend(s->effort, given - some.left);
		if (rc == PMS_ANSWER_OPEN)
			return -PMS_EINVAL;
		if (rc != PMS_ANSWER_YES)
			return rc;
		keep_best(s, n_passes);
	}
	return 0;
}

/* Look for a packing of fewer passes than s->below. Returns 0 when there is none that was not
 * found. */
static int explore(struct search *s, const struct pms_problem *problem)
{
	struct pms_master *master = pms_master_new(problem);
	int rc = master ? 0 : -PMS_ENOMEM;
	size_t bound = 0;
	if (!rc)
		rc = pms_master_solve(master, s->pattern, s->below, s->effort, &bound);
	if (bound > s->bound)
		s->bound = bound;
	if (rc > 0)
		rc = fill_by_master(s, problem, master);
	if (!rc && bound < s->below && !is_done(s))
		rc = settle(s, problem, master);
	pms_master_free(master);
	return rc;
}

static int search_all(struct search *s)
{
	struct pms_problem problem = { .packing = *s->packing };
	int rc = pms_pieces_init(&problem.pieces, s->packing);
	if (!rc)
		rc = explore(s, &problem);
	pms_pieces_release(&problem.pieces);
	/* All was looked at, and there is nothing below. */
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
