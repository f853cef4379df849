/* SPDX-License-Identifier: MIT */
#include "show/formats.h"

#include <math.h>
#include <stdio.h>

#include "show/caveat.h"
#include "show/document.h"
#include "show/extent.h"
#include "show/label.h"
#include "show/size.h"

static json_t *command_array(struct pms_document *d, char *const *command)
{
	json_t *array = json_array();
	for (size_t i = 0; command && command[i]; i++)
		pms_document_append(d, array, pms_document_string(command[i]));
	return array;
}

void pms_json_provenance(struct pms_document *d, json_t *root, const struct pms_counts *counts)
{
	const struct pms_provenance *p = &counts->provenance;
	const struct pms_cpu *cpu = pms_catalog_cpu(counts->catalog);
	char heading[256];
	pms_label_heading(heading, sizeof(heading), counts);
	pms_document_set(d, root, "pmuscope", json_pack("{s:s}", "version", PMS_VERSION));
	pms_document_set(d, root, "catalog",
			 json_pack("{s:o, s:o}", "name", pms_document_string(cpu->name), "version",
				   pms_document_string(cpu->version)));
	pms_document_set(d, root, "heading", pms_document_string(heading));
	pms_document_set(d, root, "source", pms_document_string(p->source));
	if (p->file)
		pms_document_set(d, root, "file", pms_document_string(p->file));
	if (counts->has_time)
		pms_document_set(d, root, "time", pms_document_real(counts->time));
	pms_document_set(d, root, "modelled", json_boolean(p->modelled));
	if (p->modelled)
		pms_document_set(d, root, "model",
				 json_pack("{s:o, s:o}", "core", pms_document_string(p->core),
					   "version", pms_document_string(p->model_version)));
	if (p->modes[0])
		pms_document_set(d, root, "modes", pms_document_string(p->modes));
	if (p->midr) {
		snprintf(heading, sizeof(heading), "0x%llx", (unsigned long long)p->midr);
		pms_document_set(d, root, "midr", pms_document_string(heading));
	}
	pms_size_json(d, root, counts);
	pms_extent_json(d, root, counts);
	pms_document_set(d, root, "command", command_array(d, p->command));
	pms_document_set(d, root, "exit_status",
			 p->file ? json_null() : json_integer(p->exit_status));
	pms_document_set(d, root, "signal", p->signal ? json_integer(p->signal) : json_null());
	pms_document_set(d, root, "slots_per_cycle",
			 cpu->slots ? json_integer(cpu->slots) : json_null());
	pms_document_set(d, root, "counters_available",
			 p->counters_available ? json_integer(p->counters_available) : json_null());
}

struct maker {
	struct pms_document document;
	const struct pms_report *report;
	const struct pms_show_options *options;
};

static void set(struct maker *m, json_t *object, const char *key, json_t *value)
{
	pms_document_set(&m->document, object, key, value);
}

static void append(struct maker *m, json_t *array, json_t *value)
{
	pms_document_append(&m->document, array, value);
}

static json_t *event_object(struct maker *m, const struct pms_scope *scope, size_t index)
{
	const struct pms_event *event = pms_catalog_event(m->report->counts->catalog, index);
	const struct pms_count *count = &scope->counts[index];
	int counted = count->state == PMS_COUNTED;
	json_t *object = json_object();
	set(m, object, "name", pms_document_string(event->name));
	set(m, object, "code", event->code < 0 ? json_null() : json_integer(event->code));
	set(m, object, "count", counted ? pms_document_count(pms_label_count(count)) : json_null());
	int is_scaled = counted && pms_count_missed(count) > 0;
	if (is_scaled && !scope->sample)
		set(m, object, "raw", pms_document_count(count->value));
	if (counted && (count->scaled > 0 || is_scaled))
		set(m, object, "scaled", pms_document_real(pms_count_scaled(count)));
	if (counted && count->spread > 0)
		set(m, object, "spread", pms_document_real(count->spread));
	double low, high;
	if (pms_count_interval(scope, index, &low, &high)) {
		set(m, object, "low", pms_document_real(low));
		set(m, object, "high", pms_document_real(high));
	}
	set(m, object, "enabled_ns", pms_document_count(count->enabled_ns));
	set(m, object, "running_ns", pms_document_count(count->running_ns));
	set(m, object, "state", json_string(pms_label_state_of(count)));
	set(m, object, "class",
	    counted ? json_string(pms_label_count_class(count->cls)) : json_null());
	if (!counted)
		set(m, object, "because", pms_document_string(pms_label_because(count)));
	return object;
}

