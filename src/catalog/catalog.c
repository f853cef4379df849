/* SPDX-License-Identifier: MIT */
/* A loaded catalog: access by index and by name. */
#include "catalog/catalog.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "base/status.h"

/* The structs show formulas as borrowed; the catalog, their owner, is the one to free them. */
static void formula_free(const struct pms_formula *formula)
{
	pms_formula_free((struct pms_formula *)formula);
}

void pms_catalog_free(struct pms_catalog *catalog)
{
	if (!catalog)
		return;
	free(catalog->extras);
	free(catalog->flaws);
	for (size_t i = 0; i < catalog->n_metrics; i++)
		formula_free(catalog->metrics[i].program);
	for (size_t i = 0; i < catalog->n_terms; i++)
		for (size_t j = 0; j < catalog->terms[i].n_formulas; j++)
			formula_free(catalog->terms[i].formulas[j]);
	for (size_t i = 0; i < catalog->n_advices; i++) {
		formula_free(catalog->advices[i].condition);
		formula_free(catalog->advices[i].weight);
	}
	for (size_t i = 0; i < catalog->n_relations; i++) {
		formula_free(catalog->relations[i].lhs.program);
		formula_free(catalog->relations[i].rhs.program);
	}
	/* The catalog lives in its own arena. */
	struct pms_arena arena = catalog->arena;
	pms_arena_release(&arena);
}

const struct pms_cpu *pms_catalog_cpu(const struct pms_catalog *catalog)
{
	return &catalog->cpu;
}

size_t pms_catalog_events(const struct pms_catalog *catalog)
{
	return catalog->n_events;
}

const struct pms_event *pms_catalog_event(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_events ? &catalog->events[i] : NULL;
}

size_t pms_catalog_metrics(const struct pms_catalog *catalog)
{
	return catalog->n_metrics;
}

const struct pms_metric *pms_catalog_metric(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_metrics ? &catalog->metrics[i] : NULL;
}

size_t pms_catalog_groups(const struct pms_catalog *catalog)
{
	return catalog->n_groups;
}

const struct pms_group *pms_catalog_group(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_groups ? &catalog->groups[i] : NULL;
}

size_t pms_catalog_nodes(const struct pms_catalog *catalog)
{
	return catalog->n_nodes;
}

const struct pms_tree_node *pms_catalog_node(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_nodes ? &catalog->nodes[i] : NULL;
}

size_t pms_catalog_terms(const struct pms_catalog *catalog)
{
	return catalog->n_terms;
}

const struct pms_term *pms_catalog_term(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_terms ? &catalog->terms[i] : NULL;
}

size_t pms_catalog_advices(const struct pms_catalog *catalog)
{
	return catalog->n_advices;
}

const struct pms_advice *pms_catalog_advice(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_advices ? &catalog->advices[i] : NULL;
}

size_t pms_catalog_relations(const struct pms_catalog *catalog)
{
	return catalog->n_relations;
}

const struct pms_relation *pms_catalog_relation(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_relations ? &catalog->relations[i] : NULL;
}

size_t pms_catalog_caveats(const struct pms_catalog *catalog)
{
	return catalog->n_caveats;
}

const struct pms_caveat *pms_catalog_caveat(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_caveats ? &catalog->caveats[i] : NULL;
}

size_t pms_catalog_configurations(const struct pms_catalog *catalog)
{
	return catalog->n_configurations;
}

const struct pms_configuration *pms_catalog_configuration(const struct pms_catalog *catalog,
							  size_t i)
{
	return i < catalog->n_configurations ? &catalog->configurations[i] : NULL;
}

const char *pms_catalog_relations_source(const struct pms_catalog *catalog)
{
	return catalog->relations_source ? catalog->relations_source : "";
}

const char *pms_catalog_caveats_source(const struct pms_catalog *catalog)
{
	return catalog->caveats_source ? catalog->caveats_source : "";
}

const char *pms_catalog_pmu(const struct pms_catalog *catalog)
{
	return catalog->pmu ? catalog->pmu : "";
}

size_t pms_catalog_extras(const struct pms_catalog *catalog)
{
	return catalog->n_extras;
}

const struct pms_extra *pms_catalog_extra(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_extras ? &catalog->extras[i] : NULL;
}

size_t pms_catalog_flaws(const struct pms_catalog *catalog)
{
	return catalog->n_flaws;
}

const struct pms_flaw *pms_catalog_flaw(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_flaws ? &catalog->flaws[i] : NULL;
}

int64_t pms_catalog_find_event(const struct pms_catalog *catalog, const char *name)
{
	int64_t found = pms_name_index_find(&catalog->event_names, name);
	return found >= 0 ? found : pms_name_index_find(&catalog->event_aliases, name);
}

int64_t pms_catalog_find_code(const struct pms_catalog *catalog, int64_t code)
{
	for (size_t i = 0; code >= 0 && i < catalog->n_events; i++)
		if (catalog->events[i].code == code)
			return (int64_t)i;
	for (size_t i = 0; code != -1 && i < catalog->n_codes; i++)
		if (catalog->codes[i].code == code &&
		    (catalog->cpu.core || catalog->codes[i].core->is_any))
			return (int64_t)catalog->codes[i].event;
	return -PMS_ENAME;
}

/* Find the architecture's event that a core's code counts. */
static int64_t event_of_core(const struct pms_catalog *catalog, const struct pms_core_name *name)
{
	for (size_t i = 0; i < catalog->n_codes; i++)
		if (catalog->codes[i].core == name->core && catalog->codes[i].code == name->code)
			return (int64_t)catalog->codes[i].event;
	return -PMS_ENAME;
}

int64_t pms_catalog_find_core_name(const struct pms_catalog *catalog, const char *name)
{
	int64_t found = -PMS_ENAME;
	int known = 0;
	for (size_t i = 0; i < catalog->n_names; i++) {
		if (pms_name_compare(catalog->names[i].name, name))
			continue;
		int64_t event = event_of_core(catalog, &catalog->names[i]);
		if (known && event != found)
			return -PMS_ENAME;
		known = 1;
		found = event;
	}
	return found;
}

int64_t pms_catalog_find_event_word(const struct pms_catalog *catalog, const char *word)
{
	int64_t found = pms_catalog_find_event(catalog, word);
	int hexadecimal = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
	const char *digits = word + (hexadecimal ? 2 : word[0] == 'r' || word[0] == 'R' ? 1 : 0);
	char *end;
	if (found >= 0 || digits == word || !isxdigit((unsigned char)*digits))
		return found;
	errno = 0;
	unsigned long long code = strtoull(digits, &end, 16);
	return errno || *end ? -PMS_ENAME : pms_catalog_find_code(catalog, (int64_t)code);
}

int64_t pms_catalog_find_metric(const struct pms_catalog *catalog, const char *name)
{
	int64_t found = pms_name_index_find(&catalog->metric_names, name);
	return found >= 0 ? found : pms_name_index_find(&catalog->metric_aliases, name);
}

int64_t pms_catalog_find_group(const struct pms_catalog *catalog, enum pms_group_kind kind,
			       const char *name)
{
	return pms_name_index_find(&catalog->group_names[kind], name);
}
