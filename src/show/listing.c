/* SPDX-License-Identifier: MIT */
#include "show/listing.h"

#include "show/grid.h"
#include "show/label.h"
#include "show/provenance.h"

#define FIELDS(table) (table), sizeof(table) / sizeof((table)[0])

/* One row per event, with the columns that scripts look up. */
static void list_events(struct pms_out_item *root, const struct pms_filter *filter)
{
	enum { NAME, CODE, TITLE, DESCRIPTION, N };
	static const struct pms_out_field fields[] = {
		[NAME] = PMS_OUT_FIELD("name", "EVENT", 0),
		[CODE] = PMS_OUT_FIELD("code", "CODE", PMS_GRID_RIGHT),
		[TITLE] = PMS_OUT_FIELD("title", "WHAT IT COUNTS", PMS_GRID_WRAP),
		[DESCRIPTION] = PMS_OUT_FIELD("description", NULL, 0),
	};
	const struct pms_catalog *catalog = filter->catalog;
	struct pms_out_item *table = pms_out_table(root, PMS_EVERYWHERE, NULL, fields, N);
	for (size_t i = 0; i < pms_catalog_events(catalog); i++) {
		const struct pms_event *event = pms_catalog_event(catalog, i);
		if (!pms_filter_takes(filter, i))
			continue;
		struct pms_out_item *row = pms_out_row(table, N);
		pms_out_cell(row, NAME, pms_out_of_text(event->name));
		pms_out_cell(row, CODE,
			     pms_out_when(event->code >= 0, pms_out_of_code(event->code)));
		pms_out_cell(row, TITLE, pms_out_of_text(event->title));
		pms_out_cell(row, DESCRIPTION, pms_out_of_text(event->description));
	}
}

/* One row per metric; people see its units and formula. */
static void list_metrics(struct pms_out_item *root, const struct pms_filter *filter)
{
	enum { NAME, TITLE, UNITS, FORMULA, EVENTS, DESCRIPTION, N };
	static const struct pms_out_field fields[] = {
		[NAME] = PMS_OUT_FIELD("name", "METRIC", 0),
		[TITLE] = PMS_OUT_FIELD("title", NULL, 0),
		[UNITS] = PMS_OUT_FIELD("units", "UNITS", 0),
		[FORMULA] = PMS_OUT_FIELD("formula", "FORMULA", PMS_GRID_WRAP),
		[EVENTS] = PMS_OUT_FIELD("events", NULL, 0),
		[DESCRIPTION] = PMS_OUT_FIELD("description", NULL, 0),
	};
	const struct pms_catalog *catalog = filter->catalog;
	struct pms_out_item *table = pms_out_table(root, PMS_EVERYWHERE, NULL, fields, N);
	for (size_t i = 0; i < pms_catalog_metrics(catalog); i++) {
		const struct pms_metric *metric = pms_catalog_metric(catalog, i);
		if (!pms_filter_takes(filter, i))
			continue;
		struct pms_out_words events = pms_out_words(table);
		for (size_t k = 0; k < metric->n_events; k++)
			pms_out_words_add(&events,
					  pms_catalog_event(catalog, metric->events[k])->name);
		struct pms_out_item *row = pms_out_row(table, N);
		pms_out_cell(row, NAME, pms_out_of_text(metric->name));
		pms_out_cell(row, TITLE, pms_out_of_text(metric->title));
		pms_out_cell(row, UNITS, pms_out_of_text(metric->units));
		pms_out_cell(row, FORMULA, pms_out_of_text(metric->formula));
		pms_out_cell(row, EVENTS, pms_out_of_words(&events));
		pms_out_cell(row, DESCRIPTION, pms_out_of_text(metric->description));
	}
}

static const char *member_name(const struct pms_catalog *catalog, const struct pms_group *group,
			       size_t i)
{
	return group->kind == PMS_GROUP_METRICS
		       ? pms_catalog_metric(catalog, group->members[i])->name
		       : pms_catalog_event(catalog, group->members[i])->name;
}

