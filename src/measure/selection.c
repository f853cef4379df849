/* SPDX-License-Identifier: MIT */
/* Select what to show of counts: metrics, and the events beside them. */
#include <stdlib.h>

#include "base/status.h"
#include "pmuscope/measurement.h"
#include "pmuscope/version.h"

static int has_member(const struct pms_group *group, size_t member)
{
	for (size_t i = 0; i < group->n_members; i++)
		if (group->members[i] == member)
			return 1;
	return 0;
}

int pms_metric_is_published(const struct pms_catalog *catalog, size_t metric)
{
	int staged = 0;
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++) {
		const struct pms_group *group = pms_catalog_group(catalog, i);
		if (group->kind != PMS_GROUP_METRICS || !group->stage)
			continue;
		if (has_member(group, metric))
			return 1;
		staged = 1;
	}
	return !staged;
}

/* List the groups that belong to a stage. Returns how many; 0: all groups do, or none. */
static size_t published_groups(const struct pms_catalog *catalog, const char **names)
{
	size_t all = 0, n = 0;
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++) {
		const struct pms_group *group = pms_catalog_group(catalog, i);
		all += group->kind == PMS_GROUP_METRICS;
		if (group->kind == PMS_GROUP_METRICS && group->stage)
			names[n++] = group->name;
	}
	return n < all ? n : 0;
}

/* Name the nearest event in the hint. */
static int no_such_event(const struct pms_catalog *catalog, const char *word, struct pms_error *err)
{
	size_t n = pms_catalog_events(catalog);
	const char **names = calloc(n + 1, sizeof(*names));
	if (!names)
		return pms_no_memory(err);
	for (size_t i = 0; i < n; i++)
		names[i] = pms_catalog_event(catalog, i)->name;
	const char *nearest = pms_name_nearest(word, names);
	pms_fail(err, PMS_ENAME, "%s has no event %s", pms_catalog_cpu(catalog)->name, word);
	if (nearest)
		pms_hint(err, "did you mean %s? pmuscope list events shows all", nearest);
	else
		pms_hint(err, "pmuscope list events shows all");
	free(names);
	return -PMS_ENAME;
}

static int is_selected(const struct pms_selection *s, size_t event)
{
	for (size_t i = 0; i < s->n_events; i++)
		if (s->events[i] == event)
			return 1;
	return 0;
}

static int select_events(struct pms_selection *s, const struct pms_catalog *catalog,
			 const struct pms_wanted *wanted, struct pms_error *err)
{
	for (size_t i = 0; i < wanted->n_events; i++) {
		int64_t event = pms_catalog_find_event(catalog, wanted->events[i]);
		if (event < 0)
			return no_such_event(catalog, wanted->events[i], err);
		if (!is_selected(s, (size_t)event))
			s->events[s->n_events++] = (size_t)event;
	}
	return 0;
}

/* Select the metrics that the named events are enough for. @names: room for all metrics */
static void select_computable(struct pms_selection *s, const struct pms_catalog *catalog,
			      const char **names)
{
	for (size_t i = 0; i < pms_catalog_metrics(catalog); i++) {
		const struct pms_metric *metric = pms_catalog_metric(catalog, i);
		size_t have = 0;
		if (!pms_metric_is_published(catalog, i))
			continue;
		while (have < metric->n_events && is_selected(s, metric->events[have]))
			have++;
		int is_told = 0; /* other metrics show each of its parts */
		for (size_t k = 0; k < metric->n_unless; k++)
			is_told |= is_selected(s, metric->unless[k]);
		if (have == metric->n_events && !is_told)
			names[s->analyse.n_names++] = metric->name;
	}
	s->analyse.names = names;
	s->no_metrics = !s->analyse.n_names;
}

/* Select the events of the metrics that were asked for. */
static void select_events_of(struct pms_selection *s, const struct pms_report *report)
{
	for (size_t i = 0; i < report->n_results; i++) {
		const struct pms_metric *metric =
			pms_catalog_metric(report->counts->catalog, report->results[i].metric);
		for (size_t k = 0; k < metric->n_events; k++)
			if (!is_selected(s, metric->events[k]))
				s->events[s->n_events++] = metric->events[k];
	}
}

