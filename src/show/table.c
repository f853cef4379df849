/* SPDX-License-Identifier: MIT */
/* The table: heading, tree with bars, findings, warnings; for PMS_VIEW_STAT the counts first. */
#include "show/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memstream.h"
#include "base/status.h"
#include "show/caveat.h"
#include "show/extent.h"
#include "show/grid.h"
#include "show/label.h"
#include "show/layout.h"
#include "show/page.h"
#include "show/shares.h"
#include "show/size.h"
#include "show/text.h"

#define TEXT_MAX 512 /* a cell: a title, a bar, a reason's number */

/* It can be pasted as it is, unless it would bury the report: then its beginning is shown. */
static void put_command_line(struct pms_page *page, char *text, char *const *argv)
{
	enum { LONGEST = 1000 };
	size_t end = strlen(text), n = 0;
	if (end <= LONGEST) {
		pms_page_line(page, "Command: %s", text);
		return;
	}
	for (end = LONGEST; ((unsigned char)text[end] & 0xc0) == 0x80;)
		end--; /* not within a character */
	text[end] = 0;
	while (argv[n])
		n++;
	pms_page_line(page, "Command: %s … (cut; the whole, of %zu words, is in JSON and CSV)",
		      text, n);
}

static void put_command(struct pms_page *page, const struct pms_provenance *p)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = p->command ? pms_memstream_open(&text, &size) : NULL;
	if (!memory) {
		page->failed |= p->command != NULL;
		return;
	}
	pms_text_command(memory, p->command);
	if (pms_memstream_close(memory))
		page->failed = 1;
	else
		put_command_line(page, text, p->command);
	free(text);
}

/* How the counts came about where the program was run several times; how often may not be known. */
static void put_runs(struct pms_page *page, const struct pms_report *report)
{
	const struct pms_scope *total = &report->counts->total;
	const char *error =
		page->options->view == PMS_VIEW_STAT ? "; ± is their standard error" : "";
	int scatters = 0;
	for (size_t i = 0; i < pms_catalog_events(report->counts->catalog); i++)
		scatters |= total->counts[i].state == PMS_COUNTED && total->counts[i].spread > 0;
	if (total->n_runs)
		pms_page_text(page, "", "Counts are means of %zu runs%s.", total->runs[0].n_runs,
			      scatters ? error : "");
	else if (scatters)
		pms_page_text(page, "", "Counts are means of several runs%s.", error);
}

/* What a model does not see is said before its numbers, which look as sure without it. Of a PMU's
 * counts each that is missing has its reason where it would stand. */
static size_t first_of_counts(const struct pms_report *report)
{
	return report->counts->provenance.modelled ? report->counts->n_warnings : 0;
}

static void put_first_warnings(struct pms_page *page, const struct pms_report *report)
{
	for (size_t i = 0; i < first_of_counts(report); i++)
		pms_page_text(page, " ! ", "%s", report->counts->warnings[i]);
	for (size_t i = 0; i < report->n_first; i++)
		pms_page_text(page, " ! ", "%s", report->warnings[i]);
}

static void put_heading(struct pms_page *page, const struct pms_report *report)
{
	const struct pms_provenance *p = &report->counts->provenance;
	char text[TEXT_MAX];
	pms_label_heading(text, sizeof(text), report->counts);
	pms_page_heading(page, "%s", text);
	int has_size = pms_size_line(text, sizeof(text), report->counts);
	if (has_size < 0)
		page->failed = 1;
	else if (has_size)
		pms_page_text(page, "", "%s", text);
	put_command(page, p);
	if (report->counts->has_time)
		pms_page_line(page, "Interval that ended at %.3f s", report->counts->time);
	if (p->signal)
		pms_page_line(page, "The program was ended by signal %d.", p->signal);
	else if (p->exit_status && !p->file)
		pms_page_line(page, "The program's exit status: %d", p->exit_status);
	for (size_t i = 0; i < PMS_EXTENT_LINES; i++)
		if (pms_extent_line(text, sizeof(text), report->counts, i))
			pms_page_text(page, "", "%s", text);
	put_runs(page, report);
	if (p->modelled)
		pms_page_line(page, "User mode only: time in the kernel is not modelled.");
	put_first_warnings(page, report);
}

