/* SPDX-License-Identifier: MIT */
/* Check formulas against the events, the list of events beside them, the units, and each other. */
#include "lint/spec.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "catalog/role.h"

/* Whether two names differ only in the letter or digit after an L: other cache levels of the same
 * event. */
static int is_other_level(const char *a, const char *b)
{
	size_t length = strlen(a), differs = 0;
	if (strlen(b) != length)
		return 0;
	for (size_t i = 0; i < length; i++) {
		if (a[i] == b[i])
			continue;
		if (!i || a[i - 1] != 'L' || !isdigit((unsigned char)a[i]) || differs++)
			return 0;
	}
	return differs == 1;
}

/* Report an unknown event, with its other cache levels or the nearest name. */
static void add_unknown(struct pms_lint *lint, const struct pms_lint_spec *spec,
			const struct pms_lint_metric *metric, const char *name)
{
	struct pms_nearest nearest = { 0 };
	char levels[512] = "";
	/* Beyond the limit, propose no more names. */
	size_t n = lint->n_guesses < PMS_MOST_LINT_GUESSES ? spec->n_events : 0;
	lint->n_guesses += n;
	for (size_t i = 0; i < n; i++) {
		const char *other = spec->events[i].name.text;
		pms_nearest_offer(&nearest, name, other);
		if (is_other_level(name, other))
			pms_name_append(levels, sizeof(levels), other);
	}
	if (levels[0])
		pms_lint_add(lint, "unknown-event", metric->formula.at,
			     "%s uses %s, but no event has this level: there is %s",
			     metric->name.text, name, levels);
	else if (nearest.best)
		pms_lint_add(lint, "unknown-event", metric->formula.at,
			     "%s uses %s, which is no event; there is %s", metric->name.text, name,
			     nearest.best);
	else
		pms_lint_add(lint, "unknown-event", metric->formula.at,
			     "%s uses %s, which is no event", metric->name.text, name);
}

static int is_event(const struct pms_lint_spec *spec, const char *name)
{
	return pms_name_index_find(&spec->event_names, name) >= 0;
}

/* Check the names in a formula. In perf's layout it may also use metrics. Where no file has events,
 * they cannot be checked. */
static void check_names(struct pms_lint *lint, const struct pms_lint_spec *spec,
			const struct pms_lint_metric *metric)
{
	for (size_t i = 0; i < pms_formula_names(metric->program); i++) {
		const char *name = pms_formula_name(metric->program, i);
		int known = is_event(spec, name);
		if (spec->layout == PMS_LINT_PERF)
			known = known || !spec->n_events ||
				(pms_name_index_find(&spec->metric_names, name) >= 0 &&
				 strcmp(name, metric->name.text) != 0);
		if (!known)
			add_unknown(lint, spec, metric, name);
	}
}

static int is_listed(const struct pms_lint_names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (!pms_name_compare(names->rows[i].text, name))
			return 1;
	return 0;
}

static int is_used(const struct pms_formula *program, const char *name)
{
	for (size_t i = 0; i < pms_formula_names(program); i++)
		if (!pms_name_compare(pms_formula_name(program, i), name))
			return 1;
	return 0;
}

static void check_list(struct pms_lint *lint, const struct pms_lint_metric *metric)
{
	for (size_t i = 0; metric->lists_events && i < pms_formula_names(metric->program); i++) {
		const char *name = pms_formula_name(metric->program, i);
		if (!is_listed(&metric->events, name))
			pms_lint_add(lint, "event-list", metric->name.at,
				     "%s does not list %s, which its formula uses",
				     metric->name.text, name);
	}
	for (size_t i = 0; i < metric->events.n; i++)
		if (!is_used(metric->program, metric->events.rows[i].text))
			pms_lint_add(lint, "event-list", metric->events.rows[i].at,
				     "%s lists %s, which its formula does not use",
				     metric->name.text, metric->events.rows[i].text);
}

static void check_samples(struct pms_lint *lint, const struct pms_lint_spec *spec,
			  const struct pms_lint_metric *metric)
{
	for (size_t i = 0; i < metric->samples.n; i++)
		if (!is_event(spec, metric->samples.rows[i].text))
			pms_lint_add(lint, "unknown-event", metric->samples.rows[i].at,
				     "%s is to be sampled by %s, which is no event",
				     metric->name.text, metric->samples.rows[i].text);
}

static int has_number(const struct pms_formula *program, double number)
{
	for (size_t i = 0; i < program->n_steps; i++)
		if (program->steps[i].op == PMS_OP_NUMBER && program->steps[i].number == number)
			return 1;
	return 0;
}

static int uses_instructions(const struct pms_formula *program)
{
	for (size_t i = 0; i < pms_formula_names(program); i++)
		if (strstr(pms_formula_name(program, i), "INST"))
			return 1;
	return 0;
}

