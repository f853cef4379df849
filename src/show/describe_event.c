/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "show/caveat.h"
#include "show/describe.h"
#include "show/label.h"

/* Relations ------------------------------------------------------------------------------------ */

/* Add when the relation holds and which section of the document says so. */
static void say_terms(struct pms_out_item *group, const struct pms_relation *relation)
{
	struct pms_out_words parts = pms_out_words(group);
	char condition[512];
	pms_label_holds(condition, sizeof(condition), &relation->condition);
	if (condition[0])
		pms_out_words_add(&parts, pms_out_print(group, "holds %s", condition));
	if (relation->architecture)
		pms_out_words_add(&parts, "by the architecture's definitions");
	else if (relation->section[0])
		pms_out_words_add(&parts, pms_out_print(group, "section %s%s%s", relation->section,
							relation->source[0] ? " of " : "",
							relation->source));
	if (parts.n)
		pms_out_set_flags(
			pms_out_paragraph(group, NULL, "%s", pms_out_words_join(&parts, "; ")),
			PMS_OUT_FURTHER);
}

static void say_relation(struct pms_out_item *group, const char *label,
			 const struct pms_relation *relation)
{
	pms_out_set_flags(pms_out_paragraph(group, label, "%s %s %s", relation->lhs.text,
					    pms_relation_sign(relation->kind), relation->rhs.text),
			  PMS_OUT_BULLET);
	if (relation->note[0])
		pms_out_set_flags(pms_out_paragraph(group, NULL, "%s", relation->note),
				  PMS_OUT_FURTHER);
	say_terms(group, relation);
}

static void put_relation(struct pms_out_item *list, const struct pms_relation *relation)
{
	struct pms_out_item *object = pms_out_group(list, PMS_IN_JSON, NULL);
	pms_out_member(object, "id", pms_out_of_text(relation->id));
	pms_out_member(object, "kind", pms_out_of_text(pms_relation_kind_name(relation->kind)));
	pms_out_member(object, "lhs", pms_out_of_text(relation->lhs.text));
	pms_out_member(object, "rhs", pms_out_of_text(relation->rhs.text));
	pms_out_member(object, "condition", pms_caveat_condition(object, &relation->condition));
	pms_out_member(object, "section", pms_out_of_text(relation->section));
	if (relation->source[0])
		pms_out_member(object, "source", pms_out_of_text(relation->source));
	pms_out_member(object, "note", pms_out_of_text(relation->note));
	pms_out_member(object, "origin",
		       pms_out_of_text(relation->architecture ? "architecture" : "document"));
}

/* Add an event's relations. Returns how many. */
static size_t describe_relations(struct pms_out_item *group, const struct pms_catalog *catalog,
				 size_t event)
{
	struct pms_out_item *list = pms_out_list(group, PMS_IN_JSON, "relations");
	size_t count = 0;
	for (size_t i = 0; i < pms_catalog_relations(catalog); i++) {
		const struct pms_relation *relation = pms_catalog_relation(catalog, i);
		if (!pms_relation_has(relation, event))
			continue;
		if (list)
			put_relation(list, relation);
		else
			say_relation(group, count ? NULL : "relations", relation);
		count++;
	}
	return count;
}

/* List the errata of an event's caveats by themselves: they matter to whoever has an old
 * revision. Errata in a relation's condition may concern other events, and are shown with the
 * relation. */
static void say_errata(struct pms_out_item *group, const struct pms_catalog *catalog, size_t event)
{
	struct pms_out_words parts = pms_out_words(group);
	const char *last = "";
	for (size_t i = 0; i < pms_catalog_caveats(catalog); i++) {
		const struct pms_caveat *caveat = pms_catalog_caveat(catalog, i);
		const struct pms_condition *c = &caveat->condition;
		if (!c->errata || !pms_caveat_has(caveat, event) || !strcmp(last, c->errata))
			continue;
		pms_out_words_add(&parts, pms_out_print(group, "%s, which revisions before %s have",
							c->errata, c->before));
		last = c->errata;
	}
	if (parts.n)
		pms_out_paragraph(group, "errata", "%s", pms_out_words_join(&parts, "; "));
}

/* The event ------------------------------------------------------------------------------------ */

static void put_code(struct pms_out_item *list, const struct pms_core_code *code)
{
	struct pms_out_item *object = pms_out_group(list, PMS_IN_JSON, NULL);
	pms_out_member(object, "core", pms_out_of_text(code->core->title));
	pms_out_member(object, "code",
		       pms_out_when(!code->generic, pms_out_of_integer(code->code)));
	pms_out_member(object, "generic", pms_out_of_text(code->generic));
	pms_out_member(object, "note", pms_out_of_text(code->note));
}

static void say_code(struct pms_out_item *group, const char *label,
		     const struct pms_core_code *code)
{
	unsigned long long number = (unsigned long long)code->code;
	if (code->generic)
		pms_out_paragraph(group, label, "%s: %s, perf's own name", code->core->title,
				  code->generic);
	else
		pms_out_paragraph(group, label, "%s: 0x%llx (perf: r%llx)", code->core->title,
				  number, number);
	if (code->note)
		pms_out_set_flags(pms_out_paragraph(group, NULL, "%s", code->note),
				  PMS_OUT_FURTHER);
}

