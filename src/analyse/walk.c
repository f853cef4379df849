/* SPDX-License-Identifier: MIT */
/* Trees differ in what a child is in percent of: RISC-V's are all in percent of the slots, those of
 * Neoverse V3 in percent of their parent's cycles or of another's above. The formulas tell: what
 * has the divisor of a node above is a share of the same; anything else is a share of its parent.
 */
#include "analyse/walk.h"

#include <math.h>
#include <stdint.h>

#include "catalog/formula.h"

struct walker {
	const struct pms_catalog *catalog;
	const struct pms_value *values;
	struct pms_tree_path *path;
};

static const struct pms_metric *node_metric(const struct walker *w, size_t node)
{
	return pms_catalog_metric(w->catalog, pms_catalog_node(w->catalog, node)->metric);
}

static const struct pms_value *node_value(const struct walker *w, size_t node)
{
	return &w->values[pms_catalog_node(w->catalog, node)->metric];
}

/* The share of a child of the path's last node; 0 without a value, or of a negative one. */
static double child_share(const struct walker *w, size_t child)
{
	const struct pms_tree_path *path = w->path;
	const struct pms_value *value = node_value(w, child);
	if (value->state == PMS_VALUE_UNDEFINED || value->value <= 0)
		return 0;
	for (size_t i = path->n; i > 0; i--) {
		size_t above = path->nodes[i - 1];
		if (pms_formula_same_divisor(node_metric(w, above)->program,
					     node_metric(w, child)->program))
			return value->value * path->shares[i - 1] / node_value(w, above)->value;
	}
	return value->value / 100 * path->shares[path->n - 1];
}

/* The child to go on with, SIZE_MAX: none stands out. What they leave goes to the path. */
static size_t next_node(struct walker *w, double worth, double *share)
{
	struct pms_tree_path *path = w->path;
	const struct pms_tree_node *node = pms_catalog_node(w->catalog, path->nodes[path->n - 1]);
	double whole = path->shares[path->n - 1], most = 0, sum = 0;
	size_t best = SIZE_MAX, known = 0;
	for (size_t i = 0; i < node->n_children; i++) {
		double one = child_share(w, node->children[i]);
		known += node_value(w, node->children[i])->state != PMS_VALUE_UNDEFINED;
		sum += one;
		if (one > most) {
			most = one;
			best = node->children[i];
		}
	}
	path->unexplained = known ? fmax(whole - sum, 0) : 0;
	*share = most;
	return most >= worth && most * 2 >= fmax(whole, sum) ? best : SIZE_MAX;
}

void pms_tree_walk(const struct pms_catalog *catalog, const struct pms_value *values, size_t root,
		   double worth, struct pms_tree_path *path)
{
	struct walker w = { .catalog = catalog, .values = values, .path = path };
	double share = node_value(&w, root)->value;
	path->n = 0;
	for (size_t node = root; node != SIZE_MAX && path->n < PMS_MOST_TREE_LEVELS;
	     node = next_node(&w, worth, &share)) {
		path->nodes[path->n] = node;
		path->shares[path->n++] = share;
	}
}
