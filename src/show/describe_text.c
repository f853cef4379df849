/* SPDX-License-Identifier: MIT */
/* A description for a person: a heading, the text, and a paragraph for each thing known. */
#include "show/describe.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memstream.h"
#include "base/status.h"
#include "show/label.h"
#include "show/page.h"

/* What stands before a line: the next of a list, an item of one, the rest of an item. */
#define NEXT	"             "
#define ITEM	"             - "
#define FURTHER "               "

/* A paragraph that is put together of parts. */
struct parts {
	struct pms_page *page;
	FILE *out; /* NULL when out of memory */
	char *text;
	size_t size, count;
};

static struct parts *parts_begin(struct parts *parts, struct pms_page *page)
{
	*parts = (struct parts){ .page = page };
	parts->out = pms_memstream_open(&parts->text, &parts->size);
	if (!parts->out)
		page->failed = 1;
	return parts;
}

/* Add a part, after @between unless it is the first. */
__attribute__((format(printf, 3, 4))) static void
parts_add(struct parts *parts, const char *between, const char *format, ...)
{
	va_list args;
	if (!parts->out)
		return;
	fputs(parts->count++ ? between : "", parts->out);
	va_start(args, format);
	vfprintf(parts->out, format, args);
	va_end(args);
}

/* Write it behind @first, unless it has no parts. */
static void parts_end(struct parts *parts, const char *first)
{
	if (!parts->out)
		return;
	if (pms_memstream_close(parts->out))
		parts->page->failed = 1;
	else if (parts->count)
		pms_page_text(parts->page, first, "%s", parts->text);
	free(parts->text);
}

