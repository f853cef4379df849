/* SPDX-License-Identifier: MIT */
#include "show/describe.h"

/* For programs --------------------------------------------------------------------------------- */

static void put_cores(struct pms_out_item *group, const struct pms_catalog *catalog)
{
	struct pms_out_item *list = pms_out_list(group, PMS_IN_JSON, "cores");
	for (size_t i = 0; i < pms_catalog_code_cores(catalog); i++) {
		const struct pms_code_core *core = pms_catalog_code_core(catalog, i);
		struct pms_out_item *object = pms_out_group(list, PMS_IN_JSON, NULL);
		pms_out_member(object, "name", pms_out_of_text(core->is_any ? NULL : core->name));
		pms_out_member(object, "title", pms_out_of_text(core->title));
		pms_out_member(object, "about", pms_out_of_text(core->about));
	}
}

/* All facts about a CPU as members of one JSON object, under the documented keys. */
static void put_cpu(struct pms_out_item *group, const struct pms_description *d)
{
	const struct pms_catalog *catalog = d->catalog;
	const struct pms_cpu *cpu = pms_catalog_cpu(catalog);
	const char *pmu = pms_catalog_pmu(catalog);
	int has_products = cpu->products && cpu->products[0];
	const struct {
		const char *key;
		size_t n;
	} sizes[] = { { "events", pms_catalog_events(catalog) },
		      { "metrics", pms_catalog_metrics(catalog) },
		      { "groups", pms_catalog_groups(catalog) },
		      { "nodes", pms_catalog_nodes(catalog) },
		      { "relations", pms_catalog_relations(catalog) },
		      { "caveats", pms_catalog_caveats(catalog) } };
	pms_out_member(group, "kind", pms_out_of_text("cpu"));
	pms_out_member(group, "name", pms_out_of_text(cpu->name));
	pms_out_member(group, "product", pms_out_of_text(cpu->product));
	pms_out_member(group, "products", pms_out_of_text(has_products ? cpu->products : NULL));
	pms_out_member(group, "version", pms_out_of_text(cpu->version));
	pms_out_member(group, "file", pms_out_of_text(cpu->file));
	put_cores(group, catalog);
	pms_out_member(group, "slots_per_cycle",
		       pms_out_when(cpu->slots > 0, pms_out_of_count(cpu->slots)));
	pms_out_member(group, "counters", pms_out_of_count(cpu->counters));
	pms_out_member(group, "pmu", pms_out_of_text(pmu[0] ? pmu : NULL));
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		pms_out_member(group, sizes[i].key, pms_out_of_count(sizes[i].n));
	struct pms_out_item *object = pms_out_group(group, PMS_IN_JSON, "configurations");
	for (size_t i = 0; i < pms_catalog_configurations(catalog); i++) {
		const struct pms_configuration *c = pms_catalog_configuration(catalog, i);
		pms_out_member(object, c->name, pms_out_of_text(c->text));
	}
	pms_out_member(group, "modelled", pms_out_of_truth(d->model != NULL));
}

/* For people ----------------------------------------------------------------------------------- */

static void say_groups(struct pms_out_item *group, const struct pms_catalog *catalog,
		       enum pms_group_kind kind)
{
	struct pms_out_words names = pms_out_words(group);
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++) {
		const struct pms_group *g = pms_catalog_group(catalog, i);
		if (g->kind == kind)
			pms_out_words_add(&names,
					  pms_out_print(group, "%s (%zu)", g->name, g->n_members));
	}
	pms_describe_words(group, NULL, "", &names);
}

static void say_sources(struct pms_out_item *group, const struct pms_catalog *catalog)
{
	if (pms_catalog_relations(catalog))
		pms_out_paragraph(group, "relations", "%zu, after %s",
				  pms_catalog_relations(catalog),
				  pms_catalog_relations_source(catalog));
	if (pms_catalog_caveats(catalog))
		pms_out_paragraph(group, "caveats", "%zu, after %s", pms_catalog_caveats(catalog),
				  pms_catalog_caveats_source(catalog));
	for (size_t i = 0; i < pms_catalog_configurations(catalog); i++) {
		const struct pms_configuration *c = pms_catalog_configuration(catalog, i);
		pms_out_paragraph(group, i ? NULL : "set up", "%s: %s", c->name, c->text);
	}
}

/* List the cores of an architecture whose codes are known. For one core that was asked for, add
 * where its codes come from. */
static void say_cores(struct pms_out_item *group, const struct pms_catalog *catalog)
{
	const struct pms_cpu *cpu = pms_catalog_cpu(catalog);
	for (size_t i = 0; i < pms_catalog_code_cores(catalog); i++) {
		const struct pms_code_core *core = pms_catalog_code_core(catalog, i);
		const char *label = i ? NULL : "cores";
		if (core->is_any)
			pms_out_paragraph(group, label, "%s, beside every core", core->title);
		else
			pms_out_paragraph(group, label, "%s:%s  %s", cpu->folder, core->name,
					  core->title);
		if (cpu->core)
			pms_out_set_flags(pms_out_paragraph(group, NULL, "%s", core->about),
					  PMS_OUT_FURTHER);
	}
}

/* The same facts in reading order for people; facts that the CPU lacks are left out. */
static void say_cpu(struct pms_out_item *group, const struct pms_catalog *catalog)
{
	const struct pms_cpu *cpu = pms_catalog_cpu(catalog);
	pms_out_heading(group, "%s: %s", cpu->name, cpu->product);
	pms_out_gap(group);
	if (cpu->file)
		pms_out_paragraph(group, "from", "%s", cpu->file);
	if (cpu->products && cpu->products[0])
		pms_out_paragraph(group, "in", "%s", cpu->products);
	pms_out_paragraph(group, "version", "%s", cpu->version[0] ? cpu->version : "not given");
	if (cpu->slots)
		pms_out_paragraph(group, "slots", "%u each cycle", cpu->slots);
	else
		pms_out_paragraph(group, "slots", "none are counted");
	pms_out_paragraph(group, "counters", "%u, and the cycle counter", cpu->counters);
	if (pms_catalog_pmu(catalog)[0])
		pms_out_paragraph(group, "PMU", "%s", pms_catalog_pmu(catalog));
	say_cores(group, catalog);
	pms_out_paragraph(group, "events", "%zu", pms_catalog_events(catalog));
	say_groups(group, catalog, PMS_GROUP_FUNCTION);
	pms_out_paragraph(group, "metrics", "%zu", pms_catalog_metrics(catalog));
	say_groups(group, catalog, PMS_GROUP_METRICS);
	if (pms_catalog_nodes(catalog))
		pms_out_paragraph(group, "tree", "%zu nodes", pms_catalog_nodes(catalog));
}

void pms_describe_cpu(struct pms_out_item *group, const struct pms_description *d, size_t index)
{
	(void)index;
	put_cpu(group, d);
	say_cpu(group, d->catalog);
	pms_out_paragraph(group, "vcore", "%s",
			  d->model ? "there is a model" : "there is no model of this CPU");
	pms_describe_extras(group, d->catalog, PMS_EXTRA_ELSEWHERE, "");
	say_sources(group, d->catalog);
}
