/* SPDX-License-Identifier: MIT */
/* Reads the methodologies of a telemetry.json: the stage of each metric group, and the decision
 * tree. Nodes are put in the order of a walk from the roots, so that a report can take them as they
 * come. */
#include "catalog/catalog.h"

#include <stdint.h>
#include <string.h>

#include "base/limits.h"
#include "base/status.h"

/* The nodes of one decision tree as the file lists them. */
struct listing {
	struct pms_catalog *catalog;
	struct pms_place array; /* "metrics" of the decision tree */
	size_t *metrics;	/* of the catalog, by place in the array */
	size_t *nodes;		/* by place in the array; SIZE_MAX: not reached yet */
	size_t count;
	struct pms_error *err;
};

static int no_memory(struct pms_error *err)
{
	return pms_fail(err, PMS_ENOMEM, "out of memory");
}

static int64_t find_metric_group(const struct pms_catalog *catalog, const char *name)
{
	return pms_catalog_find_group(catalog, PMS_GROUP_METRICS, name);
}

static int read_stage(struct pms_catalog *catalog, const struct pms_place *grouping, int stage,
		      struct pms_error *err)
{
	static const char *const keys[] = { NULL, "stage_1", "stage_2" };
	struct pms_place array;
	const size_t *groups = NULL;
	size_t count = 0;
	int rc = pms_json_get(grouping, keys[stage], PMS_JSON_ARRAY | PMS_JSON_OPTIONAL, &array,
			      err);
	if (!rc)
		rc = pms_catalog_list(catalog, &array, find_metric_group, "metric group", &groups,
				      &count, err);
	for (size_t i = 0; !rc && i < count; i++)
		catalog->groups[groups[i]].stage = stage;
	return rc;
}

/* Place in the listing of the tree's metric @name; SIZE_MAX when it is none of the tree's. */
static size_t listed(const struct listing *l, const char *name)
{
	int64_t metric = pms_catalog_find_metric(l->catalog, name);
	for (size_t i = 0; i < l->count; i++)
		if (metric >= 0 && l->metrics[i] == (size_t)metric)
			return i;
	return SIZE_MAX;
}

static int add_node(struct listing *l, size_t i, int level, const struct pms_place *from);

static int add_next_item(struct listing *l, struct pms_tree_node *node,
			 const struct pms_place *item)
{
	const char *name = json_string_value(item->value);
	size_t i = listed(l, name);
	int64_t group = find_metric_group(l->catalog, name);
	if (i == SIZE_MAX && group < 0)
		return pms_json_fail(item, l->err,
				     "\"%s\" is neither a metric of the tree nor a metric group",
				     name);
	if (i == SIZE_MAX) {
		((size_t *)node->next_groups)[node->n_next_groups++] = (size_t)group;
		return 0;
	}
	int rc = add_node(l, i, node->level + 1, item);
	if (!rc)
		((size_t *)node->children)[node->n_children++] = l->nodes[i];
	return rc;
}

static int read_node(struct listing *l, const struct pms_place *at, struct pms_tree_node *node)
{
	struct pms_place group, items, item;
	int rc = pms_json_get(at, "group", PMS_JSON_STRING, &group, l->err);
	if (!rc)
		rc = pms_json_get(at, "next_items", PMS_JSON_ARRAY | PMS_JSON_OPTIONAL, &items,
				  l->err);
	if (rc)
		return rc;
	int64_t found = find_metric_group(l->catalog, json_string_value(group.value));
	if (found < 0)
		return pms_json_fail(&group, l->err, "unknown metric group \"%s\"",
				     json_string_value(group.value));
	node->group = (size_t)found;
	size_t count = json_array_size(items.value);
	node->children = pms_arena_alloc(&l->catalog->arena, count, sizeof(size_t));
	node->next_groups = pms_arena_alloc(&l->catalog->arena, count, sizeof(size_t));
	if (!node->children || !node->next_groups)
		return no_memory(l->err);
	for (size_t i = 0; !rc && i < count; i++) {
		rc = pms_json_element(&items, i, PMS_JSON_STRING, &item, l->err);
		if (!rc)
			rc = add_next_item(l, node, &item);
	}
	return rc;
}

