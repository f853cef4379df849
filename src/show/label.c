/* SPDX-License-Identifier: MIT */
#include "show/label.h"

#include <stdio.h>
#include <string.h>

#define LABEL(table, i) ((size_t)(i) < sizeof(table) / sizeof((table)[0]) ? (table)[i] : "?")

const char *pms_label_value_state(const struct pms_provenance *provenance,
				  enum pms_value_state state)
{
	static const char *const labels[] = { [PMS_VALUE_UNDEFINED] = "undefined",
					      [PMS_VALUE_EXACT] = "exact",
					      [PMS_VALUE_SCALED] = "scaled" };
	return state == PMS_VALUE_EXACT && provenance->modelled ? "complete" : LABEL(labels, state);
}

const char *pms_label_count_state(enum pms_count_state state)
{
	static const char *const labels[] = { [PMS_NOT_COUNTED] = "not_counted",
					      [PMS_COUNTED] = "counted",
					      [PMS_NOT_SUPPORTED] = "not_supported",
					      [PMS_NOT_MODELLED] = "not_modelled" };
	return LABEL(labels, state);
}

const char *pms_label_state_of(const struct pms_count *count)
{
	int is_scaled = count->state == PMS_COUNTED && pms_count_missed(count) > 0;
	return is_scaled ? "scaled" : pms_label_count_state(count->state);
}

const char *pms_label_count_class(enum pms_count_class cls)
{
	static const char *const labels[] = { [PMS_COUNT_MEASURED] = "measured",
					      [PMS_COUNT_EXACT] = "exact",
					      [PMS_COUNT_MODELLED] = "modelled" };
	return LABEL(labels, cls);
}

const char *pms_label_severity(enum pms_severity severity)
{
	static const char *const labels[] = { [PMS_SEVERITY_INFO] = "info",
					      [PMS_SEVERITY_MODERATE] = "moderate",
					      [PMS_SEVERITY_HIGH] = "high" };
	return LABEL(labels, severity);
}

const char *pms_label_scope(enum pms_scope_kind kind)
{
	static const char *const labels[] = {
		[PMS_SCOPE_TOTAL] = "total",	 [PMS_SCOPE_CPU] = "cpu",
		[PMS_SCOPE_THREAD] = "thread",	 [PMS_SCOPE_CORE] = "core",
		[PMS_SCOPE_CLUSTER] = "cluster", [PMS_SCOPE_CACHE] = "cache",
		[PMS_SCOPE_DIE] = "die",	 [PMS_SCOPE_SOCKET] = "socket",
		[PMS_SCOPE_NODE] = "node"
	};
	return LABEL(labels, kind);
}

const char *pms_label_check(int ok)
{
	return ok > 0 ? "ok" : ok == 0 ? "missing" : "not_needed";
}

void pms_label_heading(char *text, size_t size, const struct pms_counts *counts)
{
	const struct pms_provenance *p = &counts->provenance;
	const char *sampled = counts->total.sample ? " and sampled" : "";
	const char *product = pms_catalog_cpu(counts->catalog)->product;
	/* "Neoverse V1 (AWS Graviton3)" says more than the model's "Neoverse V1". */
	const char *core = strncmp(product, p->core, strlen(p->core)) != 0 ? p->core : product;
	if (!p->modelled && p->file)
		snprintf(text, size, "%s, measured elsewhere: counts from %s", core, p->file);
	else if (!p->modelled && p->modes[0])
		snprintf(text, size, "%s, measured in %s mode alone", core, p->modes);
	else if (!p->modelled)
		snprintf(text, size, "%s, measured", core);
	else if (p->model_version[0])
		snprintf(text, size, "%s, modelled (core model %s)%s, not measured", core,
			 p->model_version, sampled);
	else
		snprintf(text, size, "%s, modelled%s, not measured", core, sampled);
}

static void label_condition(char *text, size_t size, const struct pms_condition *condition,
			    const char *before, const char *after)
{
	const char *where = condition->configuration;
	snprintf(text, size, "%s%s%s", where ? "where " : "", where ? where : "",
		 where && condition->errata ? "; " : "");
	size_t used = strlen(text);
	if (condition->errata)
		snprintf(text + used, size - used, "%s%s%s (erratum %s)", before, condition->before,
			 after, condition->errata);
}

void pms_label_holds(char *text, size_t size, const struct pms_condition *condition)
{
	label_condition(text, size, condition, "from ", " on");
}

void pms_label_applies(char *text, size_t size, const struct pms_condition *condition)
{
	label_condition(text, size, condition, "before ", "");
}

const char *pms_label_because(const struct pms_count *count)
{
	static const char *const reasons[] = {
		[PMS_NOT_COUNTED] = "was not counted",
		[PMS_COUNTED] = "was counted",
		[PMS_NOT_SUPPORTED] = "this machine does not have the event",
		[PMS_NOT_MODELLED] = "the core model does not model it",
	};
	return count->because ? count->because : LABEL(reasons, count->state);
}

uint64_t pms_label_count(const struct pms_count *count)
{
	double scaled = pms_count_scaled(count);
	if (count->cls != PMS_COUNT_MEASURED || scaled == (double)count->value)
		return count->value; /* kept as an integer: a double would round it */
	return scaled < 0x1p64 ? (uint64_t)(scaled + 0.5) : UINT64_MAX;
}

int pms_label_event_is_ns(const struct pms_event *event)
{
	/* these events say their unit in their titles */
	const char *comma = event->title ? strrchr(event->title, ',') : NULL;
	return comma && !strcmp(comma, ", ns");
}

double pms_label_run_pct(const struct pms_scope *scope, const struct pms_count *count)
{
	const struct pms_sample *sample = scope->sample;
	if (sample && count->cls != PMS_COUNT_EXACT && sample->instructions)
		return 100.0 * (double)sample->counted / (double)sample->instructions;
	if (count->state == PMS_COUNTED)
		return 100 / (1 + pms_count_missed(count));
	return count->enabled_ns ? 100.0 * (double)count->running_ns / (double)count->enabled_ns
				 : 100.0;
}

int pms_label_next_event(const struct pms_report *report, const struct pms_show_options *options,
			 size_t *next, size_t *event)
{
	size_t n = pms_catalog_events(report->counts->catalog);
	if (options->events && options->n_events) {
		if (*next >= options->n_events)
			return 0;
		*event = options->events[(*next)++];
		return 1;
	}
	while (*next < n) {
		*event = (*next)++;
		const struct pms_count *count = &report->scope->counts[*event];
		if (count->state != PMS_NOT_COUNTED || count->because)
			return 1;
	}
	return 0;
}
