/* SPDX-License-Identifier: MIT */
/* Which metrics a report shows, in which order: Stage 1 as the tree is walked, then the other
 * metric groups as the catalog lists them. */
#include "analyse/report.h"

#include <stdint.h>

#include "base/status.h"
#include "catalog/find.h"

struct selection {
	const struct pms_catalog *catalog;
	int everything, level;
	unsigned char *groups;	/* by group: 1 when asked for */
	unsigned char *metrics; /* by metric: 1 when asked for by its own name */
};

static int select_names(struct selection *s, const struct pms_analyse_options *options,
			struct pms_error *err)
{
	for (size_t i = 0; i < options->n_names; i++) {
		int64_t group, metric;
		int rc = pms_find_metrics(s->catalog, options->names[i], &group, &metric, err);
		if (rc)
			return rc;
		if (group >= 0)
			s->groups[group] = 1;
		else
			s->metrics[metric] = 1;
	}
	return 0;
}

static int in_tree(const struct pms_catalog *catalog, size_t metric, size_t group)
{
	for (size_t i = 0; i < pms_catalog_nodes(catalog); i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, i);
		if (node->metric == metric && node->group == group)
			return 1;
	}
	return 0;
}

/* Append the row without asking whether it is wanted. */
static void add(struct pms_report *report, size_t metric, size_t group, int stage, int level)
{
	report->results[report->n_results++] =
		(struct pms_result){ .metric = metric,
				     .group = group,
				     .stage = stage,
				     .level = level,
				     .value = pms_report_store(report)->values[metric],
				     .base = pms_report_store(report)->bases[metric] };
}

/* Add the members of a group that the tree has not shown. A Stage 1 group may hold such members (a
 * core without slot events has no tree at all): they stand beside the roots. */
static void add_group(struct pms_report *report, const struct pms_catalog *catalog, size_t i,
		      int stage)
{
	const struct pms_group *group = pms_catalog_group(catalog, i);
	if (group->kind != PMS_GROUP_METRICS || (group->stage == 1) != (stage == 1))
		return;
	for (size_t m = 0; m < group->n_members; m++)
		if (!in_tree(catalog, group->members[m], i))
			add(report, group->members[m], i, stage, stage == 1);
}

/* Add every possible row, in order. */
static int add_all(struct pms_report *report, const struct pms_catalog *catalog,
		   struct pms_error *err)
{
	size_t most = pms_catalog_nodes(catalog);
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++)
		if (pms_catalog_group(catalog, i)->kind == PMS_GROUP_METRICS)
			most += pms_catalog_group(catalog, i)->n_members;
	report->results =
		pms_arena_alloc(&pms_report_store(report)->arena, most, sizeof(report->results[0]));
	if (!report->results)
		return pms_no_memory(err);
	for (size_t i = 0; i < pms_catalog_nodes(catalog); i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, i);
		add(report, node->metric, node->group, 1, node->level);
	}
	for (int stage = 1; stage <= 2; stage++)
		for (size_t i = 0; i < pms_catalog_groups(catalog); i++)
			add_group(report, catalog, i, stage);
	return 0;
}

/* Show a metric asked for by name once, in its first row; not at all when a group that was asked
 * for shows it. */
static void settle_metrics(struct selection *s, const struct pms_report *report)
{
	for (size_t i = 0; i < report->n_results; i++)
		if (s->groups[report->results[i].group])
			s->metrics[report->results[i].metric] = 0;
}

/* Whether a fallback metric (one with `unless`) has nothing to tell: then it is hidden. */
static int is_idle(const struct selection *s, const struct pms_result *row)
{
	return pms_catalog_metric(s->catalog, row->metric)->n_unless &&
	       row->value.state == PMS_VALUE_UNDEFINED && !s->metrics[row->metric];
}

static int wanted(struct selection *s, const struct pms_result *row)
{
	if (is_idle(s, row))
		return 0;
	if (s->everything)
		return row->stage != 1 || !s->level || row->level <= s->level;
	if (s->groups[row->group])
		return row->stage != 1 || !s->level || row->level <= s->level;
	int named = s->metrics[row->metric];
	s->metrics[row->metric] = 0;
	return named;
}

/* Refuse a metric asked for by name that has no row, because it is in no group. */
static int check_shown(const struct selection *s, struct pms_error *err)
{
	for (size_t i = 0; i < pms_catalog_metrics(s->catalog); i++)
		if (s->metrics[i])
			return pms_fail(err, PMS_ENAME, "the metric %s is in no metric group of %s",
					pms_catalog_metric(s->catalog, i)->name,
					pms_catalog_cpu(s->catalog)->product);
	return 0;
}

int pms_report_rows(struct pms_report *report, const struct pms_catalog *catalog,
		    const struct pms_analyse_options *options, struct pms_error *err)
{
	struct pms_arena *arena = &pms_report_store(report)->arena;
	struct selection s = { .catalog = catalog,
			       .everything = !options->n_names,
			       .level = options->level };
	s.groups = pms_arena_alloc(arena, pms_catalog_groups(catalog), 1);
	s.metrics = pms_arena_alloc(arena, pms_catalog_metrics(catalog), 1);
	if (!s.groups || !s.metrics)
		return pms_no_memory(err);
	int rc = select_names(&s, options, err);
	if (!rc)
		rc = add_all(report, catalog, err);
	if (rc)
		return rc;
	settle_metrics(&s, report);
	size_t kept = 0;
	for (size_t i = 0; i < report->n_results; i++)
		if (wanted(&s, &report->results[i]))
			report->results[kept++] = report->results[i];
	report->n_results = kept;
	return check_shown(&s, err);
}