static json_t *events_array(struct maker *m, const struct pms_report *report)
{
	json_t *array = json_array();
	size_t next = 0, event;
	while (pms_label_next_event(report, m->options, &next, &event))
		append(m, array, event_object(m, report->scope, event));
	return array;
}

static json_t *caveat_ids(struct maker *m, const struct pms_metric *metric)
{
	const struct pms_catalog *catalog = m->report->counts->catalog;
	json_t *array = json_array();
	for (size_t i = 0; i < pms_catalog_caveats(catalog); i++) {
		const struct pms_caveat *caveat = pms_catalog_caveat(catalog, i);
		if (pms_caveat_has_metric(caveat, metric))
			append(m, array, pms_document_string(caveat->id));
	}
	return array;
}

static json_t *metric_object(struct maker *m, const struct pms_result *result)
{
	const struct pms_catalog *catalog = m->report->counts->catalog;
	const struct pms_metric *metric = pms_catalog_metric(catalog, result->metric);
	const struct pms_value *v = &result->value;
	int defined = v->state != PMS_VALUE_UNDEFINED;
	json_t *object = json_object();
	set(m, object, "name", pms_document_string(metric->name));
	set(m, object, "group",
	    pms_document_string(pms_catalog_group(catalog, result->group)->name));
	set(m, object, "stage", json_integer(result->stage));
	set(m, object, "level", json_integer(result->level));
	set(m, object, "value", defined ? pms_document_real(v->value) : json_null());
	set(m, object, "units", pms_document_string(metric->units));
	set(m, object, "low", defined ? pms_document_real(v->low) : json_null());
	set(m, object, "high", defined ? pms_document_real(v->high) : json_null());
	set(m, object, "state",
	    json_string(pms_label_value_state(&m->report->counts->provenance, v->state)));
	set(m, object, "run_pct", defined ? pms_document_real(v->run_pct) : json_null());
	if (!defined)
		set(m, object, "because", pms_document_string(v->because));
	if (pms_result_is_of_hardly_any(result))
		set(m, object, "of_hardly_any", pms_document_real(result->base));
	set(m, object, "caveats", caveat_ids(m, metric));
	return object;
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

/* Those of the metrics that the report shows, whole; a metric names them by their ids. */
static json_t *caveats_array(struct maker *m)
{
	const struct pms_catalog *catalog = m->report->counts->catalog;
	json_t *array = json_array();
	for (size_t i = 0; i < pms_catalog_caveats(catalog); i++) {
		const struct pms_caveat *caveat = pms_catalog_caveat(catalog, i);
		if (is_about_shown(m->report, caveat))
			append(m, array, pms_caveat_object(&m->document, catalog, caveat));
	}
	return array;
}

static json_t *metrics_array(struct maker *m, const struct pms_report *report)
{
	json_t *array = json_array();
	for (size_t i = 0; i < report->n_results; i++)
		append(m, array, metric_object(m, &report->results[i]));
	return array;
}

static json_t *path_array(struct maker *m, const struct pms_finding *finding)
{
	const struct pms_catalog *catalog = m->report->counts->catalog;
	json_t *array = json_array();
	for (size_t i = 0; i < finding->n_path; i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, finding->path[i]);
		append(m, array,
		       pms_document_string(pms_catalog_metric(catalog, node->metric)->name));
	}
	if (finding->group >= 0)
		append(m, array,
		       pms_document_string(
			       pms_catalog_group(catalog, (size_t)finding->group)->name));
	return array;
}

static json_t *evidence_array(struct maker *m, const struct pms_finding *finding)
{
	json_t *array = json_array();
	for (size_t i = 0; i < finding->n_evidence; i++)
		append(m, array, metric_object(m, &m->report->results[finding->evidence[i]]));
	return array;
}

