/* SPDX-License-Identifier: MIT */
/* Compile a filter by recursive descent into a postfix program: or = and {|| and}; and = not {&&
 * not}; not = ! not | ( or ) | column [operator value]. Values that depend on a place or a
 * thread alone are computed once for each. */
#include "spe/filter.h"

#include <assert.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/status.h"
#include "spe/column.h"

enum step_op {
	HAS,
	EQUAL,
	UNEQUAL,
	LIKE,
	LESS,
	LESS_OR_EQUAL,
	GREATER,
	GREATER_OR_EQUAL,
	NOT,
	AND,
	OR
};

/* A step's answer for a place or a thread. */
enum answer { UNASKED, NO, YES };

struct step {
	enum step_op op;
	struct pms_spe_column column; /* of HAS to GREATER_OR_EQUAL */
	uint64_t value;
	char *text; /* of texts, owned */
	/* By number of place or thread: enum answer. */
	uint8_t *answers;
	size_t n_answers;
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

/* Masks that wait on the stack: one for || and one for && at each level, and one for each of the
 * two texts. */
enum { DEPTH = 2 * PMS_SPE_FILTER_NESTING + 4 };

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

/* Add a step, and take over its text. */
static int emit(struct parser *p, struct step step)
{
	struct pms_spe_filter *f = p->filter;
	struct step *steps = pms_array_room(f->steps, f->n_steps, sizeof(steps[0]));
	if (!steps) {
		free(step.text);
		return pms_no_memory(p->err);
	}
	f->steps = steps;
	steps[f->n_steps++] = step;
	return 0;
}

static int is_word_char(char c)
{
	return c && word_length((const char[]){ c, 0 }) == 1;
}

/* Parse 123 or 0x7b. */
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

/* Parse a text: quoted, with \ before a quote or a \ in it, or a word without operators. */
static int parse_text(struct parser *p, const struct pms_spe_column *column, char **text)
{
	skip_blanks(p);
	const char *begin = p->at, quote = *begin == '"' || *begin == '\'' ? *begin : 0;
	size_t length = quote ? 0 : strcspn(begin, " \t\r\n()&|!=<>\"'"), n = 0;
	if (!quote && !length)
		return fail_here(p, begin, "expected a text for %s", column->name);
	*text = malloc(strlen(begin) + 1);
	if (!*text)
		return pms_no_memory(p->err);
	if (!quote) {
		memcpy(*text, begin, length);
		(*text)[length] = 0;
		p->at += length;
		return 0;
	}
	for (p->at++; *p->at && *p->at != quote; p->at++) {
		p->at += *p->at == '\\' && (p->at[1] == quote || p->at[1] == '\\');
		(*text)[n++] = *p->at;
	}
	(*text)[n] = 0;
	if (*p->at++)
		return 0;
	free(*text);
	*text = NULL;
	return fail_here(p, begin, "this quote is not closed");
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
			*value &= column->mask; /* a kernel address written in full */
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

/* Parse the operator at p->at; HAS where there is none. */
static enum step_op parse_operator(struct parser *p)
{
	static const struct {
		const char *text;
		enum step_op op;
	} operators[] = { { "==", EQUAL },	   { "!=", UNEQUAL },	       { "=~", LIKE },
			  { "<=", LESS_OR_EQUAL }, { ">=", GREATER_OR_EQUAL }, { "<", LESS },
			  { ">", GREATER } };
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
	struct step step = { 0 };
	const struct pms_spe_column *column = &step.column;
	if (!pms_spe_column_find(name, length, &step.column)) {
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
	int is_text = column->kind == PMS_SPE_COLUMN_TEXT;
	if (step.op == LIKE && !is_text)
		return fail_here(p, operator, "=~ is of texts alone, which %s is not",
				 column->name);
	if (step.op > LIKE && column->kind != PMS_SPE_COLUMN_NUMBER &&
	    column->kind != PMS_SPE_COLUMN_SOURCE)
		return fail_here(p, operator, "of %s there is only ==%s !=%s", column->name,
				 is_text ? "," : " and", is_text ? " and =~" : "");
	int rc = step.op == HAS ? 0
		 : is_text	? parse_text(p, column, &step.text)
				: parse_value(p, column, &step.value);
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

/* Add @text's program to the filter's, joined by "and". */
static int add_text(struct pms_spe_filter *filter, const char *text, enum pms_spe_encoding encoding,
		    struct pms_error *err)
{
	size_t before = filter->n_steps;
	struct parser p = {
		.text = text, .at = text, .encoding = encoding, .filter = filter, .err = err
	};
	int rc = strlen(text) > PMS_SPE_FILTER_LONGEST
			 ? fail_here(&p, text + PMS_SPE_FILTER_LONGEST, "it is too long")
			 : parse_or(&p);
	if (!rc && *p.at)
		rc = fail_here(&p, p.at,
			       *p.at == ')' ? "this ')' closes nothing" : "expected && or ||");
	return rc || !before ? rc : emit(&p, (struct step){ .op = AND });
}

int pms_spe_filter_compile(const char *text, enum pms_spe_encoding encoding,
			   struct pms_spe_filter **out, struct pms_error *err)
{
	return pms_spe_filter_compile_both(text, NULL, encoding, out, err);
}

int pms_spe_filter_compile_both(const char *text, const char *only, enum pms_spe_encoding encoding,
				struct pms_spe_filter **out, struct pms_error *err)
{
	struct pms_error unread = { 0 };
	struct pms_spe_filter *filter = calloc(1, sizeof(*filter));
	*out = NULL;
	if (!filter)
		return pms_no_memory(err);
	int rc = text ? add_text(filter, text, encoding, err ? err : &unread) : 0;
	if (!rc && only)
		rc = add_text(filter, only, encoding, err ? err : &unread);
	if (rc) {
		pms_spe_filter_free(filter);
		return rc;
	}
	*out = filter;
	return 0;
}

void pms_spe_filter_free(struct pms_spe_filter *filter)
{
	for (size_t i = 0; filter && i < filter->n_steps; i++) {
		free(filter->steps[i].text);
		free(filter->steps[i].answers);
	}
	if (filter)
		free(filter->steps);
	free(filter);
}

/* Evaluate ------------------------------------------------------------------------------------- */

/* Compare a path: a value without folders matches any file of that name. */
static int compare_text(const struct step *step, const char *text)
{
	const char *slash = step->column.is_path && step->text && !strchr(step->text, '/')
				    ? strrchr(text, '/')
				    : NULL;
	const char *name = slash && slash[1] ? slash + 1 : text;
	if (step->op == HAS)
		return 1;
	if (step->op == LIKE)
		return !fnmatch(step->text, name, 0);
	return !strcmp(step->text, name) == (step->op == EQUAL);
}

static int compare_number(const struct step *step, uint64_t value)
{
	switch (step->op) {
	case HAS:
		return 1;
	case EQUAL:
		return value == step->value;
	case UNEQUAL:
		return value != step->value;
	case LESS:
		return value < step->value;
	case LESS_OR_EQUAL:
		return value <= step->value;
	case GREATER:
		return value > step->value;
	default:
		return value >= step->value;
	}
}

/* Returns where the step keeps its answer for @number; NULL: no memory. */
static uint8_t *answer_of(struct step *step, size_t number)
{
	while (step->n_answers <= number) {
		uint8_t *answers = pms_array_room(step->answers, step->n_answers, 1);
		if (!answers)
			return NULL;
		step->answers = answers;
		answers[step->n_answers++] = UNASKED;
	}
	return &step->answers[number];
}

static int ask_place(const struct step *step, const struct pms_spe_where *where,
		     const struct pms_place *place, uint8_t *answer)
{
	struct pms_spe_value value = { 0 };
	struct pms_symbol symbol = { 0 };
	if (step->column.needs_symbols && pms_symbols_find(where->symbols, place, &symbol))
		return -PMS_ENOMEM;
	int is = step->column.at(place, &symbol, &value) &&
		 (step->column.kind == PMS_SPE_COLUMN_TEXT ? compare_text(step, value.text)
							   : compare_number(step, value.number));
	*answer = is ? YES : NO;
	return 0;
}

/* Answer for an address. Places beyond the room are asked for each record. */
static int ask_address(struct step *step, const struct pms_spe_where *where, uint32_t space,
		       uint64_t address, uint8_t *answer)
{
	uint32_t number = pms_places_number(where->places, space, address);
	struct pms_place place;
	if (number == PMS_TABLE_NONE) {
		pms_spe_samples_place(where->samples, space, address, &place);
		return where->places->failed ? -PMS_ENOMEM : ask_place(step, where, &place, answer);
	}
	uint8_t *kept = answer_of(step, number);
	if (!kept)
		return -PMS_ENOMEM;
	int status =
		*kept == UNASKED ? ask_place(step, where, &where->places->places[number], kept) : 0;
	*answer = *kept;
	return status;
}

static int compare_places(struct step *step, const struct pms_spe_where *where,
			  const struct pms_spe_samples_batch *rows, uint8_t *keep)
{
	const struct pms_spe_batch *b = rows->records;
	int status = 0;
	for (size_t i = 0; i < b->count && !status; i++) {
		uint8_t answer = NO;
		if (b->has[i] & PMS_SPE_HAS_PC && where)
			status = ask_address(step, where, rows->space[i],
					     pms_spe_canonical(b->pc[i]), &answer);
		keep[i] = answer == YES;
	}
	return status;
}

/* Compare data. Answers are not kept: data have too many addresses. */
static int compare_data(const struct step *step, const struct pms_spe_where *where,
			const struct pms_spe_samples_batch *rows, uint8_t *keep)
{
	const struct pms_spe_batch *b = rows->records;
	for (size_t i = 0; i < b->count; i++) {
		struct pms_spe_value value = { 0 };
		struct pms_datum datum;
		keep[i] = 0;
		if (!(b->has[i] & PMS_SPE_HAS_VA) || !where || !where->data)
			continue;
		if (pms_data_find(where->data, rows->space[i], pms_spe_canonical(b->va[i]), &datum))
			return -PMS_ENOMEM;
		keep[i] = step->column.of_datum(&datum, &value) &&
			  (step->column.kind == PMS_SPE_COLUMN_TEXT
				   ? compare_text(step, value.text)
				   : compare_number(step, value.number));
	}
	return 0;
}

static int compare_threads(struct step *step, const struct pms_spe_where *where,
			   const struct pms_spe_samples_batch *rows, uint8_t *keep)
{
	for (size_t i = 0; i < rows->records->count; i++) {
		const struct pms_spe_thread *thread =
			where ? pms_spe_samples_thread(where->samples, rows->thread[i]) : NULL;
		keep[i] = 0;
		if (!thread)
			continue;
		uint8_t *answer = answer_of(step, rows->thread[i]);
		if (!answer)
			return -PMS_ENOMEM;
		if (*answer == UNASKED)
			*answer = thread->comm[0] && compare_text(step, thread->comm) ? YES : NO;
		keep[i] = *answer == YES;
	}
	return 0;
}

/* Compare a column. A record without the column always compares as false. */
static void compare(const struct step *step, const struct pms_spe_samples_batch *rows,
		    uint8_t *keep)
{
	uint64_t values[PMS_SPE_BATCH];
	size_t n = rows->records->count;
	const uint64_t want = step->value;
	step->column.get(&step->column, rows, values, keep);
	for (size_t i = 0; i < n && step->op == HAS && step->column.is_flag; i++)
		keep[i] = (uint8_t)values[i];
	if (step->column.kind == PMS_SPE_COLUMN_BITS && step->op != HAS)
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

static int evaluate(struct step *step, const struct pms_spe_where *where,
		    const struct pms_spe_samples_batch *rows, uint8_t *keep)
{
	switch (step->column.of) {
	case PMS_SPE_OF_RECORD:
		compare(step, rows, keep);
		return 0;
	case PMS_SPE_OF_THREAD:
		return compare_threads(step, where, rows, keep);
	case PMS_SPE_OF_DATA:
		return compare_data(step, where, rows, keep);
	default:
		return compare_places(step, where, rows, keep);
	}
}

int pms_spe_filter_needs_symbols(const struct pms_spe_filter *filter)
{
	for (size_t i = 0; i < filter->n_steps; i++)
		if (filter->steps[i].op < NOT && filter->steps[i].column.needs_symbols)
			return 1;
	return 0;
}

int pms_spe_filter_apply(struct pms_spe_filter *filter, const struct pms_spe_where *where,
			 const struct pms_spe_samples_batch *rows, uint8_t keep[PMS_SPE_BATCH])
{
	uint8_t stack[DEPTH][PMS_SPE_BATCH];
	size_t top = 0, n = rows->records->count;
	for (size_t s = 0; s < filter->n_steps; s++) {
		struct step *step = &filter->steps[s];
		if (step->op < NOT) {
			int status = evaluate(step, where, rows, stack[top++]);
			if (status)
				return status;
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
	return 0;
}
