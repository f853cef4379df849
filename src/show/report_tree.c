/* SPDX-License-Identifier: MIT */
/* Show the counts and the tree of a report to people. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "show/caveat.h"
#include "show/grid.h"
#include "show/label.h"
#include "show/layout.h"
#include "show/report.h"
#include "show/text.h"

static void say_scope(struct pms_out_item *parent, const char *what, const struct pms_scope *scope)
{
	pms_out_heading(parent, "%s of %s %s", what, pms_label_scope(scope->kind),
			pms_report_scope(parent, scope));
}

/* The tree ------------------------------------------------------------------------------------- */

/* The state of a tree while it is made. */
struct growth {
	struct pms_out_item *tree;
	const struct pms_report *report;
	const unsigned char *shown;
};

/* Set the numbers of the findings that end at this node or in this group. */
static void set_findings(struct pms_out_branch *branch, const struct growth *g,
			 const struct pms_row *row)
{
	const struct pms_report *report = g->report;
	size_t *numbers = pms_out_room(g->tree, report->n_findings, sizeof(*numbers));
	for (size_t i = 0; numbers && i < report->n_findings; i++) {
		const struct pms_finding *f = &report->findings[i];
		int is_here = row->kind == PMS_ROW_NODE
				      ? f->node == row->node
				      : f->group >= 0 && (size_t)f->group == row->group;
		if (is_here)
			numbers[branch->n_findings++] = i + 1;
	}
	branch->findings = numbers;
}

static const char *severity_colour(const struct pms_report *report, size_t node)
{
	static const char *const colours[] = { [PMS_SEVERITY_INFO] = "green",
					       [PMS_SEVERITY_MODERATE] = "brown",
					       [PMS_SEVERITY_HIGH] = "red" };
	for (size_t i = 0; i < report->n_findings; i++)
		if (report->findings[i].node == node)
			return colours[report->findings[i].severity];
	return NULL;
}

/* Flag a ratio over hardly any events: a miss ratio of 1 over three accesses is no problem. */
static const char *of_hardly_any(const struct growth *g, const struct pms_result *result)
{
	char base[PMS_NUMBER_MAX];
	if (!pms_result_is_of_hardly_any(result))
		return NULL;
	pms_text_value(base, result->base, "");
	return pms_out_print(g->tree, "of hardly any: %s in 1000 instructions", base);
}

static void set_metric(struct pms_out_branch *branch, const struct growth *g,
		       const struct pms_result *result)
{
	const struct pms_catalog *catalog = g->report->counts->catalog;
	const struct pms_metric *metric = pms_catalog_metric(catalog, result->metric);
	branch->title = metric->title;
	branch->quantity =
		(struct pms_out_quantity){ .value = &result->value,
					   .units = metric->units,
					   .is_estimate = g->report->scope->sample != NULL };
	branch->n_footnotes =
		pms_caveat_notes(g->tree, catalog, metric, g->shown, &branch->footnotes);
}

/* Turn a row of the layout into a branch that the renderer can draw. */
static struct pms_out_branch branch_of(const struct growth *g, const struct pms_row *row)
{
	const struct pms_catalog *catalog = g->report->counts->catalog;
	struct pms_out_branch branch = { 0 };
	switch (row->kind) {
	case PMS_ROW_NODE:
		branch.kind = PMS_OUT_BRANCH_SHARE;
		branch.colour = severity_colour(g->report, row->node);
		set_metric(&branch, g, row->result);
		set_findings(&branch, g, row);
		break;
	case PMS_ROW_METRIC:
		branch.kind = PMS_OUT_BRANCH_VALUE;
		branch.instead = of_hardly_any(g, row->result);
		set_metric(&branch, g, row->result);
		break;
	case PMS_ROW_GROUP:
		branch.kind = PMS_OUT_BRANCH_TITLE;
		branch.title = pms_catalog_group(catalog, row->group)->title;
		branch.colour = "bold";
		set_findings(&branch, g, row);
		break;
	case PMS_ROW_SEE:
		branch.kind = PMS_OUT_BRANCH_SEE;
		branch.title = pms_catalog_group(catalog, row->group)->title;
		branch.instead = pms_out_print(
			g->tree, "under %s",
			pms_catalog_metric(catalog, pms_catalog_node(catalog, row->node)->metric)
				->title);
		break;
	}
	return branch;
}

