/* SPDX-License-Identifier: MIT */
/* A description for programs: an object for each subject, with all that the catalog links to it. */
#include "show/describe.h"

#include <string.h>

#include "show/caveat.h"
#include "show/document.h"
#include "show/label.h"

struct maker {
	struct pms_document document;
	const struct pms_description *d;
	const struct pms_catalog *catalog;
};

static void set(struct maker *m, json_t *object, const char *key, json_t *value)
{
	pms_document_set(&m->document, object, key, value);
}

static void append(struct maker *m, json_t *array, json_t *value)
{
	pms_document_append(&m->document, array, value);
}

static void set_text(struct maker *m, json_t *object, const char *key, const char *text)
{
	set(m, object, key, pms_document_string(text));
}

static json_t *texts(struct maker *m, const char *const *list, size_t n)
{
	json_t *array = json_array();
	for (size_t i = 0; i < n; i++)
		append(m, array, pms_document_string(list[i]));
	return array;
}

static json_t *event_names(struct maker *m, const size_t *events, size_t n)
{
	json_t *array = json_array();
	for (size_t i = 0; i < n; i++)
		append(m, array,
		       pms_document_string(pms_catalog_event(m->catalog, events[i])->name));
	return array;
}

static json_t *groups_of(struct maker *m, enum pms_group_kind kind, size_t member)
{
	json_t *array = json_array();
	for (size_t i = 0; i < pms_catalog_groups(m->catalog); i++) {
		const struct pms_group *group = pms_catalog_group(m->catalog, i);
		if (group->kind == kind && pms_group_has(group, member))
			append(m, array, pms_document_string(group->name));
	}
	return array;
}

static json_t *relations_of(struct maker *m, size_t event)
{
	json_t *array = json_array();
	for (size_t i = 0; i < pms_catalog_relations(m->catalog); i++) {
		const struct pms_relation *relation = pms_catalog_relation(m->catalog, i);
		if (!pms_relation_has(relation, event))
			continue;
		json_t *object = json_object();
		set_text(m, object, "id", relation->id);
		set_text(m, object, "kind", pms_relation_kind_name(relation->kind));
		set_text(m, object, "lhs", relation->lhs.text);
		set_text(m, object, "rhs", relation->rhs.text);
		set(m, object, "condition",
		    pms_caveat_condition(&m->document, &relation->condition));
		set_text(m, object, "section", relation->section);
		if (relation->source[0])
			set_text(m, object, "source", relation->source);
		set_text(m, object, "note", relation->note);
		set_text(m, object, "origin", relation->architecture ? "architecture" : "document");
		append(m, array, object);
	}
	return array;
}

/* Of an event, or where there is a metric, of its events. */
static json_t *caveats_of(struct maker *m, const struct pms_metric *metric, size_t event)
{
	json_t *array = json_array();
	for (size_t i = 0; i < pms_catalog_caveats(m->catalog); i++) {
		const struct pms_caveat *caveat = pms_catalog_caveat(m->catalog, i);
		if (metric ? pms_caveat_has_metric(caveat, metric) : pms_caveat_has(caveat, event))
			append(m, array, pms_caveat_object(&m->document, m->catalog, caveat));
	}
	return array;
}

static json_t *model_of(struct maker *m, size_t event)
{
	const struct pms_vcore_event *how =
		m->d->model ? pms_vcore_event(m->d->model, event) : NULL;
	if (!how)
		return json_null();
	int counted = how->state == PMS_COUNTED;
	json_t *object = json_object();
	set_text(m, object, "class",
		 counted ? pms_label_count_class(how->cls) : pms_label_count_state(how->state));
	set_text(m, object, "counters", counted && !how->because ? how->how : NULL);
	set_text(m, object, "because", how->because);
	return object;
}

static json_t *core_codes(struct maker *m, size_t event)
{
	json_t *array = json_array();
	for (size_t i = 0; i < pms_catalog_core_codes(m->catalog); i++) {
		const struct pms_core_code *code = pms_catalog_core_code(m->catalog, i);
		if (code->event != event)
			continue;
		json_t *object = json_object();
		set_text(m, object, "core", code->core->title);
		set(m, object, "code", code->generic ? json_null() : json_integer(code->code));
		set_text(m, object, "generic", code->generic);
		set_text(m, object, "note", code->note);
		append(m, array, object);
	}
	return array;
}

