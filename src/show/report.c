/* SPDX-License-Identifier: MIT */
/* Show a report: the source of its counts, events and metrics, the tree, findings and warnings. */
#include "show/report.h"

#include <string.h>

#include "show/caveat.h"
#include "show/extent.h"
#include "show/formats.h"
#include "show/label.h"
#include "show/provenance.h"
#include "show/render.h"
#include "show/shares.h"
#include "show/size.h"
#include "show/text.h"

struct subject {
	const struct pms_report *total;
	const struct pms_scope_reports *scopes;
	size_t n_scopes; /* number of scopes to show */
	const unsigned char *shown;
};

/* Returns the report of scope @i, borrowed until the next call; NULL: it failed. */
static const struct pms_report *scope_report(const struct subject *s, size_t i,
					     struct pms_error *err)
{
	return s->scopes->get(s->scopes->context, i, err);
}

const char *pms_report_key(struct pms_out_item *of, const char *what,
			   const struct pms_counts *counts)
{
	char time[PMS_NUMBER_MAX];
	if (!counts->has_time)
		return what;
	pms_text_double(time, counts->time);
	return pms_out_print(of, "%s at %s s", what, time);
}

const char *pms_report_scope(struct pms_out_item *of, const struct pms_scope *scope)
{
	if (scope->kind == PMS_SCOPE_THREAD || !scope->name[0])
		return pms_out_print(
			of, "%.*s", PMS_NUMBER_MAX - 1,
			pms_out_print(of, "%lld %s", (long long)scope->id, scope->name));
	return pms_out_print(of, "%.*s", PMS_NUMBER_MAX - 1, scope->name);
}

/* For programs --------------------------------------------------------------------------------- */

/* Put the warnings of the counts, then those of the report. In intervals each names its
 * interval. */
static void put_warnings(struct pms_out_item *root, const struct pms_report *report)
{
	const struct pms_counts *counts = report->counts;
	const char *key = pms_report_key(root, "warning", counts);
	struct pms_out_words all = pms_out_words(root);
	for (size_t i = 0; i < counts->n_warnings; i++) {
		pms_out_comment(root, "warning", pms_out_of_text(counts->warnings[i]));
		pms_out_words_add(&all, counts->warnings[i]);
	}
	for (size_t i = 0; i < report->n_warnings; i++) {
		pms_out_comment(root, key, pms_out_of_text(report->warnings[i]));
		pms_out_words_add(&all, report->warnings[i]);
	}
	pms_out_member(root, "warnings", pms_out_of_words(&all));
}

static int is_about_shown(const struct pms_report *report, const struct pms_caveat *caveat)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	for (size_t i = 0; i < report->n_results; i++)
		if (pms_caveat_has_metric(caveat,
					  pms_catalog_metric(catalog, report->results[i].metric)))
			return 1;
	return 0;
}

/* Put in full the caveats of the metrics that the report shows; each metric refers to them by
 * id. */
static void put_caveats(struct pms_out_item *root, const struct pms_report *report)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	struct pms_out_item *list = pms_out_list(root, PMS_IN_JSON, "caveats");
	for (size_t i = 0; list && i < pms_catalog_caveats(catalog); i++) {
		const struct pms_caveat *caveat = pms_catalog_caveat(catalog, i);
		if (is_about_shown(report, caveat))
			pms_caveat_put(list, catalog, caveat);
	}
}

/* CSV has no column for reasons: write one comment for each metric without a value. */
static void comment_undefined(struct pms_out_item *root, const struct pms_report *report)
{
	const char *key = pms_report_key(root, "undefined", report->counts);
	for (size_t i = 0; i < report->n_results; i++) {
		const struct pms_result *r = &report->results[i];
		if (r->value.state == PMS_VALUE_UNDEFINED)
			pms_out_comment_print(
				root, key, "%s: %s",
				pms_catalog_metric(report->counts->catalog, r->metric)->name,
				r->value.because ? r->value.because : "no reason given");
	}
}

static int put_scope(void *context, struct pms_out_item *parent, size_t i, struct pms_error *err)
{
	const struct subject *s = context;
	if (i == s->n_scopes)
		return 0;
	const struct pms_report *report = scope_report(s, i, err);
	if (!report)
		return -PMS_ENOMEM;
	struct pms_out_item *object = pms_out_group(parent, PMS_FOR_PROGRAMS, NULL);
	pms_out_member(object, pms_label_scope(report->scope->kind),
		       pms_out_of_integer(report->scope->id));
	if (report->scope->name[0])
		pms_out_member(object, "name", pms_out_of_text(report->scope->name));
	pms_report_put_events(object, PMS_FOR_PROGRAMS, report);
	pms_report_put_metrics(object, PMS_FOR_PROGRAMS, report);
	return 1;
}

