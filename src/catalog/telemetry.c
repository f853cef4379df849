/* SPDX-License-Identifier: MIT */
/* Reads the events, metrics and groups of a telemetry.json (telemetry-v1.0 schema). */
#include "catalog/catalog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/status.h"

int pms_catalog_text(struct pms_catalog *catalog, const struct pms_json_place *at, const char *key,
		     int optional, const char **text, struct pms_error *err)
{
	struct pms_json_place place;
	int rc = pms_json_get(at, key, PMS_JSON_STRING | (optional ? PMS_JSON_OPTIONAL : 0), &place,
			      err);
	if (rc)
		return rc;
	*text = place.value ? pms_arena_dup(&catalog->arena, json_string_value(place.value)) : "";
	return *text ? 0 : pms_no_memory(err);
}

struct pms_name_row *pms_catalog_index(struct pms_catalog *catalog, struct pms_name_index *index,
				       size_t count)
{
	index->rows = pms_arena_alloc(&catalog->arena, count, sizeof(index->rows[0]));
	return index->rows;
}

static void index_add(struct pms_name_index *index, const char *name, size_t i)
{
	index->rows[index->count++] = (struct pms_name_row){ name, i };
}

/* @known: skip an unknown name and keep it as a flaw; else it is an error. */
static int read_list(struct pms_catalog *catalog, const struct pms_json_place *array, int known,
		     pms_catalog_finder *find, const char *what, const size_t **members,
		     size_t *count, struct pms_error *err)
{
	size_t n = json_array_size(array->value), taken = 0;
	size_t *list = pms_arena_alloc(&catalog->arena, n, sizeof(list[0]));
	if (!list)
		return pms_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		struct pms_json_place place;
		int rc = pms_json_element(array, i, PMS_JSON_STRING, &place, err);
		if (rc)
			return rc;
		const char *name = json_string_value(place.value);
		int64_t found = find(catalog, name);
		if (found >= 0)
			list[taken++] = (size_t)found;
		else
			rc = known ? pms_catalog_add_flaw(catalog, &place, err, "\"%s\" is no %s",
							  name, what)
				   : pms_json_fail(&place, err, "unknown %s \"%s\"", what, name);
		if (rc)
			return rc;
	}
	*members = list;
	*count = taken;
	return 0;
}

int pms_catalog_list(struct pms_catalog *catalog, const struct pms_json_place *array,
		     pms_catalog_finder *find, const char *what, const size_t **members,
		     size_t *count, struct pms_error *err)
{
	return read_list(catalog, array, 0, find, what, members, count, err);
}

int pms_catalog_list_known(struct pms_catalog *catalog, const struct pms_json_place *array,
			   pms_catalog_finder *find, const char *what, const size_t **members,
			   size_t *count, struct pms_error *err)
{
	return read_list(catalog, array, 1, find, what, members, count, err);
}

/* Find the column of a name's first appearance as a whole word; the formula holds it. */
static unsigned name_column(const char *formula, const char *name)
{
	static const char inside[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789_.";
	size_t length = strlen(name);
	const char *at = formula;
	for (size_t word; *at; at += word ? word : 1) {
		word = strspn(at, inside);
		if (word == length && !memcmp(at, name, length))
			break;
	}
	return (unsigned)(at - formula) + 1;
}

int pms_catalog_formula(const struct pms_catalog *catalog, const struct pms_json_place *at,
			const char *text, pms_catalog_finder *find, const char *what,
			struct pms_formula **out, struct pms_error *err)
{
	struct pms_formula *formula;
	struct pms_error why = { 0 };
	if (pms_formula_compile(text, NULL, &formula, &why))
		return why.status == PMS_ENOMEM
			       ? pms_no_memory(err)
			       : pms_json_fail(at, err, "column %u: %s", why.column, why.text);
	for (size_t i = 0; i < pms_formula_names(formula); i++) {
		const char *name = pms_formula_name(formula, i);
		if (find(catalog, name) >= 0)
			continue;
		int rc = pms_json_fail(at, err, "column %u: unknown %s \"%s\"",
				       name_column(text, name), what, name);
		pms_formula_free(formula);
		return rc;
	}
	*out = formula;
	return 0;
}

/* Read a code: "0x0011", "17" or 17; -1 where there is none. */
static int read_code(const struct pms_json_place *event, int64_t *code, struct pms_error *err)
{
	struct pms_json_place place;
	int rc = pms_json_get(event, "code", PMS_JSON_STRING | PMS_JSON_INTEGER | PMS_JSON_OPTIONAL,
			      &place, err);
	if (rc)
		return rc;
	*code = -1;
	if (!place.value)
		return 0;
	if (json_is_integer(place.value)) {
		*code = json_integer_value(place.value);
	} else {
		const char *text = json_string_value(place.value);
		char *end;
		errno = 0;
		*code = strtoll(text, &end, 0);
		if (errno || end == text || *end)
			*code = -1;
	}
	return *code < 0 ? pms_json_fail(&place, err, "is not an event code") : 0;
}

/* Copy an array's texts. */
static int read_texts(struct pms_catalog *catalog, const struct pms_json_place *array,
		      const char *const **out, size_t *count, struct pms_error *err)
{
	size_t n = json_array_size(array->value);
	const char **texts = pms_arena_alloc(&catalog->arena, n, sizeof(texts[0]));
	if (!texts)
		return pms_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		struct pms_json_place at;
		int rc = pms_json_element(array, i, PMS_JSON_STRING, &at, err);
		if (rc)
			return rc;
		texts[i] = pms_arena_dup(&catalog->arena, json_string_value(at.value));
		if (!texts[i])
			return pms_no_memory(err);
	}
	*out = texts;
	*count = n;
	return 0;
}

