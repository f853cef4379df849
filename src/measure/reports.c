/* SPDX-License-Identifier: MIT */
/* Make the reports of the total and of each scope. */
#include <stdlib.h>

#include "base/status.h"
#include "pmuscope/measurement.h"

/* Keep only the counts of a report. */
static void drop_metrics(struct pms_report *report)
{
	report->n_results = 0;
	report->n_findings = 0;
	report->no_finding = NULL;
	report->n_warnings = 0;
}

/* @total: the report of the whole, where this one is of a scope */
static int analyse_one(const struct pms_counts *counts, const struct pms_scope *scope,
		       const struct pms_selection *s, const struct pms_report *total,
		       struct pms_report **out, struct pms_error *err)
{
	struct pms_analyse_options options = s->analyse;
	options.total = total;
	int rc = pms_analyse(counts, scope, &options, out, err);
	if (!rc && s->no_metrics)
		drop_metrics(*out);
	return rc;
}

/* The private half of struct pms_reports. */
struct store {
	struct pms_reports reports;
	const struct pms_counts *counts;
	const struct pms_selection *selection;
	struct pms_report *scope; /* the scope's report made last */
};

int pms_reports_make(const struct pms_counts *counts, const struct pms_selection *selection,
		     int scopes, struct pms_reports **out, struct pms_error *err)
{
	struct store *s = calloc(1, sizeof(*s));
	size_t n = scopes ? counts->n_scopes : 0;
	if (!s)
		return pms_no_memory(err);
	*s = (struct store){ .reports.owned = s, .counts = counts, .selection = selection };
	struct pms_reports *r = &s->reports;
	r->scopes = calloc(n + 1, sizeof(r->scopes[0]));
	int rc = r->scopes ? 0 : pms_no_memory(err);
	if (!rc)
		rc = analyse_one(counts, &counts->total, selection, NULL, &r->total, err);
	for (; !rc && r->n_scopes < n; r->n_scopes += !rc)
		rc = analyse_one(counts, &counts->scopes[r->n_scopes], selection, r->total,
				 &r->scopes[r->n_scopes], err);
	if (rc)
		pms_reports_free(r);
	else
		*out = r;
	return rc;
}

const struct pms_report *pms_reports_scope(void *reports, size_t i, struct pms_error *err)
{
	struct pms_reports *r = reports;
	struct store *s = r->owned;
	if (i < r->n_scopes)
		return r->scopes[i];
	pms_report_free(s->scope);
	s->scope = NULL;
	analyse_one(s->counts, &s->counts->scopes[i], s->selection, r->total, &s->scope, err);
	return s->scope;
}

void pms_reports_free(struct pms_reports *r)
{
	if (!r)
		return;
	struct store *s = r->owned;
	for (size_t i = 0; i < r->n_scopes; i++)
		pms_report_free(r->scopes[i]);
	free(r->scopes);
	pms_report_free(r->total);
	pms_report_free(s->scope);
	free(s);
}
