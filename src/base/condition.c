/* SPDX-License-Identifier: MIT */
/* Parse by recursive descent: or = and {|| and}; and = not {&& not}; not = ! not | ( or ) |
 * comparison. */
#include "base/condition.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static int parse_or(struct pms_condition_parser *c);

int pms_condition_fail(const struct pms_condition_parser *c, const char *at, const char *format,
		       ...)
{
	char text[sizeof(c->err->text)];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return pms_fail_at(c->err, PMS_EPARSE, "--filter", 0, (unsigned)(at - c->text) + 1, "%s",
			   text);
}

static void skip_blanks(struct pms_condition_parser *c)
{
	c->at += strspn(c->at, " \t\r\n");
}

size_t pms_condition_word(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

enum pms_condition_op pms_condition_operator(struct pms_condition_parser *c)
{
	static const struct {
		const char *text;
		enum pms_condition_op op;
	} operators[] = { { "==", PMS_CONDITION_EQUAL },
			  { "!=", PMS_CONDITION_UNEQUAL },
			  { "=~", PMS_CONDITION_LIKE },
			  { "<=", PMS_CONDITION_LESS_OR_EQUAL },
			  { ">=", PMS_CONDITION_GREATER_OR_EQUAL },
			  { "<", PMS_CONDITION_LESS },
			  { ">", PMS_CONDITION_GREATER } };
	skip_blanks(c);
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		size_t length = strlen(operators[i].text);
		if (!strncmp(c->at, operators[i].text, length)) {
			c->at += length;
			skip_blanks(c);
			return operators[i].op;
		}
	}
	return PMS_CONDITION_HAS;
}

int pms_condition_number(struct pms_condition_parser *c, uint64_t *value)
{
	const char *at = c->at;
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
			return pms_condition_fail(c, c->at, "the number does not fit in 64 bits");
	}
	if (at == digits || pms_condition_word(at))
		return pms_condition_fail(c, c->at, "%.*s is no number",
					  (int)pms_condition_word(c->at) % 100, c->at);
	c->at = at;
	return 0;
}

int pms_condition_text(struct pms_condition_parser *c, const char *of, char **text)
{
	const char *begin = c->at, quote = *begin == '"' || *begin == '\'' ? *begin : 0;
	size_t length = quote ? 0 : strcspn(begin, " \t\r\n()&|!=<>\"'"), n = 0;
	if (!quote && !length)
		return pms_condition_fail(c, begin, "expected a text for %s", of);
	*text = malloc(strlen(begin) + 1);
	if (!*text)
		return pms_no_memory(c->err);
	if (!quote) {
		memcpy(*text, begin, length);
		(*text)[length] = 0;
		c->at += length;
		return 0;
	}
	for (c->at++; *c->at && *c->at != quote; c->at++) {
		c->at += *c->at == '\\' && (c->at[1] == quote || c->at[1] == '\\');
		(*text)[n++] = *c->at;
	}
	(*text)[n] = 0;
	if (*c->at) {
		c->at++;
		return 0;
	}
	free(*text);
	*text = NULL;
	return pms_condition_fail(c, begin, "this quote is not closed");
}

static int parse_parentheses(struct pms_condition_parser *c)
{
	const char *open = c->at++;
	int rc = parse_or(c);
	if (rc)
		return rc;
	if (*c->at == ')') {
		c->at++;
		return 0;
	}
	return *c->at ? pms_condition_fail(c, c->at, "expected && or || or ')'")
		      : pms_condition_fail(c, open, "this '(' is not closed");
}

static int parse_not(struct pms_condition_parser *c)
{
	int rc;
	skip_blanks(c);
	if (c->nesting == PMS_CONDITION_NESTING)
		return pms_condition_fail(c, c->at, "nested too deeply");
	c->nesting++;
	if (*c->at == '!') {
		c->at++;
		rc = parse_not(c);
		rc = rc ? rc : c->join(c, PMS_CONDITION_NOT);
	} else {
		rc = *c->at == '(' ? parse_parentheses(c) : c->compare(c);
	}
	c->nesting--;
	skip_blanks(c);
	return rc;
}

static int parse_and(struct pms_condition_parser *c)
{
	int rc = parse_not(c);
	while (!rc && !strncmp(c->at, "&&", 2)) {
		c->at += 2;
		rc = parse_not(c);
		rc = rc ? rc : c->join(c, PMS_CONDITION_AND);
	}
	return rc;
}

static int parse_or(struct pms_condition_parser *c)
{
	int rc = parse_and(c);
	while (!rc && !strncmp(c->at, "||", 2)) {
		c->at += 2;
		rc = parse_and(c);
		rc = rc ? rc : c->join(c, PMS_CONDITION_OR);
	}
	return rc;
}

int pms_condition_parse(struct pms_condition_parser *c)
{
	if (strlen(c->text) > c->longest)
		return pms_condition_fail(c, c->text + c->longest, "it is too long");
	int rc = parse_or(c);
	if (!rc && *c->at)
		rc = pms_condition_fail(
			c, c->at, *c->at == ')' ? "this ')' closes nothing" : "expected && or ||");
	return rc;
}

int pms_condition_holds(enum pms_condition_op op, uint64_t value, uint64_t want)
{
	switch (op) {
	case PMS_CONDITION_EQUAL:
		return value == want;
	case PMS_CONDITION_UNEQUAL:
		return value != want;
	case PMS_CONDITION_LESS:
		return value < want;
	case PMS_CONDITION_LESS_OR_EQUAL:
		return value <= want;
	case PMS_CONDITION_GREATER:
		return value > want;
	case PMS_CONDITION_GREATER_OR_EQUAL:
		return value >= want;
	default:
		return 1;
	}
}

int pms_condition_matches(enum pms_condition_op op, const char *text, const char *want, int is_path)
{
	const char *slash = is_path && !strchr(want, '/') ? strrchr(text, '/') : NULL;
	const char *name = slash && slash[1] ? slash + 1 : text;
	return op == PMS_CONDITION_LIKE ? !fnmatch(want, name, 0)
					: !strcmp(want, name) == (op == PMS_CONDITION_EQUAL);
}
