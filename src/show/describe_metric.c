/* SPDX-License-Identifier: MIT */
#include "show/describe.h"

/* Returns a node's children, then the groups that it leads to. */
static struct pms_out_words next_of(struct pms_out_item *of, const struct pms_catalog *catalog,
				    const struct pms_tree_node *node)
{
	struct pms_out_words next = pms_out_words(of);
	for (size_t k = 0; k < node->n_children; k++) {
		size_t child = pms_catalog_node(catalog, node->children[k])->metric;
		pms_out_words_add(&next, pms_catalog_metric(catalog, child)->name);
	}
	for (size_t k = 0; k < node->n_next_groups; k++)
		pms_out_words_add(&next, pms_catalog_group(catalog, node->next_groups[k])->name);
	return next;
}

/* Add the metric's places in the tree, and what to look at next. */
static void describe_nodes(struct pms_out_item *group, const struct pms_catalog *catalog,
			   size_t metric)
{
	struct pms_out_item *list = pms_out_list(group, PMS_IN_JSON, "nodes");
	for (size_t i = 0; i < pms_catalog_nodes(catalog); i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, i);
		if (node->metric != metric)
			continue;
		const char *name = pms_catalog_group(catalog, node->group)->name;
		struct pms_out_words next = next_of(group, catalog, node);
		struct pms_out_item *object = pms_out_group(list, PMS_IN_JSON, NULL);
		pms_out_member(object, "level", pms_out_of_integer(node->level));
		pms_out_member(object, "group", pms_out_of_text(name));
		pms_out_member(object, "next_items", pms_out_of_words(&next));
		pms_out_paragraph(group, "tree", "level %d of Stage 1, in %s", node->level, name);
		pms_describe_words(group, NULL, "leads to", &next);
	}
}

static void describe_events(struct pms_out_item *group, const struct pms_description *d,
			    const struct pms_metric *metric)
{
	struct pms_out_item *list = pms_out_list(group, PMS_IN_JSON, "events");
	for (size_t i = 0; i < metric->n_events; i++) {
		const struct pms_event *event = pms_catalog_event(d->catalog, metric->events[i]);
		struct pms_out_item *object = pms_out_group(list, PMS_IN_JSON, NULL);
		pms_out_member(object, "name", pms_out_of_text(event->name));
		pms_out_member(object, "code",
			       pms_out_when(event->code >= 0, pms_out_of_integer(event->code)));
		pms_out_member(object, "title", pms_out_of_text(event->title));
		pms_describe_model(object, d, metric->events[i]);
		pms_out_paragraph(group, i ? NULL : "events", "%s%s%s", event->name,
				  event->title[0] ? ": " : "", event->title);
	}
}

static struct pms_out_words event_names(struct pms_out_item *of, const struct pms_catalog *catalog,
					const size_t *events, size_t n)
{
	struct pms_out_words names = pms_out_words(of);
	for (size_t i = 0; i < n; i++)
		pms_out_words_add(&names, pms_catalog_event(catalog, events[i])->name);
	return names;
}

/* List the metric's events that the core model does not count. */
static void say_model(struct pms_out_item *group, const struct pms_description *d,
		      const struct pms_metric *metric)
{
	struct pms_out_words parts = pms_out_words(group);
	for (size_t i = 0; d->model && i < metric->n_events; i++) {
		const struct pms_vcore_event *how = pms_vcore_event(d->model, metric->events[i]);
		if (how && how->state != PMS_COUNTED)
			pms_out_words_add(
				&parts,
				pms_out_print(
					group, "%s is not modelled: %s",
					pms_catalog_event(d->catalog, metric->events[i])->name,
					how->because));
	}
	if (parts.n)
		pms_out_paragraph(group, "vcore", "%s", pms_out_words_join(&parts, "; "));
}

static void describe_names(struct pms_out_item *group, const struct pms_catalog *catalog,
			   const struct pms_metric *metric)
{
	struct pms_out_words samples =
		event_names(group, catalog, metric->sample_events, metric->n_sample_events);
	struct pms_out_words unless = event_names(group, catalog, metric->unless, metric->n_unless);
	struct pms_out_words aliases = pms_out_words(group);
	for (size_t i = 0; i < metric->n_aliases; i++)
		pms_out_words_add(&aliases, metric->aliases[i]);
	pms_describe_words(group, "sample_events", NULL, &samples);
	pms_describe_words(group, "unless", "unless", &unless);
	pms_describe_words(group, "aliases", "aliases", &aliases);
	pms_describe_words(group, NULL, "sample", &samples);
}

