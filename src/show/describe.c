/* SPDX-License-Identifier: MIT */
/* The parts that descriptions of events, metrics, groups and CPUs share. */
#include "show/describe.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/status.h"
#include "catalog/find.h"
#include "show/caveat.h"
#include "show/label.h"
#include "show/provenance.h"

/* Make one paragraph of each line of @text. */
static void say_lines(struct pms_out_item *group, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		if (length)
			pms_out_paragraph(group, NULL, "%.*s", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

void pms_describe_heading(struct pms_out_item *group, const struct pms_catalog *catalog,
			  const char *name, const char *what, const char *title,
			  const char *description)
{
	struct pms_out_item *text = pms_out_group(group, PMS_FOR_PEOPLE, NULL);
	pms_out_set_labels(text, 2, 0);
	pms_out_heading(text, "%s: %s of %s", name, what, pms_catalog_cpu(catalog)->product);
	if (title[0] && strcmp(title, name) != 0)
		pms_out_paragraph(text, NULL, "%s", title);
	if (strcmp(title, description) != 0) {
		if (description[0])
			pms_out_gap(text);
		say_lines(text, description);
	}
	pms_out_gap(text);
}

void pms_describe_words(struct pms_out_item *group, const char *key, const char *label,
			const struct pms_out_words *words)
{
	if (key)
		pms_out_member(group, key, pms_out_of_words(words));
	if (label && words->n)
		pms_out_paragraph(group, label, "%s", pms_out_words_join(words, ", "));
}

void pms_describe_groups(struct pms_out_item *group, const struct pms_catalog *catalog,
			 enum pms_group_kind kind, size_t member)
{
	struct pms_out_words names = pms_out_words(group);
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++) {
		const struct pms_group *g = pms_catalog_group(catalog, i);
		if (g->kind == kind && pms_group_has(g, member))
			pms_out_words_add(&names, g->name);
	}
	pms_describe_words(group, "groups", "groups", &names);
}

void pms_describe_model(struct pms_out_item *object, const struct pms_description *d, size_t event)
{
	const struct pms_vcore_event *how = d->model ? pms_vcore_event(d->model, event) : NULL;
	if (!how) {
		pms_out_member(object, "model", pms_out_of_nothing());
		return;
	}
	int counted = how->state == PMS_COUNTED;
	struct pms_out_item *model = pms_out_group(object, PMS_IN_JSON, "model");
	pms_out_member(model, "class",
		       pms_out_of_text(counted ? pms_label_count_class(how->cls)
					       : pms_label_count_state(how->state)));
	pms_out_member(model, "counters",
		       pms_out_of_text(counted && !how->because ? how->how : NULL));
	pms_out_member(model, "because", pms_out_of_text(how->because));
}

/* Caveats -------------------------------------------------------------------------------------- */

static void say_caveat(struct pms_out_item *group, const char *label,
		       const struct pms_catalog *catalog, const struct pms_caveat *caveat,
		       int with_events)
{
	struct pms_out_words parts = pms_out_words(group);
	char condition[512];
	pms_label_applies(condition, sizeof(condition), &caveat->condition);
	for (size_t i = 0; with_events && i < caveat->n_events; i++)
		pms_out_words_add(&parts, pms_catalog_event(catalog, caveat->events[i])->name);
	if (condition[0])
		pms_out_words_add(&parts, condition);
	const char *of = pms_out_words_join(&parts, ", ");
	const char *section = "";
	if (caveat->section[0])
		section = pms_out_print(group, " (section %s%s%s)", caveat->section,
					caveat->source[0] ? " of " : "", caveat->source);
	pms_out_set_flags(pms_out_paragraph(group, label, "%s%s%s%s", of, parts.n ? ": " : "",
					    caveat->text, section),
			  PMS_OUT_BULLET);
}

size_t pms_describe_caveats(struct pms_out_item *group, const struct pms_catalog *catalog,
			    const struct pms_metric *metric, size_t event)
{
	struct pms_out_item *list = pms_out_list(group, PMS_IN_JSON, "caveats");
	size_t count = 0;
	for (size_t i = 0; i < pms_catalog_caveats(catalog); i++) {
		const struct pms_caveat *caveat = pms_catalog_caveat(catalog, i);
		if (metric ? !pms_caveat_has_metric(caveat, metric)
			   : !pms_caveat_has(caveat, event))
			continue;
		if (list)
			pms_caveat_put(list, catalog, caveat);
		else
			say_caveat(group, count ? NULL : "caveats", catalog, caveat,
				   metric != NULL);
		count++;
	}
	return count;
}

static int names_configuration(const struct pms_condition *condition, const char *name)
{
	size_t length = strlen(name);
	const char *at = condition->configuration;
	while (at && (at = strstr(at, name))) {
		if ((at == condition->configuration || at[-1] == ' ') &&
		    (!at[length] || at[length] == ' '))
			return 1;
		at += length;
	}
	return 0;
}

static int is_named(const struct pms_catalog *catalog, const struct pms_metric *metric,
		    size_t event, const char *name)
{
	for (size_t i = 0; !metric && i < pms_catalog_relations(catalog); i++) {
		const struct pms_relation *relation = pms_catalog_relation(catalog, i);
		if (pms_relation_has(relation, event) &&
		    names_configuration(&relation->condition, name))
			return 1;
	}
	for (size_t i = 0; i < pms_catalog_caveats(catalog); i++) {
		const struct pms_caveat *caveat = pms_catalog_caveat(catalog, i);
		if ((metric ? pms_caveat_has_metric(caveat, metric)
			    : pms_caveat_has(caveat, event)) &&
		    names_configuration(&caveat->condition, name))
			return 1;
	}
	return 0;
}

void pms_describe_configurations(struct pms_out_item *group, const struct pms_catalog *catalog,
				 const struct pms_metric *metric, size_t event)
{
	const char *label = "where";
	if (!pms_outline_is_in(group, PMS_FOR_PEOPLE))
		return;
	for (size_t i = 0; i < pms_catalog_configurations(catalog); i++) {
		const struct pms_configuration *c = pms_catalog_configuration(catalog, i);
		if (!is_named(catalog, metric, event, c->name))
			continue;
		pms_out_paragraph(group, label, "%s: %s", c->name, c->text);
		label = NULL;
	}
}

void pms_describe_document(struct pms_out_item *group, const struct pms_catalog *catalog,
			   size_t rows)
{
	const char *source = pms_catalog_relations_source(catalog);
	if (rows && source[0])
		pms_out_paragraph(group, "document", "%s", source);
}

/* Keys that are not of the layout -------------------------------------------------------------- */

/* Copy a value into the outline's tree: jansson's value is freed before the outline is written. */
static void put_json(struct pms_out_item *parent, const char *key, const json_t *value)
{
	const char *text =
		pms_out_print(parent, "%s", json_is_string(value) ? json_string_value(value) : "");
	struct pms_out_item *inside;
	const char *name;
	json_t *each;
	size_t i;
	key = key ? pms_out_print(parent, "%s", key) : NULL;
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		inside = pms_out_group(parent, PMS_IN_JSON, key);
		json_object_foreach((json_t *)value, name, each) put_json(inside, name, each);
		break;
	case JSON_ARRAY:
		inside = pms_out_list(parent, PMS_IN_JSON, key);
		json_array_foreach(value, i, each) put_json(inside, NULL, each);
		break;
	case JSON_STRING:
		pms_out_member(parent, key, pms_out_of_text(text));
		break;
	case JSON_INTEGER:
		pms_out_member(parent, key, pms_out_of_integer(json_integer_value(value)));
		break;
	case JSON_REAL:
		pms_out_member(parent, key, pms_out_of_real(json_real_value(value)));
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		pms_out_member(parent, key, pms_out_of_truth(json_is_true(value)));
		break;
	case JSON_NULL:
		pms_out_member(parent, key, pms_out_of_nothing());
		break;
	}
}

