/* SPDX-License-Identifier: MIT */
/* Reads advice.json: {"source": …, "terms": {NAME: {"formulas": […]}, …}, "advice": [{"id", "node",
 * "group", "condition", "weight", "partial", "evidence", "title", "text", "source", "unmodelled",
 * "gain"}, …]}. Unknown keys are ignored. */
#include "catalog/catalog.h"

#include <stdio.h>

#include "base/limits.h"
#include "base/status.h"

/* Read the name at @key, which must be known; NULL when it is optional and absent. */
static int read_name(struct pms_catalog *catalog, const struct pms_json_place *at, const char *key,
		     int optional, pms_catalog_finder *find, const char *what, const char **name,
		     struct pms_error *err)
{
	struct pms_json_place place;
	int rc = pms_json_get(at, key, PMS_JSON_STRING | (optional ? PMS_JSON_OPTIONAL : 0), &place,
			      err);
	*name = NULL;
	if (rc || !place.value)
		return rc;
	if (find(catalog, json_string_value(place.value)) < 0)
		return pms_json_fail(&place, err, "unknown %s \"%s\"", what,
				     json_string_value(place.value));
	return pms_catalog_text(catalog, at, key, 0, name, err);
}

static int64_t find_node(const struct pms_catalog *catalog, const char *name)
{
	int64_t metric = pms_catalog_find_metric(catalog, name);
	for (size_t i = 0; metric >= 0 && i < catalog->n_nodes; i++)
		if (catalog->nodes[i].metric == (size_t)metric)
			return (int64_t)i;
	return -PMS_ENAME;
}

static int64_t find_metric_group(const struct pms_catalog *catalog, const char *name)
{
	return pms_catalog_find_group(catalog, PMS_GROUP_METRICS, name);
}

/* Find a name that formulas of advice may use: a metric, or a term read so far. */
static int64_t find_operand(const struct pms_catalog *catalog, const char *name)
{
	for (size_t i = 0; i < catalog->n_terms; i++)
		if (!pms_name_compare(catalog->terms[i].name, name))
			return (int64_t)i;
	return pms_catalog_find_metric(catalog, name);
}

/* Read a formula over metrics and terms, or a plain number; NULL when absent. */
static int read_formula(const struct pms_catalog *catalog, const struct pms_json_place *at,
			const char *key, const struct pms_formula **out, struct pms_error *err)
{
	struct pms_json_place place;
	struct pms_formula *formula;
	char number[64];
	int rc = pms_json_get(at, key, PMS_JSON_STRING | PMS_JSON_NUMBER | PMS_JSON_OPTIONAL,
			      &place, err);
	if (rc || !place.value)
		return rc;
	const char *text = json_string_value(place.value);
	if (!text) {
		snprintf(number, sizeof(number), "%.17g", json_number_value(place.value));
		text = number;
	}
	rc = pms_catalog_formula(catalog, &place, text, find_operand, "metric", &formula, err);
	if (!rc)
		*out = formula;
	return rc;
}

/* Read a term: the first defined of its formulas gives its value. The term enters the catalog
 * before its formulas are read, so that they are freed with it. */
static int read_term(struct pms_catalog *catalog, const struct pms_json_place *at,
		     struct pms_error *err)
{
	struct pms_term *term = &catalog->terms[catalog->n_terms];
	struct pms_json_place array, place;
	int rc = pms_json_get(at, "formulas", PMS_JSON_ARRAY, &array, err);
	if (!rc && find_operand(catalog, at->key) >= 0)
		rc = pms_json_fail(at, err, "is the name of a metric or of another term");
	if (rc)
		return rc;
	size_t count = json_array_size(array.value);
	const struct pms_formula **formulas =
		pms_arena_alloc(&catalog->arena, count, sizeof(const struct pms_formula *));
	const char *name = pms_arena_dup(&catalog->arena, at->key);
	if (!formulas || !name)
		return pms_no_memory(err);
	*term = (struct pms_term){ .name = "", .formulas = formulas };
	catalog->n_terms++;
	for (size_t i = 0; !rc && i < count; i++) {
		struct pms_formula *formula = NULL;
		rc = pms_json_element(&array, i, PMS_JSON_STRING, &place, err);
		if (!rc)
			rc = pms_catalog_formula(catalog, &place, json_string_value(place.value),
						 find_operand, "metric", &formula, err);
		if (!rc)
			formulas[term->n_formulas++] = formula;
	}
	term->name = name; /* set last: a term must not use itself */
	return rc;
}

