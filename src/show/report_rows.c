/* SPDX-License-Identifier: MIT */
/* Put the events and metrics of a report as rows for programs. */
#include <math.h>

#include "show/label.h"
#include "show/report.h"
#include "show/text.h"

const char *const pms_report_columns[PMS_REPORT_COLUMNS] = {
	"kind",	 "time",  "cpu", "thread", "group", "stage",   "level",		"name",
	"value", "units", "low", "high",   "state", "run_pct", "of_hardly_any",
};

/* Columns common to all rows of CSV, which has one table for events and metrics. */
enum { KIND, TIME, CPU, THREAD, N_COMMON };

#define COMMON                                                                                     \
	[KIND] = { NULL, "kind", NULL, 0 }, [TIME] = { NULL, "time", NULL, 0 },                    \
	[CPU] = { NULL, "cpu", NULL, 0 }, [THREAD] = { NULL, "thread", NULL, 0 }

struct common {
	struct pms_out_datum cells[N_COMMON];
};

/* Make the common cells texts: as numbers they would be formatted anew in each row. */
static struct common common_of(struct pms_out_item *table, const char *kind,
			       const struct pms_report *report)
{
	const struct pms_scope *scope = report->scope;
	int is_thread = scope->kind == PMS_SCOPE_THREAD;
	char time[PMS_NUMBER_MAX] = "";
	struct common common = { { [KIND] = pms_out_of_text(kind) } };
	if (!pms_outline_is_in(table, PMS_IN_CSV))
		return common;
	if (report->counts->has_time)
		pms_text_double(time, report->counts->time);
	common.cells[TIME] = pms_out_of_text(pms_out_print(table, "%s", time));
	if (scope->kind == PMS_SCOPE_TOTAL)
		return common;
	const char *id = pms_out_print(table, "%lld", (long long)scope->id);
	/* CPU has a number, or the name of several CPUs put together. */
	if (is_thread)
		common.cells[THREAD] = pms_out_of_text(id);
	else
		common.cells[CPU] = pms_out_of_text(scope->name[0] ? scope->name : id);
	return common;
}

static struct pms_out_item *add_row(struct pms_out_item *table, size_t n,
				    const struct common *common)
{
	struct pms_out_item *row = pms_out_row(table, n);
	for (size_t i = 0; i < N_COMMON; i++)
		pms_out_cell(row, i, common->cells[i]);
	return row;
}

/* Events --------------------------------------------------------------------------------------- */

enum {
	E_NAME = N_COMMON,
	E_CODE,
	E_COUNT,
	E_RAW,
	E_SCALED,
	E_SPREAD,
	E_LOW,
	E_HIGH,
	E_ENABLED,
	E_RUNNING,
	E_STATE,
	E_CLASS,
	E_BECAUSE,
	E_UNITS,
	E_LOW_END,
	E_HIGH_END,
	E_RUN,
	N_EVENT
};

static const struct pms_out_field event_fields[] = {
	COMMON,
	[E_NAME] = PMS_OUT_FIELD("name", NULL, 0),
	[E_CODE] = { "code", NULL, NULL, 0 },
	[E_COUNT] = { "count", "value", NULL, 0 },
	[E_RAW] = { "raw", NULL, NULL, PMS_OUT_OPTIONAL },
	[E_SCALED] = { "scaled", NULL, NULL, PMS_OUT_OPTIONAL },
	[E_SPREAD] = { "spread", NULL, NULL, PMS_OUT_OPTIONAL },
	[E_LOW] = { "low", NULL, NULL, PMS_OUT_OPTIONAL },
	[E_HIGH] = { "high", NULL, NULL, PMS_OUT_OPTIONAL },
	[E_ENABLED] = { "enabled_ns", NULL, NULL, 0 },
	[E_RUNNING] = { "running_ns", NULL, NULL, 0 },
	[E_STATE] = PMS_OUT_FIELD("state", NULL, 0),
	[E_CLASS] = { "class", NULL, NULL, 0 },
	[E_BECAUSE] = { "because", NULL, NULL, PMS_OUT_OPTIONAL },
	[E_UNITS] = { NULL, "units", NULL, 0 },
	[E_LOW_END] = { NULL, "low", NULL, 0 },
	[E_HIGH_END] = { NULL, "high", NULL, 0 },
	[E_RUN] = { NULL, "run_pct", NULL, 0 },
};

