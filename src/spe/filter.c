/* SPDX-License-Identifier: MIT */
/* Recursive descent into a postfix program: or = and {|| and}; and = not {&& not};
 * not = ! not | ( or ) | column [operator value]. */
#include "spe/filter.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/status.h"
#include "spe/column.h"

enum step_op { HAS, EQUAL, UNEQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, NOT, AND, OR };

struct step {
	enum step_op op;
	const struct pms_spe_column *column; /* of HAS to GREATER_OR_EQUAL */
	uint64_t value;
};

struct pms_spe_filter {
	struct step *steps;
	size_t n_steps;
};

struct parser {
	const char *text, *at;
	enum pms_spe_encoding encoding;
	struct pms_spe_filter *filter;
	struct pms_error *err;
	unsigned nesting;
};

/* What a mask on the stack waits for while others are made: one of || and one of && at each level.
 */
enum { DEPTH = 2 * PMS_SPE_FILTER_NESTING + 3 };

/* Compile -------------------------------------------------------------------------------------- */

static int parse_or(struct parser *p);

__attribute__((format(printf, 3, 4))) static int fail_here(const struct parser *p, const char *at,
							   const char *format, ...)
{
	char text[sizeof(p->err->text)];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return pms_fail_at(p->err, PMS_EPARSE, "--filter", 0, (unsigned)(at - p->text) + 1, "%s",
			   text);
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t\r\n");
}

static size_t word_length(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

static int emit(struct parser *p, struct step step)
{
	struct pms_spe_filter *f = p->filter;
	struct step *steps = pms_array_room(f->steps, f->n_steps, sizeof(steps[0]));
	if (!steps)
		return pms_fail(p->err, PMS_ENOMEM, "out of memory");
	f->steps = steps;
	steps[f->n_steps++] = step;
	return 0;
}

static int is_word_char(char c)
{
	return c && word_length((const char[]){ c, 0 }) == 1;
}

/* 123 or 0x7b. */
static int parse_number(struct parser *p, uint64_t *value)
{
	const char *at = p->at;
	unsigned base = at[0] == '0' && (at[1] == 'x' || at[1] == 'X') ? 16 : 10;
	const char *digits = at += base == 16 ? 2 : 0;
	for (*value = 0;; at++) {
		unsigned digit = *at >= '0' && *at <= '9'   ? (unsigned)(*at - '0')
				 : *at >= 'a' && *at <= 'f' ? (unsigned)(*at - 'a' + 10)
				 : *at >= 'A' && *at <= 'F' ? (unsigned)(*at - 'A' + 10)
							    : 16;
		if (digit >= base)
			break;
		if (__builtin_mul_overflow(*value, base, value) ||
		    __builtin_add_overflow(*value, digit, value))
			return fail_here(p, p->at, "the number does not fit in 64 bits");
	}
	if (at == digits || is_word_char(*at))
		return fail_here(p, p->at, "%.*s is no number", (int)word_length(p->at) % 100,
				 p->at);
	p->at = at;
	return 0;
}

static int parse_value(struct parser *p, const struct pms_spe_column *column, uint64_t *value)
{
	skip_blanks(p);
	size_t length = word_length(p->at);
	if (!length)
		return fail_here(p, p->at, "expected a value for %s", column->name);
	const char *begin = p->at;
	if (*begin >= '0' && *begin <= '9') {
		if (column->kind == PMS_SPE_COLUMN_WORD)
			return fail_here(p, begin, "%s is a word, not a number", column->name);
		int rc = parse_number(p, value);
		if (column->mask == PMS_SPE_ADDRESS_MASK && *value >> 55 == 0x1ff)
			*value &= column->mask; /* of the kernel, written in full */
		return !rc && column->kind == PMS_SPE_COLUMN_BITS && *value > 63
			       ? fail_here(p, begin, "events have the numbers 0 to 63")
			       : rc;
	}
	char word[64];
	if (column->kind == PMS_SPE_COLUMN_NUMBER)
		return fail_here(p, p->at, "%s is a number", column->name);
	if (column->kind == PMS_SPE_COLUMN_SOURCE && !p->encoding) {
		int rc = fail_here(p, p->at, "the names of data sources depend on the core");
		pms_hint(p->err, "name it with --mcpu, or give the source's number");
		return rc;
	}
	snprintf(word, sizeof(word), "%.*s", (int)(length < 63 ? length : 63), p->at);
	if (length < sizeof(word) && pms_spe_column_word(column, p->encoding, word, value)) {
		p->at += length;
		return 0;
	}
	int rc = fail_here(p, p->at, "%s is none of the values of %s", word, column->name);
	pms_spe_column_hint(column, p->encoding, word, p->err);
	return rc;
}

/* Returns the operator at p->at, which is passed; HAS where there is none. */
static enum step_op parse_operator(struct parser *p)
{
	static const struct {
		const char *text;
		enum step_op op;
	} operators[] = { { "==", EQUAL },	   { "!=", UNEQUAL },
			  { "<=", LESS_OR_EQUAL }, { ">=", GREATER_OR_EQUAL },
			  { "<", LESS },	   { ">", GREATER } };
	skip_blanks(p);
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		size_t length = strlen(operators[i].text);
		if (!strncmp(p->at, operators[i].text, length)) {
			p->at += length;
			return operators[i].op;
		}
	}
	return HAS;
}

