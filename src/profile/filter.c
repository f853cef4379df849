/* SPDX-License-Identifier: MIT */
/* Compile a filter by recursive descent into a postfix program: or = and {|| and}; and = not {&&
 * not}; not = ! not | ( or ) | column operator value. */
#include "profile/filter.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/name.h"
#include "base/status.h"
#include "pmuscope/fold.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { NESTING = 32, LONGEST = 4096, DEPTH = 2 * NESTING + 2 };

enum step_op { EQUAL, UNEQUAL, LIKE, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, NOT, AND, OR };

/* Columns beside the measures, which are numbered behind them. */
enum { FUNCTION, FILE_NAME, OBJECT, THREAD, TEXTS, LINE = TEXTS, ADDRESS, PID, TID, COLUMNS };

static const char *const columns[COLUMNS] = {
	[FUNCTION] = "function", [FILE_NAME] = "file",	[OBJECT] = "object", [THREAD] = "thread",
	[LINE] = "line",	 [ADDRESS] = "address", [PID] = "pid",	     [TID] = "tid"
};

struct step {
	enum step_op op;
	size_t column;
	uint64_t value;
	char *text; /* of texts, owned */
};

struct pms_profile_filter {
	struct step *steps;
	size_t n_steps;
};

struct parser {
	const struct pms_profile *profile;
	const char *text, *at;
	struct pms_profile_filter *filter;
	unsigned nesting;
	struct pms_error *err;
};

static int parse_or(struct parser *p);

static int fail_here(const struct parser *p, const char *at, const char *what)
{
	return pms_fail_at(p->err, PMS_EPARSE, "--filter", 0, (unsigned)(at - p->text) + 1, "%s",
			   what);
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t\r\n");
}

/* Add a step, and take over its text. */
static int emit(struct parser *p, struct step step)
{
	struct pms_profile_filter *f = p->filter;
	struct step *steps = pms_array_room(f->steps, f->n_steps, sizeof(*steps));
	if (!steps) {
		free(step.text);
		return pms_no_memory(p->err);
	}
	f->steps = steps;
	steps[f->n_steps++] = step;
	return 0;
}

static const char *column_name(const struct parser *p, size_t i)
{
	return i < COLUMNS ? columns[i] : pms_profile_measure(p->profile, i - COLUMNS).name;
}

/* Find the column at p->at, and go behind it. */
static int parse_column(struct parser *p, size_t *column)
{
	struct pms_nearest nearest = { 0 };
	char word[64];
	size_t length = strspn(p->at, "abcdefghijklmnopqrstuvwxyz0123456789_");
	size_t n = COLUMNS + pms_profile_measures(p->profile);
	if (!length || length >= sizeof(word))
		return fail_here(p, p->at,
				 *p->at ? "expected a column, '!' or '('"
					: "ends where a column should follow");
	snprintf(word, sizeof(word), "%.*s", (int)length, p->at);
	for (*column = 0; *column < n; ++*column) {
		if (!strcmp(column_name(p, *column), word)) {
			p->at += length;
			return 0;
		}
		pms_nearest_offer(&nearest, word, column_name(p, *column));
	}
	int rc = pms_fail_at(p->err, PMS_EPARSE, "--filter", 0, (unsigned)(p->at - p->text) + 1,
			     "there is no column %s", word);
	if (nearest.best)
		pms_hint(p->err, "did you mean %s?", nearest.best);
	return rc;
}

static int parse_operator(struct parser *p, enum step_op *op)
{
	static const char *const operators[] = {
		[EQUAL] = "==",		[UNEQUAL] = "!=",	   [LIKE] = "=~",
		[LESS_OR_EQUAL] = "<=", [GREATER_OR_EQUAL] = ">=", [LESS] = "<",
		[GREATER] = ">"
	};
	static const enum step_op order[] = { EQUAL, UNEQUAL, LIKE, LESS_OR_EQUAL, GREATER_OR_EQUAL,
					      LESS,  GREATER };
	skip_blanks(p);
	for (size_t i = 0; i < COUNT(order); i++)
		if (!strncmp(p->at, operators[order[i]], strlen(operators[order[i]]))) {
			*op = order[i];
			p->at += strlen(operators[order[i]]);
			skip_blanks(p);
			return 0;
		}
	return fail_here(p, p->at, *p->at == '=' ? "equal is ==" : "expected ==, !=, =~, < or >");
}

