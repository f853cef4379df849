/* SPDX-License-Identifier: MIT */
/* The base of a ratio, that is the count it divides by. A miss ratio of 1 means nothing when there
 * were three accesses. */
#include "analyse/report.h"

#include <stdlib.h>

#include "catalog/formula.h"

/* Returns the instructions retired; 0: not counted. */
static double instructions(const struct pms_catalog *catalog, const struct pms_scope *scope)
{
	int64_t event = pms_catalog_find_role(catalog, PMS_CATALOG_INSTRUCTIONS);
	return event >= 0 && pms_count_is_known(&scope->counts[event])
		       ? pms_count_scaled(&scope->counts[event])
		       : 0;
}

static int has_divisions(const struct pms_formula *formula)
{
	for (size_t i = 0; i < formula->n_steps; i++)
		if (formula->steps[i].op == PMS_OP_DIVIDE)
			return 1;
	return 0;
}

/* Evaluate @formula, a part of the metric's own. Returns 0 when not known, below 0 when out of
 * memory. */
static double value_of(const struct pms_scope *scope, const struct pms_metric *metric,
		       const struct pms_formula *formula)
{
	struct pms_operand *operands = calloc(metric->n_events + 1, sizeof(operands[0]));
	double value;
	if (!operands)
		return -1;
	for (size_t i = 0; i < metric->n_events; i++) {
		const struct pms_count *count = &scope->counts[metric->events[i]];
		operands[i].defined = pms_count_is_known(count);
		if (operands[i].defined)
			operands[i].value = pms_count_scaled(count);
	}
	int is_known = pms_formula_eval(formula, operands, &value, NULL, NULL) == PMS_DEFINED;
	free(operands);
	return is_known && value > 0 ? value : 0;
}

double pms_base_of(const struct pms_catalog *catalog, const struct pms_scope *scope,
		   const struct pms_metric *metric)
{
	const struct pms_formula_step *steps;
	struct pms_formula divisor = *metric->program;
	double of = instructions(catalog, scope);
	divisor.n_steps = pms_formula_divisor(metric->program, &steps);
	if (!divisor.n_steps || !(of > 0))
		return 0;
	divisor.steps = (struct pms_formula_step *)steps;
	if (has_divisions(&divisor))
		return 0;
	double base = value_of(scope, metric, &divisor);
	return base > 0 ? 1000 * base / of : base;
}
