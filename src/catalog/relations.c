/* SPDX-License-Identifier: MIT */
/* Reads relations.json and caveats.json, which docs/development/catalog.md describes. */
#include "catalog/catalog.h"

#include <assert.h>
#include <string.h>

#include "base/limits.h"
#include "base/status.h"

static const struct {
	const char *name, *sign;
} kinds[] = {
	[PMS_RELATION_SUM] = { "sum", "=" },
	[PMS_RELATION_EQUAL] = { "equal", "=" },
	[PMS_RELATION_AT_LEAST] = { "at_least", ">=" },
	[PMS_RELATION_SUBSET] = { "subset", "<=" },
	[PMS_RELATION_NEVER] = { "never", "=" },
};
enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

const char *pms_relation_sign(enum pms_relation_kind kind)
{
	return (unsigned)kind < N_KINDS ? kinds[kind].sign : "?";
}

const char *pms_relation_kind_name(enum pms_relation_kind kind)
{
	return (unsigned)kind < N_KINDS ? kinds[kind].name : "?";
}

static int has(const size_t *events, size_t n, size_t event)
{
	for (size_t i = 0; i < n; i++)
		if (events[i] == event)
			return 1;
	return 0;
}

int pms_relation_has(const struct pms_relation *relation, size_t event)
{
	return has(relation->lhs.events, relation->lhs.n_events, event) ||
	       has(relation->rhs.events, relation->rhs.n_events, event);
}

int pms_caveat_has(const struct pms_caveat *caveat, size_t event)
{
	return has(caveat->events, caveat->n_events, event);
}

int pms_caveat_has_metric(const struct pms_caveat *caveat, const struct pms_metric *metric)
{
	for (size_t i = 0; i < metric->n_events; i++)
		if (pms_caveat_has(caveat, metric->events[i]))
			return 1;
	return 0;
}

/* Find the array @key and make room for its rows. */
static int read_array(struct pms_catalog *catalog, const struct pms_json_place *root,
		      const char *key, size_t size, struct pms_json_place *array, void **rows,
		      struct pms_error *err)
{
	int rc = pms_json_get(root, key, PMS_JSON_ARRAY, array, err);
	if (rc)
		return rc;
	size_t count = json_array_size(array->value);
	if (count > PMS_MOST_RELATIONS)
		return pms_json_fail(array, err, "has more than %d rows", PMS_MOST_RELATIONS);
	*rows = pms_arena_alloc(&catalog->arena, count, size);
	return *rows ? 0 : pms_no_memory(err);
}

/* Read a member of a condition; NULL where it is absent. */
static int read_part(struct pms_catalog *catalog, const struct pms_json_place *at, const char *key,
		     const char **out, struct pms_error *err)
{
	int rc = pms_catalog_text(catalog, at, key, 1, out, err);
	if (!rc && !(*out)[0])
		*out = NULL;
	return rc;
}

/* Check that each of the configurations joined by " and " is described. */
static int check_configuration(const struct pms_catalog *catalog, const struct pms_json_place *at,
			       const char *names, struct pms_error *err)
{
	static const char between[] = " and ";
	while (*names) {
		const char *end = strstr(names, between);
		size_t length = end ? (size_t)(end - names) : strlen(names), i = 0;
		while (i < catalog->n_configurations &&
		       (strncmp(catalog->configurations[i].name, names, length) != 0 ||
			catalog->configurations[i].name[length]))
			i++;
		if (i == catalog->n_configurations)
			return pms_json_fail(at, err,
					     "\"%.*s\" is none of relations.json's "
					     "configurations",
					     (int)(length < 100 ? length : 100), names);
		names += length + (end ? sizeof(between) - 1 : 0);
	}
	return 0;
}

static int read_condition(struct pms_catalog *catalog, const struct pms_json_place *row,
			  struct pms_condition *out, struct pms_error *err)
{
	struct pms_json_place at;
	int rc = pms_json_get(row, "condition", PMS_JSON_OBJECT | PMS_JSON_OPTIONAL, &at, err);
	if (rc || !at.value)
		return rc;
	rc = read_part(catalog, &at, "configuration", &out->configuration, err);
	if (!rc)
		rc = read_part(catalog, &at, "errata", &out->errata, err);
	if (!rc)
		rc = read_part(catalog, &at, "before", &out->before, err);
	if (!rc && !out->errata != !out->before)
		rc = pms_json_fail(&at, err,
				   "must have both \"errata\" and \"before\", or neither");
	if (!rc && out->configuration && !catalog->is_lean)
		rc = check_configuration(catalog, &at, out->configuration, err);
	return rc;
}

/* Read the configurations first: conditions refer to them by name. */
static int read_configurations(struct pms_catalog *catalog, const struct pms_json_place *root,
			       struct pms_error *err)
{
	struct pms_json_place at;
	const char *name;
	json_t *value;
	int rc =
		pms_json_get(root, "configurations", PMS_JSON_OBJECT | PMS_JSON_OPTIONAL, &at, err);
	if (rc)
		return rc;
	catalog->configurations = pms_arena_alloc(&catalog->arena, json_object_size(at.value),
						  sizeof(catalog->configurations[0]));
	if (!catalog->configurations)
		return pms_no_memory(err);
	json_object_foreach(at.value, name, value)
	{
		struct pms_configuration *c = &catalog->configurations[catalog->n_configurations++];
		rc = pms_catalog_text(catalog, &at, name, 0, &c->text, err);
		if (rc)
			return rc;
		c->name = pms_arena_dup(&catalog->arena, name);
		if (!c->name)
			return pms_no_memory(err);
	}
	return 0;
}

