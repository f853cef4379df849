/* SPDX-License-Identifier: MIT */
/* Recursive descent: sum = product {(+|-) product}; product = factor {(*|/) factor};
 * factor = number | name | ( sum ) | - factor. */
#include "catalog/formula.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/status.h"

enum { LONGEST = 65536 }; /* characters: a hundred times the longest published formula */

struct parser {
	const char *text, *at;
	const char *source;
	struct pms_formula *formula;
	struct pms_error *err;
	unsigned nesting;
};

static int parse_sum(struct parser *p);

static int fail_here(const struct parser *p, const char *at, const char *what)
{
	return pms_fail_at(p->err, PMS_EPARSE, p->source, 0, (unsigned)(at - p->text) + 1, "%s",
			   what);
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t\r\n");
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int starts_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int emit(struct parser *p, enum pms_formula_op op, double number, size_t slot)
{
	struct pms_formula *f = p->formula;
	struct pms_formula_step *steps = pms_array_room(f->steps, f->n_steps, sizeof(steps[0]));
	if (!steps)
		return pms_no_memory(p->err);
	f->steps = steps;
	steps[f->n_steps++] = (struct pms_formula_step){ op, number, slot };
	return 0;
}

/* Measure the number that starts at text: digits [. digits] [e [+-] digits]. */
static size_t number_length(const char *text)
{
	const char *at = text;
	while (is_digit(*at))
		at++;
	if (at[0] == '.' && is_digit(at[1]))
		for (at++; is_digit(*at); at++)
			;
	if (*at == 'e' || *at == 'E') {
		const char *exponent = at + 1 + (at[1] == '+' || at[1] == '-');
		if (is_digit(*exponent))
			for (at = exponent; is_digit(*at); at++)
				;
	}
	return (size_t)(at - text);
}

static int parse_number(struct parser *p)
{
	char digits[64];
	size_t length = number_length(p->at);
	if (length >= sizeof(digits))
		return fail_here(p, p->at, "the number has too many digits");
	memcpy(digits, p->at, length);
	digits[length] = '\0';
	/* strtod would follow the user's locale, where the point may be a comma. */
	locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	if (!c)
		return pms_no_memory(p->err);
	double number = strtod_l(digits, NULL, c);
	freelocale(c);
	if (!isfinite(number))
		return fail_here(p, p->at, "the number is too large");
	p->at += length;
	return emit(p, PMS_OP_NUMBER, number, 0);
}

/* Find the slot of a name, or make one at its first appearance. */
static int name_slot(struct parser *p, const char *name, size_t length, size_t *slot)
{
	struct pms_formula *f = p->formula;
	for (*slot = 0; *slot < f->n_names; ++*slot)
		if (!strncmp(f->names[*slot], name, length) && !f->names[*slot][length])
			return 0;
	if (f->n_names == PMS_MOST_FORMULA_NAMES)
		return fail_here(p, name, "more than 256 different names");
	char **names = pms_array_room(f->names, f->n_names, sizeof(names[0]));
	if (!names)
		return pms_no_memory(p->err);
	f->names = names;
	names[f->n_names] = strndup(name, length);
	if (!names[f->n_names])
		return pms_no_memory(p->err);
	f->n_names++;
	return 0;
}

static int parse_name(struct parser *p)
{
	const char *name = p->at;
	while (starts_name(*p->at) || is_digit(*p->at) || *p->at == '.')
		p->at++;
	size_t slot;
	int rc = name_slot(p, name, (size_t)(p->at - name), &slot);
	return rc ? rc : emit(p, PMS_OP_NAME, 0, slot);
}

static int parse_factor(struct parser *p);

static int parse_parentheses(struct parser *p)
{
	const char *open = p->at++;
	int rc = parse_sum(p);
	if (rc)
		return rc;
	if (*p->at == ')') {
		p->at++;
		return 0;
	}
	if (!*p->at)
		return fail_here(p, open, "this '(' is not closed");
	return fail_here(p, p->at, "expected an operator or ')'");
}

static int parse_negation(struct parser *p)
{
	p->at++;
	int rc = parse_factor(p);
	return rc ? rc : emit(p, PMS_OP_NEGATE, 0, 0);
}

static int parse_primary(struct parser *p)
{
	if (is_digit(*p->at))
		return parse_number(p);
	if (starts_name(*p->at))
		return parse_name(p);
	if (*p->at == '(')
		return parse_parentheses(p);
	if (*p->at == '-')
		return parse_negation(p);
	return fail_here(p, p->at,
			 *p->at ? "expected a number, a name or '('"
				: "ends where a number, a name or '(' should follow");
}

static int parse_factor(struct parser *p)
{
	skip_blanks(p);
	if (p->nesting == PMS_FORMULA_NESTING)
		return fail_here(p, p->at, "nested too deeply");
	p->nesting++;
	int rc = parse_primary(p);
	p->nesting--;
	skip_blanks(p);
	return rc;
}

static int parse_product(struct parser *p)
{
	int rc = parse_factor(p);
	while (!rc && (*p->at == '*' || *p->at == '/')) {
		enum pms_formula_op op = *p->at++ == '*' ? PMS_OP_MULTIPLY : PMS_OP_DIVIDE;
		size_t first = p->formula->n_steps;
		rc = parse_factor(p);
		if (!rc)
			rc = emit(p, op, 0, first);
	}
	return rc;
}

static int parse_sum(struct parser *p)
{
	int rc = parse_product(p);
	while (!rc && (*p->at == '+' || *p->at == '-')) {
		enum pms_formula_op op = *p->at++ == '+' ? PMS_OP_ADD : PMS_OP_SUBTRACT;
		rc = parse_product(p);
		if (!rc)
			rc = emit(p, op, 0, 0);
	}
	return rc;
}

int pms_formula_compile(const char *text, const char *source, struct pms_formula **out,
			struct pms_error *err)
{
	struct pms_formula *formula = calloc(1, sizeof(*formula));
	if (!formula)
		return pms_no_memory(err);
	struct parser p = {
		.text = text, .at = text, .source = source, .formula = formula, .err = err
	};
	int rc = strlen(text) > LONGEST ? fail_here(&p, text + LONGEST, "the formula is too long")
					: parse_sum(&p);
	if (!rc && *p.at)
		rc = fail_here(&p, p.at,
			       *p.at == ')' ? "this ')' closes nothing" : "expected an operator");
	if (rc) {
		pms_formula_free(formula);
		return rc;
	}
	*out = formula;
	return 0;
}

void pms_formula_free(struct pms_formula *formula)
{
	if (!formula)
		return;
	for (size_t i = 0; i < formula->n_names; i++)
		free(formula->names[i]);
	free(formula->names);
	free(formula->steps);
	free(formula);
}

size_t pms_formula_names(const struct pms_formula *formula)
{
	return formula->n_names;
}

const char *pms_formula_name(const struct pms_formula *formula, size_t i)
{
	return i < formula->n_names ? formula->names[i] : NULL;
}
