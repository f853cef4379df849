/* SPDX-License-Identifier: MIT */
/* plan/master.h - the packing with fractions of passes, by linear programming with columns made as
 * they are needed. Its value, rounded up, is a bound that is seldom below the fewest passes.
 * Flow: packing -> pattern, bound -> [master] -> search. */
#ifndef PMS_PLAN_MASTER_H
#define PMS_PLAN_MASTER_H

#include "plan/bound.h"
#include "plan/pattern.h"

/** A packing with pairs of sets that may not be served by the same pass, though one may hold both.
 */
struct pms_problem {
	struct pms_packing packing;
	const unsigned char *apart; /* [i * n_sets + j]: 1 for such a pair; symmetric */
	struct pms_pieces pieces;   /* of the packing */
};

static inline int pms_problem_apart(const struct pms_problem *problem, size_t i, size_t j)
{
	return problem->apart[i * problem->packing.n_sets + j];
}

/**
 * A proof that many passes are needed. The weights of all sets, and those of pieces times the
 * counters that they need, are more than so many passes could have: a pass has the weights of the
 * sets that it serves, and those of pieces for each event of them.
 */
struct pms_weights {
	int64_t *sets, *pieces; /* 0 or more; owned by the master */
	int64_t total;		/* of all */
	int64_t heaviest;	/* the greatest that a pass can have, 1 or more */
};

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

/** The weights that prove the bound. Borrowed. */
const struct pms_weights *pms_master_weights(const struct pms_master *master);
/** Columns in use: how many; the sets of one, as a set of numbers of sets, and how much of it. */
size_t pms_master_basis(const struct pms_master *master);
const uint64_t *pms_master_column(const struct pms_master *master, size_t k, double *amount);

#endif
