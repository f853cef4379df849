/* SPDX-License-Identifier: MIT */
/* Compile a filter into a postfix program, and ask it of rows. */
#include "profile/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/condition.h"
#include "base/name.h"
#include "base/status.h"
#include "pmuscope/fold.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { LONGEST = 4096 }; /* bytes of a filter */

/* Columns beside the measures, which are numbered behind them. */
enum { FUNCTION, FILE_NAME, OBJECT, THREAD, TEXTS, LINE = TEXTS, ADDRESS, PID, TID, COLUMNS };

static const char *const columns[COLUMNS] = {
	[FUNCTION] = "function", [FILE_NAME] = "file",	[OBJECT] = "object", [THREAD] = "thread",
	[LINE] = "line",	 [ADDRESS] = "address", [PID] = "pid",	     [TID] = "tid"
};

struct step {
	enum pms_condition_op op;
	size_t column;
	uint64_t value;
	char *text; /* of texts, owned */
};

struct pms_profile_filter {
	struct step *steps;
	size_t n_steps;
};

/* What parses a filter. */
struct parser {
	const struct pms_profile *profile;
	struct pms_profile_filter *filter;
};

/* Add a step, and take over its text. */
static int emit(struct pms_condition_parser *c, struct step step)
{
	struct pms_profile_filter *f = ((struct parser *)c->context)->filter;
	struct step *steps = pms_array_room(f->steps, f->n_steps, sizeof(*steps));
	if (!steps) {
		free(step.text);
		return pms_no_memory(c->err);
	}
	f->steps = steps;
	steps[f->n_steps++] = step;
	return 0;
}

static int join(struct pms_condition_parser *c, enum pms_condition_op op)
{
	return emit(c, (struct step){ .op = op });
}

static const char *column_name(const struct pms_profile *profile, size_t i)
{
	return i < COLUMNS ? columns[i] : pms_profile_measure(profile, i - COLUMNS).name;
}

/* Find the column at c->at, and go behind it. */
static int parse_column(struct pms_condition_parser *c, size_t *column)
{
	const struct pms_profile *profile = ((struct parser *)c->context)->profile;
	struct pms_nearest nearest = { 0 };
	char word[64];
	size_t length = strspn(c->at, "abcdefghijklmnopqrstuvwxyz0123456789_");
	size_t n = COLUMNS + pms_profile_measures(profile);
	if (!length || length >= sizeof(word))
		return pms_condition_fail(c, c->at, "%s",
					  *c->at ? "expected a column, '!' or '('"
						 : "ends where a column should follow");
	snprintf(word, sizeof(word), "%.*s", (int)length, c->at);
	for (*column = 0; *column < n; ++*column) {
		if (!strcmp(column_name(profile, *column), word)) {
			c->at += length;
			return 0;
		}
		pms_nearest_offer(&nearest, word, column_name(profile, *column));
	}
	int rc = pms_condition_fail(c, c->at, "there is no column %s", word);
	if (nearest.best)
		pms_hint(c->err, "did you mean %s?", nearest.best);
	return rc;
}

/* Parse a comparison: a column, an operator and a value. */
static int parse_comparison(struct pms_condition_parser *c)
{
	struct step step = { 0 };
	int rc = parse_column(c, &step.column), is_text = step.column < TEXTS;
	const char *operator= c->at;
	if (rc)
		return rc;
	step.op = pms_condition_operator(c);
	if (step.op == PMS_CONDITION_HAS)
		return pms_condition_fail(
			c, c->at, *c->at == '=' ? "equal is ==" : "expected ==, !=, =~, < or >");
	if (is_text && step.op > PMS_CONDITION_LIKE)
		return pms_condition_fail(c, operator, "of texts there is only ==, != and =~");
	if (!is_text && step.op == PMS_CONDITION_LIKE)
		return pms_condition_fail(c, operator, "=~ is of texts alone");
	rc = is_text ? pms_condition_text(c, columns[step.column], &step.text)
		     : pms_condition_number(c, &step.value);
	return rc ? rc : emit(c, step);
}

int pms_profile_filter_make(const struct pms_profile *profile, const char *text,
			    struct pms_profile_filter **out, struct pms_error *err)
{
	struct pms_error unread = { 0 };
	struct pms_profile_filter *filter = calloc(1, sizeof(*filter));
	struct parser p = { profile, filter };
	struct pms_condition_parser c = { .text = text,
					  .at = text,
					  .longest = LONGEST,
					  .err = err ? err : &unread,
					  .compare = parse_comparison,
					  .join = join,
					  .context = &p };
	if (!filter)
		return pms_no_memory(err);
	int rc = pms_condition_parse(&c);
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

static int has_text(const struct step *step, const char *text)
{
	return text && pms_condition_matches(step->op, text, step->text, step->column != FUNCTION);
}

static int has(const struct step *step, const struct row *r)
{
	uint64_t number;
	if (step->column < TEXTS)
		return has_text(step, text_of(r, step->column));
	return number_of(r, step->column, &number) &&
	       pms_condition_holds(step->op, number, step->value);
}

int pms_profile_filter_has(const struct pms_profile_filter *filter,
			   const struct pms_profile *profile, const struct pms_profile_place *place,
			   const struct pms_symbol *symbol, const uint64_t *values)
{
	const struct row row = { profile, place, symbol, values };
	int stack[PMS_CONDITION_DEPTH];
	size_t top = 0;
	for (size_t i = 0; i < filter->n_steps; i++) {
		const struct step *step = &filter->steps[i];
		if (step->op < PMS_CONDITION_NOT) {
			stack[top++] = has(step, &row);
		} else if (step->op == PMS_CONDITION_NOT) {
			stack[top - 1] = !stack[top - 1];
		} else {
			top--;
			stack[top - 1] = step->op == PMS_CONDITION_AND
						 ? stack[top - 1] && stack[top]
						 : stack[top - 1] || stack[top];
		}
	}
	return stack[0];
}
