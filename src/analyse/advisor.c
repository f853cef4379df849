/* SPDX-License-Identifier: MIT */
#include "analyse/advisor.h"

#include "base/name.h"
#include "base/status.h"

static struct pms_operand operand(const struct pms_advisor *a, const char *name)
{
	for (size_t i = 0; i < pms_catalog_terms(a->catalog); i++)
		if (!pms_name_compare(pms_catalog_term(a->catalog, i)->name, name))
			return a->terms[i];
	const struct pms_value *value = &a->values[pms_catalog_find_metric(a->catalog, name)];
	return (struct pms_operand){
		.value = value->value,
		.defined = value->state != PMS_VALUE_UNDEFINED,
	};
}

/* Evaluate a formula over metrics and terms. Returns 1 when it is defined. */
static int evaluate(const struct pms_advisor *a, const struct pms_formula *formula, double *value)
{
	for (size_t i = 0; i < pms_formula_names(formula); i++)
		a->operands[i] = operand(a, pms_formula_name(formula, i));
	return pms_formula_eval(formula, a->operands, value, NULL, NULL) == PMS_DEFINED;
}

static size_t more_names(size_t most, const struct pms_formula *formula)
{
	size_t count = formula ? pms_formula_names(formula) : 0;
	return count > most ? count : most;
}

static size_t most_names(const struct pms_catalog *catalog)
{
	size_t most = 0;
	for (size_t i = 0; i < pms_catalog_terms(catalog); i++) {
		const struct pms_term *term = pms_catalog_term(catalog, i);
		for (size_t j = 0; j < term->n_formulas; j++)
			most = more_names(most, term->formulas[j]);
	}
	for (size_t i = 0; i < pms_catalog_advices(catalog); i++) {
		const struct pms_advice *advice = pms_catalog_advice(catalog, i);
		most = more_names(more_names(most, advice->condition), advice->weight);
	}
	return most;
}

int pms_advisor_init(struct pms_advisor *advisor, const struct pms_catalog *catalog,
		     const struct pms_value *values, const struct pms_scope *scope,
		     struct pms_arena *arena, struct pms_error *err)
{
	struct pms_advisor *a = advisor;
	*a = (struct pms_advisor){ .catalog = catalog, .values = values, .scope = scope };
	a->terms = pms_arena_alloc(arena, pms_catalog_terms(catalog), sizeof(a->terms[0]));
	a->operands = pms_arena_alloc(arena, most_names(catalog), sizeof(a->operands[0]));
	if (!a->terms || !a->operands)
		return pms_no_memory(err);
	/* A term uses only the terms before it. */
	for (size_t i = 0; i < pms_catalog_terms(catalog); i++) {
		const struct pms_term *term = pms_catalog_term(catalog, i);
		for (size_t j = 0; j < term->n_formulas && !a->terms[i].defined; j++)
			a->terms[i].defined = evaluate(a, term->formulas[j], &a->terms[i].value);
	}
	return 0;
}

double pms_advisor_weight(const struct pms_advisor *advisor, const struct pms_advice *advice)
{
	double weight;
	return advice->weight && evaluate(advisor, advice->weight, &weight) ? weight : 0;
}

int pms_advisor_holds(const struct pms_advisor *advisor, const struct pms_advice *advice)
{
	double condition;
	return advice->condition && evaluate(advisor, advice->condition, &condition) &&
	       condition > 0;
}

int pms_advisor_rests_on_few(const struct pms_advisor *advisor, const struct pms_advice *advice,
			     const double *bases)
{
	for (size_t i = 0; i < pms_formula_names(advice->condition); i++) {
		const char *name = pms_formula_name(advice->condition, i);
		int64_t metric = pms_catalog_find_metric(advisor->catalog, name);
		if (metric >= 0 && bases[metric] > 0 && bases[metric] < PMS_HARDLY_ANY)
			return 1;
	}
	return 0;
}

void pms_advisor_missing_of(const struct pms_advisor *a, size_t index, unsigned char *marks)
{
	const struct pms_metric *metric = pms_catalog_metric(a->catalog, index);
	const struct pms_count *counts = pms_scope_of_metric(a->scope, metric);
	if (a->values[index].state != PMS_VALUE_UNDEFINED)
		return;
	for (size_t i = 0; i < metric->n_events; i++) {
		if (!pms_count_is_known(&counts[metric->events[i]]))
			marks[metric->events[i]] = 1;
	}
}

/* Mark the metrics that a formula needs. A term needs what any of its formulas needs, and uses only
 * the terms before it.
 */
static void mark(const struct pms_advisor *a, const struct pms_formula *formula,
		 unsigned char *marks)
{
	for (size_t i = 0; i < pms_formula_names(formula); i++) {
		const char *name = pms_formula_name(formula, i);
		size_t t = 0;
		while (t < pms_catalog_terms(a->catalog) &&
		       pms_name_compare(pms_catalog_term(a->catalog, t)->name, name))
			t++;
		const struct pms_term *term = pms_catalog_term(a->catalog, t);
		for (size_t j = 0; term && !a->terms[t].defined && j < term->n_formulas; j++)
			mark(a, term->formulas[j], marks);
		if (!term)
			pms_advisor_missing_of(a, (size_t)pms_catalog_find_metric(a->catalog, name),
					       marks);
	}
}

void pms_advisor_missing(const struct pms_advisor *advisor, const struct pms_advice *advice,
			 unsigned char *marks)
{
	double condition;
	if (advice->condition && !evaluate(advisor, advice->condition, &condition))
		mark(advisor, advice->condition, marks);
}