/* Each line of a description is a paragraph. */
static void put_description(struct pms_page *page, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		if (length)
			pms_page_text(page, "  ", "%.*s", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

static void put_heading(struct pms_page *page, const struct pms_catalog *catalog, const char *name,
			const char *what, const char *title, const char *description)
{
	pms_page_heading(page, "%s: %s of %s", name, what, pms_catalog_cpu(catalog)->product);
	if (title[0] && strcmp(title, name) != 0)
		pms_page_text(page, "  ", "%s", title);
	if (strcmp(title, description) != 0) {
		if (description[0])
			fputc('\n', page->out);
		put_description(page, description);
	}
	fputc('\n', page->out);
}

/* Where the document says so, and when it holds. */
static void put_terms(struct pms_page *page, const struct pms_relation *relation)
{
	char condition[512];
	struct parts parts;
	pms_label_holds(condition, sizeof(condition), &relation->condition);
	parts_begin(&parts, page);
	if (condition[0])
		parts_add(&parts, "; ", "holds %s", condition);
	if (relation->architecture)
		parts_add(&parts, "; ", "by the architecture's definitions");
	else if (relation->section[0])
		parts_add(&parts, "; ", "section %s%s%s", relation->section,
			  relation->source[0] ? " of " : "", relation->source);
	parts_end(&parts, FURTHER);
}

static void put_relation(struct pms_page *page, const char *first,
			 const struct pms_relation *relation)
{
	pms_page_text(page, first, "%s %s %s", relation->lhs.text,
		      pms_relation_sign(relation->kind), relation->rhs.text);
	if (relation->note[0])
		pms_page_text(page, FURTHER, "%s", relation->note);
	put_terms(page, relation);
}

/* Returns how many there are. */
static size_t put_relations(struct pms_page *page, const struct pms_catalog *catalog, size_t event)
{
	const char *first = "  relations  - ";
	size_t count = 0;
	for (size_t i = 0; i < pms_catalog_relations(catalog); i++) {
		const struct pms_relation *relation = pms_catalog_relation(catalog, i);
		if (!pms_relation_has(relation, event))
			continue;
		put_relation(page, first, relation);
		first = ITEM;
		count++;
	}
	return count;
}

/* Errata by themselves: they concern whoever has an old revision. Those in the condition of a
 * relation are of any event in it, and stand there. */
static void put_errata(struct pms_page *page, const struct pms_catalog *catalog, size_t event)
{
	struct parts parts;
	parts_begin(&parts, page);
	const char *last = "";
	for (size_t i = 0; i < pms_catalog_caveats(catalog); i++) {
		const struct pms_caveat *caveat = pms_catalog_caveat(catalog, i);
		const struct pms_condition *c = &caveat->condition;
		if (!c->errata || !pms_caveat_has(caveat, event) || !strcmp(last, c->errata))
			continue;
		parts_add(&parts, "; ", "%s, which revisions before %s have", c->errata, c->before);
		last = c->errata;
	}
	parts_end(&parts, "  errata     ");
}

static void put_caveat(struct pms_page *page, const char *first, const struct pms_catalog *catalog,
		       const struct pms_caveat *caveat, int with_events)
{
	char condition[512];
	struct parts parts;
	pms_label_applies(condition, sizeof(condition), &caveat->condition);
	parts_begin(&parts, page);
	for (size_t i = 0; with_events && i < caveat->n_events; i++)
		parts_add(&parts, ", ", "%s", pms_catalog_event(catalog, caveat->events[i])->name);
	if (condition[0])
		parts_add(&parts, ", ", "%s", condition);
	parts_add(&parts, ": ", "%s", caveat->text);
	if (caveat->section[0])
		parts_add(&parts, " ", "(section %s%s%s)", caveat->section,
			  caveat->source[0] ? " of " : "", caveat->source);
	parts_end(&parts, first);
}

/* Those of an event, or of a metric's events. Returns how many there are. */
static size_t put_caveats(struct pms_page *page, const struct pms_catalog *catalog,
			  const struct pms_metric *metric, size_t event)
{
	const char *first = "  caveats    - ";
	size_t count = 0;
	for (size_t i = 0; i < pms_catalog_caveats(catalog); i++) {
		const struct pms_caveat *caveat = pms_catalog_caveat(catalog, i);
		if (metric ? !pms_caveat_has_metric(caveat, metric)
			   : !pms_caveat_has(caveat, event))
			continue;
		put_caveat(page, first, catalog, caveat, metric != NULL);
		first = ITEM;
		count++;
	}
	return count;
}

/* What the configurations mean that relations and caveats of the page name. */
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

static void put_configurations(struct pms_page *page, const struct pms_catalog *catalog,
			       const struct pms_metric *metric, size_t event)
{
	const char *first = "  where      ";
	for (size_t i = 0; i < pms_catalog_configurations(catalog); i++) {
		const struct pms_configuration *c = pms_catalog_configuration(catalog, i);
		if (!is_named(catalog, metric, event, c->name))
			continue;
		pms_page_text(page, first, "%s: %s", c->name, c->text);
		first = NEXT;
	}
}

/* Whose sections the @rows above name. */
static void put_document(struct pms_page *page, const struct pms_catalog *catalog, size_t rows)
{
	const char *source = pms_catalog_relations_source(catalog);
	if (rows && source[0])
		pms_page_text(page, "  document   ", "%s", source);
}

static void put_model(struct pms_page *page, const struct pms_description *d, size_t event)
{
	const struct pms_vcore_event *how = d->model ? pms_vcore_event(d->model, event) : NULL;
	if (!d->model)
		pms_page_text(page, "  vcore      ", "there is no model of this CPU");
	else if (how && how->state == PMS_COUNTED && how->because)
		pms_page_text(page, "  vcore      ", "%s: always 0. %s",
			      pms_label_count_class(how->cls), how->because);
	else if (how && how->state == PMS_COUNTED)
		pms_page_text(page, "  vcore      ", "%s: counts %s",
			      pms_label_count_class(how->cls), how->how);
	else if (how)
		pms_page_text(page, "  vcore      ", "not modelled: %s", how->because);
}

static void put_groups(struct pms_page *page, const struct pms_catalog *catalog,
		       enum pms_group_kind kind, size_t member)
{
	struct parts parts;
	parts_begin(&parts, page);
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++) {
		const struct pms_group *group = pms_catalog_group(catalog, i);
		if (group->kind == kind && pms_group_has(group, member))
			parts_add(&parts, ", ", "%s", group->name);
	}
	parts_end(&parts, "  groups     ");
}

/* Where the catalog has no numbers: what the cores that are known have. */
static void put_core_codes(struct pms_page *page, const struct pms_catalog *catalog, size_t event)
{
	const char *first = "  number     ";
	for (size_t i = 0; i < pms_catalog_core_codes(catalog); i++) {
		const struct pms_core_code *code = pms_catalog_core_code(catalog, i);
		if (code->event != event)
			continue;
		if (code->generic)
			pms_page_text(page, first, "%s: %s, perf's own name", code->core->title,
				      code->generic);
		else
			pms_page_text(page, first, "%s: 0x%llx (perf: r%llx)", code->core->title,
				      (unsigned long long)code->code,
				      (unsigned long long)code->code);
		if (code->note)
			pms_page_text(page, FURTHER, "%s", code->note);
		first = NEXT;
	}
	if (strcmp(first, NEXT) != 0)
		pms_page_text(page, first, "%s",
			      pms_catalog_core_codes(catalog)
				      ? "of no core whose numbers are in this catalog"
				      : "none in this catalog");
}

/* Keys of the specification that are not of its layout. */
static void put_extras(struct pms_page *page, const struct pms_catalog *catalog,
		       enum pms_extra_of of, const char *owner)
{
	const char *first = "  other      ";
	for (size_t i = 0; i < pms_catalog_extras(catalog); i++) {
		const struct pms_extra *extra = pms_catalog_extra(catalog, i);
		if (extra->of != of || strcmp(extra->owner, owner) != 0)
			continue;
		pms_page_text(page, first, "%s: %s",
			      of == PMS_EXTRA_ELSEWHERE ? extra->path : extra->key, extra->value);
		first = NEXT;
	}
}

static void put_event(struct pms_page *page, const struct pms_description *d, size_t index)
{
	const struct pms_catalog *catalog = d->catalog;
	const struct pms_event *event = pms_catalog_event(catalog, index);
	struct parts parts;
	put_heading(page, catalog, event->name, "an event", event->title, event->description);
	if (event->code >= 0)
		pms_page_text(page, "  number     ", "0x%04llx (perf: r%llx)",
			      (unsigned long long)event->code, (unsigned long long)event->code);
	else
		put_core_codes(page, catalog, index);
	pms_page_text(page, "  defined by ", "%s",
		      event->architecture_defined ? "the architecture"
		      : event->product_defined	  ? "the product"
						  : "nobody, as far as the catalog says");
	parts_begin(&parts, page);
	for (size_t i = 0; i < event->n_accesses; i++)
		parts_add(&parts, ", ", "%s", event->accesses[i]);
	parts_end(&parts, "  counted by ");
	parts_begin(&parts, page);
	for (size_t i = 0; i < event->n_aliases; i++)
		parts_add(&parts, ", ", "%s", event->aliases[i]);
	parts_end(&parts, "  also named ");
	put_groups(page, catalog, PMS_GROUP_FUNCTION, index);
	parts_begin(&parts, page);
	for (size_t i = 0; i < pms_catalog_metrics(catalog); i++)
		if (pms_metric_uses(pms_catalog_metric(catalog, i), index))
			parts_add(&parts, ", ", "%s", pms_catalog_metric(catalog, i)->name);
	parts_end(&parts, "  metrics    ");
	put_model(page, d, index);
	size_t rows = put_relations(page, catalog, index);
	put_errata(page, catalog, index);
	rows += put_caveats(page, catalog, NULL, index);
	put_configurations(page, catalog, NULL, index);
	put_extras(page, catalog, PMS_EXTRA_EVENT, event->name);
	put_document(page, catalog, rows);
}

/* A metric's places in the tree, and what to look at next. */
static void put_nodes(struct pms_page *page, const struct pms_catalog *catalog, size_t metric)
{
	for (size_t i = 0; i < pms_catalog_nodes(catalog); i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, i);
		struct parts parts;
		if (node->metric != metric)
			continue;
		pms_page_text(page, "  tree       ", "level %d of Stage 1, in %s", node->level,
			      pms_catalog_group(catalog, node->group)->name);
		parts_begin(&parts, page);
		for (size_t k = 0; k < node->n_children; k++) {
			size_t child = pms_catalog_node(catalog, node->children[k])->metric;
			parts_add(&parts, ", ", "%s", pms_catalog_metric(catalog, child)->name);
		}
		for (size_t k = 0; k < node->n_next_groups; k++)
			parts_add(&parts, ", ", "%s",
				  pms_catalog_group(catalog, node->next_groups[k])->name);
		parts_end(&parts, "  leads to   ");
	}
}

