/* SPDX-License-Identifier: MIT */
/* Check names, numbers and groups: each name and number occurs once, and members exist. */
#include "lint/spec.h"

#include <stdlib.h>
#include <string.h>

static int64_t find_event(const struct pms_lint_spec *spec, const char *name)
{
	return pms_name_index_find(&spec->event_names, name);
}

static int64_t find_metric(const struct pms_lint_spec *spec, const char *name)
{
	return pms_name_index_find(&spec->metric_names, name);
}

/* Report repeated names: equal names stand side by side in the index, in the order of the file. */
static void check_twice(struct pms_lint *lint, const struct pms_lint_spec *spec)
{
	const struct pms_name_row *rows = spec->event_names.rows;
	for (size_t i = 1; i < spec->event_names.count; i++) {
		if (!pms_name_compare(rows[i - 1].name, rows[i].name))
			pms_lint_add_again(lint, "defined-twice",
					   spec->events[rows[i].index].name.at,
					   spec->events[rows[i - 1].index].name.at,
					   "%s is defined already", rows[i].name);
	}
}

static int code_order(const void *a, const void *b)
{
	const struct pms_lint_event *const *x = a, *const *y = b;
	if ((*x)->code != (*y)->code)
		return (*x)->code < (*y)->code ? -1 : 1;
	return (*x > *y) - (*x < *y); /* in the order of the file */
}

/* Report a repeated number. Several events of number 0 have none: tables without numbers are filled
 * with 0. */
static void report_code(struct pms_lint *lint, const struct pms_lint_event *const *sorted, size_t n)
{
	if (n > 1 && sorted[0]->code == 0) {
		pms_lint_add(lint, "duplicate-code", sorted[0]->code_at,
			     "%zu events have the number 0, %s the first of them: the numbers are "
			     "not there",
			     n, sorted[0]->name.text);
		return;
	}
	for (size_t i = 1; i < n; i++)
		pms_lint_add(lint, "duplicate-code", sorted[i]->code_at,
			     "%s has the number 0x%llx of %s", sorted[i]->name.text,
			     (unsigned long long)sorted[i]->code, sorted[0]->name.text);
}

static void check_codes(struct pms_lint *lint, const struct pms_lint_spec *spec)
{
	const struct pms_lint_event **sorted =
		pms_lint_room(lint, spec->n_events, sizeof(struct pms_lint_event *));
	size_t n = 0;
	for (size_t i = 0; sorted && i < spec->n_events; i++)
		if (spec->events[i].code >= 0)
			sorted[n++] = &spec->events[i];
	if (!n)
		return;
	qsort(sorted, n, sizeof(struct pms_lint_event *), code_order);
	for (size_t i = 0, same; i < n; i += same) {
		for (same = 1; i + same < n && sorted[i + same]->code == sorted[i]->code;)
			same++;
		report_code(lint, sorted + i, same);
	}
}

/* Mark the members of a group as grouped; report members that it cannot hold. */
static void check_group(struct pms_lint *lint, struct pms_lint_spec *spec,
			const struct pms_lint_group *group)
{
	const char *what = group->kind == PMS_GROUP_METRICS ? "metric" : "event";
	for (size_t i = 0; i < group->members.n; i++) {
		const struct pms_lint_name *member = &group->members.rows[i];
		int64_t found = group->kind == PMS_GROUP_METRICS ? find_metric(spec, member->text)
								 : find_event(spec, member->text);
		if (found < 0)
			pms_lint_add(lint, "unknown-member", member->at,
				     "%s holds %s, which is no %s", group->name.text, member->text,
				     what);
		else if (group->kind == PMS_GROUP_METRICS)
			spec->metrics[found].grouped = 1;
		else
			spec->events[found].grouped = 1;
	}
	if (!group->members.n)
		pms_lint_add(lint, "empty-group", group->name.at, "%s holds no %s",
			     group->name.text, what);
}

static void check_ungrouped(struct pms_lint *lint, const struct pms_lint_spec *spec)
{
	for (size_t i = 0; i < spec->n_metrics; i++)
		if (!spec->metrics[i].grouped)
			pms_lint_add(lint, "no-group", spec->metrics[i].name.at,
				     "%s is in no group", spec->metrics[i].name.text);
}

/* Report in one line for each file how many metrics have no group, where others have one: perf does
 * not require groups. */
static void check_ungrouped_files(struct pms_lint *lint, const struct pms_lint_spec *spec)
{
	for (size_t i = 0; i < spec->n_metrics;) {
		const struct pms_json *file = spec->metrics[i].name.at->json;
		const struct pms_lint_metric *first = NULL;
		size_t count = 0;
		for (; i < spec->n_metrics && spec->metrics[i].name.at->json == file; i++) {
			if (spec->metrics[i].grouped)
				continue;
			first = first ? first : &spec->metrics[i];
			count++;
		}
		if (count)
			pms_lint_add(lint, "no-group", first->name.at,
				     "%zu %s no MetricGroup, %s the first of them", count,
				     count == 1 ? "metric has" : "metrics have", first->name.text);
	}
}

void pms_lint_names_rules(struct pms_lint *lint, struct pms_lint_spec *spec)
{
	check_twice(lint, spec);
	check_codes(lint, spec);
	for (size_t i = 0; i < spec->n_groups; i++)
		check_group(lint, spec, &spec->groups[i]);
	if (spec->layout == PMS_LINT_PERF)
		check_ungrouped_files(lint, spec);
	else
		check_ungrouped(lint, spec);
}