/* As far as there is room. */
static void append(char *text, size_t size, const char *more)
{
	size_t length = strlen(text);
	snprintf(text + length, size - length, "%s", more);
}

/* " ← 1, 2": the findings that end at this node or in this group. */
static void add_markers(char *text, size_t size, const struct pms_report *report,
			const struct pms_row *row)
{
	const char *lead = " ← ";
	for (size_t i = 0; i < report->n_findings; i++) {
		const struct pms_finding *f = &report->findings[i];
		int here = row->kind == PMS_ROW_NODE
				   ? f->node == row->node
				   : f->group >= 0 && (size_t)f->group == row->group;
		size_t length = strlen(text);
		if (!here)
			continue;
		snprintf(text + length, size - length, "%s%zu", length ? lead : lead + 1, i + 1);
		lead = ", ";
	}
}

/* Value and, after it, its unit, bar or the number of the note that says why there is none. */
static void set_value(struct pms_page *page, struct pms_grid *grid, struct pms_grid_line *line,
		      const struct pms_result *result, const char *units)
{
	const struct pms_value *v = &result->value;
	const char *of;
	char text[PMS_NUMBER_MAX];
	if (v->state == PMS_VALUE_UNDEFINED) {
		size_t note = pms_page_note(page, v->because ? v->because : "no reason given");
		pms_grid_set(grid, line, 1, "— ");
		pms_grid_set(grid, line, 2, "[%zu]", note);
		return;
	}
	int percent = pms_text_units(units, &of);
	pms_text_value(text, v->value, units);
	pms_grid_set(grid, line, 1, "%s %s", text, percent ? "%" : " ");
}

/* Scaled, or a mean over repeated runs. */
static int has_interval(const struct pms_value *v)
{
	return v->state == PMS_VALUE_SCALED || (v->state == PMS_VALUE_EXACT && v->high > v->low);
}

/* An end of an interval; "?" where it is not known. */
static void describe_end(char text[PMS_NUMBER_MAX], double end, const char *units)
{
	if (isfinite(end))
		pms_text_value(text, end, units);
	else
		snprintf(text, PMS_NUMBER_MAX, "?");
}

/* The interval of a value that has one, else "". */
static void describe_interval(char *text, size_t size, const struct pms_report *report,
			      const struct pms_value *v, const char *units)
{
	char low[PMS_NUMBER_MAX], high[PMS_NUMBER_MAX], share[PMS_NUMBER_MAX];
	*text = 0;
	if (!has_interval(v))
		return;
	if (!isfinite(v->low) && !isfinite(v->high)) {
		snprintf(text, size, v->value == 0 ? " (not met)" : " (± ?)");
		return;
	}
	describe_end(low, v->low, units);
	describe_end(high, v->high, units);
	pms_text_share(share, v->run_pct);
	/* Of a sampled run the heading tells how much was counted. */
	if (v->state == PMS_VALUE_SCALED && !report->scope->sample)
		snprintf(text, size, " (%s … %s, ran %s)", low, high, share);
	else
		snprintf(text, size, " (%s … %s)", low, high);
}

