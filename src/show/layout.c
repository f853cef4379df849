/* SPDX-License-Identifier: MIT */
#include "show/layout.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"

#define NONE ((size_t)-1)

/* Results listed by metric or by group: the first of each list, and each result's successor. */
struct chains {
	size_t *first, *next; /* NONE ends a list */
};

struct builder {
	struct pms_layout *layout;
	const struct pms_report *report;
	const struct pms_catalog *catalog;
	int all;
	size_t capacity;
	int failed;	      /* out of memory */
	struct chains nodes;  /* Stage 1 results, by metric */
	struct chains groups; /* all other results, by group */
	char *placed;	      /* per node: its row is laid out */
	char *found;	      /* per node: it has a finding */
	size_t *owner;	      /* per group: the node it is shown under, or NONE */
	char *led_to;	      /* per group: a node on show leads to it */
	char *shown;	      /* per metric: it is in a group that a node leads to */
};

static const struct pms_result *node_result(const struct builder *b,
					    const struct pms_tree_node *node)
{
	size_t i = b->nodes.first[node->metric];
	while (i != NONE && b->report->results[i].group != node->group)
		i = b->nodes.next[i];
	return i == NONE ? NULL : &b->report->results[i];
}

/* Returns the result that follows @previous in the group; the first one where @previous is NULL. */
static const struct pms_result *next_of_group(const struct builder *b, size_t group,
					      const struct pms_result *previous)
{
	const struct pms_result *results = b->report->results;
	size_t i = previous ? b->groups.next[previous - results] : b->groups.first[group];
	return i == NONE ? NULL : &results[i];
}

static int node_is_open(const struct builder *b, size_t node)
{
	return b->found[node] || b->all || !b->report->n_findings;
}

static double share(const struct builder *b, size_t node)
{
	const struct pms_result *r = node_result(b, pms_catalog_node(b->catalog, node));
	return r && r->value.state != PMS_VALUE_UNDEFINED ? r->value.value : -HUGE_VAL;
}

/* Choose for each group the open node with the largest share that leads to it. */
static void find_owners(struct builder *b)
{
	for (size_t i = 0; i < pms_catalog_groups(b->catalog); i++)
		b->owner[i] = NONE;
	for (size_t n = 0; n < pms_catalog_nodes(b->catalog); n++) {
		const struct pms_tree_node *node = pms_catalog_node(b->catalog, n);
		if (!node_result(b, node))
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
	const struct pms_result *r = NULL;
	size_t title = add(b, (struct pms_row){ PMS_ROW_GROUP, parent, NONE, group, NULL });
	while ((r = next_of_group(b, group, r)))
		add(b, (struct pms_row){ PMS_ROW_METRIC, title, NONE, group, r });
}

/* Lay out a node and what it leads to. A group that another node owns gets a reference alone. */
static void add_node(struct builder *b, size_t index, size_t parent)
{
	const struct pms_tree_node *node = pms_catalog_node(b->catalog, index);
	const struct pms_result *r = node_result(b, node);
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
		if (!next_of_group(b, group, NULL))
			continue;
		if (b->owner[group] == index)
			add_group(b, group, row);
		else
			add(b, (struct pms_row){ PMS_ROW_SEE, row, b->owner[group], group, NULL });
	}
}

/* Returns whether every metric of @group in the report also stands in a group that a node leads
 * to. */
static int only_repeats(const struct builder *b, size_t group)
{
	for (const struct pms_result *r = NULL; (r = next_of_group(b, group, r));)
		if (!b->shown[r->metric])
			return 0;
	return 1;
}

static void add_rest(struct builder *b)
{
	for (size_t group = 0; group < pms_catalog_groups(b->catalog); group++) {
		if (!next_of_group(b, group, NULL) || b->owner[group] != NONE)
			continue;
		if (b->led_to[group] || (!b->all && only_repeats(b, group)))
			b->layout->n_hidden++;
		else
			add_group(b, group, PMS_NO_ROW);
	}
}

static void chain_add(struct chains *chains, size_t list, size_t result)
{
	chains->next[result] = chains->first[list];
	chains->first[list] = result;
}

/* Add the last result first: the lists then keep the report's order. */
static void chain_results(struct builder *b)
{
	const struct pms_result *results = b->report->results;
	for (size_t i = 0; i < pms_catalog_metrics(b->catalog); i++)
		b->nodes.first[i] = NONE;
	for (size_t i = 0; i < pms_catalog_groups(b->catalog); i++)
		b->groups.first[i] = NONE;
	for (size_t i = b->report->n_results; i--;) {
		if (results[i].stage == 1)
			chain_add(&b->nodes, results[i].metric, i);
		else
			chain_add(&b->groups, results[i].group, i);
	}
	for (size_t i = 0; i < b->report->n_findings; i++)
		b->found[b->report->findings[i].node] = 1;
}

static void mark_shown(struct builder *b)
{
	for (size_t i = 0; i < b->report->n_results; i++) {
		const struct pms_result *r = &b->report->results[i];
		if (r->stage != 1 && b->led_to[r->group])
			b->shown[r->metric] = 1;
	}
}

static void *room(struct builder *b, struct pms_arena *arena, size_t count, size_t size)
{
	void *room = pms_arena_alloc(arena, count, size);
	b->failed |= !room;
	return room;
}

/* Allocate the builder's arrays. The arena owns them. */
static void allocate(struct builder *b, struct pms_arena *arena)
{
	size_t nodes = pms_catalog_nodes(b->catalog), groups = pms_catalog_groups(b->catalog);
	size_t metrics = pms_catalog_metrics(b->catalog), results = b->report->n_results;
	b->nodes.first = room(b, arena, metrics, sizeof(b->nodes.first[0]));
	b->nodes.next = room(b, arena, results, sizeof(b->nodes.next[0]));
	b->groups.first = room(b, arena, groups, sizeof(b->groups.first[0]));
	b->groups.next = room(b, arena, results, sizeof(b->groups.next[0]));
	b->placed = room(b, arena, nodes, sizeof(b->placed[0]));
	b->found = room(b, arena, nodes, sizeof(b->found[0]));
	b->owner = room(b, arena, groups, sizeof(b->owner[0]));
	b->led_to = room(b, arena, groups, sizeof(b->led_to[0]));
	b->shown = room(b, arena, metrics, sizeof(b->shown[0]));
}

int pms_layout_init(struct pms_layout *layout, const struct pms_report *report, int all)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	struct builder b = { .layout = layout, .report = report, .catalog = catalog, .all = all };
	struct pms_arena arena = { 0 };

	*layout = (struct pms_layout){ 0 };
	allocate(&b, &arena);
	if (!b.failed) {
		chain_results(&b);
		find_owners(&b);
		mark_shown(&b);
		/* Lay out parents before their children. A node whose parent is not shown
		 * becomes a root. */
		for (size_t i = 0; i < pms_catalog_nodes(catalog); i++)
			add_node(&b, i, PMS_NO_ROW);
		add_rest(&b);
	}
	pms_arena_release(&arena);
	if (b.failed)
		pms_layout_release(layout);
	return b.failed ? -PMS_ENOMEM : 0;
}

void pms_layout_release(struct pms_layout *layout)
{
	free(layout->rows);
	*layout = (struct pms_layout){ 0 };
}
