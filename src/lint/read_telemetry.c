/* SPDX-License-Identifier: MIT */
/* Reads a specification in Arm's layout, telemetry schema v1.0, as far as it is readable. */
#include "lint/spec.h"

#include <string.h>

/* Get the object at @key to go through its members, if there is one. */
static const struct pms_json_place *
get_object(struct pms_lint *lint, const struct pms_json_place *at, const char *key, int optional)
{
	return pms_lint_get(lint, at, key, PMS_JSON_OBJECT | (optional ? PMS_JSON_OPTIONAL : 0));
}

/* Keep the member that the iteration has reached. Returns NULL, and reports it, when it is no
 * object. */
static const struct pms_json_place *member(struct pms_lint *lint, const struct pms_json_place *at,
					   const char *name, json_t *value)
{
	struct pms_json_place place = {
		.json = at->json, .parent = at, .key = name, .value = value
	};
	const struct pms_json_place *kept = pms_lint_keep(lint, place);
	if (kept && json_is_object(value))
		return kept;
	if (kept)
		pms_lint_add(lint, "layout", kept, "must be an object");
	return NULL;
}

/* Read the events, sound or not: the rules judge them. */
static void read_events(struct pms_lint *lint, const struct pms_json_place *root,
			struct pms_lint_spec *spec)
{
	const struct pms_json_place *events = get_object(lint, root, "events", 0);
	const char *name;
	json_t *value;
	if (!events)
		return;
	spec->events =
		pms_lint_room(lint, json_object_size(events->value), sizeof(spec->events[0]));
	json_object_foreach(events->value, name, value)
	{
		const struct pms_json_place *at = member(lint, events, name, value);
		if (!spec->events || !at)
			continue;
		struct pms_lint_event *event = &spec->events[spec->n_events++];
		event->name = (struct pms_lint_name){ name, at };
		pms_lint_get_code(lint, at, "code", event);
	}
}

/* Read the metrics and compile their formulas, as far as they are sound. */
static void read_metrics(struct pms_lint *lint, const struct pms_json_place *root,
			 struct pms_lint_spec *spec)
{
	const struct pms_json_place *metrics = get_object(lint, root, "metrics", 0);
	const char *name;
	json_t *value;
	if (!metrics)
		return;
	spec->metrics =
		pms_lint_room(lint, json_object_size(metrics->value), sizeof(spec->metrics[0]));
	json_object_foreach(metrics->value, name, value)
	{
		const struct pms_json_place *at = member(lint, metrics, name, value);
		if (!spec->metrics || !at)
			continue;
		struct pms_lint_metric *metric = &spec->metrics[spec->n_metrics++];
		metric->name = (struct pms_lint_name){ name, at };
		metric->formula = pms_lint_get_text(lint, at, "formula", 0);
		metric->units = pms_lint_get_text(lint, at, "units", 0);
		metric->events = pms_lint_get_names(lint, at, "events", 1);
		metric->lists_events = json_is_array(json_object_get(value, "events"));
		metric->samples = pms_lint_get_names(lint, at, "sample_events", 1);
		pms_lint_compile(lint, metric);
	}
}

/* Read the groups of one kind with their members, known or not. */
static void read_groups(struct pms_lint *lint, const struct pms_json_place *all,
			enum pms_group_kind kind, struct pms_lint_spec *spec)
{
	static const char *const keys[] = {
		[PMS_GROUP_FUNCTION] = "function", [PMS_GROUP_METRICS] = "metrics"
	};
	static const char *const members[] = {
		[PMS_GROUP_FUNCTION] = "events", [PMS_GROUP_METRICS] = "metrics"
	};
	const struct pms_json_place *groups = get_object(lint, all, keys[kind], 1);
	const char *name;
	json_t *value;
	if (!groups)
		return;
	json_object_foreach(groups->value, name, value)
	{
		const struct pms_json_place *at = member(lint, groups, name, value);
		if (!at)
			continue;
		struct pms_lint_group *group = &spec->groups[spec->n_groups++];
		group->kind = kind;
		group->name = (struct pms_lint_name){ name, at };
		group->members = pms_lint_get_names(lint, at, members[kind], 0);
	}
}

