/* SPDX-License-Identifier: MIT */
/* Show the findings of a report, or why there are none. */
#include <math.h>

#include "show/label.h"
#include "show/report.h"
#include "show/text.h"

static const struct pms_metric *metric_of(const struct pms_catalog *catalog, size_t node)
{
	return pms_catalog_metric(catalog, pms_catalog_node(catalog, node)->metric);
}

/* For programs --------------------------------------------------------------------------------- */

static void put_path(struct pms_out_item *object, const struct pms_catalog *catalog,
		     const struct pms_finding *f)
{
	struct pms_out_words path = pms_out_words(object);
	for (size_t i = 0; i < f->n_path; i++)
		pms_out_words_add(&path, metric_of(catalog, f->path[i])->name);
	if (f->group >= 0)
		pms_out_words_add(&path, pms_catalog_group(catalog, (size_t)f->group)->name);
	pms_out_member(object, "path", pms_out_of_words(&path));
}

/* One finding for programs: the same facts as say_path and its neighbours, by key. */
static void put_finding(struct pms_out_item *list, const struct pms_report *report,
			const struct pms_finding *f)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	const struct pms_advice *advice = f->advice;
	const char *unmodelled =
		advice && report->counts->provenance.modelled ? advice->unmodelled : "";
	struct pms_out_item *object = pms_out_group(list, PMS_IN_JSON, NULL);
	pms_out_member(object, "node", pms_out_of_text(metric_of(catalog, f->node)->name));
	put_path(object, catalog, f);
	pms_out_member(object, "value", pms_out_of_real(f->value));
	pms_out_member(object, "share", pms_out_of_real(f->share));
	pms_out_member(object, "share_from", pms_out_of_text(f->is_gain ? "gains" : "tree"));
	pms_out_member(object, "unexplained", pms_out_of_real(f->unexplained));
	pms_out_member(object, "severity", pms_out_of_text(pms_label_severity(f->severity)));
	pms_out_member(object, "id", pms_out_of_text(advice ? advice->id : NULL));
	pms_out_member(object, "title", pms_out_of_text(advice ? advice->title : NULL));
	pms_out_member(object, "advice", pms_out_of_text(advice ? advice->text : NULL));
	pms_out_member(object, "unmodelled", pms_out_of_text(unmodelled[0] ? unmodelled : NULL));
	pms_out_member(object, "reference", pms_out_of_text(advice ? advice->source : NULL));
	struct pms_out_words missing = pms_out_words(object);
	for (size_t i = 0; i < f->n_missing; i++)
		pms_out_words_add(&missing, pms_catalog_event(catalog, f->missing[i])->name);
	pms_out_member(object, "missing", pms_out_of_words(&missing));
	pms_report_put_evidence(object, report, f);
	pms_report_put_places(object, report, f);
}

static void comment_finding(struct pms_out_item *parent, const char *key,
			    const struct pms_report *report, const struct pms_finding *f)
{
	char value[PMS_NUMBER_MAX];
	pms_text_double(value, f->value);
	pms_out_comment_print(parent, key, "%s %s (%s)%s%s",
			      metric_of(report->counts->catalog, f->node)->name, value,
			      pms_label_severity(f->severity), f->advice ? ": " : "",
			      f->advice ? f->advice->title : "");
}

void pms_report_put_findings(struct pms_out_item *parent, const struct pms_report *report)
{
	struct pms_out_item *list = pms_out_list(parent, PMS_IN_JSON, "findings");
	const char *key = pms_report_key(parent, "finding", report->counts);
	for (size_t i = 0; i < report->n_findings; i++) {
		if (list)
			put_finding(list, report, &report->findings[i]);
		else
			comment_finding(parent, key, report, &report->findings[i]);
	}
	pms_out_fact(parent, "no_finding", pms_report_key(parent, "no finding", report->counts),
		     pms_out_of_text(report->no_finding));
}

/* For people ----------------------------------------------------------------------------------- */

/* Returns the unit of a metric's value; *before receives the words that go before the unit. */
static const char *unit_of(const struct pms_metric *metric, const char **before)
{
	const char *of;
	*before = pms_text_units(metric->units, &of) ? "% of " : "";
	return of;
}