static void put_metric(struct pms_page *page, const struct pms_description *d, size_t index)
{
	const struct pms_catalog *catalog = d->catalog;
	const struct pms_metric *metric = pms_catalog_metric(catalog, index);
	struct parts parts;
	put_heading(page, catalog, metric->name, "a metric", metric->title, metric->description);
	pms_page_text(page, "  formula    ", "%s", metric->formula);
	pms_page_text(page, "  units      ", "%s", metric->units);
	for (size_t i = 0; i < metric->n_events; i++) {
		const struct pms_event *event = pms_catalog_event(catalog, metric->events[i]);
		pms_page_text(page, i ? NEXT : "  events     ", "%s%s%s", event->name,
			      event->title[0] ? ": " : "", event->title);
	}
	parts_begin(&parts, page);
	for (size_t i = 0; i < metric->n_unless; i++)
		parts_add(&parts, ", ", "%s", pms_catalog_event(catalog, metric->unless[i])->name);
	parts_end(&parts, "  unless     ");
	parts_begin(&parts, page);
	for (size_t i = 0; i < metric->n_aliases; i++)
		parts_add(&parts, ", ", "%s", metric->aliases[i]);
	parts_end(&parts, "  aliases    ");
	parts_begin(&parts, page);
	for (size_t i = 0; i < metric->n_sample_events; i++)
		parts_add(&parts, ", ", "%s",
			  pms_catalog_event(catalog, metric->sample_events[i])->name);
	parts_end(&parts, "  sample     ");
	put_groups(page, catalog, PMS_GROUP_METRICS, index);
	put_nodes(page, catalog, index);
	parts_begin(&parts, page);
	for (size_t i = 0; d->model && i < metric->n_events; i++) {
		const struct pms_vcore_event *how = pms_vcore_event(d->model, metric->events[i]);
		if (how && how->state != PMS_COUNTED)
			parts_add(&parts, "; ", "%s is not modelled: %s",
				  pms_catalog_event(catalog, metric->events[i])->name,
				  how->because);
	}
	parts_end(&parts, "  vcore      ");
	size_t rows = put_caveats(page, catalog, metric, 0);
	put_configurations(page, catalog, metric, 0);
	put_extras(page, catalog, PMS_EXTRA_METRIC, metric->name);
	put_document(page, catalog, rows);
}