/* Check a rate per thousand instructions: 1000 times something, divided by instructions. */
static void check_per_thousand(struct pms_lint *lint, const struct pms_lint_metric *metric)
{
	if (!has_number(metric->program, 1000))
		pms_lint_add(lint, "units", metric->formula.at,
			     "%s is in %s, but its formula has no factor 1000", metric->name.text,
			     metric->units.text);
	if (!uses_instructions(metric->program))
		pms_lint_add(lint, "units", metric->formula.at,
			     "%s is in %s, but its formula divides by no instructions",
			     metric->name.text, metric->units.text);
}

static void check_percent(struct pms_lint *lint, const struct pms_lint_metric *metric, int percent)
{
	int factor = has_number(metric->program, 100);
	if (percent && !factor)
		pms_lint_add(lint, "units", metric->formula.at,
			     "%s is in %s, but its formula has no factor 100", metric->name.text,
			     metric->units.text);
	if (!percent && factor)
		pms_lint_add(lint, "units", metric->formula.at,
			     "%s is in %s, but its formula has a factor 100", metric->name.text,
			     metric->units.text);
}

/* Check the units. "100%" in perf's layout is a fraction that perf multiplies by 100 itself; "1%"
 * is not. */
static void check_units(struct pms_lint *lint, const struct pms_lint_spec *spec,
			const struct pms_lint_metric *metric)
{
	const char *units = metric->units.text;
	if (!units)
		return;
	if (spec->layout == PMS_LINT_PERF) {
		if (strstr(units, "PKI"))
			check_per_thousand(lint, metric);
		else if (strchr(units, '%'))
			check_percent(lint, metric, strcmp(units, "100%") != 0);
		return;
	}
	if (!strcmp(units, "MPKI") || !strcmp(units, "per thousand instructions"))
		check_per_thousand(lint, metric);
	else if (strcasestr(metric->name.text, "mpki"))
		pms_lint_add(lint, "units", metric->units.at, "%s is named MPKI, but is in %s",
			     metric->name.text, units);
	check_percent(lint, metric, !strncmp(units, "percent", 7));
}

/* Find the number that multiplies the cycles in a formula over slots: the core's slots in a
 * cycle. */
static int slots_at(const struct pms_formula *program, size_t i, double *slots)
{
	const struct pms_formula_step *s = &program->steps[i];
	if (i < 2 || s->op != PMS_OP_MULTIPLY)
		return 0;
	const struct pms_formula_step *number = s[-1].op == PMS_OP_NUMBER ? &s[-1] : &s[-2];
	const struct pms_formula_step *name = number == &s[-1] ? &s[-2] : &s[-1];
	if (number->op != PMS_OP_NUMBER || name->op != PMS_OP_NAME ||
	    !pms_catalog_role_has_name(PMS_CATALOG_CYCLES, program->names[name->slot]))
		return 0;
	*slots = number->number;
	return 1;
}

static void check_slots(struct pms_lint *lint, const struct pms_lint_spec *spec,
			const struct pms_lint_metric *metric)
{
	double slots;
	if (!spec->slots || !metric->units.text || !strstr(metric->units.text, "slots"))
		return;
	for (size_t i = 0; i < metric->program->n_steps; i++)
		if (slots_at(metric->program, i, &slots) && slots != spec->slots)
			pms_lint_add(lint, "slots", metric->formula.at,
				     "%s counts %g slots a cycle, product_configuration %u",
				     metric->name.text, slots, spec->slots);
}

/* Read the next name of a comparison, from @at on. Returns the text after it, or NULL when there is
 * none.
 */
static const char *next_name(const char *at, char *name, size_t size)
{
	static const char digits[] = "0123456789.";
	static const char inside[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
				     "0123456789.";
	for (size_t length; *at; at += length ? length : 1) {
		length = strspn(at, inside);
		if (!length || strchr(digits, *at))
			continue;
		snprintf(name, size, "%.*s", (int)length, at);
		return at + length;
	}
	return NULL;
}

/* Check a metric's threshold: it compares the metric itself, perhaps with others. */
static void check_threshold(struct pms_lint *lint, const struct pms_lint_spec *spec,
			    const struct pms_lint_metric *metric)
{
	const char *at = metric->threshold.text;
	char name[256], other[256] = "";
	int itself = !at;
	while (at && (at = next_name(at, name, sizeof(name)))) {
		itself |= !strcmp(name, metric->name.text);
		if (pms_name_index_find(&spec->metric_names, name) < 0) {
			pms_lint_add(lint, "threshold", metric->threshold.at,
				     "the threshold of %s is of %s, which is no metric",
				     metric->name.text, name);
			itself = 1; /* or a misspelling of it */
		}
		memcpy(other, name, sizeof(other));
	}
	if (!itself && other[0])
		pms_lint_add(lint, "threshold", metric->threshold.at,
			     "the threshold of %s is of %s", metric->name.text, other);
}

/* Evaluate a formula with a distinct value for each event: equivalent formulas give the same
 * result. */
static double value_of(const struct pms_formula *program)
{
	enum { MOST = 256 }; /* most names of a formula: see pmuscope/formula.h */
	struct pms_operand operands[MOST];
	double value = NAN;
	for (size_t i = 0; i < pms_formula_names(program) && i < MOST; i++) {
		uint32_t hash = 2166136261u; /* FNV-1a */
		for (const char *c = pms_formula_name(program, i); *c; c++)
			hash = (hash ^ (uint32_t)toupper((unsigned char)*c)) * 16777619u;
		operands[i] = (struct pms_operand){ .value = 1 + hash / 65536.0, .defined = 1 };
	}
	if (pms_formula_eval(program, operands, &value, NULL, NULL) != PMS_DEFINED)
		return NAN;
	return value;
}

static int is_same(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fabs(a);
}

struct valued {
	double value;
	const struct pms_lint_metric *metric;
};

static int value_order(const void *a, const void *b)
{
	const struct valued *x = a, *y = b;
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->metric > y->metric) - (x->metric < y->metric);
}