/* Show the way from the root to the finding, and how much of it no deeper node explains. */
static void say_path(struct pms_out_item *group, const struct pms_report *report,
		     const struct pms_finding *f)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	const char *before, *unit = unit_of(metric_of(catalog, f->node), &before);
	const char *all, *unexplained = "", *next = "";
	struct pms_out_words path = pms_out_words(group);
	for (size_t i = 0; i < f->n_path; i++)
		pms_out_words_add(&path, metric_of(catalog, f->path[i])->title);
	pms_text_units(metric_of(catalog, f->path[0])->units, &all);
	if (f->unexplained * 2 >= f->share && f->unexplained > 0)
		unexplained =
			pms_out_print(group, ", of which none of its parts explains %.1f %% of %s",
				      f->unexplained, all);
	if (f->group >= 0)
		next = pms_out_print(group, " → %s",
				     pms_catalog_group(catalog, (size_t)f->group)->title);
	pms_out_paragraph(group, "path", "%s %.1f %s%s%s%s", pms_out_words_join(&path, " → "),
			  f->value, before, unit, unexplained, next);
}

/* Add the node's share of the slots where its own value is another percentage. */
static void say_share(struct pms_out_item *group, const struct pms_report *report,
		      const struct pms_finding *f)
{
	const char *all;
	if (f->is_gain) {
		pms_out_paragraph(group, "share",
				  "%.1f %% of cycles, from what an ideal core gains", f->share);
		return;
	}
	if (fabs(f->share - f->value) < 0.05)
		return;
	pms_text_units(metric_of(report->counts->catalog, f->path[0])->units, &all);
	pms_out_paragraph(group, "share", "some %.1f %% of %s, as estimated%s", f->share, all,
			  report->counts->gains ? " from the tree" : "");
}

/* List the numbers behind a finding, without the path's nodes, which stand above. */
static void say_evidence(struct pms_out_item *group, const struct pms_report *report,
			 const struct pms_finding *f)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	struct pms_out_words numbers = pms_out_words(group);
	for (size_t i = 0; i < f->n_evidence; i++) {
		const struct pms_result *r = &report->results[f->evidence[i]];
		const struct pms_metric *metric = pms_catalog_metric(catalog, r->metric);
		const char *before, *unit = unit_of(metric, &before), *text;
		char value[PMS_NUMBER_MAX];
		if (r->stage == 1 || pms_result_is_of_hardly_any(r))
			continue;
		pms_text_value(value, r->value.value, metric->units);
		text = r->value.state == PMS_VALUE_UNDEFINED
			       ? pms_out_print(group, "%s undefined", metric->title)
			       : pms_out_print(group, "%s %s %s%s", metric->title, value, before,
					       unit);
		pms_out_words_add(&numbers, text);
	}
	if (numbers.n)
		pms_out_paragraph(group, "numbers", "%s", pms_out_words_join(&numbers, "; "));
}

/* Say which causes remain open because their events were not counted. */
static void say_missing(struct pms_out_item *group, const struct pms_report *report,
			const struct pms_finding *f)
{
	struct pms_out_words events = pms_out_words(group);
	for (size_t i = 0; i < f->n_missing; i++)
		pms_out_words_add(&events,
				  pms_catalog_event(report->counts->catalog, f->missing[i])->name);
	if (f->n_missing)
		pms_out_paragraph(group, "unknown", "%s%s%s",
				  f->advice ? "More cannot be told: "
					    : "The cause cannot be told: ",
				  pms_out_words_join(&events, ", "),
				  f->n_missing > 1 ? " were not counted" : " was not counted");
}

static void say_advice(struct pms_out_item *group, const struct pms_report *report,
		       const struct pms_advice *advice)
{
	pms_out_paragraph(group, "advice", "%s", advice->text);
	if (report->counts->provenance.modelled && advice->unmodelled[0])
		pms_out_paragraph(group, "model", "%s", advice->unmodelled);
	if (advice->source && advice->source[0])
		pms_out_paragraph(group, "source", "%s", advice->source);
}

void pms_report_say_findings(struct pms_out_item *parent, const struct pms_report *report)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	if (!report->n_findings && report->no_finding) {
		pms_out_gap(parent);
		pms_out_paragraph(parent, NULL, "No finding: %s.", report->no_finding);
	}
	for (size_t i = 0; i < report->n_findings; i++) {
		const struct pms_finding *f = &report->findings[i];
		struct pms_out_item *group = pms_out_group(parent, PMS_FOR_PEOPLE, NULL);
		pms_out_set_labels(group, 2, 9);
		pms_out_gap(group);
		pms_out_heading(group, "Finding %zu (%s): %s", i + 1,
				pms_label_severity(f->severity),
				f->advice ? f->advice->title : metric_of(catalog, f->node)->title);
		say_path(group, report, f);
		say_share(group, report, f);
		pms_report_say_places(group, report, f);
		say_evidence(group, report, f);
		say_missing(group, report, f);
		if (f->advice)
			say_advice(group, report, f->advice);
	}
}
