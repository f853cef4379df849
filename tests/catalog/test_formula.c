/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "catalog/formula.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Every formula below is over these, in the order of first appearance in "x + y + z". */
static const double x = 30, y = 70, z = 0;

static struct pms_formula *compile(const char *text)
{
	struct pms_formula *formula = NULL;
	struct pms_error err = { 0 };
	if (pms_formula_compile(text, "formula", &formula, &err))
		fail_msg("\"%s\": column %u: %s", text, err.column, err.text);
	return formula;
}

static double value_of(const char *name)
{
	return *name == 'x' ? x : *name == 'y' ? y : z;
}

static enum pms_undefined eval(const char *text, double *value, size_t *which)
{
	struct pms_formula *formula = compile(text);
	struct pms_operand operands[8] = { 0 };
	for (size_t i = 0; i < pms_formula_names(formula); i++)
		operands[i] = (struct pms_operand){ value_of(pms_formula_name(formula, i)), 0, 1 };
	enum pms_undefined why = pms_formula_eval(formula, operands, value, NULL, which);
	pms_formula_free(formula);
	return why;
}

static void formulas_have_their_values(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{ "1000", 1000 },
		{ "0.5", 0.5 },
		{ "1e3", 1000 },
		{ "2.5E-1", 0.25 },
		{ "x", 30 },
		{ "1 + 2 * 3", 7 },
		{ "(1 + 2) * 3", 9 },
		{ "10 - 4 - 3", 3 },
		{ "100 / 5 / 2", 10 },
		{ "2 * 6 / 4", 3 },
		{ "-x + y", 40 },
		{ "-(x + y)", -100 },
		{ "--x", 30 },
		{ "2 * -3", -6 },
		{ "\t x\n/ y * 7", 3 },
		{ "z / x", 0 },
		{ "100 * ((1 - x / y) * (1 - x / (y * 8)) + (x * 4) / y)", 0 }, /* below */
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		double value = NAN, want = cases[i].value;
		if (i == COUNT(cases) - 1) /* 4/7 x 53/56 + 12/7, in percent */
			want = 100.0 * (4 * 53 + 12 * 56) / (7 * 56);
		assert_int_equal(eval(cases[i].text, &value, NULL), PMS_DEFINED);
		if (fabs(value - want) > 1e-12 * (1 + fabs(want)))
			fail_msg("\"%s\" is %.17g, want %.17g", cases[i].text, value, want);
	}
}

static void names_are_slots_in_order(void **state)
{
	(void)state;
	struct pms_formula *formula = compile("b_1.c / (A + b_1.c) - _x * A");
	assert_int_equal(pms_formula_names(formula), 3);
	assert_string_equal(pms_formula_name(formula, 0), "b_1.c");
	assert_string_equal(pms_formula_name(formula, 1), "A");
	assert_string_equal(pms_formula_name(formula, 2), "_x");
	assert_null(pms_formula_name(formula, 3));
	pms_formula_free(formula);
	pms_formula_free(NULL);
}

static void errors_name_the_column(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned column;
		const char *says;
	} cases[] = {
		{ "", 1, "ends where" },
		{ "  ", 3, "ends where" },
		{ "x +", 4, "ends where" },
		{ "x + * y", 5, "expected a number" },
		{ "x y", 3, "expected an operator" },
		{ "x 2", 3, "expected an operator" },
		{ "2x", 2, "expected an operator" },
		{ "1e", 2, "expected an operator" },
		{ "1.", 2, "expected an operator" },
		{ ".5", 1, "expected a number" },
		{ "0x10", 2, "expected an operator" },
		{ "(x + y", 1, "not closed" },
		{ "x * (y - 1", 5, "not closed" },
		{ "x + y)", 6, "closes nothing" },
		{ "(x y)", 4, "operator or ')'" },
		{ "()", 2, "expected a number" },
		{ "x % y", 3, "expected an operator" },
		{ "+x", 1, "expected a number" },
		{ "x, y", 2, "expected an operator" },
		{ "1e999", 1, "too large" },
		{ "x \xc3\x97 y", 3, "expected an operator" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pms_formula *formula = NULL;
		struct pms_error err = { 0 };
		assert_int_equal(pms_formula_compile(cases[i].text, "here", &formula, &err),
				 -PMS_EPARSE);
		assert_null(formula);
		assert_string_equal(err.source, "here");
		if (err.column != cases[i].column || !strstr(err.text, cases[i].says))
			fail_msg("\"%s\": column %u: %s", cases[i].text, err.column, err.text);
	}
}

static char *repeat(const char *before, size_t times, const char *middle, const char *after)
{
	char *text = calloc(times * (strlen(before) + strlen(after)) + strlen(middle) + 1, 1);
	assert_non_null(text);
	for (size_t i = 0; i < times; i++)
		strcat(text, before);
	strcat(text, middle);
	for (size_t i = 0; i < times; i++)
		strcat(text, after);
	return text;
}

