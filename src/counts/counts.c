/* SPDX-License-Identifier: MIT */
#include "pmuscope/counts.h"

#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/status.h"
#include "counts/shared.h"

struct pms_counts *pms_counts_new(const struct pms_catalog *catalog)
{
	struct pms_counts *counts = calloc(1, sizeof(*counts));
	if (!counts)
		return NULL;
	counts->catalog = catalog;
	counts->total.kind = PMS_SCOPE_TOTAL;
	/* One extra element, so that a catalog without events does not look like no memory. */
	counts->total.counts =
		calloc(pms_catalog_events(catalog) + 1, sizeof(counts->total.counts[0]));
	if (!counts->total.counts) {
		free(counts);
		return NULL;
	}
	return counts;
}

static void texts_free(char **texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
	free(texts);
}

static void command_free(char **command)
{
	for (size_t i = 0; command && command[i]; i++)
		free(command[i]);
	free(command);
}

/* The tree borrows the array's texts, which the array frees. */
static void keep_string(void *text)
{
	(void)text;
}

static int string_order(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void sample_free(struct pms_sample *sample)
{
	for (size_t i = 0; sample && i < sample->n_groups; i++)
		free(sample->groups[i]);
	if (sample) {
		free(sample->groups);
		free(sample->sizes);
	}
	free(sample);
}

static void scope_release(struct pms_scope *scope)
{
	sample_free(scope->sample);
	for (size_t i = 0; i < scope->n_passes; i++)
		free(scope->passes[i]);
	free(scope->passes);
	for (size_t i = 0; i < scope->n_runs; i++) {
		free(scope->runs[i].events);
		free(scope->runs[i].values);
	}
	free(scope->runs);
	free(scope->counts);
}

void pms_counts_free(struct pms_counts *counts)
{
	if (!counts)
		return;
	for (size_t i = 0; i < counts->n_scopes; i++)
		scope_release(&counts->scopes[i]);
	free(counts->scopes);
	scope_release(&counts->total);
	if (counts->shared_command)
		pms_shared_command_release(counts->shared_command);
	else
		command_free(counts->provenance.command);
	free(counts->provenance.file);
	free(counts->provenance.extent.region);
	pms_profile_free(counts->profile);
	pms_gains_free(counts->gains);
	texts_free(counts->warnings, counts->n_warnings);
	tdestroy(counts->strings_by_text, keep_string);
	texts_free(counts->strings, counts->n_strings);
	free(counts);
}

void pms_counts_share_command(struct pms_counts *counts, struct pms_shared_command *command)
{
	command->users++;
	counts->shared_command = command;
	counts->provenance.command = command->words;
}

void pms_shared_command_release(struct pms_shared_command *command)
{
	if (!command || --command->users)
		return;
	command_free(command->words);
	free(command);
}

struct pms_scope *pms_counts_add_scope(struct pms_counts *counts, enum pms_scope_kind kind,
				       int64_t id)
{
	struct pms_scope *scopes =
		pms_array_room(counts->scopes, counts->n_scopes, sizeof(scopes[0]));
	if (!scopes)
		return NULL;
	counts->scopes = scopes;
	struct pms_count *values =
		calloc(pms_catalog_events(counts->catalog) + 1, sizeof(values[0]));
	if (!values)
		return NULL;
	struct pms_scope *scope = &scopes[counts->n_scopes++];
	*scope = (struct pms_scope){ .kind = kind, .id = id, .counts = values };
	return scope;
}

struct pms_count *pms_scope_add_pass(const struct pms_counts *counts, struct pms_scope *scope)
{
	struct pms_count **passes =
		pms_array_room(scope->passes, scope->n_passes, sizeof(passes[0]));
	if (!passes)
		return NULL;
	scope->passes = passes;
	struct pms_count *values =
		calloc(pms_catalog_events(counts->catalog) + 1, sizeof(values[0]));
	if (values)
		passes[scope->n_passes++] = values;
	return values;
}

struct pms_runs *pms_scope_add_runs(struct pms_scope *scope, size_t pass, const size_t *events,
				    size_t n_events, size_t n_runs)
{
	size_t n_values;
	struct pms_runs *all = pms_array_room(scope->runs, scope->n_runs, sizeof(all[0]));
	if (!all)
		return NULL;
	scope->runs = all;
	if (__builtin_mul_overflow(n_events, n_runs, &n_values))
		return NULL;
	struct pms_runs runs = { .pass = pass, .n_events = n_events, .n_runs = n_runs };
	runs.events = reallocarray(NULL, n_events + 1, sizeof(runs.events[0]));
	runs.values = calloc(n_values + 1, sizeof(runs.values[0]));
	if (!runs.events || !runs.values) {
		free(runs.events);
		free(runs.values);
		return NULL;
	}
	if (n_events)
		memcpy(runs.events, events, n_events * sizeof(events[0]));
	all[scope->n_runs] = runs;
	return &all[scope->n_runs++];
}

struct pms_sample *pms_scope_add_sample(const struct pms_counts *counts, struct pms_scope *scope,
					size_t n_groups)
{
	size_t n_events = pms_catalog_events(counts->catalog);
	struct pms_sample *sample = calloc(1, sizeof(*sample));
	if (sample) {
		sample->groups = calloc(n_groups + 1, sizeof(sample->groups[0]));
		sample->sizes = calloc(n_groups + 1, sizeof(sample->sizes[0]));
	}
	while (sample && sample->groups && sample->sizes && sample->n_groups < n_groups) {
		double *column = calloc(n_events + 1, sizeof(column[0]));
		if (!column)
			break;
		sample->groups[sample->n_groups++] = column;
	}
	if (!sample || !sample->groups || !sample->sizes || sample->n_groups < n_groups) {
		sample_free(sample);
		return NULL;
	}
	scope->sample = sample;
	return sample;
}

static int is_told(const struct pms_count *count)
{
	return count->state != PMS_NOT_COUNTED || count->because;
}

const struct pms_count *pms_scope_of_metric(const struct pms_scope *scope,
					    const struct pms_metric *metric)
{
	for (size_t i = 0; i < scope->n_passes; i++) {
		size_t told = 0;
		while (told < metric->n_events && is_told(&scope->passes[i][metric->events[told]]))
			told++;
		if (told == metric->n_events)
			return scope->passes[i];
	}
	return scope->counts;
}

/* Append a text and own it; free it when there is no room. */
static int append_text(char ***texts, size_t *count, char *text)
{
	char **room = text ? pms_array_room(*texts, *count, sizeof(room[0])) : NULL;
	if (!room) {
		free(text);
		return -PMS_ENOMEM;
	}
	*texts = room;
	room[(*count)++] = text;
	return 0;
}

/* Many events share a reason: keep it once. */
const char *pms_counts_keep(struct pms_counts *counts, const char *text)
{
	char *const *found = tfind(text, &counts->strings_by_text, string_order);
	if (found)
		return *found;
	if (append_text(&counts->strings, &counts->n_strings, strdup(text)))
		return NULL;
	const char *kept = counts->strings[counts->n_strings - 1];
	return tsearch(kept, &counts->strings_by_text, string_order) ? kept : NULL;
}

int pms_counts_warn(struct pms_counts *counts, const char *format, ...)
{
	char *text;
	va_list args;
	va_start(args, format);
	int length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		return -PMS_ENOMEM;
	return append_text(&counts->warnings, &counts->n_warnings, text);
}

/* The weaker of two states is the one that says less; a sum holds only if all its parts do. */
static int strength(enum pms_count_state state)
{
	static const int strengths[] = { [PMS_NOT_COUNTED] = 0,
					 [PMS_NOT_SUPPORTED] = 1,
					 [PMS_NOT_MODELLED] = 2,
					 [PMS_COUNTED] = 3 };
	return strengths[state];
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
	uint64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

double pms_count_scaled(const struct pms_count *count)
{
	if (count->scaled > 0)
		return count->scaled;
	if (count->running_ns >= count->enabled_ns)
		return (double)count->value;
	return (double)count->value * ((double)count->enabled_ns / (double)count->running_ns);
}

/* Programs have phases. A counter that had the hardware for a share f of the time saw K windows of
 * rotation, and the rate in a window scatters about its mean; the relative variance of the total is
 * cv^2 (1 - f) / K, cv being the scatter of the rate. K is the running time over the period at
 * which Linux rotates counters, 4 ms; the scatter is chosen as 1, because a program whose phases do
 * something and nothing in equal parts has it, and nothing in the counts tells what it really is.
 */
static const double rotation_ns = 4e6;

static double running_share(const struct pms_count *count)
{
	if (count->running_ns >= count->enabled_ns)
		return 1;
	return (double)count->running_ns / (double)count->enabled_ns;
}

double pms_count_missed(const struct pms_count *count)
{
	double f = running_share(count);
	return count->missed > 0 ? count->missed : f > 0 ? (1 - f) / f : INFINITY;
}

double pms_count_phases(const struct pms_count *count)
{
	double f = running_share(count);
	if (count->missed > 0 || count->phases > 0)
		return count->phases;
	return f < 1 ? (1 - f) * rotation_ns / (double)count->running_ns : 0;
}

/* Add up the errors of a sum. The parts' errors are independent, so their variances add up: missed
 * x count and phases x count^2. A part that saw no rare event may still have missed some, so the
 * worst part has the weight of one more event. */
static void add_errors(struct pms_count *total, const struct pms_count *part, double a, double b)
{
	double missed[] = { pms_count_missed(total), pms_count_missed(part) };
	double phases[] = { pms_count_phases(total), pms_count_phases(part) };
	if (!(missed[0] > 0 || missed[1] > 0))
		return;
	total->missed = (a * missed[0] + b * missed[1] + fmax(missed[0], missed[1])) / (a + b + 1);
	total->phases = (a * a * phases[0] + b * b * phases[1] + fmax(phases[0], phases[1])) /
			((a + b) * (a + b) + 1);
}

/* Add two counts, each scaled up by its own times, and their scatter over runs, taken as
 * independent. Call before values and times are added. */
static void add_scaled(struct pms_count *total, const struct pms_count *part)
{
	double a = pms_count_scaled(total), b = pms_count_scaled(part);
	if (total->state != PMS_COUNTED || part->state != PMS_COUNTED)
		return;
	if (total->spread > 0 || part->spread > 0)
		total->spread =
			a + b > 0 ? hypot(a * total->spread, b * part->spread) / (a + b) : 0;
	if (total->scaled > 0 || part->scaled > 0 || running_share(total) < 1 ||
	    running_share(part) < 1)
		total->scaled = a + b;
	add_errors(total, part, a, b);
}

void pms_count_add(struct pms_count *total, const struct pms_count *part)
{
	add_scaled(total, part);
	total->loose_times |= part->loose_times;
	total->value = add_saturating(total->value, part->value);
	total->enabled_ns = add_saturating(total->enabled_ns, part->enabled_ns);
	total->running_ns = add_saturating(total->running_ns, part->running_ns);
	if (part->cls > total->cls)
		total->cls = part->cls; /* exact and modelled together are modelled */
	if (strength(part->state) < strength(total->state)) {
		total->state = part->state;
		total->because = part->because;
	}
}

void pms_counts_sum(struct pms_counts *counts)
{
	if (!counts->n_scopes)
		return;
	size_t n_events = pms_catalog_events(counts->catalog);
	for (size_t event = 0; event < n_events; event++) {
		struct pms_count total = counts->scopes[0].counts[event];
		for (size_t i = 1; i < counts->n_scopes; i++)
			pms_count_add(&total, &counts->scopes[i].counts[event]);
		counts->total.counts[event] = total;
	}
}