/* Keys of the specification that are not of its layout, as they stand there; none: no member. */
static void set_extras(struct maker *m, json_t *object, enum pms_extra_of of, const char *owner)
{
	json_t *other = NULL;
	for (size_t i = 0; i < pms_catalog_extras(m->catalog); i++) {
		const struct pms_extra *extra = pms_catalog_extra(m->catalog, i);
		if (extra->of != of || strcmp(extra->owner, owner) != 0)
			continue;
		if (!other)
			set(m, object, "other", other = json_object());
		set(m, other, of == PMS_EXTRA_ELSEWHERE ? extra->path : extra->key,
		    json_loads(extra->value, JSON_DECODE_ANY, NULL));
	}
}

static json_t *event_object(struct maker *m, size_t index)
{
	const struct pms_event *event = pms_catalog_event(m->catalog, index);
	json_t *object = json_object(), *metrics = json_array();
	set_text(m, object, "kind", "event");
	set_text(m, object, "name", event->name);
	set(m, object, "code", event->code < 0 ? json_null() : json_integer(event->code));
	set(m, object, "core_codes", core_codes(m, index));
	set_text(m, object, "title", event->title);
	set_text(m, object, "description", event->description);
	set(m, object, "architecture_defined", json_boolean(event->architecture_defined));
	set(m, object, "product_defined", json_boolean(event->product_defined));
	set(m, object, "accesses", texts(m, event->accesses, event->n_accesses));
	set(m, object, "aliases", texts(m, event->aliases, event->n_aliases));
	set(m, object, "groups", groups_of(m, PMS_GROUP_FUNCTION, index));
	for (size_t i = 0; i < pms_catalog_metrics(m->catalog); i++)
		if (pms_metric_uses(pms_catalog_metric(m->catalog, i), index))
			append(m, metrics,
			       pms_document_string(pms_catalog_metric(m->catalog, i)->name));
	set(m, object, "metrics", metrics);
	set(m, object, "model", model_of(m, index));
	set(m, object, "relations", relations_of(m, index));
	set(m, object, "caveats", caveats_of(m, NULL, index));
	set_extras(m, object, PMS_EXTRA_EVENT, event->name);
	return object;
}

static json_t *node_object(struct maker *m, const struct pms_tree_node *node)
{
	json_t *object = json_object(), *next = json_array();
	set(m, object, "level", json_integer(node->level));
	set_text(m, object, "group", pms_catalog_group(m->catalog, node->group)->name);
	for (size_t i = 0; i < node->n_children; i++) {
		size_t child = pms_catalog_node(m->catalog, node->children[i])->metric;
		append(m, next, pms_document_string(pms_catalog_metric(m->catalog, child)->name));
	}
	for (size_t i = 0; i < node->n_next_groups; i++)
		append(m, next,
		       pms_document_string(
			       pms_catalog_group(m->catalog, node->next_groups[i])->name));
	set(m, object, "next_items", next);
	return object;
}

static json_t *nodes_of(struct maker *m, size_t metric)
{
	json_t *array = json_array();
	for (size_t i = 0; i < pms_catalog_nodes(m->catalog); i++)
		if (pms_catalog_node(m->catalog, i)->metric == metric)
			append(m, array, node_object(m, pms_catalog_node(m->catalog, i)));
	return array;
}

static json_t *metric_object(struct maker *m, size_t index)
{
	const struct pms_metric *metric = pms_catalog_metric(m->catalog, index);
	json_t *object = json_object(), *events = json_array();
	set_text(m, object, "kind", "metric");
	set_text(m, object, "name", metric->name);
	set_text(m, object, "title", metric->title);
	set_text(m, object, "description", metric->description);
	set_text(m, object, "formula", metric->formula);
	set_text(m, object, "units", metric->units);
	for (size_t i = 0; i < metric->n_events; i++) {
		const struct pms_event *event = pms_catalog_event(m->catalog, metric->events[i]);
		json_t *row = json_object();
		set_text(m, row, "name", event->name);
		set(m, row, "code", event->code < 0 ? json_null() : json_integer(event->code));
		set_text(m, row, "title", event->title);
		set(m, row, "model", model_of(m, metric->events[i]));
		append(m, events, row);
	}
	set(m, object, "events", events);
	set(m, object, "sample_events",
	    event_names(m, metric->sample_events, metric->n_sample_events));
	set(m, object, "unless", event_names(m, metric->unless, metric->n_unless));
	set(m, object, "aliases", texts(m, metric->aliases, metric->n_aliases));
	set(m, object, "groups", groups_of(m, PMS_GROUP_METRICS, index));
	set(m, object, "nodes", nodes_of(m, index));
	set(m, object, "caveats", caveats_of(m, metric, 0));
	set_extras(m, object, PMS_EXTRA_METRIC, metric->name);
	return object;
}