static int read_accesses(struct pms_catalog *catalog, const struct pms_json_place *at,
			 struct pms_event *event, struct pms_error *err)
{
	struct pms_json_place accesses;
	int rc = pms_json_get(at, "accesses", PMS_JSON_ARRAY | PMS_JSON_OPTIONAL, &accesses, err);
	if (!rc)
		rc = read_texts(catalog, &accesses, &event->accesses, &event->n_accesses, err);
	for (size_t i = 0; !rc && i < event->n_accesses; i++)
		event->pmu_access |= !strcmp(event->accesses[i], "PMU");
	return rc;
}

/* Read aliases. The layout does not define them, so in other specifications they may be
 * anything. */
static int read_aliases(struct pms_catalog *catalog, const struct pms_json_place *at,
			const char *const **out, size_t *count, struct pms_error *err)
{
	struct pms_json_place properties, aliases;
	if (pms_json_get(at, "properties", PMS_JSON_OBJECT, &properties, NULL) ||
	    pms_json_get(&properties, "aliases", PMS_JSON_ARRAY, &aliases, NULL))
		return 0;
	for (size_t i = 0; i < json_array_size(aliases.value); i++)
		if (!json_is_string(json_array_get(aliases.value, i)))
			return 0;
	return read_texts(catalog, &aliases, out, count, err);
}

static int read_flag(const struct pms_json_place *at, const char *key, int *flag,
		     struct pms_error *err)
{
	struct pms_json_place place;
	int rc = pms_json_get(at, key, PMS_JSON_BOOLEAN | PMS_JSON_OPTIONAL, &place, err);
	*flag = !rc && json_is_true(place.value);
	return rc;
}

/* Read an event. The schema's private events have only a code, so every other key may be absent.
 */
static int read_event(struct pms_catalog *catalog, const struct pms_json_place *at,
		      struct pms_event *event, struct pms_error *err)
{
	int rc = pms_catalog_text(catalog, at, "title", 1, &event->title, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "description", 1, &event->description, err);
	if (!rc)
		rc = read_code(at, &event->code, err);
	if (!rc)
		rc = read_flag(at, "architecture_defined", &event->architecture_defined, err);
	if (!rc)
		rc = read_flag(at, "product_defined", &event->product_defined, err);
	if (!rc)
		rc = read_accesses(catalog, at, event, err);
	if (!rc)
		rc = read_aliases(catalog, at, &event->aliases, &event->n_aliases, err);
	return rc;
}

static int index_aliases(struct pms_catalog *catalog, struct pms_error *err)
{
	size_t count = 0;
	for (size_t i = 0; i < catalog->n_events; i++)
		count += catalog->events[i].n_aliases;
	if (!pms_catalog_index(catalog, &catalog->event_aliases, count))
		return pms_no_memory(err);
	for (size_t i = 0; i < catalog->n_events; i++)
		for (size_t k = 0; k < catalog->events[i].n_aliases; k++)
			index_add(&catalog->event_aliases, catalog->events[i].aliases[k], i);
	pms_name_index_sort(&catalog->event_aliases);
	return 0;
}