/* List the codes of the known cores where the catalog has no single code. */
static void describe_codes(struct pms_out_item *group, const struct pms_catalog *catalog,
			   size_t event)
{
	struct pms_out_item *list = pms_out_list(group, PMS_IN_JSON, "core_codes");
	int is_without = pms_catalog_event(catalog, event)->code < 0;
	const char *label = "number";
	for (size_t i = 0; i < pms_catalog_core_codes(catalog); i++) {
		const struct pms_core_code *code = pms_catalog_core_code(catalog, i);
		if (code->event != event)
			continue;
		put_code(list, code);
		if (is_without)
			say_code(group, label, code);
		label = NULL;
	}
	if (is_without && label)
		pms_out_paragraph(group, label, "%s",
				  pms_catalog_core_codes(catalog)
					  ? "of no core whose numbers are in this catalog"
					  : "none in this catalog");
}

/* Say for people how the model counts the event; pms_describe_model tells programs. */
static void say_model(struct pms_out_item *group, const struct pms_description *d, size_t event)
{
	const struct pms_vcore_event *how = d->model ? pms_vcore_event(d->model, event) : NULL;
	if (!d->model)
		pms_out_paragraph(group, "vcore", "there is no model of this CPU");
	else if (how && how->state == PMS_COUNTED && how->because)
		pms_out_paragraph(group, "vcore", "%s: always 0. %s",
				  pms_label_count_class(how->cls), how->because);
	else if (how && how->state == PMS_COUNTED)
		pms_out_paragraph(group, "vcore", "%s: counts %s", pms_label_count_class(how->cls),
				  how->how);
	else if (how)
		pms_out_paragraph(group, "vcore", "not modelled: %s", how->because);
}

static void describe_code(struct pms_out_item *group, const struct pms_catalog *catalog,
			  size_t index)
{
	int64_t code = pms_catalog_event(catalog, index)->code;
	pms_out_member(group, "code", pms_out_when(code >= 0, pms_out_of_integer(code)));
	if (code >= 0)
		pms_out_paragraph(group, "number", "0x%04llx (perf: r%llx)",
				  (unsigned long long)code, (unsigned long long)code);
	describe_codes(group, catalog, index);
}

/* Add who defines the event, and its other names. */
static void describe_names(struct pms_out_item *group, const struct pms_event *event)
{
	struct pms_out_words accesses = pms_out_words(group), aliases = pms_out_words(group);
	pms_out_member(group, "architecture_defined",
		       pms_out_of_truth(event->architecture_defined));
	pms_out_member(group, "product_defined", pms_out_of_truth(event->product_defined));
	pms_out_paragraph(group, "defined by", "%s",
			  event->architecture_defined ? "the architecture"
			  : event->product_defined    ? "the product"
						      : "nobody, as far as the catalog says");
	for (size_t i = 0; i < event->n_accesses; i++)
		pms_out_words_add(&accesses, event->accesses[i]);
	pms_describe_words(group, "accesses", "counted by", &accesses);
	for (size_t i = 0; i < event->n_aliases; i++)
		pms_out_words_add(&aliases, event->aliases[i]);
	pms_describe_words(group, "aliases", "also named", &aliases);
}

void pms_describe_event(struct pms_out_item *group, const struct pms_description *d, size_t index)
{
	const struct pms_catalog *catalog = d->catalog;
	const struct pms_event *event = pms_catalog_event(catalog, index);
	struct pms_out_words metrics = pms_out_words(group);
	pms_describe_heading(group, catalog, event->name, "an event", event->title,
			     event->description);
	pms_out_member(group, "kind", pms_out_of_text("event"));
	pms_out_member(group, "name", pms_out_of_text(event->name));
	describe_code(group, catalog, index);
	pms_out_member(group, "title", pms_out_of_text(event->title));
	pms_out_member(group, "description", pms_out_of_text(event->description));
	describe_names(group, event);
	pms_describe_groups(group, catalog, PMS_GROUP_FUNCTION, index);
	for (size_t i = 0; i < pms_catalog_metrics(catalog); i++)
		if (pms_metric_uses(pms_catalog_metric(catalog, i), index))
			pms_out_words_add(&metrics, pms_catalog_metric(catalog, i)->name);
	pms_describe_words(group, "metrics", "metrics", &metrics);
	pms_describe_model(group, d, index);
	say_model(group, d, index);
	size_t rows = describe_relations(group, catalog, index);
	say_errata(group, catalog, index);
	rows += pms_describe_caveats(group, catalog, NULL, index);
	pms_describe_configurations(group, catalog, NULL, index);
	pms_describe_extras(group, catalog, PMS_EXTRA_EVENT, event->name);
	pms_describe_document(group, catalog, rows);
}