/* Set the ends of an estimate. For a count that is none, CSV repeats the count at both ends. */
static void set_interval(struct pms_out_item *row, const struct pms_scope *scope, size_t index,
			 struct pms_out_datum value)
{
	double low, high;
	int estimated = pms_count_interval(scope, index, &low, &high);
	if (!estimated) {
		pms_out_cell(row, E_LOW_END, value);
		pms_out_cell(row, E_HIGH_END, value);
		return;
	}
	pms_out_cell(row, E_LOW, pms_out_of_real(low));
	pms_out_cell(row, E_HIGH, pms_out_of_real(high));
	pms_out_cell(row, E_LOW_END, pms_out_when(isfinite(low), pms_out_of_real(low)));
	pms_out_cell(row, E_HIGH_END, pms_out_when(isfinite(high), pms_out_of_real(high)));
}

/* Add the facts that only a counted event has. */
static void set_counted(struct pms_out_item *row, const struct pms_scope *scope,
			const struct pms_count *count)
{
	int is_scaled = pms_count_missed(count) > 0;
	pms_out_cell(row, E_RAW,
		     pms_out_when(is_scaled && !scope->sample, pms_out_of_count(count->value)));
	if (count->scaled > 0 || is_scaled)
		pms_out_cell(row, E_SCALED, pms_out_of_real(pms_count_scaled(count)));
	pms_out_cell(row, E_SPREAD,
		     pms_out_when(count->spread > 0, pms_out_of_real(count->spread)));
	pms_out_cell(row, E_CLASS, pms_out_of_text(pms_label_count_class(count->cls)));
	pms_out_cell(row, E_RUN, pms_out_of_real(pms_label_run_pct(scope, count)));
}

/* One event's row. A count that is missing leaves null and its reason in "because". */
static void put_event(struct pms_out_item *table, const struct common *common,
		      const struct pms_report *report, size_t index)
{
	const struct pms_event *event = pms_catalog_event(report->counts->catalog, index);
	const struct pms_count *count = &report->scope->counts[index];
	int counted = count->state == PMS_COUNTED;
	struct pms_out_item *row = add_row(table, N_EVENT, common);
	struct pms_out_datum value =
		counted ? pms_out_of_count(pms_label_count(count)) : pms_out_of_nothing();
	pms_out_cell(row, E_NAME, pms_out_of_text(event->name));
	pms_out_cell(row, E_CODE, pms_out_when(event->code >= 0, pms_out_of_code(event->code)));
	pms_out_cell(row, E_COUNT, value);
	if (counted)
		set_counted(row, report->scope, count);
	else
		pms_out_cell(row, E_BECAUSE, pms_out_of_text(pms_label_because(count)));
	set_interval(row, report->scope, index, value);
	pms_out_cell(row, E_ENABLED, pms_out_of_count(count->enabled_ns));
	pms_out_cell(row, E_RUNNING, pms_out_of_count(count->running_ns));
	pms_out_cell(row, E_STATE, pms_out_of_text(pms_label_state_of(count)));
	pms_out_cell(row, E_UNITS, pms_out_of_text(pms_label_event_is_ns(event) ? "ns" : "events"));
}

void pms_report_put_events(struct pms_out_item *parent, unsigned places,
			   const struct pms_report *report)
{
	struct pms_out_item *table = pms_out_table(parent, places, "events", event_fields, N_EVENT);
	struct common common = common_of(table, "event", report);
	size_t next = 0, event;
	while (table && pms_label_next_event(report, table->outline->options, &next, &event))
		put_event(table, &common, report, event);
}

/* Metrics -------------------------------------------------------------------------------------- */

enum {
	M_NAME = N_COMMON,
	M_GROUP,
	M_STAGE,
	M_LEVEL,
	M_VALUE,
	M_UNITS,
	M_LOW,
	M_HIGH,
	M_STATE,
	M_RUN,
	M_BECAUSE,
	M_HARDLY_ANY,
	M_CAVEATS,
	N_METRIC
};

