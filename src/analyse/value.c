/* SPDX-License-Identifier: MIT */
/* One metric: its events made operands, its formula evaluated, and why there is no value. */
#include "analyse/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyse/sample.h"
#include "base/status.h"

/* How far a scaled count may be from the truth.
 *
 * A counter that had the hardware for a share f of the time saw n events, and n / f is taken for
 * the total N. Two things make it wrong:
 * 1. Which events it saw is chance: each with probability f, so n is binomial, and the variance of
 *    n / f is N (1 / f - 1). Independent between events.
 * 2. Programs have phases. The counter saw K windows of rotation, and the rate in a window scatters
 *    about its mean; the variance of the total is N^2 cv^2 (1 - f) / K, cv being the scatter of the
 *    rate. K is the running time over the period at which Linux rotates counters, 4 ms; the scatter
 *    is chosen as 1, because a program whose phases do something and nothing in equal parts has it,
 *    and nothing in the counts tells what it really is.
 * Events that ran in the same windows share the second error, which a ratio cancels: it is left out
 * where all events of a metric have the same times, that is, were counted in one pass.
 * Counts that are means over repeated runs have a third error, by which runs differ. Where it is
 * known what each run counted, the metric's own scatter over the runs is taken; else that of each
 * count, as if events scattered independently. The first two stay beside it: passes take turns in
 * the same order in each run, so that runs may all have missed the same phase. */
static const double rotation_ns = 4e6;
static const double rate_scatter = 1;

static int was_scheduled(const struct pms_count *count)
{
	return !(count->enabled_ns && !count->running_ns);
}

/* Share of the time that the event had a counter. Modelled counts have no times and see everything.
 */
static double running_share(const struct pms_count *count)
{
	if (count->running_ns >= count->enabled_ns)
		return 1;
	return (double)count->running_ns / (double)count->enabled_ns;
}

struct pms_operand pms_operand_of(const struct pms_count *count, int one_pass, double widening)
{
	double f = running_share(count);
	double scaled = pms_count_scaled(count);
	double variance = f < 1 ? scaled * (1 / f - 1) : 0;
	if (f < 1 && !one_pass) {
		double windows = fmax(1, (double)count->running_ns / rotation_ns);
		variance += scaled * scaled * rate_scatter * rate_scatter * (1 - f) / windows;
	}
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
	return kept ? kept : "out of memory";
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

/* "L2D_TLB was not counted", "CHAIN is not modelled: <why>". */
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

/* A defined value; @half: of its interval; @share: the least running share of its events. */
static struct pms_value defined(double value, double half, double share)
{
	return (struct pms_value){ .state = share < 1 ? PMS_VALUE_SCALED : PMS_VALUE_EXACT,
				   .value = value,
				   .low = value - half,
				   .high = value + half,
				   .run_pct = 100 * share };
}

/* The same of a sampled run. */
static struct pms_value estimated(const struct pms_sample *sample, const struct pms_metric *metric,
				  const struct pms_operand *operands, double value)
{
	struct pms_sampled of = { metric->program, metric->events, metric->n_events, operands };
	double share = pms_sample_share(sample), half = 0;
	if (pms_sample_half(sample, &of, &half) || !isfinite(half))
		half = INFINITY;
	return (struct pms_value){ .state = share < 1 ? PMS_VALUE_SCALED : PMS_VALUE_EXACT,
				   .value = value,
				   .low = value - half,
				   .high = value + half,
				   .run_pct = 100 * share };
}

static struct pms_value evaluate(struct pms_text_keeper *keeper, const struct pms_catalog *catalog,
				 const struct pms_scope *scope, const struct pms_metric *metric,
				 struct pms_operand *operands)
{
	double value, variance, share = 1;
	size_t slot = 0;
	const struct pms_count *counts = pms_scope_of_metric(scope, metric);
	for (size_t i = 0; i < metric->n_unless; i++)
		if (scope->counts[metric->unless[i]].state == PMS_COUNTED)
			return undefined(keeper, "%s was counted, and others tell its parts",
					 pms_catalog_event(catalog, metric->unless[i])->name);
	double over_runs = 0;
	int have_runs = pms_runs_half(scope, counts, metric, &over_runs);
	double widening = have_runs ? 0 : pms_runs_widening(scope);
	int one_pass = counted_in_one_pass(counts, metric);
	for (size_t i = 0; i < metric->n_events; i++) {
		const struct pms_count *count = &counts[metric->events[i]];
		if (count->state != PMS_COUNTED || !was_scheduled(count))
			continue;
		operands[i] = pms_operand_of(count, one_pass, widening);
		share = fmin(share, running_share(count));
	}
	switch (pms_formula_eval(metric->program, operands, &value, &variance, &slot)) {
	case PMS_UNDEF_NAME:
		return no_count(keeper, pms_catalog_event(catalog, metric->events[slot])->name,
				&counts[metric->events[slot]]);
	case PMS_UNDEF_DIVIDE:
		return divided_by_zero(keeper, metric, slot);
	case PMS_UNDEF_OVERFLOW:
		return undefined(keeper, "the result is too large to represent");
	default:
		return scope->sample
			       ? estimated(scope->sample, metric, operands, value)
			       : defined(value, hypot(PMS_NORMAL_95 * sqrt(variance), over_runs),
					 share);
	}
}

struct pms_value pms_value_of(struct pms_text_keeper *keeper, const struct pms_catalog *catalog,
			      const struct pms_scope *scope, const struct pms_metric *metric)
{
	struct pms_operand *operands = calloc(metric->n_events + 1, sizeof(operands[0]));
	if (!operands)
		return undefined(keeper, "out of memory");
	struct pms_value value = evaluate(keeper, catalog, scope, metric, operands);
	free(operands);
	return value;
}

struct pms_value pms_metric_value(struct pms_counts *counts, const struct pms_scope *scope,
				  const struct pms_metric *metric)
{
	struct pms_text_keeper keeper = { .counts = counts };
	return pms_value_of(&keeper, counts->catalog, scope, metric);
}