static json_t *finding_object(struct maker *m, const struct pms_finding *finding)
{
	const struct pms_catalog *catalog = m->report->counts->catalog;
	const struct pms_tree_node *node = pms_catalog_node(catalog, finding->node);
	const struct pms_advice *advice = finding->advice;
	json_t *object = json_object();
	set(m, object, "node",
	    pms_document_string(pms_catalog_metric(catalog, node->metric)->name));
	set(m, object, "path", path_array(m, finding));
	set(m, object, "value", pms_document_real(finding->value));
	set(m, object, "share", pms_document_real(finding->share));
	set(m, object, "unexplained", pms_document_real(finding->unexplained));
	set(m, object, "severity", json_string(pms_label_severity(finding->severity)));
	set(m, object, "id", pms_document_string(advice ? advice->id : NULL));
	set(m, object, "title", pms_document_string(advice ? advice->title : NULL));
	set(m, object, "advice", pms_document_string(advice ? advice->text : NULL));
	const char *unmodelled =
		advice && m->report->counts->provenance.modelled ? advice->unmodelled : "";
	set(m, object, "unmodelled", pms_document_string(unmodelled[0] ? unmodelled : NULL));
	set(m, object, "reference", pms_document_string(advice ? advice->source : NULL));
	json_t *missing = json_array();
	for (size_t i = 0; i < finding->n_missing; i++)
		append(m, missing,
		       pms_document_string(pms_catalog_event(catalog, finding->missing[i])->name));
	set(m, object, "missing", missing);
	set(m, object, "evidence", evidence_array(m, finding));
	return object;
}

static json_t *findings_array(struct maker *m)
{
	json_t *array = json_array();
	for (size_t i = 0; i < m->report->n_findings; i++)
		append(m, array, finding_object(m, &m->report->findings[i]));
	return array;
}

static json_t *warnings_array(struct maker *m)
{
	const struct pms_counts *counts = m->report->counts;
	json_t *array = json_array();
	for (size_t i = 0; i < counts->n_warnings; i++)
		append(m, array, pms_document_string(counts->warnings[i]));
	for (size_t i = 0; i < m->report->n_warnings; i++)
		append(m, array, pms_document_string(m->report->warnings[i]));
	return array;
}

struct scopes {
	struct maker *maker;
	const struct pms_scope_reports *reports;
	struct pms_error *err;
};

static json_t *scope_object(void *context, size_t i)
{
	struct scopes *scopes = context;
	struct maker *m = scopes->maker;
	const struct pms_report *report =
		scopes->reports->get(scopes->reports->context, i, scopes->err);
	if (!report)
		return NULL;
	const struct pms_scope *scope = report->scope;
	json_t *object = json_object();
	set(m, object, pms_label_scope(scope->kind), json_integer(scope->id));
	if (scope->name[0])
		set(m, object, "name", pms_document_string(scope->name));
	set(m, object, "events", events_array(m, report));
	set(m, object, "metrics", metrics_array(m, report));
	return object;
}

int pms_show_json(FILE *out, const struct pms_report *report,
		  const struct pms_scope_reports *scopes, const struct pms_show_options *options,
		  struct pms_error *err)
{
	struct maker m = { .report = report, .options = options };
	json_t *root = json_object();
	pms_document_init(&m.document, root);
	pms_json_provenance(&m.document, root, report->counts);
	set(&m, root, "events", events_array(&m, report));
	set(&m, root, "metrics", metrics_array(&m, report));
	set(&m, root, "findings", findings_array(&m));
	set(&m, root, "no_finding", pms_document_string(report->no_finding));
	set(&m, root, "warnings", warnings_array(&m));
	set(&m, root, "caveats", caveats_array(&m));
	set(&m, root, "scopes", json_array());
	/* Of intervals, each is a line. */
	struct scopes each = { &m, scopes, err };
	return pms_document_finish_array(&m.document, scope_object, &each,
					 scopes && options->scopes ? report->counts->n_scopes : 0,
					 report->counts->has_time, out, err);
}