/* The deepest that is allowed needs the most of the evaluation stack: "1+1*(" at every level. */
static void nesting_is_bounded(void **state)
{
	(void)state;
	struct pms_formula *formula;
	struct pms_error err = { 0 };
	double value;
	char *deep = repeat("1+1*(", PMS_FORMULA_NESTING - 1, "1", ")");
	assert_int_equal(pms_formula_compile(deep, NULL, &formula, &err), 0);
	assert_int_equal(pms_formula_eval(formula, NULL, &value, NULL, NULL), PMS_DEFINED);
	assert_true(value == PMS_FORMULA_NESTING);
	pms_formula_free(formula);
	free(deep);
	static const char *const before[] = { "1+1*(", "-" };
	static const char *const after[] = { ")", "" };
	for (size_t i = 0; i < 2; i++) {
		struct pms_error why = { 0 };
		char *deeper = repeat(before[i], PMS_FORMULA_NESTING, "1", after[i]);
		assert_int_equal(pms_formula_compile(deeper, NULL, &formula, &why), -PMS_EPARSE);
		assert_string_equal(why.text, "nested too deeply");
		free(deeper);
	}
}

static void length_is_bounded(void **state)
{
	(void)state;
	struct pms_formula *formula;
	struct pms_error err = { 0 };
	char *text = repeat("1+", 40000, "1", "");
	assert_int_equal(pms_formula_compile(text, NULL, &formula, &err), -PMS_EPARSE);
	assert_string_equal(err.text, "the formula is too long");
	free(text);
	text = repeat("1+", 30000, "1", "");
	double value;
	assert_int_equal(pms_formula_compile(text, NULL, &formula, NULL), 0);
	assert_int_equal(pms_formula_eval(formula, NULL, &value, NULL, NULL), PMS_DEFINED);
	assert_true(value == 30001);
	pms_formula_free(formula);
	free(text);
}

/* "a0 + a1 + … + 0" with as many names as are allowed, and with one more. */
static void names_are_bounded(void **state)
{
	(void)state;
	for (int n = 256; n <= 257; n++) {
		char text[4096] = "";
		struct pms_formula *formula = NULL;
		struct pms_error err = { 0 };
		for (int i = 0; i < n; i++)
			sprintf(text + strlen(text), "a%d + ", i);
		strcat(text, "a0");
		assert_int_equal(pms_formula_compile(text, NULL, &formula, &err),
				 n == 256 ? 0 : -PMS_EPARSE);
		if (n > 256)
			assert_string_equal(err.text, "more than 256 different names");
		pms_formula_free(formula);
	}
}

static void undefined_says_why(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum pms_undefined why;
		size_t which; /* SIZE_MAX: no single name */
	} cases[] = {
		{ "x / z", PMS_UNDEF_DIVIDE, 1 },
		{ "x / (z * 8)", PMS_UNDEF_DIVIDE, 1 },
		{ "x / (z + z)", PMS_UNDEF_DIVIDE, 1 },
		{ "z / z", PMS_UNDEF_DIVIDE, 0 },
		{ "x / (z - z * y)", PMS_UNDEF_DIVIDE, SIZE_MAX }, /* y is not what is 0 */
		{ "x / (x - 30)", PMS_UNDEF_DIVIDE, SIZE_MAX },
		{ "1 / 0", PMS_UNDEF_DIVIDE, SIZE_MAX },
		{ "0 / 0", PMS_UNDEF_DIVIDE, SIZE_MAX },
		{ "1e308 * x", PMS_UNDEF_OVERFLOW, SIZE_MAX },
		{ "1 / (1e308 * x)", PMS_UNDEF_OVERFLOW, SIZE_MAX }, /* not 0 by way of infinity */
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		double value = 12345;
		size_t which = SIZE_MAX;
		assert_int_equal(eval(cases[i].text, &value, &which), cases[i].why);
		assert_int_equal(which, cases[i].which);
		assert_true(value == 12345); /* nothing is written */
	}
}

static void undefined_name_is_told(void **state)
{
	(void)state;
	struct pms_formula *formula = compile("x / (y + z)");
	struct pms_operand operands[3] = { { 1, 0, 1 }, { 2, 0, 1 }, { 0, 0, 0 } };
	double value, variance;
	size_t which = 99;
	assert_int_equal(pms_formula_eval(formula, operands, &value, &variance, &which),
			 PMS_UNDEF_NAME);
	assert_int_equal(which, 2);
	operands[1].defined = 0;
	assert_int_equal(pms_formula_eval(formula, operands, &value, &variance, &which),
			 PMS_UNDEF_NAME);
	assert_int_equal(which, 1);
	pms_formula_free(formula);
}

