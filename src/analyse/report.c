/* SPDX-License-Identifier: MIT */
#include "analyse/report.h"

#include "base/status.h"

struct pms_report_store *pms_report_store(const struct pms_report *report)
{
	return report->owned;
}

int pms_report_has_stage_1(const struct pms_report *report)
{
	return report->n_results && report->results[0].stage == 1;
}

/* Evaluate every metric once, shown or not: advice may use any. */
static int evaluate(struct pms_report *report, const struct pms_catalog *catalog,
		    struct pms_error *err)
{
	struct pms_report_store *store = pms_report_store(report);
	struct pms_text_keeper keeper = { .arena = &store->arena };
	size_t count = pms_catalog_metrics(catalog);
	store->values = pms_arena_alloc(&store->arena, count, sizeof(store->values[0]));
	store->bases = pms_arena_alloc(&store->arena, count, sizeof(store->bases[0]));
	if (!store->values || !store->bases)
		return pms_no_memory(err);
	for (size_t i = 0; i < count; i++) {
		const struct pms_metric *metric = pms_catalog_metric(catalog, i);
		store->values[i] = pms_value_of(&keeper, catalog, report->scope, metric);
		store->bases[i] = pms_base_of(catalog, report->scope, metric);
		keeper.failed |= store->bases[i] < 0;
	}
	return keeper.failed ? pms_no_memory(err) : 0;
}

int pms_analyse(const struct pms_counts *counts, const struct pms_scope *scope,
		const struct pms_analyse_options *options, struct pms_report **out,
		struct pms_error *err)
{
	static const struct pms_analyse_options everything = { 0 };
	const struct pms_analyse_options *o = options ? options : &everything;
	struct pms_arena arena = { 0 };
	struct pms_report *report = pms_arena_alloc(&arena, 1, sizeof(*report));
	struct pms_report_store *store = pms_arena_alloc(&arena, 1, sizeof(*store));
	if (!report || !store) {
		pms_arena_release(&arena);
		return pms_no_memory(err);
	}
	store->arena = arena;
	report->owned = store;
	report->counts = counts;
	report->scope = scope;
	int rc = pms_report_doubt(report, o->total, err);
	if (!rc)
		rc = evaluate(report, counts->catalog, err);
	if (!rc)
		rc = pms_report_rows(report, counts->catalog, o, err);
	if (!rc)
		rc = pms_report_findings(report, counts->catalog, err);
	if (!rc)
		rc = pms_report_warnings(report, counts->catalog, err);
	if (rc) {
		pms_report_free(report);
		return rc;
	}
	*out = report;
	return 0;
}

void pms_report_free(struct pms_report *report)
{
	if (!report)
		return;
	/* The report and its store live in the arena themselves. */
	struct pms_arena arena = pms_report_store(report)->arena;
	pms_arena_release(&arena);
}