static void put_members(struct pms_page *page, const struct pms_catalog *catalog,
			const struct pms_group *group)
{
	for (size_t i = 0; i < group->n_members; i++) {
		const char *first = i ? NEXT : "  members    ";
		if (group->kind == PMS_GROUP_METRICS) {
			const struct pms_metric *m = pms_catalog_metric(catalog, group->members[i]);
			pms_page_text(page, first, "%s: %s", m->name, m->title);
		} else {
			const struct pms_event *e = pms_catalog_event(catalog, group->members[i]);
			pms_page_text(page, first, "%s: %s", e->name, e->title);
		}
	}
}

static int leads_to(const struct pms_tree_node *node, size_t group)
{
	for (size_t i = 0; i < node->n_next_groups; i++)
		if (node->next_groups[i] == group)
			return 1;
	return 0;
}

static void put_group(struct pms_page *page, const struct pms_description *d, size_t index)
{
	const struct pms_catalog *catalog = d->catalog;
	const struct pms_group *group = pms_catalog_group(catalog, index);
	struct parts parts;
	put_heading(page, catalog, group->name,
		    group->kind == PMS_GROUP_METRICS ? "a group of metrics" : "a group of events",
		    group->title, group->description);
	if (group->stage)
		pms_page_text(page, "  stage      ", "%d", group->stage);
	parts_begin(&parts, page);
	for (size_t i = 0; i < pms_catalog_nodes(catalog); i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, i);
		if (leads_to(node, index))
			parts_add(&parts, ", ", "%s",
				  pms_catalog_metric(catalog, node->metric)->name);
	}
	parts_end(&parts, "  comes from ");
	put_extras(page, catalog, pms_group_extra(group), group->name);
	put_members(page, catalog, group);
}

static void put_group_names(struct pms_page *page, const struct pms_catalog *catalog,
			    enum pms_group_kind kind, const char *first)
{
	struct parts parts;
	parts_begin(&parts, page);
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++) {
		const struct pms_group *group = pms_catalog_group(catalog, i);
		if (group->kind == kind)
			parts_add(&parts, ", ", "%s (%zu)", group->name, group->n_members);
	}
	parts_end(&parts, first);
}

