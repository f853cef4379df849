/* SPDX-License-Identifier: MIT */
/* catalog/formula.h - the postfix program of a formula, shared by the compiler and the evaluator.
 */
#ifndef PMS_CATALOG_FORMULA_H
#define PMS_CATALOG_FORMULA_H

#include "pmuscope/formula.h"

/* Most nesting of parentheses and signs: bounds the parser's recursion. */
#define PMS_FORMULA_NESTING 64
/* Most values on the evaluation stack: at every level of nesting a sum and a product can wait, and
 * one more value is being computed. */
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
 * Find the steps of the divisor of a formula that is a ratio, up to numeric factors: in 100 * (A -
 * B) / C it is C. Returns how many steps there are; 0: no ratio.
 */
size_t pms_formula_divisor(const struct pms_formula *formula,
			   const struct pms_formula_step **steps);

/** Returns 1 when both are ratios with the same divisor: their values can be compared. */
int pms_formula_same_divisor(const struct pms_formula *a, const struct pms_formula *b);

#endif