static void put_extra(struct pms_out_item *other, const char *key, const char *text)
{
	json_t *value = other ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
	if (value)
		put_json(other, key, value);
	else if (other)
		other->outline->failed = 1;
	json_decref(value);
}

void pms_describe_extras(struct pms_out_item *group, const struct pms_catalog *catalog,
			 enum pms_extra_of of, const char *owner)
{
	struct pms_out_item *other = NULL;
	const char *label = "other";
	for (size_t i = 0; i < pms_catalog_extras(catalog); i++) {
		const struct pms_extra *extra = pms_catalog_extra(catalog, i);
		const char *key = of == PMS_EXTRA_ELSEWHERE ? extra->path : extra->key;
		if (extra->of != of || strcmp(extra->owner, owner) != 0)
			continue;
		if (!other)
			other = pms_out_group(group, PMS_IN_JSON, "other");
		put_extra(other, key, extra->value);
		pms_out_paragraph(group, label, "%s: %s", key, extra->value);
		label = NULL;
	}
}

/* The whole ------------------------------------------------------------------------------------ */

static int refuse_name(const struct pms_catalog *catalog, const char *name, struct pms_error *err)
{
	const char *nearest = pms_subjects_nearest(catalog, name);
	char why[PMS_ABSENT_MAX];
	int rc = pms_fail(err, PMS_ENAME, "%s has no event, metric or group %.200s",
			  pms_catalog_cpu(catalog)->name, name);
	if (pms_find_absent(catalog, name, why))
		pms_hint(err, "%s", why);
	else if (nearest)
		pms_hint(err, "did you mean %s? pmuscope search looks in descriptions as well",
			 nearest);
	else
		pms_hint(err, "pmuscope search looks in names, titles and descriptions");
	return rc;
}

/* Find the subjects of all names, in the order of the names. */
static int find_subjects(struct pms_description *d, struct pms_error *err)
{
	d->subjects = calloc(d->n_names * PMS_SUBJECTS_MAX + 1, sizeof(*d->subjects));
	if (!d->subjects)
		return pms_no_memory(err);
	for (size_t i = 0; i < d->n_names; i++) {
		size_t found = pms_subjects_find(d->catalog, d->names[i], &d->subjects[d->n]);
		if (!found)
			return refuse_name(d->catalog, d->names[i], err);
		d->n += found;
	}
	return 0;
}

int pms_build_description(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	static pms_describer *const describe[] = {
		[PMS_SUBJECT_EVENT] = pms_describe_event,
		[PMS_SUBJECT_METRIC] = pms_describe_metric,
		[PMS_SUBJECT_GROUP] = pms_describe_group,
		[PMS_SUBJECT_CPU] = pms_describe_cpu,
	};
	struct pms_description *d = subject;
	if (pms_outline_is_in(outline->root, PMS_IN_CSV))
		return pms_fail(err, PMS_EINVAL,
				"descriptions are written as text or JSON, not CSV");
	int rc = find_subjects(d, err);
	if (rc)
		return rc;
	pms_provenance_version(outline->root);
	pms_provenance_catalog(outline->root, PMS_IN_JSON, d->catalog);
	struct pms_out_item *list = pms_out_list(outline->root, PMS_EVERYWHERE, "described");
	for (size_t i = 0; i < d->n; i++) {
		if (i)
			pms_out_gap(list);
		struct pms_out_item *group = pms_out_group(list, PMS_EVERYWHERE, NULL);
		pms_out_set_labels(group, 2, 11);
		describe[d->subjects[i].kind](group, d, d->subjects[i].index);
	}
	return 0;
}
