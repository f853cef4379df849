/* SPDX-License-Identifier: MIT */
/* One metric: its events made operands, its formula evaluated, and why there is no value. */
#include "analyse/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/sample.h"
#include "base/status.h"

static int was_scheduled(const struct pms_count *count)
{
	return !(count->enabled_ns && !count->running_ns);
}

/* Returns the share of events that was seen. Modelled counts have no times and see everything. */
static double seen_share(const struct pms_count *count)
{
	return 1 / (1 + pms_count_missed(count));
}

/* Three errors add up: chance, unseen phases and scatter over runs. pms_count_ends has the same as
 * an interval. Events that ran in the same windows share the error of unseen phases, and a ratio
 * cancels it. So it is left out when all events of a metric have the same times, that is, were
 * counted in one pass. Means over repeated runs have the third error. Where each run's counts are
 * known, the metric's own scatter over the runs is taken; else the scatter of each count, as if
 * independent. The first two errors stay: passes take turns in the same order, so all runs may miss
 * the same phase. */
struct pms_operand pms_operand_of(const struct pms_count *count, int one_pass, double widening)
{
	double scaled = pms_count_scaled(count);
	double variance = scaled * pms_count_missed(count);
	if (!one_pass)
		variance += scaled * scaled * pms_count_phases(count);
	variance += pow(scaled * count->spread * widening, 2);
	return (struct pms_operand){ .value = scaled, .variance = variance, .defined = 1 };
}

static int counted_in_one_pass(const struct pms_count *counts, const struct pms_metric *metric)
{
	for (size_t i = 1; i < metric->n_events; i++) {
		const struct pms_count *first = &counts[metric->events[0]];
		const struct pms_count *count = &counts[metric->events[i]];
		if (count->enabled_ns != first->enabled_ns ||
		    count->running_ns != first->running_ns || count->loose_times)
			return 0;
	}
	return 1;
}

static const char *keep(struct pms_text_keeper *keeper, char *text)
{
	const char *kept = text && !keeper->arena ? pms_counts_keep(keeper->counts, text)
			   : text		  ? pms_arena_dup(keeper->arena, text)
						  : NULL;
	free(text);
	keeper->failed |= !kept;
	return kept;
}

__attribute__((format(printf, 2, 3))) static struct pms_value
undefined(struct pms_text_keeper *keeper, const char *format, ...)
{
	char *text;
	va_list args;
	va_start(args, format);
	int length = vasprintf(&text, format, args);
	va_end(args);
	return (struct pms_value){ .state = PMS_VALUE_UNDEFINED,
				   .because = keep(keeper, length < 0 ? NULL : text) };
}

/* Say why an event has no count: "L2D_TLB was not counted", "CHAIN is not modelled: <why>". */
static struct pms_value no_count(struct pms_text_keeper *keeper, const char *name,
				 const struct pms_count *count)
{
	static const char *const states[] = {
		[PMS_NOT_COUNTED] = "was not counted",
		[PMS_COUNTED] = "never had a counter", /* enabled, but no time running */
		[PMS_NOT_SUPPORTED] = "is not supported by the machine",
		[PMS_NOT_MODELLED] = "is not modelled",
	};
	const char *because = count->because ? count->because : "";
	return undefined(keeper, "%s %s%s%s", name, states[count->state], because[0] ? ": " : "",
			 because);
}

static struct pms_value divided_by_zero(struct pms_text_keeper *keeper,
					const struct pms_metric *metric, size_t slot)
{
	const char *name = pms_formula_name(metric->program, slot);
	if (name)
		return undefined(keeper, "divides by %s, which is 0", name);
	return undefined(keeper, "a divisor is 0");
}

/* Cut the interval below 0, and of a share above 100 %, unless the value itself is beyond. */
static void cut_ends(struct pms_ends *ends, const struct pms_metric *metric, double value)
{
	int is_percent = metric->units && !strncmp(metric->units, "percent", strlen("percent"));
	if (value >= 0)
		ends->low = fmax(ends->low, 0);
	if (is_percent && value <= 100)
		ends->high = fmin(ends->high, 100);
}

/* Make a defined value. @over_runs: half of its interval over runs; @share: the least share seen of
 * one of its events. */
static struct pms_value defined(const struct pms_metric *metric, struct pms_operand *operands,
				const struct pms_ends *counts, double value, double over_runs,
				double share)
{
	struct pms_ends ends = pms_formula_ends(metric->program, operands, counts, value);
	ends.low = value - hypot(value - ends.low, over_runs);
	ends.high = value + hypot(ends.high - value, over_runs);
	cut_ends(&ends, metric, value);
	return (struct pms_value){ .state = share < 1 ? PMS_VALUE_SCALED : PMS_VALUE_EXACT,
				   .value = value,
				   .low = ends.low,
				   .high = ends.high,
				   .run_pct = 100 * share };
}

