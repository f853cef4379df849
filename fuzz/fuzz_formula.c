/* SPDX-License-Identifier: MIT */
/* Any text compiles, or gives an error with a column. A compiled formula can be evaluated, and a
 * defined value is finite. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pmuscope/formula.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Evaluate with operands of which some are unknown: a defined value must be finite. */
static void evaluate(const struct pms_formula *formula)
{
	size_t n = pms_formula_names(formula);
	struct pms_operand *operands = calloc(n + 1, sizeof(*operands));
	double value;
	double variance;
	size_t which;

	assert(operands);
	for (size_t i = 0; i < n; i++) {
		assert(pms_formula_name(formula, i));
		operands[i] = (struct pms_operand){ (double)(i % 3), 1, i % 7 != 6 };
	}
	switch (pms_formula_eval(formula, operands, &value, &variance, &which)) {
	case PMS_DEFINED:
		assert(isfinite(value));
		break;
	case PMS_UNDEF_NAME:
		assert(which < n && !operands[which].defined);
		break;
	default:
		break;
	}
	free(operands);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pms_formula *formula = NULL;
	struct pms_error err = { 0 };
	char *text = malloc(size + 1);

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	if (pms_formula_compile(text, "fuzz", &formula, &err) == 0) {
		evaluate(formula);
		pms_formula_free(formula);
	} else if (err.status == PMS_EPARSE) {
		assert(err.column >= 1 && (size_t)err.column <= strlen(text) + 1);
	}
	free(text);
	return 0;
}