/* One row per group of either kind, with its members. */
static void list_groups(struct pms_out_item *root, const struct pms_filter *filter)
{
	enum { NAME, KIND, STAGE, TITLE, MEMBERS, DESCRIPTION, N };
	static const struct pms_out_field fields[] = {
		[NAME] = PMS_OUT_FIELD("name", "GROUP", 0),
		[KIND] = PMS_OUT_FIELD("kind", "OF", 0),
		[STAGE] = PMS_OUT_FIELD("stage", "STAGE", PMS_GRID_RIGHT),
		[TITLE] = PMS_OUT_FIELD("title", NULL, 0),
		[MEMBERS] = PMS_OUT_FIELD("members", "MEMBERS", PMS_GRID_WRAP),
		[DESCRIPTION] = PMS_OUT_FIELD("description", NULL, 0),
	};
	const struct pms_catalog *catalog = filter->catalog;
	struct pms_out_item *table = pms_out_table(root, PMS_EVERYWHERE, NULL, fields, N);
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++) {
		const struct pms_group *group = pms_catalog_group(catalog, i);
		int of_metrics = group->kind == PMS_GROUP_METRICS;
		if (!pms_filter_takes(filter, i))
			continue;
		struct pms_out_words members = pms_out_words(table);
		for (size_t k = 0; k < group->n_members; k++)
			pms_out_words_add(&members, member_name(catalog, group, k));
		struct pms_out_item *row = pms_out_row(table, N);
		pms_out_cell(row, NAME, pms_out_of_text(group->name));
		pms_out_cell(row, KIND, pms_out_of_text(of_metrics ? "metrics" : "events"));
		pms_out_cell(row, STAGE,
			     pms_out_when(group->stage, pms_out_of_integer(group->stage)));
		pms_out_cell(row, TITLE, pms_out_of_text(group->title));
		pms_out_cell(row, MEMBERS, pms_out_of_words(&members));
		pms_out_cell(row, DESCRIPTION, pms_out_of_text(group->description));
	}
}

enum tree_column { TREE_NAME, TREE_KIND, TREE_STAGE, TREE_LEVEL, TREE_PARENT, TREE_TITLE, N_TREE };

/* List a node with all below it: its children, then the groups that it leads to. */
static void list_node(struct pms_out_item *above, const struct pms_catalog *catalog, size_t index,
		      const char *parent)
{
	const struct pms_tree_node *node = pms_catalog_node(catalog, index);
	const struct pms_metric *metric = pms_catalog_metric(catalog, node->metric);
	struct pms_out_item *row = pms_out_row(above, N_TREE);
	pms_out_cell(row, TREE_NAME, pms_out_of_text(metric->name));
	pms_out_cell(row, TREE_KIND, pms_out_of_text("metric"));
	pms_out_cell(row, TREE_STAGE, pms_out_of_integer(1));
	pms_out_cell(row, TREE_LEVEL, pms_out_of_integer(node->level));
	pms_out_cell(row, TREE_PARENT, pms_out_of_text(parent));
	pms_out_cell(row, TREE_TITLE, pms_out_of_text(metric->title));
	for (size_t i = 0; i < node->n_children; i++)
		list_node(row, catalog, node->children[i], metric->name);
	for (size_t i = 0; i < node->n_next_groups; i++) {
		const struct pms_group *group = pms_catalog_group(catalog, node->next_groups[i]);
		struct pms_out_item *below = pms_out_row(row, N_TREE);
		pms_out_cell(below, TREE_NAME, pms_out_of_text(group->name));
		pms_out_cell(below, TREE_KIND, pms_out_of_text("group"));
		pms_out_cell(below, TREE_STAGE, pms_out_of_integer(group->stage));
		pms_out_cell(below, TREE_PARENT, pms_out_of_text(metric->name));
		pms_out_cell(below, TREE_TITLE, pms_out_of_text(group->title));
	}
}

/* List the wanted nodes as a tree, each subtree once. */
static void list_tree(struct pms_out_item *root, const struct pms_filter *filter)
{
	static const struct pms_out_field fields[] = {
		[TREE_NAME] = PMS_OUT_FIELD("name", "NAME", PMS_GRID_TREE),
		[TREE_KIND] = PMS_OUT_FIELD("kind", "KIND", 0),
		/* 1 for metrics, 2 for groups */
		[TREE_STAGE] = PMS_OUT_FIELD("stage", NULL, 0),
		[TREE_LEVEL] = PMS_OUT_FIELD("level", NULL, 0),
		[TREE_PARENT] = PMS_OUT_FIELD("parent", NULL, 0),
		[TREE_TITLE] = PMS_OUT_FIELD("title", "TITLE", PMS_GRID_WRAP),
	};
	const struct pms_catalog *catalog = filter->catalog;
	struct pms_out_item *table = pms_out_table(root, PMS_EVERYWHERE, NULL, fields, N_TREE);
	/* A wanted node is shown with its subtree, whose nodes follow it: skip them. */
	int shown = 0; /* level of the subtree's root; 0: not in one */
	for (size_t i = 0; i < pms_catalog_nodes(catalog); i++) {
		int level = pms_catalog_node(catalog, i)->level;
		if (shown && level > shown)
			continue;
		shown = pms_filter_takes(filter, i) ? level : 0;
		if (shown)
			list_node(table, catalog, i, NULL);
	}
}