/* Look up a formula's names, which must be events of the catalog. */
static int read_slots(struct pms_catalog *catalog, struct pms_side *side, struct pms_error *err)
{
	side->n_events = pms_formula_names(side->program);
	size_t *events = pms_arena_alloc(&catalog->arena, side->n_events, sizeof(events[0]));
	if (!events)
		return pms_no_memory(err);
	for (size_t i = 0; i < side->n_events; i++)
		events[i] =
			(size_t)pms_catalog_find_event(catalog, pms_formula_name(side->program, i));
	side->events = events;
	return 0;
}

static int read_side(struct pms_catalog *catalog, const struct pms_json_place *row, const char *key,
		     struct pms_side *side, struct pms_error *err)
{
	struct pms_json_place at;
	struct pms_formula *program;
	int rc = pms_catalog_text(catalog, row, key, 0, &side->text, err);
	if (!rc)
		rc = pms_json_get(row, key, PMS_JSON_STRING, &at, err);
	if (!rc)
		rc = pms_catalog_formula(catalog, &at, side->text, pms_catalog_find_event, "event",
					 &program, err);
	if (rc)
		return rc;
	side->program = program;
	return read_slots(catalog, side, err);
}

/* Read one of @n names; an error lists them. */
static int read_choice(const struct pms_json_place *row, const char *key, const char *const *names,
		       size_t n, const char *must, size_t *out, struct pms_error *err)
{
	struct pms_json_place at;
	int rc = pms_json_get(row, key, PMS_JSON_STRING, &at, err);
	if (rc)
		return rc;
	for (*out = 0; *out < n; ++*out)
		if (!strcmp(names[*out], json_string_value(at.value)))
			return 0;
	return pms_json_fail(&at, err, "must be %s", must);
}

/* Read a relation: both sides must be formulas over known events. */
static int read_relation(struct pms_catalog *catalog, const struct pms_json_place *at,
			 struct pms_relation *relation, struct pms_error *err)
{
	static const char *const origins[] = { "document", "architecture" };
	const char *names[N_KINDS];
	size_t kind = 0, origin = 0;
	for (size_t i = 0; i < N_KINDS; i++)
		names[i] = kinds[i].name;
	int rc = pms_catalog_text(catalog, at, "id", 0, &relation->id, err);
	if (!rc)
		rc = read_choice(at, "kind", names, N_KINDS,
				 "\"sum\", \"equal\", \"at_least\", \"subset\" or \"never\"", &kind,
				 err);
	if (!rc)
		rc = read_side(catalog, at, "lhs", &relation->lhs, err);
	if (!rc)
		rc = read_side(catalog, at, "rhs", &relation->rhs, err);
	if (!rc)
		rc = read_condition(catalog, at, &relation->condition, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "section", 1, &relation->section, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "source", 1, &relation->source, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "note", 1, &relation->note, err);
	if (!rc)
		rc = read_choice(at, "origin", origins, 2, "\"document\" or \"architecture\"",
				 &origin, err);
	relation->kind = (enum pms_relation_kind)kind;
	relation->architecture = origin == 1;
	return rc;
}

int pms_catalog_read_relations(struct pms_catalog *catalog, const struct pms_json_place *root,
			       struct pms_error *err)
{
	struct pms_json_place array, at;
	void *rows = NULL;
	int rc = pms_catalog_text(catalog, root, "source", 1, &catalog->relations_source, err);
	if (!rc)
		rc = read_configurations(catalog, root, err);
	if (!rc)
		rc = read_array(catalog, root, "relations", sizeof(catalog->relations[0]), &array,
				&rows, err);
	if (rc)
		return rc;
	assert(rows);
	catalog->relations = rows;
	for (size_t i = 0; !rc && i < json_array_size(array.value); i++) {
		rc = pms_json_element(&array, i, PMS_JSON_OBJECT, &at, err);
		/* Count the row before reading it, so that its programs are freed after an
		 * error. */
		if (!rc)
			rc = read_relation(catalog, &at,
					   &catalog->relations[catalog->n_relations++], err);
	}
	return rc;
}

/* Read a caveat and the events that it is about. */
static int read_caveat(struct pms_catalog *catalog, const struct pms_json_place *at,
		       struct pms_caveat *caveat, struct pms_error *err)
{
	struct pms_json_place events;
	int rc = pms_catalog_text(catalog, at, "id", 0, &caveat->id, err);
	if (!rc)
		rc = pms_json_get(at, "events", PMS_JSON_ARRAY, &events, err);
	if (!rc)
		rc = pms_catalog_list(catalog, &events, pms_catalog_find_event, "event",
				      &caveat->events, &caveat->n_events, err);
	if (!rc)
		rc = read_condition(catalog, at, &caveat->condition, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "text", 0, &caveat->text, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "section", 1, &caveat->section, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "source", 1, &caveat->source, err);
	return rc;
}

int pms_catalog_read_caveats(struct pms_catalog *catalog, const struct pms_json_place *root,
			     struct pms_error *err)
{
	struct pms_json_place array, at;
	void *rows = NULL;
	int rc = pms_catalog_text(catalog, root, "source", 1, &catalog->caveats_source, err);
	if (!rc)
		rc = pms_catalog_text(catalog, root, "pmu", 1, &catalog->pmu, err);
	if (!rc)
		rc = read_array(catalog, root, "caveats", sizeof(catalog->caveats[0]), &array,
				&rows, err);
	if (rc)
		return rc;
	assert(rows);
	catalog->caveats = rows;
	for (size_t i = 0; !rc && i < json_array_size(array.value); i++) {
		rc = pms_json_element(&array, i, PMS_JSON_OBJECT, &at, err);
		if (!rc)
			rc = read_caveat(catalog, &at, &catalog->caveats[catalog->n_caveats++],
					 err);
	}
	return rc;
}