static void grow(const struct growth *g, const struct pms_layout *layout)
{
	struct pms_out_item **items =
		pms_out_room(g->tree, layout->n_rows, sizeof(struct pms_out_item *));
	for (size_t i = 0; items && i < layout->n_rows; i++) {
		const struct pms_row *row = &layout->rows[i];
		struct pms_out_branch branch = branch_of(g, row);
		items[i] = pms_out_branch(row->parent == PMS_NO_ROW ? g->tree : items[row->parent],
					  &branch);
	}
}

/* Head the tree by its unit: slots, whose number per cycle may not be fixed, or stalled cycles. */
static void say_root(struct pms_out_item *parent, const struct pms_report *report,
		     const struct pms_result *root)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	unsigned slots = pms_catalog_cpu(catalog)->slots;
	const char *of;
	pms_text_units(pms_catalog_metric(catalog, root->metric)->units, &of);
	if (slots)
		pms_out_heading(parent, "Where the pipeline slots went (%u each cycle)", slots);
	else
		pms_out_heading(parent, "Where the pipeline %s",
				strcmp(of, "slots") ? "stalled" : "slots went");
}

void pms_report_say_tree(struct pms_out_item *parent, const struct pms_report *report,
			 const unsigned char *shown)
{
	struct pms_layout layout;
	if (!report->n_results || !pms_outline_is_in(parent, PMS_FOR_PEOPLE))
		return;
	const struct pms_show_options *o = parent->outline->options;
	if (pms_layout_init(&layout, report, o->all || o->view == PMS_VIEW_STAT)) {
		parent->outline->failed = 1;
		return;
	}
	pms_out_gap(parent);
	if (report->scope->kind != PMS_SCOPE_TOTAL)
		say_scope(parent, "Metrics", report->scope);
	else if (layout.n_rows && layout.rows[0].kind == PMS_ROW_NODE)
		say_root(parent, report, layout.rows[0].result);
	else
		pms_out_heading(parent, "Metrics");
	struct growth g = { pms_out_tree(parent), report, shown };
	grow(&g, &layout);
	if (layout.n_hidden) {
		pms_out_gap(parent);
		pms_out_paragraph(parent, NULL, "%zu more %s of metrics with --all",
				  layout.n_hidden, layout.n_hidden == 1 ? "group" : "groups");
	}
	pms_layout_release(&layout);
}

/* Counts --------------------------------------------------------------------------------------- */

enum { COUNT, EVENT, PER, READ, N };

/* Returns the instruction count, which other counts are shown per 1000 of; NULL where there is
 * none. */
static const struct pms_count *instructions(const struct pms_report *report)
{
	int64_t i = pms_catalog_find_role(report->counts->catalog, PMS_CATALOG_INSTRUCTIONS);
	const struct pms_count *count = i < 0 ? NULL : &report->scope->counts[i];
	return count && count->state == PMS_COUNTED && count->value ? count : NULL;
}

/* Returns " (low … high, ran 50 %)" for a count that was scaled up; an unknown end is "?". */
static const char *describe_count(struct pms_out_item *of, const struct pms_scope *scope,
				  size_t event, double run)
{
	double ends[2];
	char texts[2][PMS_NUMBER_MAX] = { "?", "?" }, share[PMS_NUMBER_MAX];
	pms_count_interval(scope, event, &ends[0], &ends[1]);
	for (size_t i = 0; i < 2; i++)
		if (isfinite(ends[i]) && ends[i] < 0x1p63)
			pms_text_count(texts[i], (uint64_t)(ends[i] + 0.5));
	pms_text_share(share, run);
	return pms_out_print(of, " (%s … %s, ran %s)", texts[0], texts[1], share);
}

