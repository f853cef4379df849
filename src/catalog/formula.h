/* SPDX-License-Identifier: MIT */
/* catalog/formula.h - the postfix program of a formula, shared by the compiler and the evaluator.
 */
#ifndef PMS_CATALOG_FORMULA_H
#define PMS_CATALOG_FORMULA_H

#include "pmuscope/formula.h"

/* Nesting of parentheses and signs, which bounds the parser's recursion. */
#define PMS_FORMULA_NESTING 64
/* Values that wait on the evaluation stack: a sum and a product can each wait at every level of
 * nesting, and one more value is being worked on. */
#define PMS_FORMULA_STACK (2 * (PMS_FORMULA_NESTING + 1) + 1)

enum pms_formula_op {
	PMS_OP_NUMBER,
	PMS_OP_NAME,
	PMS_OP_NEGATE,
	PMS_OP_ADD,
	PMS_OP_SUBTRACT,
	PMS_OP_MULTIPLY,
	PMS_OP_DIVIDE
};

struct pms_formula_step {
	enum pms_formula_op op;
	double number; /* NUMBER: the value */
	size_t slot;   /* NAME: which; DIVIDE: index of the divisor's first step */
};

struct pms_formula {
	struct pms_formula_step *steps;
	size_t n_steps;
	char **names; /* by slot */
	size_t n_names;
};

/**
 * The steps of what a formula divides by, where it is a ratio as a whole, numbers as factors apart:
 * of 100 * (A - B) / C it is C. Returns how many there are, 0 where it is no ratio.
 */
size_t pms_formula_divisor(const struct pms_formula *formula,
			   const struct pms_formula_step **steps);

/** 1 when both are ratios by the same: their values can be compared. */
int pms_formula_same_divisor(const struct pms_formula *a, const struct pms_formula *b);

#endif