static void set_node(struct pms_page *page, struct pms_grid *grid, struct pms_grid_line *line,
		     const struct pms_report *report, const struct pms_row *row, unsigned bar)
{
	const struct pms_metric *metric =
		pms_catalog_metric(report->counts->catalog, row->result->metric);
	char text[TEXT_MAX] = "", interval[TEXT_MAX], marks[PMS_CAVEAT_MARKS];
	const char *of;
	set_value(page, grid, line, row->result, metric->units);
	if (row->result->value.state == PMS_VALUE_UNDEFINED)
		return;
	if (pms_text_units(metric->units, &of))
		pms_text_bar(text, sizeof(text), row->result->value.value, bar);
	else
		snprintf(text, sizeof(text), "%s", metric->units);
	describe_interval(interval, sizeof(interval), report, &row->result->value, metric->units);
	pms_caveat_marks(page, report->counts->catalog, metric, marks);
	append(text, sizeof(text), interval);
	append(text, sizeof(text), marks);
	add_markers(text, sizeof(text), report, row);
	pms_grid_set(grid, line, 2, "%s", text);
}

/* A miss ratio of 1 where there were three accesses looks like a problem and is none. */
static int set_hardly_any(struct pms_grid *grid, struct pms_grid_line *line,
			  const struct pms_result *result)
{
	char base[PMS_NUMBER_MAX];
	if (!pms_result_is_of_hardly_any(result))
		return 0;
	pms_text_value(base, result->base, "");
	pms_grid_set(grid, line, 1, "— ");
	pms_grid_set(grid, line, 2, " of hardly any: %s in 1000 instructions", base);
	return 1;
}

static void set_metric(struct pms_page *page, struct pms_grid *grid, struct pms_grid_line *line,
		       const struct pms_report *report, const struct pms_result *result)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	const struct pms_metric *metric = pms_catalog_metric(catalog, result->metric);
	char interval[TEXT_MAX], marks[PMS_CAVEAT_MARKS];
	const char *of;
	int percent = pms_text_units(metric->units, &of);
	if (set_hardly_any(grid, line, result))
		return;
	set_value(page, grid, line, result, metric->units);
	if (result->value.state == PMS_VALUE_UNDEFINED)
		return;
	describe_interval(interval, sizeof(interval), report, &result->value, metric->units);
	pms_caveat_marks(page, catalog, metric, marks);
	pms_grid_set(grid, line, 2, "%s%s%s%s", percent ? "of " : "", of, interval, marks);
}

static const char *severity_colour(const struct pms_report *report, const struct pms_row *row)
{
	static const char *const colours[] = { [PMS_SEVERITY_INFO] = "green",
					       [PMS_SEVERITY_MODERATE] = "brown",
					       [PMS_SEVERITY_HIGH] = "red" };
	for (size_t i = 0; i < report->n_findings; i++)
		if (report->findings[i].node == row->node)
			return colours[report->findings[i].severity];
	return NULL;
}

static void set_row(struct pms_page *page, struct pms_grid *grid, struct pms_grid_line *line,
		    const struct pms_report *report, const struct pms_row *row, unsigned bar)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	char text[TEXT_MAX] = "";
	switch (row->kind) {
	case PMS_ROW_NODE:
		pms_grid_set(grid, line, 0, "%s",
			     pms_catalog_metric(catalog, row->result->metric)->title);
		set_node(page, grid, line, report, row, bar);
		pms_grid_colour(grid, line, severity_colour(report, row));
		break;
	case PMS_ROW_GROUP:
		pms_grid_set(grid, line, 0, "%s", pms_catalog_group(catalog, row->group)->title);
		add_markers(text, sizeof(text), report, row);
		pms_grid_set(grid, line, 2, "%s", text);
		pms_grid_colour(grid, line, "bold");
		break;
	case PMS_ROW_METRIC:
		pms_grid_set(grid, line, 0, "%s",
			     pms_catalog_metric(catalog, row->result->metric)->title);
		set_metric(page, grid, line, report, row->result);
		break;
	case PMS_ROW_SEE:
		pms_grid_set(grid, line, 0, "%s", pms_catalog_group(catalog, row->group)->title);
		pms_grid_set(
			grid, line, 2, "under %s",
			pms_catalog_metric(catalog, pms_catalog_node(catalog, row->node)->metric)
				->title);
		break;
	}
}

