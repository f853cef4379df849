/* SPDX-License-Identifier: MIT */
/* Check the decision tree: its nodes exist, lead somewhere, and can be reached. */
#include "lint/spec.h"

static int64_t find_group(const struct pms_lint_spec *spec, const char *name)
{
	return pms_name_index_find(&spec->group_names, name);
}

/* Whether a group holds a metric. Rows of one name are in the order of their groups. */
static int holds(const struct pms_lint_spec *spec, size_t group, const char *metric)
{
	size_t end, low = pms_lint_members(spec, metric, &end), high = end;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (spec->members.rows[middle].index < group)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && spec->members.rows[low].index == group;
}

/* Follow a name to a node, which then counts as reached, or to a group. */
static void check_link(struct pms_lint *lint, const struct pms_lint_spec *spec,
		       const struct pms_lint_name *link, unsigned *reached, int group_will_do)
{
	int64_t node = pms_name_index_find(&spec->node_names, link->text);
	if (node >= 0) {
		if (reached[node]++)
			pms_lint_add(lint, "tree", link->at, "%s is reached a second time",
				     link->text);
	} else if (pms_name_index_find(&spec->metric_names, link->text) >= 0) {
		pms_lint_add(lint, "tree", link->at,
			     "%s is a metric, but no node of the tree: it leads nowhere",
			     link->text);
	} else if (!group_will_do || find_group(spec, link->text) < 0) {
		pms_lint_add(lint, "tree", link->at, "%s is neither a metric%s: it leads nowhere",
			     link->text, group_will_do ? " nor a group of metrics" : " nor a node");
	}
}

static void check_node(struct pms_lint *lint, const struct pms_lint_spec *spec,
		       const struct pms_lint_node *node, unsigned *reached)
{
	if (pms_name_index_find(&spec->metric_names, node->name.text) < 0)
		pms_lint_add(lint, "tree", node->name.at, "%s is a node, but no metric",
			     node->name.text);
	int64_t group = node->group.text ? find_group(spec, node->group.text) : -1;
	if (node->group.text && group < 0)
		pms_lint_add(lint, "tree", node->group.at,
			     "%s is to be shown in %s, which is no group of metrics",
			     node->name.text, node->group.text);
	else if (group >= 0 && !holds(spec, (size_t)group, node->name.text))
		pms_lint_add(lint, "tree", node->group.at,
			     "%s is to be shown in %s, which does not hold it", node->name.text,
			     node->group.text);
	for (size_t i = 0; i < node->next.n; i++)
		check_link(lint, spec, &node->next.rows[i], reached, 1);
}

/* Find the nodes that the roots lead to, directly or not: nodes of a circle lead only to each
 * other. */
static int *find_reachable(struct pms_lint *lint, const struct pms_lint_spec *spec)
{
	int *reachable = pms_lint_room(lint, spec->n_nodes, sizeof(*reachable));
	size_t *queue = pms_lint_room(lint, spec->n_nodes, sizeof(*queue)), n = 0;
	const struct pms_lint_names *links = &spec->roots;
	for (size_t at = 0; reachable && queue && links;) {
		for (size_t i = 0; i < links->n; i++) {
			int64_t node = pms_name_index_find(&spec->node_names, links->rows[i].text);
			if (node < 0 || reachable[node])
				continue;
			reachable[node] = 1;
			queue[n++] = (size_t)node;
		}
		links = at < n ? &spec->nodes[queue[at++]].next : NULL;
	}
	return queue ? reachable : NULL;
}

void pms_lint_tree_rules(struct pms_lint *lint, const struct pms_lint_spec *spec)
{
	unsigned *reached = pms_lint_room(lint, spec->n_nodes, sizeof(*reached));
	const int *reachable = find_reachable(lint, spec);
	if (!reached || !reachable)
		return;
	for (size_t i = 0; i < spec->stages.n; i++)
		if (find_group(spec, spec->stages.rows[i].text) < 0)
			pms_lint_add(lint, "tree", spec->stages.rows[i].at,
				     "%s is no group of metrics", spec->stages.rows[i].text);
	for (size_t i = 0; i < spec->roots.n; i++)
		check_link(lint, spec, &spec->roots.rows[i], reached, 0);
	for (size_t i = 0; i < spec->n_nodes; i++)
		check_node(lint, spec, &spec->nodes[i], reached);
	for (size_t i = 0; i < spec->n_nodes; i++) {
		const struct pms_lint_name *name = &spec->nodes[i].name;
		if (pms_name_index_find(&spec->node_names, name->text) != (int64_t)i)
			pms_lint_add(lint, "tree", name->at, "%s is listed twice", name->text);
		else if (!reachable[i])
			pms_lint_add(lint, "tree", name->at, "%s is a node that %s", name->text,
				     reached[i] ? "no root leads to" : "nothing leads to");
	}
}
