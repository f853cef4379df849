/* SPDX-License-Identifier: MIT */
#include "plan/choose.h"

#include <string.h>

#include "catalog/find.h"

/* Mark a group's metrics, except fallback metrics (with `unless`): with all events planned, they
 * have no value. */
static void mark_group(const struct pms_catalog *catalog, const struct pms_group *group,
		       unsigned char *wanted)
{
	for (size_t i = 0; i < group->n_members; i++)
		if (!pms_catalog_metric(catalog, group->members[i])->n_unless)
			wanted[group->members[i]] = 1;
}

/* Choose the metrics that the methodology shows. A group in none of its stages repeats metrics of
 * others, or is of another document. */
static void choose_published(const struct pms_catalog *catalog, unsigned char *wanted)
{
	int any = 0;
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++) {
		const struct pms_group *group = pms_catalog_group(catalog, i);
		if (group->kind == PMS_GROUP_METRICS && group->stage) {
			mark_group(catalog, group, wanted);
			any = 1;
		}
	}
	if (!any)
		memset(wanted, 1, pms_catalog_metrics(catalog));
}

int pms_choose_metrics(const struct pms_catalog *catalog, const struct pms_plan_options *options,
		       unsigned char *wanted, struct pms_error *err)
{
	if (!options->n_names && !options->no_metrics)
		choose_published(catalog, wanted);
	for (size_t i = 0; i < options->n_names; i++) {
		int64_t group, metric;
		int rc = pms_find_metrics(catalog, options->names[i], &group, &metric, err);
		if (rc)
			return rc;
		if (group >= 0)
			mark_group(catalog, pms_catalog_group(catalog, (size_t)group), wanted);
		else
			wanted[metric] = 1;
	}
	return 0;
}

void pms_choose_stage1(const struct pms_catalog *catalog, const unsigned char *wanted,
		       unsigned char *marked)
{
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++) {
		const struct pms_group *group = pms_catalog_group(catalog, i);
		if (group->kind == PMS_GROUP_METRICS && group->stage == 1)
			mark_group(catalog, group, marked);
	}
	for (size_t i = 0; i < pms_catalog_nodes(catalog); i++)
		marked[pms_catalog_node(catalog, i)->metric] = 1;
	for (size_t i = 0; i < pms_catalog_metrics(catalog); i++)
		marked[i] = marked[i] && wanted[i];
}

void pms_choose_level1(const struct pms_catalog *catalog, const unsigned char *wanted,
		       unsigned char *marked)
{
	for (size_t i = 0; i < pms_catalog_nodes(catalog); i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, i);
		if (node->level == 1)
			marked[node->metric] = wanted[node->metric];
	}
}