static const char *row_title(const struct pms_catalog *catalog, const struct pms_row *row)
{
	return row->result ? pms_catalog_metric(catalog, row->result->metric)->title
			   : pms_catalog_group(catalog, row->group)->title;
}

/* Columns that are left for bars: what the titles, the values and a marker do not take. */
static unsigned bar_width(const struct pms_layout *layout, const struct pms_catalog *catalog,
			  unsigned width)
{
	enum { VALUES_AND_MARKER = 19, INTERVAL = 27, LEAST = 10, MOST = 50 };
	size_t titles = 0, others = VALUES_AND_MARKER, letters = 0;
	for (size_t i = 0; i < layout->n_rows; i++) {
		size_t columns = pms_text_width(row_title(catalog, &layout->rows[i]));
		size_t up = layout->rows[i].parent;
		columns += up != PMS_NO_ROW; /* the blank after the branch */
		for (; up != PMS_NO_ROW; up = layout->rows[up].parent)
			columns += 2;
		titles = columns > titles ? columns : titles;
		const struct pms_result *r = layout->rows[i].result;
		if (r && has_interval(&r->value))
			others = VALUES_AND_MARKER + INTERVAL;
		if (layout->rows[i].kind == PMS_ROW_NODE) {
			columns = pms_caveat_width(catalog, pms_catalog_metric(catalog, r->metric));
			letters = columns > letters ? columns : letters;
		}
	}
	others += letters;
	if (titles + others + LEAST >= width)
		return LEAST;
	size_t left = width - titles - others;
	return left < MOST ? (unsigned)left : MOST;
}

static void put_rows(struct pms_page *page, const struct pms_report *report,
		     const struct pms_layout *layout)
{
	static const struct pms_column columns[] = { { "metric", PMS_GRID_TREE },
						     { "value", PMS_GRID_RIGHT },
						     { "unit", 0 } };
	unsigned bar = bar_width(layout, report->counts->catalog, page->options->width);
	struct pms_grid_line **lines = calloc(layout->n_rows + 1, sizeof(struct pms_grid_line *));
	struct pms_grid grid;
	pms_grid_init(&grid, page->options, columns, 3);
	for (size_t i = 0; lines && i < layout->n_rows; i++) {
		const struct pms_row *row = &layout->rows[i];
		lines[i] =
			pms_grid_line(&grid, row->parent == PMS_NO_ROW ? NULL : lines[row->parent]);
		set_row(page, &grid, lines[i], report, row, bar);
	}
	if (!lines || pms_grid_print(&grid, 0, page->out))
		page->failed = 1;
	pms_grid_release(&grid);
	free(lines);
}

/* The name of a scope that has a line: of CPUs together it says more than their number. */
static void describe_scope(char *text, size_t size, const struct pms_scope *scope)
{
	if (scope->kind == PMS_SCOPE_THREAD || !scope->name[0])
		snprintf(text, size, "%lld %s", (long long)scope->id, scope->name);
	else
		snprintf(text, size, "%s", scope->name);
}

static void put_scope_heading(struct pms_page *page, const char *what,
			      const struct pms_scope *scope)
{
	char text[PMS_NUMBER_MAX];
	describe_scope(text, sizeof(text), scope);
	pms_page_heading(page, "%s of %s %s", what, pms_label_scope(scope->kind), text);
}

/* The tree is of slots, of which the core may not have a fixed number, or of stalled cycles. */
static void put_tree_heading(struct pms_page *page, const struct pms_report *report,
			     const struct pms_result *root)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	unsigned slots = pms_catalog_cpu(catalog)->slots;
	const char *of;
	pms_text_units(pms_catalog_metric(catalog, root->metric)->units, &of);
	if (slots)
		pms_page_heading(page, "Where the pipeline slots went (%u each cycle)", slots);
	else
		pms_page_heading(page, "Where the pipeline %s",
				 strcmp(of, "slots") ? "stalled" : "slots went");
}