/* Parse a text: quoted, with \ before a quote or a \ in it, or a word without operators. */
static int parse_text(struct parser *p, char **text)
{
	const char *begin = p->at, quote = *begin == '"' || *begin == '\'' ? *begin : 0;
	size_t length = quote ? 0 : strcspn(begin, " \t\r\n()&|!=<>\"'"), n = 0;
	if (!quote && !length)
		return fail_here(p, begin, "expected a text");
	*text = malloc(strlen(begin) + 1);
	if (!*text)
		return pms_no_memory(p->err);
	p->at += quote ? 1 : length;
	memcpy(*text, begin, length);
	for (; quote && *p->at && *p->at != quote; p->at++) {
		p->at += *p->at == '\\' && (p->at[1] == quote || p->at[1] == '\\');
		(*text)[n++] = *p->at;
	}
	(*text)[quote ? n : length] = 0;
	if (!quote || *p->at++)
		return 0;
	free(*text);
	*text = NULL;
	p->at--;
	return fail_here(p, begin, "this quote is not closed");
}

/* Parse 123 or 0x7b. */
static int parse_number(struct parser *p, uint64_t *value)
{
	char *end;
	int is_hex = p->at[0] == '0' && (p->at[1] | 32) == 'x';
	size_t digits =
		is_hex ? strspn(p->at + 2, "0123456789abcdefABCDEF") : strspn(p->at, "0123456789");
	if (!digits || digits > (is_hex ? 16 : 19))
		return fail_here(p, p->at, "expected a number");
	*value = strtoull(p->at, &end, is_hex ? 16 : 10);
	if (strspn(end, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."))
		return fail_here(p, p->at, "expected a number");
	p->at = end;
	return 0;
}

static int parse_comparison(struct parser *p)
{
	struct step step = { 0 };
	int rc = parse_column(p, &step.column), is_text = step.column < TEXTS;
	const char *operator= p->at;
	if (!rc)
		rc = parse_operator(p, &step.op);
	if (!rc && is_text && step.op > LIKE)
		rc = fail_here(p, operator, "of texts there is only ==, != and =~");
	if (!rc && !is_text && step.op == LIKE)
		rc = fail_here(p, operator, "=~ is of texts alone");
	if (!rc)
		rc = is_text ? parse_text(p, &step.text) : parse_number(p, &step.value);
	return rc ? rc : emit(p, step);
}

static int parse_not(struct parser *p)
{
	const char *open;
	int rc;
	skip_blanks(p);
	open = p->at;
	if (p->nesting == NESTING)
		return fail_here(p, open, "nested too deeply");
	p->nesting++;
	if (*open == '!') {
		p->at++;
		rc = parse_not(p);
		rc = rc ? rc : emit(p, (struct step){ .op = NOT });
	} else if (*open == '(') {
		p->at++;
		rc = parse_or(p);
		if (!rc && *p->at != ')')
			rc = fail_here(p, *p->at ? p->at : open,
				       *p->at ? "expected && or || or ')'"
					      : "this '(' is not closed");
		p->at += !rc;
	} else {
		rc = parse_comparison(p);
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

int pms_profile_filter_make(const struct pms_profile *profile, const char *text,
			    struct pms_profile_filter **out, struct pms_error *err)
{
	struct pms_error unread = { 0 };
	struct pms_profile_filter *filter = calloc(1, sizeof(*filter));
	struct parser p = { profile, text, text, filter, 0, err ? err : &unread };
	if (!filter)
		return pms_no_memory(err);
	int rc = strlen(text) > LONGEST ? fail_here(&p, text + LONGEST, "it is too long")
					: parse_or(&p);
	if (!rc && *p.at)
		rc = fail_here(&p, p.at,
			       *p.at == ')' ? "this ')' closes nothing" : "expected && or ||");
	if (rc)
		pms_profile_filter_free(filter);
	else
		*out = filter;
	return rc;
}

void pms_profile_filter_free(struct pms_profile_filter *filter)
{
	for (size_t i = 0; filter && i < filter->n_steps; i++)
		free(filter->steps[i].text);
	if (filter)
		free(filter->steps);
	free(filter);
}

/* Evaluate ------------------------------------------------------------------------------------- */

/* A row, and where its columns are. */
struct row {
	const struct pms_profile *profile;
	const struct pms_profile_place *place;
	const struct pms_symbol *symbol;
	const uint64_t *values;
};

/* Returns a text of the row; NULL where it has none. */
static const char *text_of(const struct row *r, size_t column)
{
	const struct pms_profile_place *at = r->place;
	switch (column) {
	case FUNCTION:
		return at->object == PMS_PROFILE_NONE ? NULL : r->symbol->function;
	case FILE_NAME:
		return r->symbol->n_frames ? r->symbol->frames[0].file : NULL;
	case OBJECT:
		return at->object == PMS_PROFILE_NONE ? NULL : r->profile->objects[at->object].path;
	default:
		return at->thread == PMS_PROFILE_NONE ? NULL : r->profile->threads[at->thread].name;
	}
}

/* Get a number of the row. Returns 0 where it has none. */
static int number_of(const struct row *r, size_t column, uint64_t *number)
{
	const struct pms_profile_place *at = r->place;
	const struct pms_profile_thread *thread =
		at->thread == PMS_PROFILE_NONE ? NULL : &r->profile->threads[at->thread];
	if (column >= COLUMNS) {
		*number = pms_profile_measure_get(r->profile, r->values, column - COLUMNS);
		return 1;
	}
	int32_t id = !thread ? -1 : column == PID ? thread->pid : thread->tid;
	*number = column == LINE      ? (r->symbol->n_frames ? r->symbol->frames[0].line : 0)
		  : column == ADDRESS ? at->address
				      : (uint64_t)id;
	return column == LINE	   ? *number > 0
	       : column == ADDRESS ? at->object != PMS_PROFILE_NONE
				   : id >= 0;
}

/* Compare a text; of a path a value without folders means its last part. */
static int has_text(const struct step *step, const char *text)
{
	const char *slash = !text || step->column == FUNCTION || strchr(step->text, '/')
				    ? NULL
				    : strrchr(text, '/');
	const char *name = slash ? slash + 1 : text;
	if (!name)
		return 0;
	return step->op == LIKE ? !fnmatch(step->text, name, 0)
				: !strcmp(step->text, name) == (step->op == EQUAL);
}

static int has_number(const struct step *step, uint64_t number)
{
	switch (step->op) {
	case EQUAL:
		return number == step->value;
	case UNEQUAL:
		return number != step->value;
	case LESS:
		return number < step->value;
	case LESS_OR_EQUAL:
		return number <= step->value;
	case GREATER:
		return number > step->value;
	default:
		return number >= step->value;
	}
}

static int has(const struct step *step, const struct row *r)
{
	uint64_t number;
	if (step->column < TEXTS)
		return has_text(step, text_of(r, step->column));
	return number_of(r, step->column, &number) && has_number(step, number);
}

int pms_profile_filter_has(const struct pms_profile_filter *filter,
			   const struct pms_profile *profile, const struct pms_profile_place *place,
			   const struct pms_symbol *symbol, const uint64_t *values)
{
	const struct row row = { profile, place, symbol, values };
	int stack[DEPTH];
	size_t top = 0;
	for (size_t i = 0; i < filter->n_steps; i++) {
		const struct step *step = &filter->steps[i];
		if (step->op < NOT) {
			stack[top++] = has(step, &row);
		} else if (step->op == NOT) {
			stack[top - 1] = !stack[top - 1];
		} else {
			top--;
			stack[top - 1] = step->op == AND ? stack[top - 1] && stack[top]
							 : stack[top - 1] || stack[top];
		}
	}
	return stack[0];
}