int pms_catalog_read_events(struct pms_catalog *catalog, const struct pms_json_place *root,
			    struct pms_error *err)
{
	struct pms_json_place events, place;
	int rc = pms_json_get(root, "events", PMS_JSON_OBJECT, &events, err);
	if (rc)
		return rc;
	size_t count = json_object_size(events.value);
	if (count > PMS_MOST_CATALOG_EVENTS)
		return pms_json_fail(&events, err, "has more than %d events",
				     PMS_MOST_CATALOG_EVENTS);
	catalog->events = pms_arena_alloc(&catalog->arena, count, sizeof(catalog->events[0]));
	if (!catalog->events || !pms_catalog_index(catalog, &catalog->event_names, count))
		return pms_no_memory(err);
	const char *name;
	json_t *value;
	json_object_foreach(events.value, name, value)
	{
		struct pms_event *event = &catalog->events[catalog->n_events];
		rc = pms_json_member(&events, name, value, PMS_JSON_OBJECT, &place, err);
		if (!rc)
			rc = read_event(catalog, &place, event, err);
		if (rc)
			return rc;
		event->name = pms_arena_dup(&catalog->arena, name);
		if (!event->name)
			return pms_no_memory(err);
		index_add(&catalog->event_names, event->name, catalog->n_events++);
	}
	pms_name_index_sort(&catalog->event_names);
	return index_aliases(catalog, err);
}

/* Take the events of a metric from its formula, in slot order. The file's own list has the same
 * events in another order and is not needed. */
static int read_program(struct pms_catalog *catalog, const struct pms_json_place *at,
			struct pms_metric *metric, struct pms_error *err)
{
	struct pms_json_place place;
	struct pms_formula *program = NULL;
	int rc = pms_json_get(at, "formula", PMS_JSON_STRING, &place, err);
	if (!rc)
		rc = pms_catalog_formula(catalog, &place, metric->formula, pms_catalog_find_event,
					 "event", &program, err);
	if (rc)
		return rc;
	metric->program = program;
	metric->n_events = pms_formula_names(program);
	size_t *events = pms_arena_alloc(&catalog->arena, metric->n_events, sizeof(events[0]));
	if (!events)
		return pms_no_memory(err);
	for (size_t i = 0; i < metric->n_events; i++)
		events[i] = (size_t)pms_catalog_find_event(catalog, pms_formula_name(program, i));
	metric->events = events;
	return 0;
}

/* Read the events whose counts let other metrics show the parts of this one. */
static int read_unless(struct pms_catalog *catalog, const struct pms_json_place *at,
		       struct pms_metric *metric, struct pms_error *err)
{
	struct pms_json_place properties, unless;
	if (pms_json_get(at, "properties", PMS_JSON_OBJECT, &properties, NULL) ||
	    pms_json_get(&properties, "unless", PMS_JSON_ARRAY, &unless, NULL))
		return 0;
	return pms_catalog_list(catalog, &unless, pms_catalog_find_event, "event", &metric->unless,
				&metric->n_unless, err);
}

/* Read a metric, with its formula compiled and its events looked up. */
static int read_metric(struct pms_catalog *catalog, const struct pms_json_place *at,
		       struct pms_metric *metric, struct pms_error *err)
{
	struct pms_json_place samples;
	int rc = pms_catalog_text(catalog, at, "title", 0, &metric->title, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "description", 0, &metric->description, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "units", 0, &metric->units, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "formula", 0, &metric->formula, err);
	if (!rc)
		rc = pms_json_get(at, "sample_events", PMS_JSON_ARRAY | PMS_JSON_OPTIONAL, &samples,
				  err);
	if (!rc)
		rc = pms_catalog_list_known(catalog, &samples, pms_catalog_find_event, "event",
					    &metric->sample_events, &metric->n_sample_events, err);
	if (!rc)
		rc = read_program(catalog, at, metric, err);
	if (!rc)
		rc = read_unless(catalog, at, metric, err);
	if (!rc)
		rc = read_aliases(catalog, at, &metric->aliases, &metric->n_aliases, err);
	return rc;
}

static int index_metric_aliases(struct pms_catalog *catalog, struct pms_error *err)
{
	size_t count = 0;
	for (size_t i = 0; i < catalog->n_metrics; i++)
		count += catalog->metrics[i].n_aliases;
	if (!pms_catalog_index(catalog, &catalog->metric_aliases, count))
		return pms_no_memory(err);
	for (size_t i = 0; i < catalog->n_metrics; i++)
		for (size_t k = 0; k < catalog->metrics[i].n_aliases; k++)
			index_add(&catalog->metric_aliases, catalog->metrics[i].aliases[k], i);
	pms_name_index_sort(&catalog->metric_aliases);
	return 0;
}