static void put_tree(struct pms_page *page, const struct pms_report *report)
{
	const struct pms_show_options *o = page->options;
	struct pms_layout layout;
	if (!report->n_results)
		return;
	if (pms_layout_init(&layout, report, o->all || o->view == PMS_VIEW_STAT)) {
		page->failed = 1;
		return;
	}
	fputc('\n', page->out);
	if (report->scope->kind != PMS_SCOPE_TOTAL)
		put_scope_heading(page, "Metrics", report->scope);
	else if (layout.n_rows && layout.rows[0].kind == PMS_ROW_NODE)
		put_tree_heading(page, report, layout.rows[0].result);
	else
		pms_page_heading(page, "Metrics");
	put_rows(page, report, &layout);
	pms_page_put_notes(page);
	if (layout.n_hidden) {
		fputc('\n', page->out);
		pms_page_text(page, "", "%zu more %s of metrics with --all", layout.n_hidden,
			      layout.n_hidden == 1 ? "group" : "groups");
	}
	pms_layout_release(&layout);
}

/* " (97 %)" of the cycles: shares of a thread that hardly ran say little of the whole. */
static void add_weight(char *text, size_t size, const struct pms_report *report)
{
	char share[PMS_NUMBER_MAX];
	double percent = pms_size_share(report->counts, report->scope);
	size_t length = strlen(text);
	if (percent < 0)
		return;
	pms_text_share(share, percent);
	length -= length && text[length - 1] == ' '; /* of a thread without a name */
	snprintf(text + length, size - length, " (%s)", share);
}

/* Reports of scopes while they are shown; NULL once one failed. */
struct scopes {
	const struct pms_scope_reports *reports;
	size_t n;
	struct pms_error *err;
	int rc;
};

static const struct pms_report *scope_report(struct scopes *scopes, size_t i)
{
	const struct pms_report *report = NULL;
	if (!scopes->rc)
		report = scopes->reports->get(scopes->reports->context, i, scopes->err);
	if (!report)
		scopes->rc = -PMS_ENOMEM;
	return report;
}

/* Level 1 of each scope, a line each: the rest of one is in JSON and CSV. @first: their first. */
static void put_shares(struct pms_page *page, struct scopes *scopes, const struct pms_report *first,
		       const struct pms_shares *shares)
{
	const struct pms_counts *counts = first->counts;
	const char *kind = pms_label_scope(counts->scopes[0].kind);
	char text[2 * PMS_NUMBER_MAX];
	struct pms_grid grid;
	pms_shares_init(&grid, page->options, first, shares, kind);
	for (size_t i = 0; i < scopes->n; i++) {
		const struct pms_report *report = scope_report(scopes, i);
		if (!report)
			break;
		describe_scope(text, sizeof(text), report->scope);
		add_weight(text, sizeof(text), report);
		pms_shares_line(&grid, report, shares, text);
	}
	fputc('\n', page->out);
	pms_page_heading(page, "Level 1 by %s%s, %s", kind,
			 pms_size_share(counts, &counts->scopes[0]) < 0
				 ? ""
				 : " (with its part of the cycles)",
			 shares->units);
	if (pms_grid_print(&grid, 1, page->out))
		page->failed = 1;
	pms_grid_release(&grid);
}

static void put_scopes(struct pms_page *page, struct scopes *scopes)
{
	struct pms_shares shares = { 0 };
	const struct pms_report *first = scopes->n ? scope_report(scopes, 0) : NULL;
	if (!first)
		return;
	pms_shares_find(&shares, first);
	if (shares.n)
		put_shares(page, scopes, first, &shares);
	for (size_t i = 0; i < scopes->n && !shares.n; i++) {
		const struct pms_report *report = scope_report(scopes, i);
		if (report)
			put_tree(page, report);
	}
}

