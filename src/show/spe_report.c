/* SPDX-License-Identifier: MIT */
/* The whole of a report of SPE samples. docs/use/spe-report.md documents the keys. */
#include "show/spe_report.h"

#include <string.h>

#include "base/status.h"
#include "show/spe_text.h"

/* Name the report: its version, file and order. */
static void put_about(struct pms_out_item *root, const struct pms_spe_report *report,
		      const char *file)
{
	struct pms_out_item *about = pms_out_group(root, PMS_IN_JSON, "pmuscope");
	const char *by = pms_spe_by_name(pms_spe_report_by(report));
	enum pms_spe_by also;
	if (pms_spe_report_also(report, &also))
		by = pms_out_print(about, "%s,%s", by, pms_spe_by_name(also));
	pms_out_member(about, "version", pms_out_of_text(PMS_VERSION));
	pms_out_member(about, "file", pms_out_of_text(file));
	pms_out_member(about, "by", pms_out_of_text(by));
	pms_out_member(about, "sort",
		       pms_out_of_text(pms_spe_measure(pms_spe_report_sort(report))->name));
	pms_out_comment_print(root, NULL, "pmuscope %s", PMS_VERSION);
	pms_out_comment(root, "file", pms_out_of_text(file));
}

/* Sum up the loads of the whole report: their mean wait, and the sources that they waited for. */
static void put_loads(struct pms_out_item *root, const struct pms_spe_report *report)
{
	enum { SOURCES_OF_ALL = 4 };
	const struct pms_spe_row *total = pms_spe_report_total(report);
	struct pms_spe_from from[PMS_SPE_FROM_MOST];
	size_t n = pms_spe_waited_for(from, total);
	char text[PMS_SPE_TEXT] = "", share[PMS_SPE_SHARE], part[2 * PMS_SPE_SHARE],
	     loads[PMS_NUMBER_MAX], mean[PMS_NUMBER_MAX];
	if (!total->waited)
		return;
	for (size_t i = 0; i < n && i < SOURCES_OF_ALL; i++) {
		pms_spe_share_text(share, report, total, &from[i]);
		snprintf(part, sizeof(part), "%s (%.0f cycles each)", share,
			 (double)from[i].wait / (double)from[i].waited);
		pms_spe_append(text, ", ", part);
	}
	pms_text_count(loads, total->loads);
	pms_spe_measure_text(mean, report, total, "wait_mean");
	pms_out_paragraph(
		root, NULL,
		"%s load%s, which took %s cycles from issue to completion on average.%s%s%s", loads,
		total->loads == 1 ? "" : "s", mean,
		*text ? " What they waited for, by cycles: " : "", text, *text ? "." : "");
}

/* Head the report: file and kind, the loads, and how many rows are shown in which order. */
static void put_heading(struct pms_out_item *root, const struct pms_spe_report *report,
			const char *file)
{
	const struct pms_spe_accounts *a = pms_spe_report_accounts(report);
	const struct pms_spe_measure *sort = pms_spe_measure(pms_spe_report_sort(report));
	size_t shown = pms_spe_report_rows(report) - (a->rest > 0);
	enum pms_spe_by also;
	int two = pms_spe_report_also(report, &also);
	if (two)
		pms_out_heading(root, "%s: by %s and %s", file,
				pms_spe_by_name(pms_spe_report_by(report)), pms_spe_by_name(also));
	else
		pms_out_heading(root, "%s: %s", file, pms_spe_view(report)->heading);
	if (pms_spe_view(report)->from)
		put_loads(root, report);
	if (shown < a->groups)
		pms_out_paragraph(root, NULL,
				  "The first %zu of %zu by %s (%s); --limit 0 shows all.", shown,
				  a->groups, sort->name, sort->text);
	else if (a->groups > 1)
		pms_out_paragraph(root, NULL, "By %s (%s).", sort->name, sort->text);
	pms_out_gap(root);
}

static int make_line(void *context, struct pms_out_item *parent, size_t i, struct pms_error *err)
{
	struct pms_spe_report *report = context;
	if (i >= pms_spe_report_rows(report))
		return 0;
	const struct pms_spe_row *row = pms_spe_report_row(report, i);
	if (!row)
		return pms_no_memory(err);
	pms_spe_put_line(parent, report, row);
	return 1;
}

/* People see cache lines as paragraphs, each with tables of its own. */
static void put_people(struct pms_out_item *root, struct pms_spe_report *report)
{
	if (!pms_spe_report_rows(report))
		pms_out_paragraph(root, NULL, "No records to show.");
	else if (pms_spe_report_is(report, PMS_SPE_BY_CACHELINE))
		pms_out_each(root, PMS_FOR_PEOPLE, NULL, make_line, report);
	else
		pms_spe_put_rows(root, report);
	pms_out_gap(root);
}

int pms_build_spe_report(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	const struct pms_spe_shown *shown = subject;
	struct pms_spe_report *report = shown->report;
	struct pms_out_item *root = outline->root;
	(void)err;
	outline->layout = PMS_OUT_ON_LINES;
	put_about(root, report, shown->file);
	if (pms_outline_is_in(root, PMS_FOR_PEOPLE)) {
		put_heading(root, report, shown->file);
		put_people(root, report);
	} else {
		pms_spe_put_rows(root, report);
	}
	pms_spe_put_total(root, report);
	pms_spe_put_quality(root, report);
	return 0;
}
