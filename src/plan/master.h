/* SPDX-License-Identifier: MIT */
/* plan/master.h - the packing with fractions of passes, by linear programming with columns made as
 * they are needed. Its value, rounded up, is a bound that is seldom below the fewest passes.
 * Flow: packing -> pattern -> [master] -> search. */
#ifndef PMS_PLAN_MASTER_H
#define PMS_PLAN_MASTER_H

#include "plan/pattern.h"

/** A packing with pairs of sets that may not be served by the same pass, though one may hold both.
 */
struct pms_problem {
	struct pms_packing packing;
	const unsigned char *apart; /* [i * n_sets + j]: 1 for such a pair; symmetric */
};

static inline int pms_problem_apart(const struct pms_problem *problem, size_t i, size_t j)
{
	return problem->apart[i * problem->packing.n_sets + j];
}

struct pms_master; /* the columns, and a basis of them */

/** For one problem, borrowed until the master is freed. Returns NULL when out of memory. */
struct pms_master *pms_master_new(const struct pms_problem *problem);
void pms_master_free(struct pms_master *master);

/** Offer a set of events as a column. Returns 0 or -PMS_ENOMEM. */
int pms_master_offer(struct pms_master *master, const uint64_t *events);

/**
 * Solve, or go on until it is certain that @enough passes are needed.
 * @bound: receives how many passes are needed at least, by integer arithmetic
 * Returns 1 when solved, 0 when left at @enough. Errors: -PMS_ENOMEM, -PMS_EINVAL the effort is
 * used up; @bound is valid all the same.
 */
int pms_master_solve(struct pms_master *master, struct pms_pattern *pattern, size_t enough,
		     struct pms_effort *effort, size_t *bound);

/* Of the last solution. */

/** The weights of the sets that prove the bound. n_sets of them, borrowed. */
const int64_t *pms_master_weights(const struct pms_master *master);
/** The greatest total of them that a pass serves: 1 or more. */
int64_t pms_master_heaviest(const struct pms_master *master);
/** Columns in use: how many; the sets of one, as a set of numbers of sets, and how much of it. */
size_t pms_master_basis(const struct pms_master *master);
const uint64_t *pms_master_column(const struct pms_master *master, size_t k, double *amount);

#endif
