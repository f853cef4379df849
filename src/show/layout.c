/* SPDX-License-Identifier: MIT */
#include "show/layout.h"

#include <math.h>
#include <stdlib.h>

#define NONE ((size_t)-1)

struct builder {
	struct pms_layout *layout;
	const struct pms_report *report;
	const struct pms_catalog *catalog;
	int all;
	size_t capacity;
	int failed;    /* out of memory */
	char *placed;  /* of each node: it has its row */
	size_t *owner; /* of each group: the node that it is shown under, NONE */
	char *led_to;  /* of each group: a node that is shown leads to it */
};

static const struct pms_result *node_result(const struct pms_report *report,
					    const struct pms_tree_node *node)
{
	for (size_t i = 0; i < report->n_results; i++) {
		const struct pms_result *r = &report->results[i];
		if (r->stage == 1 && r->metric == node->metric && r->group == node->group)
			return r;
	}
	return NULL;
}

static const struct pms_result *group_result(const struct pms_report *report, size_t group,
					     size_t nth)
{
	for (size_t i = 0; i < report->n_results; i++)
		if (report->results[i].stage != 1 && report->results[i].group == group && !nth--)
			return &report->results[i];
	return NULL;
}

static int node_is_open(const struct builder *b, size_t node)
{
	for (size_t i = 0; i < b->report->n_findings; i++)
		if (b->report->findings[i].node == node)
			return 1;
	return b->all || !b->report->n_findings;
}

static double share(const struct builder *b, size_t node)
{
	const struct pms_result *r = node_result(b->report, pms_catalog_node(b->catalog, node));
	return r && r->value.state != PMS_VALUE_UNDEFINED ? r->value.value : -HUGE_VAL;
}

/* For each group, the open node with the largest share that leads to it. */
static void find_owners(struct builder *b)
{
	for (size_t i = 0; i < pms_catalog_groups(b->catalog); i++)
		b->owner[i] = NONE;
	for (size_t n = 0; n < pms_catalog_nodes(b->catalog); n++) {
		const struct pms_tree_node *node = pms_catalog_node(b->catalog, n);
		if (!node_result(b->report, node))
			continue;
		for (size_t i = 0; i < node->n_next_groups; i++) {
			size_t group = node->next_groups[i];
			b->led_to[group] = 1;
			if (node_is_open(b, n) &&
			    (b->owner[group] == NONE || share(b, n) > share(b, b->owner[group])))
				b->owner[group] = n;
		}
	}
}

static size_t add(struct builder *b, struct pms_row row)
{
	struct pms_layout *layout = b->layout;
	if (layout->n_rows == b->capacity) {
		size_t capacity = b->capacity ? b->capacity * 2 : 64;
		struct pms_row *rows = reallocarray(layout->rows, capacity, sizeof(*rows));
		if (!rows) {
			b->failed = 1;
			return PMS_NO_ROW;
		}
		layout->rows = rows;
		b->capacity = capacity;
	}
	layout->rows[layout->n_rows] = row;
	return layout->n_rows++;
}

static void add_group(struct builder *b, size_t group, size_t parent)
{
	const struct pms_result *r;
	size_t title = add(b, (struct pms_row){ PMS_ROW_GROUP, parent, NONE, group, NULL });
	for (size_t i = 0; (r = group_result(b->report, group, i)); i++)
		add(b, (struct pms_row){ PMS_ROW_METRIC, title, NONE, group, r });
}

static void add_node(struct builder *b, size_t index, size_t parent)
{
	const struct pms_tree_node *node = pms_catalog_node(b->catalog, index);
	const struct pms_result *r = node_result(b->report, node);
	if (!r || b->placed[index])
		return;
	b->placed[index] = 1;
	size_t row = add(b, (struct pms_row){ PMS_ROW_NODE, parent, index, node->group, r });
	for (size_t i = 0; i < node->n_children; i++)
		add_node(b, node->children[i], row);
	if (!node_is_open(b, index))
		return;
	for (size_t i = 0; i < node->n_next_groups; i++) {
		size_t group = node->next_groups[i];
		if (!group_result(b->report, group, 0))
			continue;
		if (b->owner[group] == index)
			add_group(b, group, row);
		else
			add(b, (struct pms_row){ PMS_ROW_SEE, row, b->owner[group], group, NULL });
	}
}

/* Whether every metric of @group in the report is in another of its groups that a node leads to. */
static int only_repeats(const struct builder *b, size_t group)
{
	const struct pms_result *r;
	for (size_t i = 0; (r = group_result(b->report, group, i)); i++) {
		int found = 0;
		for (size_t k = 0; k < b->report->n_results && !found; k++) {
			const struct pms_result *other = &b->report->results[k];
			found = other->stage != 1 && other->metric == r->metric &&
				b->led_to[other->group];
		}
		if (!found)
			return 0;
	}
	return 1;
}

static void add_rest(struct builder *b)
{
	for (size_t group = 0; group < pms_catalog_groups(b->catalog); group++) {
		if (!group_result(b->report, group, 0) || b->owner[group] != NONE)
			continue;
		if (b->led_to[group] || (!b->all && only_repeats(b, group)))
			b->layout->n_hidden++;
		else
			add_group(b, group, PMS_NO_ROW);
	}
}

int pms_layout_init(struct pms_layout *layout, const struct pms_report *report, int all)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	size_t nodes = pms_catalog_nodes(catalog), groups = pms_catalog_groups(catalog);
	struct builder b = { .layout = layout, .report = report, .catalog = catalog, .all = all };

	*layout = (struct pms_layout){ 0 };
	b.placed = calloc(nodes + 1, sizeof(*b.placed));
	b.owner = calloc(groups + 1, sizeof(*b.owner));
	b.led_to = calloc(groups + 1, sizeof(*b.led_to));
	if (b.placed && b.owner && b.led_to) {
		find_owners(&b);
		/* A node stands before what is below it. One whose parent is not shown stands
		 * alone. */
		for (size_t i = 0; i < nodes; i++)
			add_node(&b, i, PMS_NO_ROW);
		add_rest(&b);
	} else {
		b.failed = 1;
	}
	free(b.placed);
	free(b.owner);
	free(b.led_to);
	if (b.failed)
		pms_layout_release(layout);
	return b.failed ? -PMS_ENOMEM : 0;
}

void pms_layout_release(struct pms_layout *layout)
{
	free(layout->rows);
	*layout = (struct pms_layout){ 0 };
}