/* "; Branch MPKI 44.20 MPKI" for each number, but not again for the nodes of the path. */
static void describe_evidence(FILE *out, const struct pms_report *report,
			      const struct pms_finding *finding)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	const char *between = "";
	for (size_t i = 0; i < finding->n_evidence; i++) {
		const struct pms_result *r = &report->results[finding->evidence[i]];
		const struct pms_metric *metric = pms_catalog_metric(catalog, r->metric);
		char value[PMS_NUMBER_MAX];
		const char *of;
		if (r->stage == 1 || pms_result_is_of_hardly_any(r))
			continue;
		int percent = pms_text_units(metric->units, &of);
		pms_text_value(value, r->value.value, metric->units);
		if (r->value.state == PMS_VALUE_UNDEFINED)
			fprintf(out, "%s%s undefined", between, metric->title);
		else
			fprintf(out, "%s%s %s %s%s", between, metric->title, value,
				percent ? "% of " : "", of);
		between = "; ";
	}
}

static void describe_path(FILE *out, const struct pms_report *report,
			  const struct pms_finding *finding)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	for (size_t i = 0; i < finding->n_path; i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, finding->path[i]);
		fprintf(out, "%s%s", i ? " → " : "",
			pms_catalog_metric(catalog, node->metric)->title);
	}
	const struct pms_tree_node *end = pms_catalog_node(catalog, finding->node);
	const char *of;
	int percent = pms_text_units(pms_catalog_metric(catalog, end->metric)->units, &of);
	fprintf(out, " %.1f %s%s", finding->value, percent ? "% of " : "", of);
	const struct pms_tree_node *root = pms_catalog_node(catalog, finding->path[0]);
	pms_text_units(pms_catalog_metric(catalog, root->metric)->units, &of);
	if (finding->unexplained * 2 >= finding->share && finding->unexplained > 0)
		fprintf(out, ", of which none of its parts explains %.1f %% of %s",
			finding->unexplained, of);
	if (finding->group >= 0)
		fprintf(out, " → %s", pms_catalog_group(catalog, (size_t)finding->group)->title);
}

/* Of the slots, where the node's own value does not say it. */
static void describe_share(FILE *out, const struct pms_report *report,
			   const struct pms_finding *finding)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	const struct pms_tree_node *root = pms_catalog_node(catalog, finding->path[0]);
	const char *of;
	if (fabs(finding->share - finding->value) < 0.05)
		return;
	pms_text_units(pms_catalog_metric(catalog, root->metric)->units, &of);
	fprintf(out, "some %.1f %% of %s, as estimated", finding->share, of);
}

/* Which causes were not looked at, by what was not counted. */
static void describe_missing(FILE *out, const struct pms_report *report,
			     const struct pms_finding *finding)
{
	if (!finding->n_missing)
		return;
	fputs(finding->advice ? "More cannot be told: " : "The cause cannot be told: ", out);
	for (size_t i = 0; i < finding->n_missing; i++)
		fprintf(out, "%s%s", i ? ", " : "",
			pms_catalog_event(report->counts->catalog, finding->missing[i])->name);
	fputs(finding->n_missing > 1 ? " were not counted" : " was not counted", out);
}

/* A paragraph that @describe writes, unless it writes nothing. */
static void put_described(struct pms_page *page, const char *first,
			  void (*describe)(FILE *, const struct pms_report *,
					   const struct pms_finding *),
			  const struct pms_report *report, const struct pms_finding *finding)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = pms_memstream_open(&text, &size);
	if (memory)
		describe(memory, report, finding);
	if (!memory || pms_memstream_close(memory))
		page->failed = 1;
	else if (size)
		pms_page_text(page, first, "%s", text);
	free(text);
}