static const struct pms_out_field metric_fields[] = {
	COMMON,
	[M_NAME] = PMS_OUT_FIELD("name", NULL, 0),
	[M_GROUP] = PMS_OUT_FIELD("group", NULL, 0),
	[M_STAGE] = PMS_OUT_FIELD("stage", NULL, 0),
	[M_LEVEL] = PMS_OUT_FIELD("level", NULL, 0),
	[M_VALUE] = PMS_OUT_FIELD("value", NULL, 0),
	[M_UNITS] = PMS_OUT_FIELD("units", NULL, 0),
	[M_LOW] = PMS_OUT_FIELD("low", NULL, 0),
	[M_HIGH] = PMS_OUT_FIELD("high", NULL, 0),
	[M_STATE] = PMS_OUT_FIELD("state", NULL, 0),
	[M_RUN] = PMS_OUT_FIELD("run_pct", NULL, 0),
	[M_BECAUSE] = { "because", NULL, NULL, PMS_OUT_OPTIONAL },
	[M_HARDLY_ANY] = { "of_hardly_any", "of_hardly_any", NULL, PMS_OUT_OPTIONAL },
	[M_CAVEATS] = { "caveats", NULL, NULL, 0 },
};

/* List the ids of the metric's caveats; their full texts stand elsewhere. */
static void set_caveats(struct pms_out_item *row, const struct pms_catalog *catalog,
			const struct pms_metric *metric)
{
	struct pms_out_words ids = pms_out_words(row);
	if (!pms_outline_is_in(row, PMS_IN_JSON))
		return;
	for (size_t i = 0; i < pms_catalog_caveats(catalog); i++)
		if (pms_caveat_has_metric(pms_catalog_caveat(catalog, i), metric))
			pms_out_words_add(&ids, pms_catalog_caveat(catalog, i)->id);
	pms_out_cell(row, M_CAVEATS, pms_out_of_words(&ids));
}

/* One metric's row. An undefined value leaves null and its reason in "because". */
static void put_metric(struct pms_out_item *table, const struct common *common,
		       const struct pms_report *report, const struct pms_result *result)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	const struct pms_metric *metric = pms_catalog_metric(catalog, result->metric);
	const struct pms_value *v = &result->value;
	int defined = v->state != PMS_VALUE_UNDEFINED;
	struct pms_out_item *row = add_row(table, N_METRIC, common);
	pms_out_cell(row, M_NAME, pms_out_of_text(metric->name));
	pms_out_cell(row, M_GROUP,
		     pms_out_of_text(pms_catalog_group(catalog, result->group)->name));
	pms_out_cell(row, M_STAGE, pms_out_of_integer(result->stage));
	pms_out_cell(row, M_LEVEL, pms_out_of_integer(result->level));
	pms_out_cell(row, M_VALUE, pms_out_when(defined, pms_out_of_real(v->value)));
	pms_out_cell(row, M_UNITS, pms_out_of_text(metric->units));
	pms_out_cell(row, M_LOW,
		     pms_out_when(defined && isfinite(v->low), pms_out_of_real(v->low)));
	pms_out_cell(row, M_HIGH,
		     pms_out_when(defined && isfinite(v->high), pms_out_of_real(v->high)));
	pms_out_cell(row, M_STATE,
		     pms_out_of_text(pms_label_value_state(&report->counts->provenance, v->state)));
	pms_out_cell(row, M_RUN, pms_out_when(defined, pms_out_of_real(v->run_pct)));
	/* Where there is no reason, write null: leaving the member out would mean "defined". */
	if (!defined)
		pms_out_cell(row, M_BECAUSE,
			     v->because ? pms_out_of_text(v->because) : pms_out_of_note(NULL));
	pms_out_cell(
		row, M_HARDLY_ANY,
		pms_out_when(pms_result_is_of_hardly_any(result), pms_out_of_real(result->base)));
	set_caveats(row, catalog, metric);
}

void pms_report_put_metrics(struct pms_out_item *parent, unsigned places,
			    const struct pms_report *report)
{
	struct pms_out_item *table =
		pms_out_table(parent, places, "metrics", metric_fields, N_METRIC);
	struct common common = common_of(table, "metric", report);
	for (size_t i = 0; table && i < report->n_results; i++)
		put_metric(table, &common, report, &report->results[i]);
}

void pms_report_put_evidence(struct pms_out_item *parent, const struct pms_report *report,
			     const struct pms_finding *finding)
{
	struct pms_out_item *table =
		pms_out_table(parent, PMS_IN_JSON, "evidence", metric_fields, N_METRIC);
	struct common common = common_of(table, "metric", report);
	for (size_t i = 0; table && i < finding->n_evidence; i++)
		put_metric(table, &common, report, &report->results[finding->evidence[i]]);
}
