/* SPDX-License-Identifier: MIT */
/* Evaluate values together with derivatives (forward mode), in one pass for each slot that has an
 * error. So a name that appears twice, as in x / (x + y), counts once and with the right sign. */
#include "catalog/formula.h"

#include <assert.h>
#include <math.h>

struct dual {
	double value, derivative;
};

static struct dual apply(enum pms_formula_op op, struct dual a, struct dual b)
{
	switch (op) {
	case PMS_OP_ADD:
		return (struct dual){ a.value + b.value, a.derivative + b.derivative };
	case PMS_OP_SUBTRACT:
		return (struct dual){ a.value - b.value, a.derivative - b.derivative };
	case PMS_OP_MULTIPLY:
		return (struct dual){ a.value * b.value,
				      a.derivative * b.value + a.value * b.derivative };
	default: { /* PMS_OP_DIVIDE, by a divisor known not to be zero */
		double quotient = a.value / b.value;
		return (struct dual){ quotient,
				      (a.derivative - quotient * b.derivative) / b.value };
	}
	}
}

/* The variable of the derivative: a slot, or all slots along a direction. */
struct seed {
	size_t by;		 /* a number that is no slot: no derivative */
	const double *direction; /* of each slot; NULL: by one slot */
};

static const struct seed no_seed = { .by = SIZE_MAX };

static struct dual leaf(const struct pms_formula_step *step, const struct pms_operand *operands,
			struct seed seed)
{
	if (step->op == PMS_OP_NUMBER)
		return (struct dual){ step->number, 0 };
	return (struct dual){ operands[step->slot].value, seed.direction
								  ? seed.direction[step->slot]
							  : step->slot == seed.by ? 1.0
										  : 0.0 };
}

/* Run the program once, with one derivative. */
static enum pms_undefined run(const struct pms_formula *formula, const struct pms_operand *operands,
			      struct seed seed, struct dual *result, size_t *stop)
{
	struct dual stack[PMS_FORMULA_STACK] = { { 0, 0 } };
	size_t depth = 0;
	for (size_t i = 0; i < formula->n_steps; i++) {
		const struct pms_formula_step *step = &formula->steps[i];
		*stop = i;
		if (step->op == PMS_OP_NUMBER || step->op == PMS_OP_NAME) {
			if (step->op == PMS_OP_NAME && !operands[step->slot].defined)
				return PMS_UNDEF_NAME;
			assert(depth < PMS_FORMULA_STACK);
			stack[depth++] = leaf(step, operands, seed);
		} else if (step->op == PMS_OP_NEGATE) {
			stack[depth - 1].value = -stack[depth - 1].value;
			stack[depth - 1].derivative = -stack[depth - 1].derivative;
		} else {
			if (step->op == PMS_OP_DIVIDE && stack[depth - 1].value == 0)
				return PMS_UNDEF_DIVIDE;
			depth--;
			stack[depth - 1] = apply(step->op, stack[depth - 1], stack[depth]);
		}
		if (!isfinite(stack[depth - 1].value))
			return PMS_UNDEF_OVERFLOW;
	}
	*result = stack[0];
	return PMS_DEFINED;
}

/* Find the slot that makes a divisor zero, where a single name does; else SIZE_MAX. */
static size_t zero_name(const struct pms_formula *formula, const struct pms_operand *operands,
			size_t first, size_t end)
{
	size_t found = SIZE_MAX;
	for (size_t i = first; i < end; i++) {
		const struct pms_formula_step *step = &formula->steps[i];
		if (step->op != PMS_OP_NAME || step->slot == found)
			continue;
		if (found != SIZE_MAX || operands[step->slot].value != 0)
			return SIZE_MAX;
		found = step->slot;
	}
	return found;
}

enum pms_undefined pms_formula_eval(const struct pms_formula *formula,
				    const struct pms_operand *operands, double *value,
				    double *variance, size_t *which)
{
	struct dual result = { 0, 0 };
	size_t stop;
	enum pms_undefined why = run(formula, operands, no_seed, &result, &stop);
	if (which && why == PMS_UNDEF_NAME)
		*which = formula->steps[stop].slot;
	if (which && why == PMS_UNDEF_DIVIDE)
		*which = zero_name(formula, operands, formula->steps[stop].slot, stop);
	if (why)
		return why;
	double sum = 0;
	for (size_t slot = 0; variance && slot < formula->n_names; slot++) {
		struct dual by = { 0, 0 };
		if (operands[slot].variance == 0)
			continue;
		run(formula, operands, (struct seed){ .by = slot }, &by, &stop);
		sum += by.derivative * by.derivative * operands[slot].variance;
	}
	if (!isfinite(sum))
		return PMS_UNDEF_OVERFLOW;
	*value = result.value;
	if (variance)
		*variance = sum;
	return PMS_DEFINED;
}

enum pms_undefined pms_formula_along(const struct pms_formula *formula,
				     const struct pms_operand *operands, const double *direction,
				     double *derivative)
{
	struct dual result = { 0, 0 };
	size_t stop;
	enum pms_undefined why =
		run(formula, operands, (struct seed){ .direction = direction }, &result, &stop);
	if (!why && !isfinite(result.derivative))
		return PMS_UNDEF_OVERFLOW;
	*derivative = result.derivative;
	return why;
}