static json_t *group_object(struct maker *m, size_t index)
{
	const struct pms_group *group = pms_catalog_group(m->catalog, index);
	int of_metrics = group->kind == PMS_GROUP_METRICS;
	json_t *object = json_object(), *members = json_array();
	set_text(m, object, "kind", "group");
	set_text(m, object, "name", group->name);
	set_text(m, object, "of", of_metrics ? "metrics" : "events");
	set(m, object, "stage", group->stage ? json_integer(group->stage) : json_null());
	set_text(m, object, "title", group->title);
	set_text(m, object, "description", group->description);
	for (size_t i = 0; i < group->n_members; i++) {
		size_t k = group->members[i];
		json_t *row = json_object();
		set_text(m, row, "name",
			 of_metrics ? pms_catalog_metric(m->catalog, k)->name
				    : pms_catalog_event(m->catalog, k)->name);
		set_text(m, row, "title",
			 of_metrics ? pms_catalog_metric(m->catalog, k)->title
				    : pms_catalog_event(m->catalog, k)->title);
		append(m, members, row);
	}
	set(m, object, "members", members);
	set_extras(m, object, pms_group_extra(group), group->name);
	return object;
}

static json_t *cpu_object(struct maker *m, size_t index)
{
	const struct pms_cpu *cpu = pms_catalog_cpu(m->catalog);
	json_t *object = json_object(), *configurations = json_object(), *cores = json_array();
	(void)index;
	set_text(m, object, "kind", "cpu");
	set_text(m, object, "name", cpu->name);
	set_text(m, object, "product", cpu->product);
	set_text(m, object, "products", cpu->products && cpu->products[0] ? cpu->products : NULL);
	set_text(m, object, "version", cpu->version);
	set_text(m, object, "file", cpu->file);
	for (size_t i = 0; i < pms_catalog_code_cores(m->catalog); i++) {
		const struct pms_code_core *core = pms_catalog_code_core(m->catalog, i);
		json_t *one = json_object();
		set_text(m, one, "name", core->is_any ? NULL : core->name);
		set_text(m, one, "title", core->title);
		set_text(m, one, "about", core->about);
		append(m, cores, one);
	}
	set(m, object, "cores", cores);
	set(m, object, "slots_per_cycle", cpu->slots ? json_integer(cpu->slots) : json_null());
	set(m, object, "counters", json_integer(cpu->counters));
	set_text(m, object, "pmu",
		 pms_catalog_pmu(m->catalog)[0] ? pms_catalog_pmu(m->catalog) : NULL);
	set(m, object, "events", json_integer((json_int_t)pms_catalog_events(m->catalog)));
	set(m, object, "metrics", json_integer((json_int_t)pms_catalog_metrics(m->catalog)));
	set(m, object, "groups", json_integer((json_int_t)pms_catalog_groups(m->catalog)));
	set(m, object, "nodes", json_integer((json_int_t)pms_catalog_nodes(m->catalog)));
	set(m, object, "relations", json_integer((json_int_t)pms_catalog_relations(m->catalog)));
	set(m, object, "caveats", json_integer((json_int_t)pms_catalog_caveats(m->catalog)));
	for (size_t i = 0; i < pms_catalog_configurations(m->catalog); i++)
		set_text(m, configurations, pms_catalog_configuration(m->catalog, i)->name,
			 pms_catalog_configuration(m->catalog, i)->text);
	set(m, object, "configurations", configurations);
	set(m, object, "modelled", json_boolean(m->d->model != NULL));
	set_extras(m, object, PMS_EXTRA_ELSEWHERE, "");
	return object;
}

int pms_describe_json(FILE *out, const struct pms_description *description, struct pms_error *err)
{
	static json_t *(*const make[])(struct maker *, size_t) = {
		[PMS_SUBJECT_EVENT] = event_object,
		[PMS_SUBJECT_METRIC] = metric_object,
		[PMS_SUBJECT_GROUP] = group_object,
		[PMS_SUBJECT_CPU] = cpu_object,
	};
	struct maker m = { .d = description, .catalog = description->catalog };
	const struct pms_cpu *cpu = pms_catalog_cpu(m.catalog);
	json_t *root = json_object(), *array = json_array();
	pms_document_init(&m.document, root);
	set(&m, root, "pmuscope", json_pack("{s:s}", "version", PMS_VERSION));
	set(&m, root, "catalog",
	    json_pack("{s:o, s:o}", "name", pms_document_string(cpu->name), "version",
		      pms_document_string(cpu->version)));
	for (size_t i = 0; i < description->n; i++)
		append(&m, array,
		       make[description->subjects[i].kind](&m, description->subjects[i].index));
	set(&m, root, "described", array);
	return pms_document_finish(&m.document, out, err);
}
