/* SPDX-License-Identifier: MIT */
/* Find the divisor of a ratio: ratios with the same divisor can be compared. */
#include "catalog/formula.h"

#include <string.h>

static int is_binary(enum pms_formula_op op)
{
	return op != PMS_OP_NUMBER && op != PMS_OP_NAME && op != PMS_OP_NEGATE;
}

/* Find the first step of the operand whose last step is @last. */
static size_t operand_start(const struct pms_formula *formula, size_t last)
{
	size_t wanted = 1, at = last + 1;
	while (wanted) {
		enum pms_formula_op op = formula->steps[--at].op;
		if (is_binary(op))
			wanted++;
		else if (op != PMS_OP_NEGATE)
			wanted--;
	}
	return at;
}

static int has_name(const struct pms_formula *formula, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		if (formula->steps[i].op == PMS_OP_NAME)
			return 1;
	return 0;
}

size_t pms_formula_divisor(const struct pms_formula *formula, const struct pms_formula_step **steps)
{
	/* Step inside numeric factors and divisors. */
	for (size_t last = formula->n_steps - 1;;) {
		const struct pms_formula_step *step = &formula->steps[last];
		if (step->op != PMS_OP_MULTIPLY && step->op != PMS_OP_DIVIDE)
			return 0;
		size_t right = operand_start(formula, last - 1);
		int is_scaled = !has_name(formula, right, last);
		if (step->op == PMS_OP_DIVIDE && !is_scaled) {
			*steps = &formula->steps[right];
			return last - right;
		}
		if (!is_scaled && has_name(formula, operand_start(formula, right - 1), right))
			return 0;
		last = is_scaled ? right - 1 : last - 1;
	}
}

static int is_same(const struct pms_formula *a, const struct pms_formula_step *one,
		   const struct pms_formula *b, const struct pms_formula_step *other)
{
	if (one->op != other->op)
		return 0;
	if (one->op == PMS_OP_NAME)
		return !strcmp(a->names[one->slot], b->names[other->slot]);
	return one->op != PMS_OP_NUMBER || one->number == other->number;
}

static size_t count_same(const struct pms_formula *a, const struct pms_formula_step *step,
			 const struct pms_formula *b, const struct pms_formula_step *steps,
			 size_t n)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += (size_t)is_same(a, step, b, &steps[i]);
	return count;
}

int pms_formula_same_divisor(const struct pms_formula *a, const struct pms_formula *b)
{
	const struct pms_formula_step *of_a, *of_b;
	size_t n = pms_formula_divisor(a, &of_a);
	if (!n || pms_formula_divisor(b, &of_b) != n)
		return 0;
	/* Compare in any order: 5 * CPU_CYCLES is CPU_CYCLES * 5. */
	for (size_t i = 0; i < n; i++)
		if (count_same(a, &of_a[i], a, of_a, n) != count_same(a, &of_a[i], b, of_b, n))
			return 0;
	return 1;
}
