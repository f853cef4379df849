/* SPDX-License-Identifier: MIT */
/* pmuscope/formula.h - metric formulas, compiled once to a postfix program over event slots.
 * Grammar: numbers, names, + - * /, parentheses, unary minus; the usual precedence, left to right.
 * Names are [A-Za-z_][A-Za-z0-9_.]*, a dot so that RISC-V event names fit. */
#ifndef PMUSCOPE_FORMULA_H
#define PMUSCOPE_FORMULA_H

#include <stddef.h>

#include "pmuscope/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pms_formula; /* opaque; owned by the caller of pms_formula_compile */

/**
 * Compile a formula.
 * @text:   NUL-terminated, borrowed for the call
 * @source: the name that errors give (a file, "formula"); may be NULL
 * @out:    written only on success; free with pms_formula_free
 * Returns 0. Errors: -PMS_EPARSE (column set: where the text stops making sense; also for nesting
 *         deeper than 64, more than 65536 characters or more than 256 different names),
 *         -PMS_ENOMEM.
 */
int pms_formula_compile(const char *text, const char *source, struct pms_formula **out,
			struct pms_error *err);
void pms_formula_free(struct pms_formula *formula);

/** Returns the number of distinct names, in order of first appearance: the slots of the values. */
size_t pms_formula_names(const struct pms_formula *formula);
/** Returns the name of slot @i, borrowed until the formula is freed; NULL when @i is out of range.
 */
const char *pms_formula_name(const struct pms_formula *formula, size_t i);

/** Why an evaluation has no value. */
enum pms_undefined {
	PMS_DEFINED = 0,
	PMS_UNDEF_NAME,	   /* a name's value is itself undefined: *which is its slot */
	PMS_UNDEF_DIVIDE,  /* a division by zero */
	PMS_UNDEF_OVERFLOW /* the result is not a finite number */
};

/** One slot's value going into an evaluation. */
struct pms_operand {
	double value;
	double variance; /* of value, in its unit squared; 0 for an exact count */
	int defined;	 /* 0: not known; the formula is then undefined if it uses this name */
};

/**
 * Evaluate a formula. The operands' errors are taken as independent and propagate to first order.
 * @operands: pms_formula_names() of them, in slot order, borrowed
 * @value, @variance: written only when PMS_DEFINED is returned; @variance may be NULL
 * @which:    slot of the undefined name for PMS_UNDEF_NAME; for PMS_UNDEF_DIVIDE the slot of the
 *            name that makes the divisor 0, where it is one alone, else SIZE_MAX; may be NULL
 */
enum pms_undefined pms_formula_eval(const struct pms_formula *formula,
				    const struct pms_operand *operands, double *value,
				    double *variance, size_t *which);

/**
 * Compute how the value changes, to first order, when all operands change together.
 * @operands:  as for pms_formula_eval; variances are ignored
 * @direction: the change of each, in slot order
 * @derivative: written only when PMS_DEFINED is returned
 */
enum pms_undefined pms_formula_along(const struct pms_formula *formula,
				     const struct pms_operand *operands, const double *direction,
				     double *derivative);

#ifdef __cplusplus
}
#endif
#endif