/* Analyse an empty run, which finds wrong names. */
static int try_names(struct pms_selection *s, const struct pms_catalog *catalog, int wants_events,
		     struct pms_error *err)
{
	struct pms_counts *counts = pms_counts_new(catalog);
	struct pms_report *report = NULL;
	if (!counts)
		return pms_no_memory(err);
	int rc = pms_analyse(counts, &counts->total, &s->analyse, &report, err);
	if (!rc && wants_events)
		select_events_of(s, report);
	pms_report_free(report);
	pms_counts_free(counts);
	return rc;
}

/* Make a selection of the named metrics and groups. @names: room for all of them; the selection
 * owns it */
static struct pms_selection *new_selection(const struct pms_catalog *catalog,
					   const struct pms_wanted *wanted, const char ***names)
{
	struct pms_selection *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->events = calloc(pms_catalog_events(catalog) + 1, sizeof(*s->events));
	*names = calloc(pms_catalog_metrics(catalog) + pms_catalog_groups(catalog) + 1,
			sizeof(**names));
	s->owned = (void *)*names;
	s->is_named = wanted->n_metrics > 0;
	s->analyse = (struct pms_analyse_options){ .names = wanted->metrics,
						   .n_names = wanted->n_metrics,
						   .level = wanted->level };
	if (s->events && *names)
		return s;
	pms_selection_free(s);
	return NULL;
}

int pms_selection_make(const struct pms_catalog *catalog, const struct pms_wanted *wanted,
		       struct pms_selection **out, struct pms_error *err)
{
	const char **names;
	struct pms_selection *s = new_selection(catalog, wanted, &names);
	if (!s)
		return pms_no_memory(err);
	int rc = select_events(s, catalog, wanted, err);
	if (!rc && wanted->n_events && !wanted->n_metrics)
		select_computable(s, catalog, names);
	if (!rc)
		rc = try_names(s, catalog, wanted->counts && wanted->n_metrics && !wanted->n_events,
			       err);
	if (!rc && !wanted->n_events && !wanted->n_metrics && !wanted->all) {
		s->analyse.n_names = published_groups(catalog, names);
		s->analyse.names = names;
	}
	if (rc)
		pms_selection_free(s);
	else
		*out = s;
	return rc;
}

static int is_told(const struct pms_counts *counts, size_t event)
{
	const struct pms_count *count = &counts->total.counts[event];
	return count->state != PMS_NOT_COUNTED || count->because;
}

/* Returns whether other metrics show the parts of this one. */
static int is_split(const struct pms_counts *counts, const struct pms_metric *metric)
{
	for (size_t i = 0; i < metric->n_unless; i++)
		if (counts->total.counts[metric->unless[i]].state == PMS_COUNTED)
			return 1;
	return 0;
}

/* Select the metrics whose events were all counted: a table of few counts would fill with metrics
 * that need other events. Returns how many metrics lack events. */
static size_t select_told(struct pms_selection *s, const struct pms_counts *counts,
			  const char **names)
{
	const struct pms_catalog *catalog = counts->catalog;
	size_t n_lacking = 0;
	for (size_t i = 0; i < pms_catalog_metrics(catalog); i++) {
		const struct pms_metric *metric = pms_catalog_metric(catalog, i);
		size_t told = 0;
		if (!pms_metric_is_published(catalog, i) || is_split(counts, metric))
			continue;
		while (told < metric->n_events && is_told(counts, metric->events[told]))
			told++;
		if (told == metric->n_events)
			names[s->analyse.n_names++] = metric->name;
		else
			n_lacking++;
	}
	s->no_metrics = !s->analyse.n_names;
	if (!n_lacking) /* all metrics, in all their groups */
		s->analyse.n_names = published_groups(catalog, names);
	s->analyse.names = names;
	return n_lacking;
}

int pms_selection_told(struct pms_counts *counts, const struct pms_wanted *wanted,
		       struct pms_selection **out, struct pms_error *err)
{
	const char **names;
	struct pms_selection *s = new_selection(counts->catalog, wanted, &names);
	size_t n_lacking = 0;
	if (!s)
		return pms_no_memory(err);
	if (!wanted->n_metrics && !wanted->all)
		n_lacking = select_told(s, counts, names);
	if (n_lacking &&
	    pms_counts_warn(counts,
			    "%zu metrics need events that are not in the file; --all shows them",
			    n_lacking)) {
		pms_selection_free(s);
		return pms_no_memory(err);
	}
	*out = s;
	return 0;
}

void pms_selection_free(struct pms_selection *s)
{
	if (!s)
		return;
	free(s->events);
	free(s->owned);
	free(s);
}
