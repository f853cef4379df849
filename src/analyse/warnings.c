/* SPDX-License-Identifier: MIT */
/* Warnings for the reader of the numbers: a run too short to tell, a core that counts no slots,
 * Level 1 that does not close, negative shares. */
#include "analyse/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/name.h"
#include "base/status.h"

/* Percent of slots. Level 1 closes to rounding when its events were counted in the same window. */
static const double closing = 0.1;

enum { MOST_WARNINGS = 16 };

static int warn(struct pms_report *report, char *text, struct pms_error *err)
{
	struct pms_arena *arena = &pms_report_store(report)->arena;
	if (!report->warnings)
		report->warnings =
			pms_arena_alloc(arena, MOST_WARNINGS, sizeof(report->warnings[0]));
	if (!text || !report->warnings)
		return pms_no_memory(err);
	if (report->n_warnings < MOST_WARNINGS)
		report->warnings[report->n_warnings++] = text;
	return 0;
}

int pms_metric_is_slot_share(const struct pms_metric *metric)
{
	return !pms_name_compare(metric->units, "percent of slots");
}

/* Warn when Level 1 does not add up to 100 % within the error of its shares. */
static int check_closing(struct pms_report *report, const struct pms_catalog *catalog,
			 struct pms_error *err)
{
	struct pms_report_store *store = pms_report_store(report);
	double sum = 0, halves = 0;
	size_t n = 0;
	for (size_t i = 0; i < pms_catalog_nodes(catalog); i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, i);
		const struct pms_value *value = &store->values[node->metric];
		if (node->level != 1)
			continue;
		if (value->state == PMS_VALUE_UNDEFINED ||
		    !pms_metric_is_slot_share(pms_catalog_metric(catalog, node->metric)))
			return 0;
		sum += value->value;
		halves += pow((value->high - value->low) / 2, 2); /* or infinite */
		n++;
	}
	if (n < 2 || fabs(sum - 100) <= fmax(closing, sqrt(halves)))
		return 0;
	return warn(
		report,
		pms_arena_printf(&store->arena,
				 "Level 1 adds up to %.1f %% of the slots instead of 100 %%: its "
				 "events do not fit together (counted in different windows, or "
				 "some slots counted twice or never)",
				 sum),
		err);
}

/* Whether a formula moves an estimate of the recovery from mispredicted branches from one share to
 * another, as published formulas of several cores do. */
static int subtracts_recovery(const struct pms_metric *metric, int64_t mispredictions)
{
	for (size_t i = 0; i < metric->n_events; i++)
		if ((int64_t)metric->events[i] == mispredictions)
			return strchr(metric->formula, '-') != NULL;
	return 0;
}

static const char *why_negative(struct pms_arena *arena, const struct pms_catalog *catalog,
				const struct pms_metric *metric)
{
	int64_t event = pms_catalog_find_role(catalog, PMS_CATALOG_MISPREDICTIONS);
	if (event < 0 || !subtracts_recovery(metric, event))
		return "its formula takes away more than was counted";
	return pms_arena_printf(arena,
				"its formula takes away a fixed number of slots for each "
				"mispredicted branch (%s), more than were really lost",
				pms_catalog_event(catalog, (size_t)event)->name);
}

/* Warn of negative shares in Stage 1, and say why a formula gives one. */
static int check_negative(struct pms_report *report, const struct pms_catalog *catalog,
			  struct pms_error *err)
{
	struct pms_arena *arena = &pms_report_store(report)->arena;
	for (size_t i = 0; i < report->n_results; i++) {
		const struct pms_result *row = &report->results[i];
		const struct pms_metric *metric = pms_catalog_metric(catalog, row->metric);
		if (row->stage != 1 || row->value.state == PMS_VALUE_UNDEFINED ||
		    row->value.value >= 0)
			continue;
		const char *why = why_negative(arena, catalog, metric);
		if (!why)
			return pms_no_memory(err);
		int rc = warn(
			report,
			pms_arena_printf(arena,
					 "%s is negative (%.2f %s): %s. Read it as about 0; it "
					 "is not clamped, so that Level 1 still adds up",
					 metric->name, row->value.value, metric->units, why),
			err);
		if (rc)
			return rc;
	}
	return 0;
}

/* Warn about a core without slot events: its Stage 1 is of cycles and does not account for all of
 * them. */
static int check_slots(struct pms_report *report, const struct pms_catalog *catalog,
		       struct pms_error *err)
{
	for (size_t i = 0; i < pms_catalog_nodes(catalog); i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, i);
		if (pms_metric_is_slot_share(pms_catalog_metric(catalog, node->metric)))
			return 0;
	}
	if (pms_catalog_cpu(catalog)->slots || !pms_catalog_nodes(catalog))
		return 0;
	return warn(report,
		    pms_arena_printf(&pms_report_store(report)->arena,
				     "%s counts no slots: Stage 1 gives the cycles in which "
				     "nothing was delivered or nothing was taken. How far the "
				     "other cycles were filled, what retired and what was thrown "
				     "away cannot be told on this core",
				     pms_catalog_cpu(catalog)->product),
		    err);
}

/* A modelled core takes some 100000 cycles to start a program, with caches and predictors empty.
 * For a million instructions that is a tenth of the time or more, enough for a finding. */
static const uint64_t long_enough = 1000000;

/* Say what a short run shows: a program's start, unless other code ran on the model before. */
static char *length_text(struct pms_arena *arena, const struct pms_extent *extent, uint64_t ran)
{
	if (extent->region && ran + extent->outside >= long_enough)
		return pms_arena_printf(
			arena,
			"only %" PRIu64 " instructions of %s were counted: a few misses and "
			"mispredictions are a large share of them. Give it more to do",
			ran, extent->region);
	if (extent->forwarded)
		return pms_arena_printf(
			arena,
			"only %" PRIu64 " instructions were counted behind those left out, which "
			"ran without the model: caches and predictors were empty when counting "
			"began. Count more, or leave fewer out",
			ran);
	return pms_arena_printf(arena,
				"only %" PRIu64 " instructions ran: much of what is shown is "
				"the program's start, with caches and predictors empty. Give it "
				"more to do",
				ran);
}

static int check_length(struct pms_report *report, const struct pms_catalog *catalog,
			struct pms_error *err)
{
	const struct pms_provenance *p = &report->counts->provenance;
	int64_t event = pms_catalog_find_role(catalog, PMS_CATALOG_INSTRUCTIONS);
	if (!p->modelled || report->scope->kind != PMS_SCOPE_TOTAL || event < 0 ||
	    report->scope->counts[event].state != PMS_COUNTED)
		return 0;
	uint64_t ran = report->scope->counts[event].value;
	if (!ran || ran >= long_enough) /* none ran: nothing to warn about */
		return 0;
	return warn(report, length_text(&pms_report_store(report)->arena, &p->extent, ran), err);
}

int pms_report_warnings(struct pms_report *report, const struct pms_catalog *catalog,
			struct pms_error *err)
{
	if (!pms_report_has_stage_1(report))
		return 0;
	int rc = check_length(report, catalog, err);
	report->n_first = report->n_warnings;
	if (!rc)
		rc = check_slots(report, catalog, err);
	if (!rc)
		rc = check_closing(report, catalog, err);
	return rc ? rc : check_negative(report, catalog, err);
}