/* Set how to read a count. */
static void set_reading(struct pms_out_item *row, const struct pms_scope *scope,
			const struct pms_event *of, size_t event)
{
	const struct pms_count *count = &scope->counts[event];
	const char *cls = pms_label_count_class(count->cls);
	const char *unit = pms_label_event_is_ns(of) ? ", ns" : "";
	double run = pms_label_run_pct(scope, count), low, high;
	char scatter[PMS_NUMBER_MAX] = "";
	if (count->spread > 0)
		snprintf(scatter, sizeof(scatter), " ± %.2g %%", 100 * count->spread);
	if (run >= 100)
		pms_out_cell_print(row, READ, "%s%s%s", cls, unit, scatter);
	else if (!scope->sample)
		pms_out_cell_print(row, READ, "%s%s%s%s", cls, unit, scatter,
				   describe_count(row, scope, event, run));
	else if (!pms_sample_interval(scope, event, &low, &high))
		pms_out_cell_print(row, READ, "%s, sampled%s", cls,
				   count->value ? " ± ?" : ": not met");
	else
		pms_out_cell_print(row, READ, "%s, sampled ± %.2g %%", cls,
				   100 * (high / pms_count_scaled(count) - 1));
}

/* One count for people: the number, its rate per 1000 instructions, and how to read it. */
static void say_count(struct pms_out_item *table, const struct pms_report *report, size_t event,
		      const struct pms_count *per)
{
	const struct pms_event *of = pms_catalog_event(report->counts->catalog, event);
	const struct pms_count *count = &report->scope->counts[event];
	struct pms_out_item *row = pms_out_row(table, N);
	char text[PMS_NUMBER_MAX];
	pms_out_cell(row, EVENT, pms_out_of_text(of->name));
	if (count->state != PMS_COUNTED) {
		pms_out_cell_print(row, COUNT, "—");
		pms_out_cell(row, READ, pms_out_of_note(pms_label_because(count)));
		return;
	}
	pms_text_count(text, pms_label_count(count));
	pms_out_cell_print(row, COUNT, "%s", text);
	if (per) {
		pms_text_value(text, 1000.0 * pms_count_scaled(count) / pms_count_scaled(per), "");
		pms_out_cell_print(row, PER, "%s", text);
	}
	set_reading(row, report->scope, of, event);
}

/* Find the next event to show. Events without a count are shown only if asked for by name; JSON
 * and CSV list what the model lacks. */
static int next_event(const struct pms_report *report, const struct pms_show_options *options,
		      size_t *next, size_t *event)
{
	while (pms_label_next_event(report, options, next, event))
		if (report->scope->counts[*event].state == PMS_COUNTED || options->n_events)
			return 1;
	return 0;
}

void pms_report_say_counts(struct pms_out_item *parent, const struct pms_report *report)
{
	static const struct pms_out_field fields[] = {
		[COUNT] = { NULL, NULL, "COUNT", PMS_GRID_RIGHT },
		[EVENT] = { NULL, NULL, "EVENT", 0 },
		[PER] = { NULL, NULL, "PER 1000 INSTRUCTIONS", PMS_GRID_RIGHT },
		[READ] = { NULL, NULL, "READ AS", 0 },
	};
	const struct pms_count *per = instructions(report);
	struct pms_out_item *table = NULL;
	size_t next = 0, event;
	if (!pms_outline_is_in(parent, PMS_FOR_PEOPLE))
		return;
	while (next_event(report, parent->outline->options, &next, &event)) {
		if (!table) {
			pms_out_gap(parent);
			if (report->scope->kind != PMS_SCOPE_TOTAL)
				say_scope(parent, "Counts", report->scope);
			table = pms_out_table(parent, PMS_FOR_PEOPLE, NULL, fields, N);
		}
		say_count(table, report, event, per);
	}
}
