/* SPDX-License-Identifier: MIT */
#include "show/filter.h"

#include <fnmatch.h>
#include <string.h>

#include "base/status.h"
#include "show/subject.h"

static int is_like(const char *name, const char *pattern)
{
	return !fnmatch(pattern, name, FNM_CASEFOLD);
}

/* Whether the metric of this name, or a metric of the group of this name, uses the event. */
static int is_used_by(const struct pms_catalog *catalog, size_t event, const char *word)
{
	int64_t metric = pms_catalog_find_metric(catalog, word);
	int64_t found = pms_catalog_find_group(catalog, PMS_GROUP_METRICS, word);
	if (metric >= 0 && pms_metric_uses(pms_catalog_metric(catalog, (size_t)metric), event))
		return 1;
	if (found < 0)
		return 0;
	const struct pms_group *group = pms_catalog_group(catalog, (size_t)found);
	for (size_t i = 0; i < group->n_members; i++)
		if (pms_metric_uses(pms_catalog_metric(catalog, group->members[i]), event))
			return 1;
	return 0;
}

static int is_member(const struct pms_catalog *catalog, enum pms_group_kind kind, size_t index,
		     const char *word)
{
	int64_t group = pms_catalog_find_group(catalog, kind, word);
	return group >= 0 && pms_group_has(pms_catalog_group(catalog, (size_t)group), index);
}

static int takes_event(const struct pms_catalog *catalog, size_t index, const char *word)
{
	const struct pms_event *event = pms_catalog_event(catalog, index);
	for (size_t i = 0; i < event->n_aliases; i++)
		if (is_like(event->aliases[i], word))
			return 1;
	return is_like(event->name, word) || is_member(catalog, PMS_GROUP_FUNCTION, index, word) ||
	       is_used_by(catalog, index, word);
}

static int takes_metric(const struct pms_catalog *catalog, size_t index, const char *word)
{
	const struct pms_metric *metric = pms_catalog_metric(catalog, index);
	int64_t event = pms_catalog_find_event_word(catalog, word);
	return is_like(metric->name, word) || is_member(catalog, PMS_GROUP_METRICS, index, word) ||
	       (event >= 0 && pms_metric_uses(metric, (size_t)event));
}

static int takes_group(const struct pms_catalog *catalog, size_t index, const char *word)
{
	const struct pms_group *group = pms_catalog_group(catalog, index);
	return is_like(group->name, word) ||
	       is_like(group->kind == PMS_GROUP_METRICS ? "metrics" : "events", word);
}

static int takes_node(const struct pms_catalog *catalog, size_t index, const char *word)
{
	const struct pms_tree_node *node = pms_catalog_node(catalog, index);
	return is_like(pms_catalog_metric(catalog, node->metric)->name, word) ||
	       is_like(pms_catalog_group(catalog, node->group)->name, word);
}

/* For each list: how many entries it has, and how to tell that an entry matches a word. */
static const struct {
	int (*takes)(const struct pms_catalog *catalog, size_t index, const char *word);
	size_t (*count)(const struct pms_catalog *catalog);
	const char *name;
} lists[] = {
	[PMS_LIST_EVENTS] = { takes_event, pms_catalog_events, "events" },
	[PMS_LIST_METRICS] = { takes_metric, pms_catalog_metrics, "metrics" },
	[PMS_LIST_GROUPS] = { takes_group, pms_catalog_groups, "groups" },
	[PMS_LIST_TREE] = { takes_node, pms_catalog_nodes, "nodes of the tree" },
};

int pms_filter_takes(const struct pms_filter *filter, size_t index)
{
	for (size_t i = 0; i < filter->n_words; i++)
		if (lists[filter->what].takes(filter->catalog, index, filter->words[i]))
			return 1;
	return !filter->n_words;
}

static int check_word(const struct pms_filter *filter, const char *word, struct pms_error *err)
{
	const char *nearest = pms_subjects_nearest(filter->catalog, word);
	size_t count = lists[filter->what].count(filter->catalog);
	for (size_t i = 0; i < count; i++)
		if (lists[filter->what].takes(filter->catalog, i, word))
			return 0;
	int rc = pms_fail(err, PMS_ENAME, "no %s of %s are in a group or have a name like %.200s",
			  lists[filter->what].name, pms_catalog_cpu(filter->catalog)->name, word);
	if (nearest)
		pms_hint(err, "did you mean %s?", nearest);
	else
		pms_hint(err, "a pattern has * and ? in it: 'l2*'");
	return rc;
}

int pms_filter_check(const struct pms_filter *filter, struct pms_error *err)
{
	int rc = 0;
	for (size_t i = 0; !rc && i < filter->n_words; i++)
		rc = check_word(filter, filter->words[i], err);
	return rc;
}
