/* SPDX-License-Identifier: MIT */
/* analyse/walk.h - the way from a root of the decision tree to what stands out below it.
 * Flow: metrics -> [walk] -> findings. */
#ifndef PMS_ANALYSE_WALK_H
#define PMS_ANALYSE_WALK_H

#include "base/limits.h"
#include "pmuscope/analyse.h"

/** Nodes from a root to where the walk ends. Shares are in percent of what the root is a share of:
 * slots, or cycles where a core counts none. */
struct pms_tree_path {
	size_t nodes[PMS_MOST_TREE_LEVELS];
	double shares[PMS_MOST_TREE_LEVELS];
	size_t n;
	double unexplained; /* of the last node: what none of its children explains; 0: none of them
			     * has a value, or they explain all of it */
};

/**
 * Walk down from @root while one child stands out: it has half of what its parent loses, and of
 * what all its children explain, which may overlap; and it is @worth itself, in percent as the
 * shares.
 * @values: of every metric of the catalog
 */
void pms_tree_walk(const struct pms_catalog *catalog, const struct pms_value *values, size_t root,
		   double worth, struct pms_tree_path *path);

#endif