static void variance_is_propagated(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double want; /* from the partial derivatives, with var x = 9, var y = 49 */
	} cases[] = {
		{ "x + y", 9 + 49 },
		{ "x - y", 9 + 49 },
		{ "-x", 9 },
		{ "3 * x", 81 },
		{ "x + x", 36 }, /* not 18: the same error twice */
		{ "x - x", 0 },
		{ "x * y", 70.0 * 70 * 9 + 30.0 * 30 * 49 },
		{ "x / y", 9 / 4900.0 + 900 * 49 / (4900.0 * 4900) },
		{ "x / (x + y)", 0.007 * 0.007 * 9 + 0.003 * 0.003 * 49 },
		{ "7", 0 },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pms_formula *formula = compile(cases[i].text);
		struct pms_operand operands[2];
		for (size_t j = 0; j < pms_formula_names(formula); j++) {
			int is_x = *pms_formula_name(formula, j) == 'x';
			operands[j] = (struct pms_operand){ is_x ? x : y, is_x ? 9 : 49, 1 };
		}
		double value, variance = -1;
		assert_int_equal(pms_formula_eval(formula, operands, &value, &variance, NULL),
				 PMS_DEFINED);
		if (fabs(variance - cases[i].want) > 1e-12 * (1 + cases[i].want))
			fail_msg("\"%s\": variance %.17g, want %.17g", cases[i].text, variance,
				 cases[i].want);
		pms_formula_free(formula);
	}
}

/* x / (x + y) at (3, 1) changes by 1/16 a step of x and by -3/16 one of y. */
static void operands_change_together(void **state)
{
	(void)state;
	static const struct {
		double x, y, want;
	} cases[] = { { 1, 0, 1.0 / 16 }, { 0, 1, -3.0 / 16 }, { 3, 1, 0 }, { 2, -2, 0.5 } };
	const struct pms_operand operands[] = { { 3, 0, 1 }, { 1, 0, 1 } };
	struct pms_formula *formula = NULL;
	assert_int_equal(pms_formula_compile("x / (x + y)", NULL, &formula, NULL), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const double direction[] = { cases[i].x, cases[i].y };
		double change = 7;
		assert_int_equal(pms_formula_along(formula, operands, direction, &change),
				 PMS_DEFINED);
		assert_true(fabs(change - cases[i].want) < 1e-15);
	}
	const struct pms_operand none[] = { { 0, 0, 1 }, { 0, 0, 1 } };
	const double direction[] = { 1, 1 };
	double change;
	assert_int_equal(pms_formula_along(formula, none, direction, &change), PMS_UNDEF_DIVIDE);
	pms_formula_free(formula);
}

/* Two formulas, and whether they are shares of the same whole. */
static void shares_of_one_whole_are_told_by_their_divisors(void **state)
{
	(void)state;
	static const struct {
		const char *one, *other;
		int same;
	} cases[] = {
		{ "100 * A / S", "100 * (B - C) / S", 1 },
		{ "A / S * 100", "100 * B / S", 1 },
		{ "A / (10 * S) * 100", "(B / (S * 10)) * 100", 1 },
		{ "A / S / 2", "B / S", 1 },
		{ "A / (B + C) * 100", "C / (C + B) * 100", 1 },
		{ "A / S", "B / A", 0 },
		{ "A / (10 * S)", "B / (5 * S)", 0 },
		{ "A / (B + C)", "A / (B - C)", 0 },
		{ "(A / S - B / S) * 100", "A / S", 0 }, /* not a ratio as a whole */
		{ "A * B", "A / B", 0 },
		{ "A", "A", 0 },
		{ "-A", "-A", 0 },
		{ "A / 2", "A / 2", 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_formula *one, *other;
		assert_int_equal(pms_formula_compile(cases[i].one, NULL, &one, NULL), 0);
		assert_int_equal(pms_formula_compile(cases[i].other, NULL, &other, NULL), 0);
		if (pms_formula_same_divisor(one, other) != cases[i].same ||
		    pms_formula_same_divisor(other, one) != cases[i].same)
			fail_msg("%s, %s", cases[i].one, cases[i].other);
		pms_formula_free(one);
		pms_formula_free(other);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_of_one_whole_are_told_by_their_divisors),
		cmocka_unit_test(formulas_have_their_values),
		cmocka_unit_test(names_are_slots_in_order),
		cmocka_unit_test(errors_name_the_column),
		cmocka_unit_test(nesting_is_bounded),
		cmocka_unit_test(length_is_bounded),
		cmocka_unit_test(names_are_bounded),
		cmocka_unit_test(undefined_says_why),
		cmocka_unit_test(undefined_name_is_told),
		cmocka_unit_test(variance_is_propagated),
		cmocka_unit_test(operands_change_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