static int parse_comparison(struct parser *p)
{
	const char *name = p->at;
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789");
	const struct pms_spe_column *column = pms_spe_column_find(name, length);
	struct step step = { .column = column };
	if (!column) {
		char word[64];
		snprintf(word, sizeof(word), "%.*s", (int)(length < 63 ? length : 63), name);
		int rc = length ? fail_here(p, name, "there is no column %s", word)
				: fail_here(p, name,
					    *name ? "expected a column, '!' or '('"
						  : "ends where a column should follow");
		pms_spe_column_hint(NULL, p->encoding, word, p->err);
		return rc;
	}
	p->at += length;
	const char *operator= p->at;
	step.op = parse_operator(p);
	if (step.op == HAS && *p->at == '=')
		return fail_here(p, p->at, "equal is ==");
	if (step.op > UNEQUAL && column->kind != PMS_SPE_COLUMN_NUMBER &&
	    column->kind != PMS_SPE_COLUMN_SOURCE)
		return fail_here(p, operator, "of %s there is only == and !=", column->name);
	int rc = step.op == HAS ? 0 : parse_value(p, column, &step.value);
	return rc ? rc : emit(p, step);
}

static int parse_parentheses(struct parser *p)
{
	const char *open = p->at++;
	int rc = parse_or(p);
	if (rc)
		return rc;
	if (*p->at == ')') {
		p->at++;
		return 0;
	}
	return *p->at ? fail_here(p, p->at, "expected && or || or ')'")
		      : fail_here(p, open, "this '(' is not closed");
}

static int parse_not(struct parser *p)
{
	int rc;
	skip_blanks(p);
	if (p->nesting == PMS_SPE_FILTER_NESTING)
		return fail_here(p, p->at, "nested too deeply");
	p->nesting++;
	if (*p->at == '!') {
		p->at++;
		rc = parse_not(p);
		rc = rc ? rc : emit(p, (struct step){ .op = NOT });
	} else {
		rc = *p->at == '(' ? parse_parentheses(p) : parse_comparison(p);
	}
	p->nesting--;
	skip_blanks(p);
	return rc;
}

static int parse_and(struct parser *p)
{
	int rc = parse_not(p);
	while (!rc && !strncmp(p->at, "&&", 2)) {
		p->at += 2;
		rc = parse_not(p);
		rc = rc ? rc : emit(p, (struct step){ .op = AND });
	}
	return rc;
}

static int parse_or(struct parser *p)
{
	int rc = parse_and(p);
	while (!rc && !strncmp(p->at, "||", 2)) {
		p->at += 2;
		rc = parse_and(p);
		rc = rc ? rc : emit(p, (struct step){ .op = OR });
	}
	return rc;
}

int pms_spe_filter_compile(const char *text, enum pms_spe_encoding encoding,
			   struct pms_spe_filter **out, struct pms_error *err)
{
	struct pms_error unread = { 0 };
	struct pms_spe_filter *filter = calloc(1, sizeof(*filter));
	*out = NULL;
	if (!filter)
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	struct parser p = { .text = text,
			    .at = text,
			    .encoding = encoding,
			    .filter = filter,
			    .err = err ? err : &unread };
	int rc = strlen(text) > PMS_SPE_FILTER_LONGEST
			 ? fail_here(&p, text + PMS_SPE_FILTER_LONGEST, "it is too long")
			 : parse_or(&p);
	if (!rc && *p.at)
		rc = fail_here(&p, p.at,
			       *p.at == ')' ? "this ')' closes nothing" : "expected && or ||");
	if (rc) {
		pms_spe_filter_free(filter);
		return rc;
	}
	*out = filter;
	return 0;
}

void pms_spe_filter_free(struct pms_spe_filter *filter)
{
	if (filter)
		free(filter->steps);
	free(filter);
}

/* Evaluate ------------------------------------------------------------------------------------- */

/* A column that a record lacks compares as false, whatever with. */
static void compare(const struct step *step, const struct pms_spe_samples_batch *rows,
		    uint8_t *keep)
{
	uint64_t values[PMS_SPE_BATCH];
	size_t n = rows->records->count;
	const uint64_t want = step->value;
	step->column->get(step->column, rows, values, keep);
	if (step->column->kind == PMS_SPE_COLUMN_BITS && step->op != HAS)
		for (size_t i = 0; i < n; i++)
			values[i] = (values[i] >> (want & 63) & 1) ? want : ~want;
#define COMPARE(operator)                                                                          \
	for (size_t i = 0; i < n; i++)                                                             \
	keep[i] &= (uint8_t)(values[i] operator want)
	switch (step->op) {
	case EQUAL:
		COMPARE(==);
		break;
	case UNEQUAL:
		COMPARE(!=);
		break;
	case LESS:
		COMPARE(<);
		break;
	case LESS_OR_EQUAL:
		COMPARE(<=);
		break;
	case GREATER:
		COMPARE(>);
		break;
	case GREATER_OR_EQUAL:
		COMPARE(>=);
		break;
	default:
		break;
	}
#undef COMPARE
}

void pms_spe_filter_apply(const struct pms_spe_filter *filter,
			  const struct pms_spe_samples_batch *rows, uint8_t keep[PMS_SPE_BATCH])
{
	uint8_t stack[DEPTH][PMS_SPE_BATCH];
	size_t top = 0, n = rows->records->count;
	for (size_t s = 0; s < filter->n_steps; s++) {
		const struct step *step = &filter->steps[s];
		if (step->op < NOT) {
			compare(step, rows, stack[top++]);
			continue;
		}
		assert(top > 0);
		uint8_t *last = stack[top - 1];
		if (step->op == NOT) {
			for (size_t i = 0; i < n; i++)
				last[i] ^= 1;
			continue;
		}
		assert(top > 1);
		uint8_t *left = stack[--top - 1];
		for (size_t i = 0; i < n; i++)
			left[i] = step->op == AND ? left[i] & last[i] : left[i] | last[i];
	}
	memcpy(keep, stack[0], n);
}