static int share_group(const struct pms_lint_spec *spec, const struct pms_lint_metric *a,
		       const struct pms_lint_metric *b)
{
	if (spec->layout == PMS_LINT_PERF)
		return a->name.at->json == b->name.at->json && !a->group.text == !b->group.text &&
		       (!a->group.text || !strcmp(a->group.text, b->group.text));
	size_t end, other_end, i = pms_lint_members(spec, a->name.text, &end);
	size_t other = pms_lint_members(spec, b->name.text, &other_end);
	const struct pms_name_row *rows = spec->members.rows;
	while (i < end && other < other_end) {
		if (rows[i].index == rows[other].index)
			return 1;
		rows[i].index < rows[other].index ? i++ : other++;
	}
	return 0;
}

/* Report two metrics of one group with the same formula: one was copied and not changed. An
 * intended second name of a metric is in another group. */
static void check_copies(struct pms_lint *lint, const struct pms_lint_spec *spec,
			 const struct valued *sorted, size_t n)
{
	enum { LOOK_BACK = 16 };
	for (size_t i = 1; i < n; i++) {
		for (size_t k = 1; k <= i && k <= LOOK_BACK; k++) {
			const struct pms_lint_metric *a = sorted[i - k].metric;
			const struct pms_lint_metric *b = sorted[i].metric;
			if (!is_same(sorted[i - k].value, sorted[i].value))
				break;
			if (a > b) { /* equal up to rounding: the later in the file is the copy */
				a = b;
				b = sorted[i - k].metric;
			}
			if (!pms_name_compare(a->name.text, b->name.text) ||
			    !share_group(spec, a, b))
				continue;
			pms_lint_add(lint, "same-formula", b->formula.at,
				     "%s has the formula of %s, in the same group", b->name.text,
				     a->name.text);
			break;
		}
	}
}

/* Report repeated metrics: equal names stand side by side in the index. In one file they are a
 * mistake; in two files only when they differ. */
static void check_twice(struct pms_lint *lint, const struct pms_lint_spec *spec)
{
	const struct pms_name_row *rows = spec->metric_names.rows;
	for (size_t i = 1; i < spec->metric_names.count; i++) {
		const struct pms_lint_metric *a = &spec->metrics[rows[i - 1].index];
		const struct pms_lint_metric *b = &spec->metrics[rows[i].index];
		if (pms_name_compare(a->name.text, b->name.text))
			continue;
		int same = a->program && b->program &&
			   is_same(value_of(a->program), value_of(b->program));
		if (same && a->name.at->json != b->name.at->json)
			continue;
		pms_lint_add_again(lint, "defined-twice", b->name.at, a->name.at,
				   "%s is defined %s", b->name.text,
				   same ? "already" : "otherwise");
	}
}

void pms_lint_formula_rules(struct pms_lint *lint, const struct pms_lint_spec *spec)
{
	struct valued *sorted = pms_lint_room(lint, spec->n_metrics, sizeof(*sorted));
	size_t n = 0;
	for (size_t i = 0; sorted && i < spec->n_metrics; i++) {
		const struct pms_lint_metric *metric = &spec->metrics[i];
		check_threshold(lint, spec, metric);
		check_samples(lint, spec, metric);
		if (!metric->program)
			continue;
		check_names(lint, spec, metric);
		check_list(lint, metric);
		check_units(lint, spec, metric);
		check_slots(lint, spec, metric);
		sorted[n] = (struct valued){ value_of(metric->program), metric };
		if (!isnan(sorted[n].value))
			n++;
	}
	if (n)
		qsort(sorted, n, sizeof(*sorted), value_order);
	check_copies(lint, spec, sorted, n);
	check_twice(lint, spec);
}