static void put_report(struct pms_out_item *root, struct subject *s)
{
	const struct pms_report *report = s->total;
	int continued = root->outline->options->continued;
	pms_provenance_counts(root, continued ? PMS_IN_JSON : PMS_FOR_PROGRAMS, report->counts, 1);
	pms_report_put_events(root, PMS_FOR_PROGRAMS, report);
	pms_report_put_metrics(root, PMS_FOR_PROGRAMS, report);
	pms_report_put_where(root);
	pms_report_put_gains(root, report);
	pms_report_put_findings(root, report);
	put_warnings(root, report);
	put_caveats(root, report);
	comment_undefined(root, report);
	pms_out_each(root, PMS_FOR_PROGRAMS, "scopes", put_scope, s);
}

/* For people ----------------------------------------------------------------------------------- */

/* Show the command as it can be pasted; a command so long that it would bury the report is cut. */
static void say_command(struct pms_out_item *root, const struct pms_counts *counts)
{
	enum { LONGEST = 1000 };
	char *const *argv = counts->provenance.command;
	const char *text = pms_provenance_command(root, counts);
	size_t end = text ? strlen(text) : 0, n = 0;
	if (!text)
		return;
	if (end <= LONGEST) {
		pms_out_line(root, "Command: %s", text);
		return;
	}
	for (end = LONGEST; ((unsigned char)text[end] & 0xc0) == 0x80;)
		end--; /* do not cut inside a character */
	while (argv[n])
		n++;
	pms_out_line(root, "Command: %.*s … (cut; the whole, of %zu words, is in JSON and CSV)",
		     (int)end, text, n);
}

/* Say how several runs of the program gave the counts. Their number may not be known. */
static void say_runs(struct pms_out_item *root, const struct pms_report *report)
{
	const struct pms_scope *total = &report->counts->total;
	const char *error =
		root->outline->options->view == PMS_VIEW_STAT ? "; ± is their standard error" : "";
	int scatters = 0;
	for (size_t i = 0; i < pms_catalog_events(report->counts->catalog); i++)
		scatters |= total->counts[i].state == PMS_COUNTED && total->counts[i].spread > 0;
	if (total->n_runs)
		pms_out_paragraph(root, NULL, "Counts are means of %zu runs%s.",
				  total->runs[0].n_runs, scatters ? error : "");
	else if (scatters)
		pms_out_paragraph(root, NULL, "Counts are means of several runs%s.", error);
}

/* How many warnings of the counts come before the numbers. All do for a model: its numbers look
 * sure even for what it does not model. A PMU's missing counts give their reason in their place. */
static size_t first_of_counts(const struct pms_report *report)
{
	return report->counts->provenance.modelled ? report->counts->n_warnings : 0;
}

static void say_all(struct pms_out_item *group, const char *label, char *const *texts, size_t from,
		    size_t to)
{
	for (size_t i = from; i < to; i++)
		pms_out_paragraph(group, label, "%s", texts[i]);
}

static struct pms_out_item *warnings_group(struct pms_out_item *root)
{
	struct pms_out_item *group = pms_out_group(root, PMS_FOR_PEOPLE, NULL);
	pms_out_set_labels(group, 1, 2);
	return group;
}

/* Say how the program ended, and which part of it was counted. */
static void say_run(struct pms_out_item *root, const struct pms_report *report)
{
	const struct pms_provenance *p = &report->counts->provenance;
	char text[512];
	if (report->counts->has_time)
		pms_out_line(root, "Interval that ended at %.3f s", report->counts->time);
	if (p->signal)
		pms_out_line(root, "The program was ended by signal %d.", p->signal);
	else if (p->exit_status && !p->file)
		pms_out_line(root, "The program's exit status: %d", p->exit_status);
	for (size_t i = 0; i < PMS_EXTENT_LINES; i++)
		if (pms_extent_line(text, sizeof(text), report->counts, i))
			pms_out_paragraph(root, NULL, "%s", text);
	say_runs(root, report);
	if (p->modelled)
		pms_out_line(root, "User mode only: time in the kernel is not modelled.");
}

static void say_heading(struct pms_out_item *root, const struct pms_report *report)
{
	char text[512];
	pms_label_heading(text, sizeof(text), report->counts);
	pms_out_heading(root, "%s", text);
	int has_size = pms_size_line(text, sizeof(text), report->counts);
	if (has_size < 0)
		root->outline->failed = 1;
	else if (has_size)
		pms_out_paragraph(root, NULL, "%s", text);
	say_command(root, report->counts);
	say_run(root, report);
	struct pms_out_item *group = warnings_group(root);
	say_all(group, "!", report->counts->warnings, 0, first_of_counts(report));
	say_all(group, "!", report->warnings, 0, report->n_first);
}

static void say_warnings(struct pms_out_item *root, const struct pms_report *report)
{
	const struct pms_counts *counts = report->counts;
	size_t first = first_of_counts(report);
	if (counts->n_warnings == first && report->n_warnings == report->n_first)
		return;
	struct pms_out_item *group = warnings_group(root);
	pms_out_gap(group);
	pms_out_heading(group, "Warnings");
	say_all(group, "-", counts->warnings, first, counts->n_warnings);
	say_all(group, "-", report->warnings, report->n_first, report->n_warnings);
}

