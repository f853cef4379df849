/* SPDX-License-Identifier: MIT */
/* Reads events and metrics as Linux perf and RISC-V International have them: arrays of objects,
 * over several files. */
#include "lint/spec.h"

static void read_event(struct pms_lint *lint, const struct pms_json_place *at,
		       struct pms_lint_spec *spec)
{
	struct pms_lint_event *event = &spec->events[spec->n_events];
	/* An event of the architecture, whose code and description are in other files. */
	int standard = !json_object_get(at->value, "EventName");
	event->name = pms_lint_get_text(lint, at, standard ? "ArchStdEvent" : "EventName", 0);
	pms_lint_get_code(lint, at, "EventCode", event);
	spec->n_events += event->name.text != NULL;
}

static void read_metric(struct pms_lint *lint, const struct pms_json_place *at,
			struct pms_lint_spec *spec)
{
	struct pms_lint_metric *metric = &spec->metrics[spec->n_metrics];
	metric->name = pms_lint_get_text(lint, at, "MetricName", 0);
	metric->formula = pms_lint_get_text(lint, at, "MetricExpr", 0);
	metric->units = pms_lint_get_text(lint, at, "ScaleUnit", 1);
	metric->group = pms_lint_get_text(lint, at, "MetricGroup", 1);
	metric->threshold = pms_lint_get_text(lint, at, "MetricThreshold", 1);
	metric->grouped = metric->group.text != NULL;
	if (!metric->name.text)
		return;
	spec->n_metrics++;
	pms_lint_compile(lint, metric);
}

/* Sort the objects of an array into events and metrics. */
static void read_array(struct pms_lint *lint, const struct pms_json_place *array,
		       struct pms_lint_spec *spec)
{
	for (size_t i = 0; i < json_array_size(array->value) && !lint->failed; i++) {
		struct pms_json_place place = { .json = array->json,
						.parent = array,
						.index = i,
						.value = json_array_get(array->value, i) };
		const struct pms_json_place *at = pms_lint_keep(lint, place);
		if (!at)
			return;
		int event = json_object_get(at->value, "EventName") ||
			    json_object_get(at->value, "ArchStdEvent");
		int metric = json_object_get(at->value, "MetricName") != NULL;
		if (event)
			read_event(lint, at, spec);
		if (metric)
			read_metric(lint, at, spec);
		if (!event && !metric)
			pms_lint_add(lint, "layout", at,
				     "has neither an EventName nor a MetricName");
	}
}

void pms_lint_read_perf(struct pms_lint *lint, const struct pms_json_place *const *roots, size_t n,
			struct pms_lint_spec *spec)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += json_array_size(roots[i]->value);
	spec->events = pms_lint_room(lint, count, sizeof(spec->events[0]));
	spec->metrics = pms_lint_room(lint, count, sizeof(spec->metrics[0]));
	for (size_t i = 0; i < n && !lint->failed; i++)
		read_array(lint, roots[i], spec);
}