void pms_describe_metric(struct pms_out_item *group, const struct pms_description *d, size_t index)
{
	const struct pms_catalog *catalog = d->catalog;
	const struct pms_metric *metric = pms_catalog_metric(catalog, index);
	pms_describe_heading(group, catalog, metric->name, "a metric", metric->title,
			     metric->description);
	pms_out_member(group, "kind", pms_out_of_text("metric"));
	pms_out_member(group, "name", pms_out_of_text(metric->name));
	pms_out_member(group, "title", pms_out_of_text(metric->title));
	pms_out_member(group, "description", pms_out_of_text(metric->description));
	pms_out_member(group, "formula", pms_out_of_text(metric->formula));
	pms_out_paragraph(group, "formula", "%s", metric->formula);
	pms_out_member(group, "units", pms_out_of_text(metric->units));
	pms_out_paragraph(group, "units", "%s", metric->units);
	describe_events(group, d, metric);
	describe_names(group, catalog, metric);
	pms_describe_groups(group, catalog, PMS_GROUP_METRICS, index);
	describe_nodes(group, catalog, index);
	say_model(group, d, metric);
	size_t rows = pms_describe_caveats(group, catalog, metric, 0);
	pms_describe_configurations(group, catalog, metric, 0);
	pms_describe_extras(group, catalog, PMS_EXTRA_METRIC, metric->name);
	pms_describe_document(group, catalog, rows);
}

/* A group -------------------------------------------------------------------------------------- */

struct member {
	const char *name, *title;
};

static struct member member_of(const struct pms_catalog *catalog, const struct pms_group *g,
			       size_t i)
{
	if (g->kind == PMS_GROUP_METRICS) {
		const struct pms_metric *metric = pms_catalog_metric(catalog, g->members[i]);
		return (struct member){ metric->name, metric->title };
	}
	const struct pms_event *event = pms_catalog_event(catalog, g->members[i]);
	return (struct member){ event->name, event->title };
}

static void put_members(struct pms_out_item *group, const struct pms_catalog *catalog,
			const struct pms_group *g)
{
	struct pms_out_item *list = pms_out_list(group, PMS_IN_JSON, "members");
	for (size_t i = 0; i < g->n_members; i++) {
		struct member member = member_of(catalog, g, i);
		struct pms_out_item *object = pms_out_group(list, PMS_IN_JSON, NULL);
		pms_out_member(object, "name", pms_out_of_text(member.name));
		pms_out_member(object, "title", pms_out_of_text(member.title));
	}
}

static int leads_to(const struct pms_tree_node *node, size_t group)
{
	for (size_t i = 0; i < node->n_next_groups; i++)
		if (node->next_groups[i] == group)
			return 1;
	return 0;
}

static void say_origin(struct pms_out_item *group, const struct pms_catalog *catalog, size_t index)
{
	struct pms_out_words names = pms_out_words(group);
	for (size_t i = 0; i < pms_catalog_nodes(catalog); i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, i);
		if (leads_to(node, index))
			pms_out_words_add(&names, pms_catalog_metric(catalog, node->metric)->name);
	}
	pms_describe_words(group, NULL, "comes from", &names);
}

void pms_describe_group(struct pms_out_item *group, const struct pms_description *d, size_t index)
{
	const struct pms_catalog *catalog = d->catalog;
	const struct pms_group *g = pms_catalog_group(catalog, index);
	int of_metrics = g->kind == PMS_GROUP_METRICS;
	pms_describe_heading(group, catalog, g->name,
			     of_metrics ? "a group of metrics" : "a group of events", g->title,
			     g->description);
	pms_out_member(group, "kind", pms_out_of_text("group"));
	pms_out_member(group, "name", pms_out_of_text(g->name));
	pms_out_member(group, "of", pms_out_of_text(of_metrics ? "metrics" : "events"));
	pms_out_member(group, "stage", pms_out_when(g->stage != 0, pms_out_of_integer(g->stage)));
	if (g->stage)
		pms_out_paragraph(group, "stage", "%d", g->stage);
	pms_out_member(group, "title", pms_out_of_text(g->title));
	pms_out_member(group, "description", pms_out_of_text(g->description));
	say_origin(group, catalog, index);
	put_members(group, catalog, g);
	pms_describe_extras(group, catalog, pms_group_extra(g), g->name);
	for (size_t i = 0; i < g->n_members; i++) {
		struct member member = member_of(catalog, g, i);
		pms_out_paragraph(group, i ? NULL : "members", "%s: %s", member.name, member.title);
	}
}