/* Returns the scope with its share of the cycles, " (97 %)": a thread that hardly ran matters
 * little. */
static const char *scope_with_weight(struct pms_out_item *of, const struct pms_report *report)
{
	char share[PMS_NUMBER_MAX];
	const char *text = pms_report_scope(of, report->scope);
	double percent = pms_size_share(report->counts, report->scope);
	size_t length = text ? strlen(text) : 0;
	if (percent < 0 || !text)
		return text;
	pms_text_share(share, percent);
	length -= length && text[length - 1] == ' '; /* a thread without a name ends with a blank */
	return pms_out_print(of, "%.*s (%s)", (int)length, text, share);
}

/* Print Level 1 of each scope on a line; JSON and CSV have the rest. @report: the first scope's */
static int say_shares(struct pms_out_item *root, const struct subject *s,
		      const struct pms_report *report, const struct pms_shares *shares,
		      struct pms_error *err)
{
	const struct pms_scope *first = report->scope;
	const char *kind = pms_label_scope(first->kind);
	int has_weight = pms_size_share(report->counts, first) >= 0;
	pms_out_gap(root);
	pms_out_heading(root, "Level 1 by %s%s, %s", kind,
			has_weight ? " (with its part of the cycles)" : "", shares->units);
	struct pms_out_item *table = pms_shares_table(root, report, shares, kind);
	for (size_t i = 0; i < s->n_scopes; i++) {
		report = scope_report(s, i, err);
		if (!report)
			return -PMS_ENOMEM;
		pms_shares_row(table, report, shares, scope_with_weight(table, report));
	}
	return 0;
}

static int say_scope_counts(void *context, struct pms_out_item *parent, size_t i,
			    struct pms_error *err)
{
	const struct subject *s = context;
	if (i == s->n_scopes)
		return 0;
	const struct pms_report *report = scope_report(s, i, err);
	if (!report)
		return -PMS_ENOMEM;
	pms_report_say_counts(parent, report);
	return 1;
}

static int say_scope_tree(void *context, struct pms_out_item *parent, size_t i,
			  struct pms_error *err)
{
	const struct subject *s = context;
	if (i == s->n_scopes)
		return 0;
	const struct pms_report *report = scope_report(s, i, err);
	if (!report)
		return -PMS_ENOMEM;
	pms_report_say_tree(parent, report, s->shown);
	return 1;
}

/* Print the scopes' shares side by side; where there are none, a tree for each scope. */
static int say_scopes(struct pms_out_item *root, struct subject *s, struct pms_error *err)
{
	struct pms_shares shares;
	const struct pms_report *first = s->n_scopes ? scope_report(s, 0, err) : NULL;
	if (!first)
		return s->n_scopes ? -PMS_ENOMEM : 0;
	pms_shares_find(&shares, first);
	if (shares.n)
		return say_shares(root, s, first, &shares, err);
	pms_out_each(root, PMS_FOR_PEOPLE, NULL, say_scope_tree, s);
	return 0;
}

static int say_report(struct pms_out_item *root, struct subject *s, struct pms_error *err)
{
	enum pms_view view = root->outline->options->view;
	s->shown = pms_caveat_shown(root, s->total);
	say_heading(root, s->total);
	if (view == PMS_VIEW_STAT) {
		pms_report_say_counts(root, s->total);
		pms_out_each(root, PMS_FOR_PEOPLE, NULL, say_scope_counts, s);
	}
	pms_report_say_tree(root, s->total, s->shown);
	int rc = say_scopes(root, s, err);
	if (view == PMS_VIEW_TOPDOWN) {
		pms_report_say_where(root);
		pms_report_say_gains(root, s->total);
		pms_report_say_findings(root, s->total);
	}
	pms_out_footnotes(root);
	say_warnings(root, s->total);
	return rc;
}

static int build(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	struct subject *s = subject;
	outline->columns = pms_report_columns;
	outline->n_columns = PMS_REPORT_COLUMNS;
	outline->is_continued = outline->options->continued;
	outline->layout = s->total->counts->has_time ? PMS_OUT_ON_ONE_LINE : PMS_OUT_INDENTED;
	if (pms_outline_is_in(outline->root, PMS_FOR_PROGRAMS))
		put_report(outline->root, s);
	if (pms_outline_is_in(outline->root, PMS_FOR_PEOPLE))
		return say_report(outline->root, s, err);
	return 0;
}

int pms_show_report(FILE *out, const struct pms_report *total,
		    const struct pms_scope_reports *scopes, const struct pms_show_options *options,
		    struct pms_error *err)
{
	struct subject s = { .total = total, .scopes = scopes };
	s.n_scopes = scopes && options && options->scopes ? total->counts->n_scopes : 0;
	return pms_show_built(out, options, build, &s, err);
}