int pms_build_list(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	static void (*const fill[])(struct pms_out_item *, const struct pms_filter *) = {
		[PMS_LIST_EVENTS] = list_events,
		[PMS_LIST_METRICS] = list_metrics,
		[PMS_LIST_GROUPS] = list_groups,
		[PMS_LIST_TREE] = list_tree,
	};
	const struct pms_filter *filter = subject;
	int rc = pms_filter_check(filter, err);
	if (rc)
		return rc;
	/* JSON is the array alone. */
	pms_out_comment(outline->root, NULL, pms_out_of_text("pmuscope " PMS_VERSION));
	pms_provenance_catalog(outline->root, PMS_IN_CSV, filter->catalog);
	fill[filter->what](outline->root, filter);
	return 0;
}

int pms_build_cpus(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	enum { NAME, PRODUCT, SLOTS, COUNTERS, EVENTS, METRICS, VERSION, PRODUCTS, N };
	static const struct pms_out_field fields[] = {
		[NAME] = PMS_OUT_FIELD("name", "CPU", 0),
		[PRODUCT] = PMS_OUT_FIELD("product", NULL, 0),
		[SLOTS] = PMS_OUT_FIELD("slots_per_cycle", "SLOTS", PMS_GRID_RIGHT),
		[COUNTERS] = PMS_OUT_FIELD("counters", "COUNTERS", PMS_GRID_RIGHT),
		[EVENTS] = PMS_OUT_FIELD("events", "EVENTS", PMS_GRID_RIGHT),
		[METRICS] = PMS_OUT_FIELD("metrics", "METRICS", PMS_GRID_RIGHT),
		[VERSION] = PMS_OUT_FIELD("version", NULL, 0),
		[PRODUCTS] = PMS_OUT_FIELD("products", "PROCESSORS", 0),
	};
	const struct pms_cpu_list *list = subject;
	(void)err;
	pms_out_comment(outline->root, NULL, pms_out_of_text("pmuscope " PMS_VERSION));
	struct pms_out_item *table =
		pms_out_table(outline->root, PMS_EVERYWHERE, NULL, FIELDS(fields));
	for (size_t i = 0; i < list->n; i++) {
		const struct pms_catalog *catalog = list->catalogs[i];
		const struct pms_cpu *cpu = pms_catalog_cpu(catalog);
		struct pms_out_item *row = pms_out_row(table, N);
		pms_out_cell(row, NAME, pms_out_of_text(cpu->name));
		pms_out_cell(row, PRODUCT, pms_out_of_text(cpu->product));
		pms_out_cell(row, SLOTS,
			     pms_out_when(cpu->slots > 0, pms_out_of_count(cpu->slots)));
		pms_out_cell(row, COUNTERS, pms_out_of_count(cpu->counters));
		pms_out_cell(row, EVENTS, pms_out_of_count(pms_catalog_events(catalog)));
		pms_out_cell(row, METRICS, pms_out_of_count(pms_catalog_metrics(catalog)));
		pms_out_cell(row, VERSION, pms_out_of_text(cpu->version));
		pms_out_cell(row, PRODUCTS, pms_out_of_text(cpu->products ? cpu->products : ""));
	}
	return 0;
}

static void say_check(struct pms_out_item *group, const struct pms_host_check *check)
{
	const char *state = check->ok > 0 ? "ok" : check->ok == 0 ? "MISSING" : "-";
	pms_out_paragraph(group, state, "%s%s%s", check->what, check->found[0] ? ": " : "",
			  check->found);
	/* Keep the command on one line, to be pasted. */
	if (check->fix[0])
		pms_out_line(group, "         fix: %s", check->fix);
}

int pms_build_checks(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	enum { WHAT, STATE, FOUND, FIX, N };
	static const struct pms_out_field fields[] = {
		[WHAT] = PMS_OUT_FIELD("what", "CHECK", 0),
		[STATE] = PMS_OUT_FIELD("state", "STATE", 0),
		[FOUND] = PMS_OUT_FIELD("found", "FOUND", 0),
		[FIX] = PMS_OUT_FIELD("fix", "FIX", 0),
	};
	const struct pms_check_list *list = subject;
	struct pms_out_item *group = pms_out_group(outline->root, PMS_FOR_PEOPLE, NULL);
	(void)err;
	pms_provenance_version(outline->root);
	pms_out_set_labels(group, 0, 9);
	struct pms_out_item *table =
		pms_out_table(outline->root, PMS_FOR_PROGRAMS, "checks", FIELDS(fields));
	for (size_t i = 0; i < list->n; i++) {
		const struct pms_host_check *check = &list->checks[i];
		struct pms_out_item *row = pms_out_row(table, N);
		pms_out_cell(row, WHAT, pms_out_of_text(check->what));
		pms_out_cell(row, STATE, pms_out_of_text(pms_label_check(check->ok)));
		pms_out_cell(row, FOUND, pms_out_of_text(check->found));
		pms_out_cell(row, FIX, pms_out_when(check->fix[0], pms_out_of_text(check->fix)));
		say_check(group, check);
	}
	return 0;
}