static void put_sources(struct pms_page *page, const struct pms_catalog *catalog)
{
	const char *relations = pms_catalog_relations_source(catalog);
	const char *caveats = pms_catalog_caveats_source(catalog);
	if (pms_catalog_relations(catalog))
		pms_page_text(page, "  relations  ", "%zu, after %s",
			      pms_catalog_relations(catalog), relations);
	if (pms_catalog_caveats(catalog))
		pms_page_text(page, "  caveats    ", "%zu, after %s", pms_catalog_caveats(catalog),
			      caveats);
	for (size_t i = 0; i < pms_catalog_configurations(catalog); i++) {
		const struct pms_configuration *c = pms_catalog_configuration(catalog, i);
		pms_page_text(page, i ? NEXT : "  set up     ", "%s: %s", c->name, c->text);
	}
}

/* Cores of an architecture whose codes are known; of the one that was asked for, how they come
 * about. */
static void put_cores(struct pms_page *page, const struct pms_catalog *catalog)
{
	const struct pms_cpu *cpu = pms_catalog_cpu(catalog);
	const char *first = "  cores      ";
	for (size_t i = 0; i < pms_catalog_code_cores(catalog); i++) {
		const struct pms_code_core *core = pms_catalog_code_core(catalog, i);
		if (core->is_any)
			pms_page_text(page, first, "%s, beside every core", core->title);
		else
			pms_page_text(page, first, "%s:%s  %s", cpu->folder, core->name,
				      core->title);
		if (cpu->core)
			pms_page_text(page, FURTHER, "%s", core->about);
		first = NEXT;
	}
}

static void put_cpu(struct pms_page *page, const struct pms_description *d, size_t index)
{
	const struct pms_catalog *catalog = d->catalog;
	const struct pms_cpu *cpu = pms_catalog_cpu(catalog);
	(void)index;
	pms_page_heading(page, "%s: %s", cpu->name, cpu->product);
	fputc('\n', page->out);
	if (cpu->file)
		pms_page_text(page, "  from       ", "%s", cpu->file);
	if (cpu->products && cpu->products[0])
		pms_page_text(page, "  in         ", "%s", cpu->products);
	pms_page_text(page, "  version    ", "%s", cpu->version[0] ? cpu->version : "not given");
	if (cpu->slots)
		pms_page_text(page, "  slots      ", "%u each cycle", cpu->slots);
	else
		pms_page_text(page, "  slots      ", "none are counted");
	pms_page_text(page, "  counters   ", "%u, and the cycle counter", cpu->counters);
	if (pms_catalog_pmu(catalog)[0])
		pms_page_text(page, "  PMU        ", "%s", pms_catalog_pmu(catalog));
	put_cores(page, catalog);
	pms_page_text(page, "  events     ", "%zu", pms_catalog_events(catalog));
	put_group_names(page, catalog, PMS_GROUP_FUNCTION, NEXT);
	pms_page_text(page, "  metrics    ", "%zu", pms_catalog_metrics(catalog));
	put_group_names(page, catalog, PMS_GROUP_METRICS, NEXT);
	if (pms_catalog_nodes(catalog))
		pms_page_text(page, "  tree       ", "%zu nodes", pms_catalog_nodes(catalog));
	pms_page_text(page, "  vcore      ", "%s",
		      d->model ? "there is a model" : "there is no model of this CPU");
	put_extras(page, catalog, PMS_EXTRA_ELSEWHERE, "");
	put_sources(page, catalog);
}

int pms_describe_text(FILE *out, const struct pms_description *description,
		      const struct pms_show_options *options, struct pms_error *err)
{
	static void (*const put[])(struct pms_page *, const struct pms_description *, size_t) = {
		[PMS_SUBJECT_EVENT] = put_event,
		[PMS_SUBJECT_METRIC] = put_metric,
		[PMS_SUBJECT_GROUP] = put_group,
		[PMS_SUBJECT_CPU] = put_cpu,
	};
	struct pms_page page;
	pms_page_init(&page, out, options);
	for (size_t i = 0; i < description->n; i++) {
		if (i)
			fputc('\n', out);
		put[description->subjects[i].kind](&page, description,
						   description->subjects[i].index);
	}
	pms_page_release(&page);
	return page.failed ? pms_fail(err, PMS_ENOMEM, "out of memory") : 0;
}
