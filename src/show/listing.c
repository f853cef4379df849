/* SPDX-License-Identifier: MIT */
#include "show/listing.h"

#include "base/status.h"
#include "show/grid.h"
#include "show/label.h"
#include "show/page.h"

#define COLUMNS(table) (table), sizeof(table) / sizeof((table)[0])

static void list_events(struct pms_list_table *list, const struct pms_filter *filter)
{
	const struct pms_catalog *catalog = filter->catalog;
	static const struct pms_list_column columns[] = {
		{ "name", "EVENT", PMS_LIST_TEXT, 0 },
		{ "code", "CODE", PMS_LIST_NUMBER, PMS_GRID_RIGHT },
		{ "title", "WHAT IT COUNTS", PMS_LIST_TEXT, PMS_GRID_WRAP },
		{ "description", NULL, PMS_LIST_TEXT, 0 },
	};
	pms_list_init(list, NULL, catalog, COLUMNS(columns));
	for (size_t i = 0; i < pms_catalog_events(catalog); i++) {
		const struct pms_event *event = pms_catalog_event(catalog, i);
		if (!pms_filter_takes(filter, i))
			continue;
		pms_list_row(list, PMS_NO_PARENT);
		pms_list_add(list, 0, "%s", event->name);
		if (event->code >= 0)
			pms_list_add(list, 1, "0x%04llx", (unsigned long long)event->code);
		pms_list_add(list, 2, "%s", event->title);
		pms_list_add(list, 3, "%s", event->description);
	}
}

static void list_metrics(struct pms_list_table *list, const struct pms_filter *filter)
{
	const struct pms_catalog *catalog = filter->catalog;
	static const struct pms_list_column columns[] = {
		{ "name", "METRIC", PMS_LIST_TEXT, 0 },
		{ "title", NULL, PMS_LIST_TEXT, 0 },
		{ "units", "UNITS", PMS_LIST_TEXT, 0 },
		{ "formula", "FORMULA", PMS_LIST_TEXT, PMS_GRID_WRAP },
		{ "events", NULL, PMS_LIST_WORDS, 0 },
		{ "description", NULL, PMS_LIST_TEXT, 0 },
	};
	pms_list_init(list, NULL, catalog, COLUMNS(columns));
	for (size_t i = 0; i < pms_catalog_metrics(catalog); i++) {
		const struct pms_metric *metric = pms_catalog_metric(catalog, i);
		if (!pms_filter_takes(filter, i))
			continue;
		pms_list_row(list, PMS_NO_PARENT);
		pms_list_add(list, 0, "%s", metric->name);
		pms_list_add(list, 1, "%s", metric->title);
		pms_list_add(list, 2, "%s", metric->units);
		pms_list_add(list, 3, "%s", metric->formula);
		for (size_t k = 0; k < metric->n_events; k++)
			pms_list_add(list, 4, "%s%s", k ? " " : "",
				     pms_catalog_event(catalog, metric->events[k])->name);
		pms_list_add(list, 5, "%s", metric->description);
	}
}

static const char *member_name(const struct pms_catalog *catalog, const struct pms_group *group,
			       size_t i)
{
	return group->kind == PMS_GROUP_METRICS
		       ? pms_catalog_metric(catalog, group->members[i])->name
		       : pms_catalog_event(catalog, group->members[i])->name;
}

static void list_groups(struct pms_list_table *list, const struct pms_filter *filter)
{
	const struct pms_catalog *catalog = filter->catalog;
	static const struct pms_list_column columns[] = {
		{ "name", "GROUP", PMS_LIST_TEXT, 0 },
		{ "kind", "OF", PMS_LIST_TEXT, 0 },
		{ "stage", "STAGE", PMS_LIST_NUMBER, PMS_GRID_RIGHT },
		{ "title", NULL, PMS_LIST_TEXT, 0 },
		{ "members", "MEMBERS", PMS_LIST_WORDS, PMS_GRID_WRAP },
		{ "description", NULL, PMS_LIST_TEXT, 0 },
	};
	pms_list_init(list, NULL, catalog, COLUMNS(columns));
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++) {
		const struct pms_group *group = pms_catalog_group(catalog, i);
		if (!pms_filter_takes(filter, i))
			continue;
		pms_list_row(list, PMS_NO_PARENT);
		pms_list_add(list, 0, "%s", group->name);
		pms_list_add(list, 1, "%s",
			     group->kind == PMS_GROUP_METRICS ? "metrics" : "events");
		if (group->stage)
			pms_list_add(list, 2, "%d", group->stage);
		pms_list_add(list, 3, "%s", group->title);
		for (size_t k = 0; k < group->n_members; k++)
			pms_list_add(list, 4, "%s%s", k ? " " : "", member_name(catalog, group, k));
		pms_list_add(list, 5, "%s", group->description);
	}
}

static void list_node(struct pms_list_table *list, const struct pms_catalog *catalog, size_t index,
		      size_t parent, const char *parent_name)
{
	const struct pms_tree_node *node = pms_catalog_node(catalog, index);
	const struct pms_metric *metric = pms_catalog_metric(catalog, node->metric);
	size_t row = pms_list_row(list, parent);
	pms_list_add(list, 0, "%s", metric->name);
	pms_list_add(list, 1, "metric");
	pms_list_add(list, 2, "1");
	pms_list_add(list, 3, "%d", node->level);
	if (parent_name)
		pms_list_add(list, 4, "%s", parent_name);
	pms_list_add(list, 5, "%s", metric->title);
	for (size_t i = 0; i < node->n_children; i++)
		list_node(list, catalog, node->children[i], row, metric->name);
	for (size_t i = 0; i < node->n_next_groups; i++) {
		const struct pms_group *group = pms_catalog_group(catalog, node->next_groups[i]);
		pms_list_row(list, row);
		pms_list_add(list, 0, "%s", group->name);
		pms_list_add(list, 1, "group");
		pms_list_add(list, 2, "%d", group->stage);
		pms_list_add(list, 4, "%s", metric->name);
		pms_list_add(list, 5, "%s", group->title);
	}
}