static void put_findings(struct pms_page *page, const struct pms_report *report)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	if (!report->n_findings && report->no_finding) {
		fputc('\n', page->out);
		pms_page_text(page, "", "No finding: %s.", report->no_finding);
	}
	for (size_t i = 0; i < report->n_findings; i++) {
		const struct pms_finding *f = &report->findings[i];
		const struct pms_tree_node *node = pms_catalog_node(catalog, f->node);
		const char *title = f->advice ? f->advice->title
					      : pms_catalog_metric(catalog, node->metric)->title;
		fputc('\n', page->out);
		pms_page_heading(page, "Finding %zu (%s): %s", i + 1,
				 pms_label_severity(f->severity), title);
		put_described(page, "  path     ", describe_path, report, f);
		put_described(page, "  share    ", describe_share, report, f);
		put_described(page, "  numbers  ", describe_evidence, report, f);
		put_described(page, "  unknown  ", describe_missing, report, f);
		if (f->advice) {
			pms_page_text(page, "  advice   ", "%s", f->advice->text);
			if (report->counts->provenance.modelled && f->advice->unmodelled[0])
				pms_page_text(page, "  model    ", "%s", f->advice->unmodelled);
			if (f->advice->source && f->advice->source[0])
				pms_page_text(page, "  source   ", "%s", f->advice->source);
		}
	}
}

static void put_warnings(struct pms_page *page, const struct pms_report *report)
{
	const struct pms_counts *counts = report->counts;
	size_t first = first_of_counts(report);
	if (counts->n_warnings == first && report->n_warnings == report->n_first)
		return;
	fputc('\n', page->out);
	pms_page_heading(page, "Warnings");
	for (size_t i = first; i < counts->n_warnings; i++)
		pms_page_text(page, " - ", "%s", counts->warnings[i]);
	for (size_t i = report->n_first; i < report->n_warnings; i++)
		pms_page_text(page, " - ", "%s", report->warnings[i]);
}

/* The count that others are shown per 1000 of; NULL where there is none. */
static const struct pms_count *instructions(const struct pms_report *report)
{
	int64_t i = pms_catalog_find_event(report->counts->catalog, "INST_RETIRED");
	const struct pms_count *count = i < 0 ? NULL : &report->scope->counts[i];
	return count && count->state == PMS_COUNTED && count->value ? count : NULL;
}

/* " (low … high, ran 50 %)" of a count that was scaled up; an end that is not known is "?". */
static void describe_count(char *text, size_t size, const struct pms_scope *scope, size_t event,
			   double run)
{
	double ends[2];
	char texts[2][PMS_NUMBER_MAX] = { "?", "?" }, share[PMS_NUMBER_MAX];
	pms_count_interval(scope, event, &ends[0], &ends[1]);
	for (size_t i = 0; i < 2; i++)
		if (isfinite(ends[i]) && ends[i] < 0x1p63)
			pms_text_count(texts[i], (uint64_t)(ends[i] + 0.5));
	pms_text_share(share, run);
	snprintf(text, size, " (%s … %s, ran %s)", texts[0], texts[1], share);
}

/* How a count is to be read. */
static void set_reading(struct pms_grid *grid, struct pms_grid_line *line,
			const struct pms_scope *scope, const struct pms_event *of, size_t event)
{
	const struct pms_count *count = &scope->counts[event];
	const char *cls = pms_label_count_class(count->cls);
	const char *unit = pms_label_event_is_ns(of) ? ", ns" : "";
	double run = pms_label_run_pct(scope, count), low, high;
	char scatter[PMS_NUMBER_MAX] = "", ends[TEXT_MAX];
	if (count->spread > 0)
		snprintf(scatter, sizeof(scatter), " ± %.2g %%", 100 * count->spread);
	if (run >= 100) {
		pms_grid_set(grid, line, 3, "%s%s%s", cls, unit, scatter);
	} else if (!scope->sample) {
		describe_count(ends, sizeof(ends), scope, event, run);
		pms_grid_set(grid, line, 3, "%s%s%s%s", cls, unit, scatter, ends);
	} else if (!pms_sample_interval(scope, event, &low, &high)) {
		pms_grid_set(grid, line, 3, "%s, sampled%s", cls,
			     count->value ? " ± ?" : ": not met");
	} else {
		pms_grid_set(grid, line, 3, "%s, sampled ± %.2g %%", cls,
			     100 * (high / pms_count_scaled(count) - 1));
	}
}