static void read_all_groups(struct pms_lint *lint, const struct pms_json_place *root,
			    struct pms_lint_spec *spec)
{
	const struct pms_json_place *all = get_object(lint, root, "groups", 0);
	if (!all)
		return;
	size_t count = json_object_size(json_object_get(all->value, "function")) +
		       json_object_size(json_object_get(all->value, "metrics"));
	spec->groups = pms_lint_room(lint, count, sizeof(spec->groups[0]));
	if (!spec->groups)
		return;
	read_groups(lint, all, PMS_GROUP_FUNCTION, spec);
	read_groups(lint, all, PMS_GROUP_METRICS, spec);
}

/* Read the nodes of the decision tree with their links, known or not. */
static void read_nodes(struct pms_lint *lint, const struct pms_json_place *tree,
		       struct pms_lint_spec *spec)
{
	const struct pms_json_place *array = pms_lint_get(lint, tree, "metrics", PMS_JSON_ARRAY);
	size_t n = array ? json_array_size(array->value) : 0;
	spec->nodes = pms_lint_room(lint, n, sizeof(spec->nodes[0]));
	spec->n_nodes = 0;
	for (size_t i = 0; spec->nodes && i < n; i++) {
		struct pms_json_place place = { .json = array->json,
						.parent = array,
						.index = i,
						.value = json_array_get(array->value, i) };
		const struct pms_json_place *at = pms_lint_keep(lint, place);
		if (!at || !json_is_object(place.value))
			continue;
		struct pms_lint_node *node = &spec->nodes[spec->n_nodes];
		node->name = pms_lint_get_text(lint, at, "name", 0);
		node->group = pms_lint_get_text(lint, at, "group", 0);
		node->next = pms_lint_get_names(lint, at, "next_items", 1);
		spec->n_nodes += node->name.text != NULL;
	}
	spec->roots = pms_lint_get_names(lint, tree, "root_nodes", 0);
}

/* Read the groups of both stages, one after the other. */
static void read_stages(struct pms_lint *lint, const struct pms_json_place *grouping,
			struct pms_lint_spec *spec)
{
	struct pms_lint_names one = pms_lint_get_names(lint, grouping, "stage_1", 1);
	struct pms_lint_names two = pms_lint_get_names(lint, grouping, "stage_2", 1);
	struct pms_lint_name *rows = pms_lint_room(lint, one.n + two.n, sizeof(*rows));
	if (!rows || !one.rows || !two.rows)
		return;
	memcpy(rows, one.rows, one.n * sizeof(*rows));
	memcpy(rows + one.n, two.rows, two.n * sizeof(*rows));
	spec->stages = (struct pms_lint_names){ rows, one.n + two.n };
}

/* Read one methodology: every specification has a single one. */
static void read_methodology(struct pms_lint *lint, const struct pms_json_place *root,
			     struct pms_lint_spec *spec)
{
	const struct pms_json_place *all = get_object(lint, root, "methodologies", 1);
	const struct pms_json_place *at = get_object(lint, root, "topdown_methodology", 1);
	const char *name;
	json_t *value;
	if (all)
		json_object_foreach(all->value, name, value) at = member(lint, all, name, value);
	if (!at)
		return;
	const struct pms_json_place *grouping = get_object(lint, at, "metric_grouping", 1);
	const struct pms_json_place *tree = get_object(lint, at, "decision_tree", 1);
	if (grouping)
		read_stages(lint, grouping, spec);
	if (tree)
		read_nodes(lint, tree, spec);
}

void pms_lint_read_telemetry(struct pms_lint *lint, const struct pms_json_place *root,
			     struct pms_lint_spec *spec)
{
	const struct pms_json_place *product = get_object(lint, root, "product_configuration", 0);
	json_t *slots = product ? json_object_get(product->value, "num_slots") : NULL;
	json_int_t number = json_integer_value(slots);
	spec->slots = number > 0 && number <= 1024 ? (unsigned)number : 0;
	read_events(lint, root, spec);
	read_metrics(lint, root, spec);
	read_all_groups(lint, root, spec);
	read_methodology(lint, root, spec);
}