int pms_catalog_read_metrics(struct pms_catalog *catalog, const struct pms_json_place *root,
			     struct pms_error *err)
{
	struct pms_json_place metrics, place;
	int rc = pms_json_get(root, "metrics", PMS_JSON_OBJECT, &metrics, err);
	if (rc)
		return rc;
	size_t count = json_object_size(metrics.value);
	if (count > PMS_MOST_CATALOG_METRICS)
		return pms_json_fail(&metrics, err, "has more than %d metrics",
				     PMS_MOST_CATALOG_METRICS);
	catalog->metrics = pms_arena_alloc(&catalog->arena, count, sizeof(catalog->metrics[0]));
	if (!catalog->metrics || !pms_catalog_index(catalog, &catalog->metric_names, count))
		return pms_no_memory(err);
	const char *name;
	json_t *value;
	json_object_foreach(metrics.value, name, value)
	{
		/* Count the metric before reading it, so that its program is freed after an
		 * error. */
		struct pms_metric *metric = &catalog->metrics[catalog->n_metrics++];
		rc = pms_json_member(&metrics, name, value, PMS_JSON_OBJECT, &place, err);
		if (!rc)
			rc = read_metric(catalog, &place, metric, err);
		if (rc)
			return rc;
		metric->name = pms_arena_dup(&catalog->arena, name);
		if (!metric->name)
			return pms_no_memory(err);
		index_add(&catalog->metric_names, metric->name, catalog->n_metrics - 1);
	}
	pms_name_index_sort(&catalog->metric_names);
	return index_metric_aliases(catalog, err);
}

static const struct {
	const char *key, *members;
	const char *what;
	pms_catalog_finder *find;
} group_kinds[] = {
	[PMS_GROUP_FUNCTION] = { "function", "events", "event", pms_catalog_find_event },
	[PMS_GROUP_METRICS] = { "metrics", "metrics", "metric", pms_catalog_find_metric },
};

static int read_group(struct pms_catalog *catalog, const struct pms_json_place *at,
		      struct pms_group *group, struct pms_error *err)
{
	struct pms_json_place members;
	int rc = pms_catalog_text(catalog, at, "title", 0, &group->title, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "description", 0, &group->description, err);
	if (!rc)
		rc = pms_json_get(at, group_kinds[group->kind].members,
				  PMS_JSON_ARRAY | PMS_JSON_OPTIONAL, &members, err);
	if (!rc)
		rc = pms_catalog_list_known(catalog, &members, group_kinds[group->kind].find,
					    group_kinds[group->kind].what, &group->members,
					    &group->n_members, err);
	return rc;
}

/* Read the groups of one kind and index their names. */
static int read_group_kind(struct pms_catalog *catalog, const struct pms_json_place *groups,
			   enum pms_group_kind kind, struct pms_error *err)
{
	struct pms_name_index *index = &catalog->group_names[kind];
	if (!pms_catalog_index(catalog, index, json_object_size(groups->value)))
		return pms_no_memory(err);
	const char *name;
	json_t *value;
	json_object_foreach(groups->value, name, value)
	{
		struct pms_group *group = &catalog->groups[catalog->n_groups];
		struct pms_json_place place;
		group->kind = kind;
		int rc = pms_json_member(groups, name, value, PMS_JSON_OBJECT, &place, err);
		if (!rc)
			rc = read_group(catalog, &place, group, err);
		if (rc)
			return rc;
		group->name = pms_arena_dup(&catalog->arena, name);
		if (!group->name)
			return pms_no_memory(err);
		index_add(index, group->name, catalog->n_groups++);
	}
	pms_name_index_sort(index);
	return 0;
}

int pms_catalog_read_groups(struct pms_catalog *catalog, const struct pms_json_place *root,
			    struct pms_error *err)
{
	enum { KINDS = sizeof(group_kinds) / sizeof(group_kinds[0]) };
	struct pms_json_place groups, of[KINDS];
	size_t count = 0;
	int rc = pms_json_get(root, "groups", PMS_JSON_OBJECT, &groups, err);
	for (size_t kind = 0; !rc && kind < KINDS; kind++) {
		rc = pms_json_get(&groups, group_kinds[kind].key,
				  PMS_JSON_OBJECT | PMS_JSON_OPTIONAL, &of[kind], err);
		count += rc ? 0 : json_object_size(of[kind].value);
	}
	if (rc)
		return rc;
	if (count > PMS_MOST_CATALOG_GROUPS)
		return pms_json_fail(&groups, err, "has more than %d groups",
				     PMS_MOST_CATALOG_GROUPS);
	catalog->groups = pms_arena_alloc(&catalog->arena, count, sizeof(catalog->groups[0]));
	if (!catalog->groups)
		return pms_no_memory(err);
	for (size_t kind = 0; !rc && kind < KINDS; kind++)
		rc = read_group_kind(catalog, &of[kind], (enum pms_group_kind)kind, err);
	return rc;
}
