/* SPDX-License-Identifier: MIT */
/* plan/master.h - the packing with fractions of passes, by linear programming with columns made on
 * demand. Its value, rounded up, is a bound that is seldom below the fewest passes.
 * Flow: packing -> pattern, bound -> [master] -> search. */
#ifndef PMS_PLAN_MASTER_H
#define PMS_PLAN_MASTER_H

#include "plan/bound.h"
#include "plan/pattern.h"

struct pms_problem {
	struct pms_packing packing;
	struct pms_pieces pieces; /* of the packing */
};

/**
 * A proof of a lower bound. The total is the weights of all sets, plus the weights of pieces times
 * the counters that they need. A pass has the weights of the sets that it serves, plus the weight
 * of a piece for each event of it. The total divided by the heaviest pass is the bound.
 */
struct pms_weights {
	int64_t *sets, *pieces; /* 0 or more; owned by the master */
	int64_t total;		/* of all */
	int64_t heaviest;	/* the greatest weight that a pass can have, 1 or more */
};

struct pms_master; /* the columns, and a basis of them */

/** Make a master for one problem, borrowed until the master is freed. Returns NULL when out of
 * memory. */
struct pms_master *pms_master_new(const struct pms_problem *problem);
void pms_master_free(struct pms_master *master);

/**
 * Solve, or stop once it is certain that @enough passes are needed.
 * @bound: receives how many passes are needed at least, by integer arithmetic
 * Returns 1 when solved, 0 when stopped at @enough. Errors: -PMS_ENOMEM, -PMS_EINVAL the effort is
 * used up; @bound is valid all the same.
 */
int pms_master_solve(struct pms_master *master, struct pms_pattern *pattern, size_t enough,
		     struct pms_effort *effort, size_t *bound);

/* Of the last solution. */

/** Returns the weights that prove the bound. Borrowed. */
const struct pms_weights *pms_master_weights(const struct pms_master *master);

#endif