/* Make a defined value of a sampled run. */
static struct pms_value estimated(struct pms_text_keeper *keeper, const struct pms_sample *sample,
				  const struct pms_metric *metric,
				  const struct pms_operand *operands, double value)
{
	struct pms_sampled of = { metric->program, metric->events, metric->n_events, operands };
	double share = pms_sample_share(sample), half = 0;
	int rc = pms_sample_half(sample, &of, &half);
	keeper->failed |= rc == -PMS_ENOMEM;
	if (rc || !isfinite(half))
		half = INFINITY;
	return (struct pms_value){ .state = share < 1 ? PMS_VALUE_SCALED : PMS_VALUE_EXACT,
				   .value = value,
				   .low = value - half,
				   .high = value + half,
				   .run_pct = 100 * share };
}

/* Working memory of a metric: an operand for each slot, and its ends. */
struct workings {
	struct pms_operand *operands;
	struct pms_ends *ends;
	double share;	  /* the least share seen of an event */
	double over_runs; /* half of the interval over runs */
};

static void take_counts(struct pms_text_keeper *keeper, const struct pms_scope *scope,
			const struct pms_count *counts, const struct pms_metric *metric,
			struct workings *w)
{
	int have_runs = pms_runs_half(scope, counts, metric, &w->over_runs);
	keeper->failed |= have_runs < 0;
	double widening = have_runs ? 0 : pms_runs_widening(scope);
	int one_pass = counted_in_one_pass(counts, metric);
	for (size_t i = 0; i < metric->n_events; i++) {
		const struct pms_count *count = &counts[metric->events[i]];
		if (count->state != PMS_COUNTED || !was_scheduled(count))
			continue;
		w->operands[i] = pms_operand_of(count, one_pass, widening);
		w->ends[i] = pms_count_ends(count, one_pass, widening);
		w->share = fmin(w->share, seen_share(count));
	}
}

/* Choose the event to blame when a metric lacks counts: preferably one with a known reason, since
 * the others may lack only because of it. @slot: the one that the formula met first */
static size_t missing_event(const struct pms_count *counts, const struct pms_metric *metric,
			    size_t slot)
{
	for (size_t i = 0; i < metric->n_events; i++) {
		const struct pms_count *count = &counts[metric->events[i]];
		if (counts[metric->events[slot]].because)
			break;
		if (count->state != PMS_COUNTED && count->because)
			return metric->events[i];
	}
	return metric->events[slot];
}

/* Evaluate a metric, or say in its words why it has no value. */
static struct pms_value evaluate(struct pms_text_keeper *keeper, const struct pms_catalog *catalog,
				 const struct pms_scope *scope, const struct pms_metric *metric,
				 struct workings *w)
{
	double value;
	size_t slot = 0;
	const struct pms_count *counts = pms_scope_of_metric(scope, metric);
	for (size_t i = 0; i < metric->n_unless; i++)
		if (scope->counts[metric->unless[i]].state == PMS_COUNTED)
			return undefined(keeper, "%s was counted, and others tell its parts",
					 pms_catalog_event(catalog, metric->unless[i])->name);
	take_counts(keeper, scope, counts, metric, w);
	enum pms_undefined why =
		pms_formula_eval(metric->program, w->operands, &value, NULL, &slot);
	size_t missing = why == PMS_UNDEF_NAME ? missing_event(counts, metric, slot) : 0;
	switch (why) {
	case PMS_UNDEF_NAME:
		return no_count(keeper, pms_catalog_event(catalog, missing)->name,
				&counts[missing]);
	case PMS_UNDEF_DIVIDE:
		return divided_by_zero(keeper, metric, slot);
	case PMS_UNDEF_OVERFLOW:
		return undefined(keeper, "the result is too large to represent");
	default:
		return scope->sample ? estimated(keeper, scope->sample, metric, w->operands, value)
				     : defined(metric, w->operands, w->ends, value, w->over_runs,
					       w->share);
	}
}

struct pms_value pms_value_of(struct pms_text_keeper *keeper, const struct pms_catalog *catalog,
			      const struct pms_scope *scope, const struct pms_metric *metric)
{
	struct workings w = { .operands = calloc(metric->n_events + 1, sizeof(w.operands[0])),
			      .ends = calloc(metric->n_events + 1, sizeof(w.ends[0])),
			      .share = 1 };
	struct pms_value value = { .state = PMS_VALUE_UNDEFINED };
	if (w.operands && w.ends)
		value = evaluate(keeper, catalog, scope, metric, &w);
	else
		keeper->failed = 1;
	free(w.operands);
	free(w.ends);
	return value;
}

int pms_metric_value(struct pms_counts *counts, const struct pms_scope *scope,
		     const struct pms_metric *metric, struct pms_value *out)
{
	struct pms_text_keeper keeper = { .counts = counts };
	*out = pms_value_of(&keeper, counts->catalog, scope, metric);
	return keeper.failed ? -PMS_ENOMEM : 0;
}
