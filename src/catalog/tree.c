/* SPDX-License-Identifier: MIT */
/* Reads the methodologies of a telemetry.json: the stage of each metric group, and the decision
 * tree. Nodes are put in the order of a walk from the roots, so that a report can take them as they
 * come. Contradictions are ignored and kept as flaws: no number depends on them. A node with
 * several parents stands below the one nearest to the roots. */
#include "catalog/catalog.h"

#include <stdint.h>

#include "base/limits.h"
#include "base/status.h"

enum { NOWHERE = -1 }; /* not a place in the listing */

/* A node as the file lists it. */
struct listed {
	struct pms_tree_node *node; /* its groups and children are filled before it is placed */
	int parent;		    /* place in the listing; NOWHERE: a root, or not reached */
	int level;		    /* 0: not reached */
};

/* The nodes of one decision tree as the file lists them. A link that cannot be part of a tree is
 * ignored and kept as a flaw. */
struct listing {
	struct pms_catalog *catalog;
	struct pms_json_place array; /* "metrics" of the decision tree */
	struct listed *nodes;
	int *places; /* in the array, by metric; NOWHERE: it has no node */
	int *queue;  /* places of reached nodes, nearest to the roots first */
	int reached;
	struct pms_error *err;
};

static int64_t find_metric_group(const struct pms_catalog *catalog, const char *name)
{
	return pms_catalog_find_group(catalog, PMS_GROUP_METRICS, name);
}

static int read_stage(struct pms_catalog *catalog, const struct pms_json_place *grouping, int stage,
		      struct pms_error *err)
{
	static const char *const keys[] = { NULL, "stage_1", "stage_2" };
	struct pms_json_place array;
	const size_t *groups = NULL;
	size_t count = 0;
	int rc = pms_json_get(grouping, keys[stage], PMS_JSON_ARRAY | PMS_JSON_OPTIONAL, &array,
			      err);
	if (!rc)
		rc = pms_catalog_list_known(catalog, &array, find_metric_group, "metric group",
					    &groups, &count, err);
	for (size_t i = 0; !rc && i < count; i++)
		catalog->groups[groups[i]].stage = stage;
	return rc;
}

/* Find the place in the listing of metric @name; NOWHERE when the tree does not have it. */
static int find_place(const struct listing *l, const char *name)
{
	int64_t metric = pms_catalog_find_metric(l->catalog, name);
	return metric >= 0 ? l->places[metric] : NOWHERE;
}

static int flaw(const struct listing *l, const struct pms_json_place *at, const char *text)
{
	return pms_catalog_add_flaw(l->catalog, at, l->err, "\"%s\" %s",
				    json_string_value(at->value), text);
}

/* Find a group that holds the metric, for a node whose named group does not exist. */
static int64_t group_that_holds(const struct pms_catalog *catalog, size_t metric)
{
	for (size_t g = 0; g < catalog->n_groups; g++)
		for (size_t i = 0; catalog->groups[g].kind == PMS_GROUP_METRICS &&
				   i < catalog->groups[g].n_members;
		     i++)
			if (catalog->groups[g].members[i] == metric)
				return (int64_t)g;
	return -PMS_ENAME;
}

/* Read the node at @place of the listing. A node without a metric or a group stays out of the
 * tree. */
static int list_node(struct listing *l, int place)
{
	struct pms_json_place at, name, group;
	int rc = pms_json_element(&l->array, (size_t)place, PMS_JSON_OBJECT, &at, l->err);
	if (!rc)
		rc = pms_json_get(&at, "name", PMS_JSON_STRING, &name, l->err);
	if (!rc)
		rc = pms_json_get(&at, "group", PMS_JSON_STRING, &group, l->err);
	if (rc)
		return rc;
	int64_t metric = pms_catalog_find_metric(l->catalog, json_string_value(name.value));
	if (metric < 0)
		return flaw(l, &name, "is no metric");
	if (l->places[metric] != NOWHERE)
		return flaw(l, &name, "is listed twice");
	int64_t found = find_metric_group(l->catalog, json_string_value(group.value));
	if (found < 0) {
		rc = flaw(l, &group, "is no metric group");
		found = group_that_holds(l->catalog, (size_t)metric);
	}
	if (rc || found < 0)
		return rc;
	struct pms_tree_node *node = pms_arena_alloc(&l->catalog->arena, 1, sizeof(*node));
	if (!node)
		return pms_no_memory(l->err);
	*node = (struct pms_tree_node){ .metric = (size_t)metric, .group = (size_t)found };
	l->nodes[place].node = node;
	l->places[metric] = place;
	return 0;
}