/* Read the terms in order, so that each can use only the terms before it. */
static int read_terms(struct pms_catalog *catalog, const struct pms_json_place *root,
		      struct pms_error *err)
{
	struct pms_json_place terms, at;
	const char *name;
	json_t *value;
	int rc = pms_json_get(root, "terms", PMS_JSON_OBJECT | PMS_JSON_OPTIONAL, &terms, err);
	if (rc || !terms.value)
		return rc;
	if (json_object_size(terms.value) > PMS_MOST_ADVICE_TERMS)
		return pms_json_fail(&terms, err, "has more than %d terms", PMS_MOST_ADVICE_TERMS);
	catalog->terms = pms_arena_alloc(&catalog->arena, json_object_size(terms.value),
					 sizeof(catalog->terms[0]));
	if (!catalog->terms)
		return pms_no_memory(err);
	json_object_foreach(terms.value, name, value)
	{
		rc = pms_json_member(&terms, name, value, PMS_JSON_OBJECT, &at, err);
		if (!rc)
			rc = read_term(catalog, &at, err);
		if (rc)
			return rc;
	}
	return 0;
}

static int read_evidence(struct pms_catalog *catalog, const struct pms_json_place *at,
			 struct pms_advice *advice, struct pms_error *err)
{
	struct pms_json_place array;
	int rc = pms_json_get(at, "evidence", PMS_JSON_ARRAY | PMS_JSON_OPTIONAL, &array, err);
	return rc ? rc
		  : pms_catalog_list(catalog, &array, pms_catalog_find_metric, "metric",
				     &advice->evidence, &advice->n_evidence, err);
}

static int read_partial(const struct pms_json_place *at, int *partial, struct pms_error *err)
{
	struct pms_json_place place;
	int rc = pms_json_get(at, "partial", PMS_JSON_BOOLEAN | PMS_JSON_OPTIONAL, &place, err);
	*partial = !rc && json_is_true(place.value);
	return rc;
}

/* Read one piece of advice: its names must be known, its formulas must compile. */
static int read_entry(struct pms_catalog *catalog, const struct pms_json_place *at,
		      const char *source, struct pms_advice *advice, struct pms_error *err)
{
	int rc = pms_catalog_text(catalog, at, "id", 0, &advice->id, err);
	if (!rc)
		rc = read_name(catalog, at, "node", 0, find_node, "node of the decision tree",
			       &advice->node, err);
	if (!rc)
		rc = read_name(catalog, at, "group", 1, find_metric_group, "metric group",
			       &advice->group, err);
	if (!rc)
		rc = read_formula(catalog, at, "condition", &advice->condition, err);
	if (!rc)
		rc = read_formula(catalog, at, "weight", &advice->weight, err);
	if (!rc)
		rc = read_partial(at, &advice->is_partial, err);
	if (!rc)
		rc = read_evidence(catalog, at, advice, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "title", 0, &advice->title, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "text", 0, &advice->text, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "source", 1, &advice->source, err);
	if (!rc && !advice->source[0])
		advice->source = source;
	if (!rc)
		rc = pms_catalog_text(catalog, at, "unmodelled", 1, &advice->unmodelled, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "gain", 1, &advice->gain, err);
	if (!rc)
		rc = pms_catalog_text(catalog, at, "lost", 1, &advice->lost, err);
	return rc;
}

int pms_catalog_read_advice(struct pms_catalog *catalog, const struct pms_json_place *root,
			    struct pms_error *err)
{
	struct pms_json_place array, at;
	const char *source;
	int rc = pms_catalog_text(catalog, root, "source", 1, &source, err);
	if (!rc)
		rc = read_terms(catalog, root, err);
	if (!rc)
		rc = pms_json_get(root, "advice", PMS_JSON_ARRAY, &array, err);
	if (rc)
		return rc;
	size_t count = json_array_size(array.value);
	catalog->advices = pms_arena_alloc(&catalog->arena, count, sizeof(catalog->advices[0]));
	if (!catalog->advices)
		return pms_no_memory(err);
	for (size_t i = 0; !rc && i < count; i++) {
		rc = pms_json_element(&array, i, PMS_JSON_OBJECT, &at, err);
		if (!rc)
			rc = read_entry(catalog, &at, source,
					&catalog->advices[catalog->n_advices++], err);
	}
	return rc;
}