static void list_tree(struct pms_list_table *list, const struct pms_filter *filter)
{
	const struct pms_catalog *catalog = filter->catalog;
	static const struct pms_list_column columns[] = {
		{ "name", "NAME", PMS_LIST_TEXT, PMS_GRID_TREE },
		{ "kind", "KIND", PMS_LIST_TEXT, 0 },
		{ "stage", NULL, PMS_LIST_NUMBER,
		  0 }, /* metrics are the first, groups the second */
		{ "level", NULL, PMS_LIST_NUMBER, 0 },
		{ "parent", NULL, PMS_LIST_TEXT, 0 },
		{ "title", "TITLE", PMS_LIST_TEXT, PMS_GRID_WRAP },
	};
	pms_list_init(list, NULL, catalog, COLUMNS(columns));
	/* A node that is wanted is shown with all below it, which stands right behind it. */
	int shown = 0; /* the level of the node that is being shown; 0: none */
	for (size_t i = 0; i < pms_catalog_nodes(catalog); i++) {
		int level = pms_catalog_node(catalog, i)->level;
		if (shown && level > shown)
			continue;
		shown = pms_filter_takes(filter, i) ? level : 0;
		if (shown)
			list_node(list, catalog, i, PMS_NO_PARENT, NULL);
	}
}

void pms_listing_catalog(struct pms_list_table *list, const struct pms_filter *filter)
{
	static void (*const fill[])(struct pms_list_table *, const struct pms_filter *) = {
		[PMS_LIST_EVENTS] = list_events,
		[PMS_LIST_METRICS] = list_metrics,
		[PMS_LIST_GROUPS] = list_groups,
		[PMS_LIST_TREE] = list_tree,
	};
	fill[filter->what](list, filter);
}

void pms_listing_cpus(struct pms_list_table *list, const struct pms_catalog *const *catalogs,
		      size_t n)
{
	static const struct pms_list_column columns[] = {
		{ "name", "CPU", PMS_LIST_TEXT, 0 },
		{ "product", NULL, PMS_LIST_TEXT, 0 },
		{ "slots_per_cycle", "SLOTS", PMS_LIST_NUMBER, PMS_GRID_RIGHT },
		{ "counters", "COUNTERS", PMS_LIST_NUMBER, PMS_GRID_RIGHT },
		{ "events", "EVENTS", PMS_LIST_NUMBER, PMS_GRID_RIGHT },
		{ "metrics", "METRICS", PMS_LIST_NUMBER, PMS_GRID_RIGHT },
		{ "version", NULL, PMS_LIST_TEXT, 0 },
		{ "products", "PROCESSORS", PMS_LIST_TEXT, 0 },
	};
	pms_list_init(list, NULL, NULL, COLUMNS(columns));
	for (size_t i = 0; i < n; i++) {
		const struct pms_cpu *cpu = pms_catalog_cpu(catalogs[i]);
		pms_list_row(list, PMS_NO_PARENT);
		pms_list_add(list, 0, "%s", cpu->name);
		pms_list_add(list, 1, "%s", cpu->product);
		if (cpu->slots)
			pms_list_add(list, 2, "%u", cpu->slots);
		pms_list_add(list, 3, "%u", cpu->counters);
		pms_list_add(list, 4, "%zu", pms_catalog_events(catalogs[i]));
		pms_list_add(list, 5, "%zu", pms_catalog_metrics(catalogs[i]));
		pms_list_add(list, 6, "%s", cpu->version);
		pms_list_add(list, 7, "%s", cpu->products ? cpu->products : "");
	}
}

void pms_listing_checks(struct pms_list_table *list, const struct pms_host_check *checks, size_t n)
{
	static const struct pms_list_column columns[] = {
		{ "what", "CHECK", PMS_LIST_TEXT, 0 },
		{ "state", "STATE", PMS_LIST_TEXT, 0 },
		{ "found", "FOUND", PMS_LIST_TEXT, 0 },
		{ "fix", "FIX", PMS_LIST_TEXT, 0 },
	};
	pms_list_init(list, "checks", NULL, COLUMNS(columns));
	for (size_t i = 0; i < n; i++) {
		pms_list_row(list, PMS_NO_PARENT);
		pms_list_add(list, 0, "%s", checks[i].what);
		pms_list_add(list, 1, "%s", pms_label_check(checks[i].ok));
		pms_list_add(list, 2, "%s", checks[i].found);
		if (checks[i].fix[0])
			pms_list_add(list, 3, "%s", checks[i].fix);
	}
}

int pms_listing_checks_text(FILE *out, const struct pms_host_check *checks, size_t n,
			    const struct pms_show_options *options, struct pms_error *err)
{
	struct pms_page page;
	pms_page_init(&page, out, options);
	for (size_t i = 0; i < n; i++) {
		const struct pms_host_check *check = &checks[i];
		const char *state = check->ok > 0    ? "ok       "
				    : check->ok == 0 ? "MISSING  "
						     : "-        ";
		pms_page_text(&page, state, "%s%s%s", check->what, check->found[0] ? ": " : "",
			      check->found);
		/* Not wrapped: it is there to be pasted. */
		if (check->fix[0])
			pms_page_line(&page, "         fix: %s", check->fix);
	}
	pms_page_release(&page);
	return page.failed ? pms_fail(err, PMS_ENOMEM, "out of memory") : 0;
}