/* List the tree's metrics, so that a next item can be recognised as one before it is read. */
static int list_nodes(struct listing *l)
{
	size_t count = json_array_size(l->array.value);
	if (count > PMS_MOST_TREE_NODES)
		return pms_json_fail(&l->array, l->err, "has more than %d nodes",
				     PMS_MOST_TREE_NODES);
	struct pms_arena *arena = &l->catalog->arena;
	l->nodes = pms_arena_alloc(arena, count, sizeof(l->nodes[0]));
	l->queue = pms_arena_alloc(arena, count, sizeof(l->queue[0]));
	l->places = pms_arena_alloc(arena, l->catalog->n_metrics, sizeof(l->places[0]));
	if (!l->nodes || !l->queue || !l->places)
		return pms_no_memory(l->err);
	for (size_t i = 0; i < l->catalog->n_metrics; i++)
		l->places[i] = NOWHERE;
	int rc = 0;
	for (size_t i = 0; !rc && i < count; i++)
		rc = list_node(l, (int)i);
	return rc;
}

/* Put the node at @place below @parent, unless it is reached already. @from: the item that names
 * it. */
static int reach(struct listing *l, int place, int parent, const struct pms_json_place *from)
{
	struct listed *listed = &l->nodes[place];
	int level = parent == NOWHERE ? 1 : l->nodes[parent].level + 1;
	if (listed->level)
		return flaw(l, from, "is reached a second time");
	if (level > PMS_MOST_TREE_LEVELS)
		return pms_json_fail(from, l->err, "the tree is deeper than %d levels",
				     PMS_MOST_TREE_LEVELS);
	listed->parent = parent;
	listed->level = level;
	l->queue[l->reached++] = place;
	return 0;
}

static int reach_roots(struct listing *l, const struct pms_json_place *roots)
{
	int rc = 0;
	for (size_t i = 0; !rc && i < json_array_size(roots->value); i++) {
		struct pms_json_place root;
		rc = pms_json_element(roots, i, PMS_JSON_STRING, &root, l->err);
		if (rc)
			return rc;
		int place = find_place(l, json_string_value(root.value));
		rc = place == NOWHERE ? flaw(l, &root, "is not a metric of the tree")
				      : reach(l, place, NOWHERE, &root);
	}
	return rc;
}

/* Follow what a node names to look at next: a node, which is then reached, or a group of
 * metrics. */
static int reach_item(struct listing *l, int place, const struct pms_json_place *item)
{
	const char *name = json_string_value(item->value);
	struct pms_tree_node *node = l->nodes[place].node;
	int next = find_place(l, name);
	if (next != NOWHERE)
		return reach(l, next, place, item);
	int64_t group = find_metric_group(l->catalog, name);
	if (group < 0)
		return flaw(l, item, "is neither a metric of the tree nor a metric group");
	((size_t *)node->next_groups)[node->n_next_groups++] = (size_t)group;
	return 0;
}

/* Follow all next items of a node, to its children and groups. */
static int reach_next(struct listing *l, int place)
{
	struct pms_tree_node *node = l->nodes[place].node;
	struct pms_json_place at, items, item;
	int rc = pms_json_element(&l->array, (size_t)place, PMS_JSON_OBJECT, &at, l->err);
	if (!rc)
		rc = pms_json_get(&at, "next_items", PMS_JSON_ARRAY | PMS_JSON_OPTIONAL, &items,
				  l->err);
	if (rc)
		return rc;
	size_t count = json_array_size(items.value);
	node->children = pms_arena_alloc(&l->catalog->arena, count, sizeof(size_t));
	node->next_groups = pms_arena_alloc(&l->catalog->arena, count, sizeof(size_t));
	if (!node->children || !node->next_groups)
		return pms_no_memory(l->err);
	for (size_t i = 0; !rc && i < count; i++) {
		rc = pms_json_element(&items, i, PMS_JSON_STRING, &item, l->err);
		if (!rc)
			rc = reach_item(l, place, &item);
	}
	return rc;
}