/* Add a node and all below it. @from: what named it, for the error. */
static int add_node(struct listing *l, size_t i, int level, const struct pms_place *from)
{
	struct pms_place at;
	if (l->nodes[i] != SIZE_MAX)
		return pms_json_fail(from, l->err, "\"%s\" is reached a second time: not a tree",
				     json_string_value(from->value));
	if (level > PMS_MOST_TREE_LEVELS)
		return pms_json_fail(from, l->err, "the tree is deeper than %d levels",
				     PMS_MOST_TREE_LEVELS);
	l->nodes[i] = l->catalog->n_nodes++;
	struct pms_tree_node *node = &l->catalog->nodes[l->nodes[i]];
	node->metric = l->metrics[i];
	node->level = level;
	int rc = pms_json_element(&l->array, i, PMS_JSON_OBJECT, &at, l->err);
	return rc ? rc : read_node(l, &at, node);
}

/* List the tree's metrics, so that a next item can be told to be one before it is read. */
static int list_metrics(struct listing *l)
{
	size_t count = json_array_size(l->array.value);
	if (count > PMS_MOST_TREE_NODES)
		return pms_json_fail(&l->array, l->err, "has more than %d nodes",
				     PMS_MOST_TREE_NODES);
	l->metrics = pms_arena_alloc(&l->catalog->arena, count, sizeof(size_t));
	l->nodes = pms_arena_alloc(&l->catalog->arena, count, sizeof(size_t));
	if (!l->metrics || !l->nodes)
		return no_memory(l->err);
	for (size_t i = 0; i < count; i++) {
		struct pms_place at, name;
		int rc = pms_json_element(&l->array, i, PMS_JSON_OBJECT, &at, l->err);
		if (!rc)
			rc = pms_json_get(&at, "name", PMS_JSON_STRING, &name, l->err);
		if (rc)
			return rc;
		const char *text = json_string_value(name.value);
		int64_t metric = pms_catalog_find_metric(l->catalog, text);
		if (metric < 0)
			return pms_json_fail(&name, l->err, "unknown metric \"%s\"", text);
		if (listed(l, text) != SIZE_MAX)
			return pms_json_fail(&name, l->err, "\"%s\" is listed twice", text);
		l->metrics[i] = (size_t)metric;
		l->nodes[i] = SIZE_MAX;
		l->count = i + 1;
	}
	return 0;
}

static int add_roots(struct listing *l, const struct pms_place *roots)
{
	for (size_t i = 0; i < json_array_size(roots->value); i++) {
		struct pms_place root;
		int rc = pms_json_element(roots, i, PMS_JSON_STRING, &root, l->err);
		if (rc)
			return rc;
		size_t at = listed(l, json_string_value(root.value));
		if (at == SIZE_MAX)
			return pms_json_fail(&root, l->err, "\"%s\" is not a metric of the tree",
					     json_string_value(root.value));
		rc = add_node(l, at, 1, &root);
		if (rc)
			return rc;
	}
	return 0;
}

static int check_reached(struct listing *l)
{
	for (size_t i = 0; i < l->count; i++) {
		struct pms_place at;
		if (l->nodes[i] != SIZE_MAX)
			continue;
		int rc = pms_json_element(&l->array, i, PMS_JSON_OBJECT, &at, l->err);
		return rc ? rc : pms_json_fail(&at, l->err, "is not reached from root_nodes");
	}
	return 0;
}

static int read_tree(struct pms_catalog *catalog, const struct pms_place *tree,
		     struct pms_error *err)
{
	struct pms_place roots;
	struct listing l = { .catalog = catalog, .err = err };
	int rc = pms_json_get(tree, "root_nodes", PMS_JSON_ARRAY, &roots, err);
	if (!rc)
		rc = pms_json_get(tree, "metrics", PMS_JSON_ARRAY, &l.array, err);
	if (!rc)
		rc = list_metrics(&l);
	if (!rc)
		rc = add_roots(&l, &roots);
	return rc ? rc : check_reached(&l);
}

static int read_methodology(struct pms_catalog *catalog, const struct pms_place *at,
			    struct pms_error *err)
{
	struct pms_place grouping, tree;
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

/* Room for the nodes of every tree, so that they do not move while they are filled. */
static size_t count_nodes(json_t *methodologies)
{
	size_t count = 0;
	const char *name;
	json_t *value;
	json_object_foreach(methodologies, name, value) count += count_tree(value);
	return count;
}

int pms_catalog_read_methodologies(struct pms_catalog *catalog, const struct pms_place *root,
				   struct pms_error *err)
{
	struct pms_place all, old, at;
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
		return no_memory(err);
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