static void set_count(struct pms_page *page, struct pms_grid *grid, struct pms_grid_line *line,
		      const struct pms_scope *scope, const struct pms_event *of, size_t event,
		      const struct pms_count *per)
{
	const struct pms_count *count = &scope->counts[event];
	char text[PMS_NUMBER_MAX];
	if (count->state != PMS_COUNTED) {
		pms_grid_set(grid, line, 0, "—");
		pms_grid_set(grid, line, 3, "[%zu]", pms_page_note(page, pms_label_because(count)));
		return;
	}
	pms_text_count(text, pms_label_count(count));
	pms_grid_set(grid, line, 0, "%s", text);
	if (per) {
		pms_text_value(text, 1000.0 * pms_count_scaled(count) / pms_count_scaled(per), "");
		pms_grid_set(grid, line, 2, "%s", text);
	}
	set_reading(grid, line, scope, of, event);
}

static void put_counts(struct pms_page *page, const struct pms_report *report)
{
	static const struct pms_column columns[] = { { "COUNT", PMS_GRID_RIGHT },
						     { "EVENT", 0 },
						     { "PER 1000 INSTRUCTIONS", PMS_GRID_RIGHT },
						     { "READ AS", 0 } };
	const struct pms_scope *scope = report->scope;
	const struct pms_count *per = instructions(report);
	size_t next = 0, event, n = 0;
	struct pms_grid grid;
	pms_grid_init(&grid, page->options, columns, 4);
	while (pms_label_next_event(report, page->options, &next, &event)) {
		const struct pms_count *count = &scope->counts[event];
		/* Unless asked for by name: what the model lacks is in JSON and CSV. */
		if (count->state != PMS_COUNTED && !page->options->n_events)
			continue;
		const struct pms_event *of = pms_catalog_event(report->counts->catalog, event);
		struct pms_grid_line *line = pms_grid_line(&grid, NULL);
		pms_grid_set(&grid, line, 1, "%s", of->name);
		set_count(page, &grid, line, scope, of, event, per);
		n++;
	}
	if (n)
		fputc('\n', page->out);
	if (n && scope->kind != PMS_SCOPE_TOTAL)
		put_scope_heading(page, "Counts", scope);
	if (n && pms_grid_print(&grid, 1, page->out))
		page->failed = 1;
	pms_grid_release(&grid);
	pms_page_put_notes(page);
}

int pms_show_table(FILE *out, const struct pms_report *report,
		   const struct pms_scope_reports *reports, const struct pms_show_options *options,
		   struct pms_error *err)
{
	struct scopes scopes = { .reports = reports, .err = err };
	scopes.n = reports && options->scopes ? report->counts->n_scopes : 0;
	struct pms_page page;
	pms_page_init(&page, out, options);
	pms_caveat_shown(&page, report);
	put_heading(&page, report);
	if (options->view == PMS_VIEW_STAT) {
		put_counts(&page, report);
		for (size_t i = 0; i < scopes.n; i++) {
			const struct pms_report *of = scope_report(&scopes, i);
			if (of)
				put_counts(&page, of);
		}
	}
	put_tree(&page, report);
	put_scopes(&page, &scopes);
	if (options->view == PMS_VIEW_TOPDOWN)
		put_findings(&page, report);
	pms_page_put_footnotes(&page);
	put_warnings(&page, report);
	pms_page_release(&page);
	if (scopes.rc)
		return scopes.rc;
	return page.failed ? pms_fail(err, PMS_ENOMEM, "out of memory") : 0;
}