/* Leave out nodes that no root leads to, and keep each as a flaw; the metrics stay. */
static int check_reached(struct listing *l)
{
	int rc = 0;
	for (size_t i = 0; !rc && i < json_array_size(l->array.value); i++) {
		struct pms_json_place at, name;
		if (!l->nodes[i].node || l->nodes[i].level)
			continue;
		rc = pms_json_element(&l->array, i, PMS_JSON_OBJECT, &at, l->err);
		if (!rc)
			rc = pms_json_get(&at, "name", PMS_JSON_STRING, &name, l->err);
		if (!rc)
			rc = flaw(l, &name, "is not reached from root_nodes");
	}
	return rc;
}

/* Put a node and its descendants into the catalog, in the order of a walk. */
static size_t place_node(struct listing *l, int place)
{
	struct pms_catalog *catalog = l->catalog;
	size_t index = catalog->n_nodes++, n = 0;
	struct pms_tree_node *node = &catalog->nodes[index];
	*node = *l->nodes[place].node;
	node->level = l->nodes[place].level;
	for (int i = 0; i < l->reached; i++)
		if (l->nodes[l->queue[i]].parent == place)
			((size_t *)node->children)[n++] = place_node(l, l->queue[i]);
	node->n_children = n;
	return index;
}

/* Read a decision tree: list its nodes, reach them from the roots, then place them. */
static int read_tree(struct pms_catalog *catalog, const struct pms_json_place *tree,
		     struct pms_error *err)
{
	struct pms_json_place roots;
	struct listing l = { .catalog = catalog, .err = err };
	int rc = pms_json_get(tree, "root_nodes", PMS_JSON_ARRAY, &roots, err);
	if (!rc)
		rc = pms_json_get(tree, "metrics", PMS_JSON_ARRAY, &l.array, err);
	if (!rc)
		rc = list_nodes(&l);
	if (!rc)
		rc = reach_roots(&l, &roots);
	for (int i = 0; !rc && i < l.reached; i++)
		rc = reach_next(&l, l.queue[i]);
	if (!rc)
		rc = check_reached(&l);
	for (int i = 0; !rc && i < l.reached; i++)
		if (l.nodes[l.queue[i]].parent == NOWHERE)
			place_node(&l, l.queue[i]);
	return rc;
}

static int read_methodology(struct pms_catalog *catalog, const struct pms_json_place *at,
			    struct pms_error *err)
{
	struct pms_json_place grouping, tree;
	int rc = pms_json_get(at, "metric_grouping", PMS_JSON_OBJECT, &grouping, err);
	for (int stage = 1; !rc && stage <= 2; stage++)
		rc = read_stage(catalog, &grouping, stage, err);
	if (!rc)
		rc = pms_json_get(at, "decision_tree", PMS_JSON_OBJECT | PMS_JSON_OPTIONAL, &tree,
				  err);
	if (!rc && tree.value)
		rc = read_tree(catalog, &tree, err);
	return rc;
}

static size_t count_tree(json_t *methodology)
{
	return json_array_size(
		json_object_get(json_object_get(methodology, "decision_tree"), "metrics"));
}

/* Count the nodes of every tree, so that the array need not move while it is filled. */
static size_t count_nodes(json_t *methodologies)
{
	size_t count = 0;
	const char *name;
	json_t *value;
	json_object_foreach(methodologies, name, value) count += count_tree(value);
	return count;
}

int pms_catalog_read_methodologies(struct pms_catalog *catalog, const struct pms_json_place *root,
				   struct pms_error *err)
{
	struct pms_json_place all, old, at;
	int rc =
		pms_json_get(root, "methodologies", PMS_JSON_OBJECT | PMS_JSON_OPTIONAL, &all, err);
	if (!rc)
		rc = pms_json_get(root, PMS_OLD_METHODOLOGY, PMS_JSON_OBJECT | PMS_JSON_OPTIONAL,
				  &old, err);
	if (rc)
		return rc;
	size_t count = count_nodes(all.value) + count_tree(old.value);
	catalog->nodes = pms_arena_alloc(&catalog->arena, count, sizeof(catalog->nodes[0]));
	if (!catalog->nodes)
		return pms_no_memory(err);
	if (old.value)
		rc = read_methodology(catalog, &old, err);
	if (rc)
		return rc;
	const char *name;
	json_t *value;
	json_object_foreach(all.value, name, value)
	{
		rc = pms_json_member(&all, name, value, PMS_JSON_OBJECT, &at, err);
		if (!rc)
			rc = read_methodology(catalog, &at, err);
		if (rc)
			return rc;
	}
	return 0;
}
