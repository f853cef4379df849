/* SPDX-License-Identifier: MIT */
/* Compile a filter into a postfix program. Values that depend on a place or a thread alone are
 * computed once for each. */
#include "spe/filter.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/condition.h"
#include "base/status.h"
#include "spe/column.h"

/* A step's answer for a place or a thread. */
enum answer { UNASKED, NO, YES };

struct step {
	enum pms_condition_op op;
	struct pms_spe_column column; /* of PMS_CONDITION_HAS to PMS_CONDITION_GREATER_OR_EQUAL */
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

/* What parses a filter. */
struct parser {
	enum pms_spe_encoding encoding;
	struct pms_spe_filter *filter;
};

/* Compile -------------------------------------------------------------------------------------- */

/* Add a step, and take over its text. */
static int emit(struct pms_condition_parser *c, struct step step)
{
	struct pms_spe_filter *f = ((struct parser *)c->context)->filter;
	struct step *steps = pms_array_room(f->steps, f->n_steps, sizeof(steps[0]));
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

/* Parse the value that a column is compared with: a number, or a word that stands for one. */
static int parse_value(struct pms_condition_parser *c, const struct pms_spe_column *column,
		       uint64_t *value)
{
	const enum pms_spe_encoding encoding = ((struct parser *)c->context)->encoding;
	size_t length = pms_condition_word(c->at);
	if (!length)
		return pms_condition_fail(c, c->at, "expected a value for %s", column->name);
	const char *begin = c->at;
	if (*begin >= '0' && *begin <= '9') {
		if (column->kind == PMS_SPE_COLUMN_WORD)
			return pms_condition_fail(c, begin, "%s is a word, not a number",
						  column->name);
		int rc = pms_condition_number(c, value);
		if (column->mask == PMS_SPE_ADDRESS_MASK && *value >> 55 == 0x1ff)
			*value &= column->mask; /* a kernel address written in full */
		return !rc && column->kind == PMS_SPE_COLUMN_BITS && *value > 63
			       ? pms_condition_fail(c, begin, "events have the numbers 0 to 63")
			       : rc;
	}
	char word[64];
	if (column->kind == PMS_SPE_COLUMN_NUMBER)
		return pms_condition_fail(c, c->at, "%s is a number", column->name);
	if (column->kind == PMS_SPE_COLUMN_SOURCE && !encoding) {
		int rc = pms_condition_fail(c, c->at,
					    "the names of data sources depend on the core");
		pms_hint(c->err, "name it with --mcpu, or give the source's number");
		return rc;
	}
	snprintf(word, sizeof(word), "%.*s", (int)(length < 63 ? length : 63), c->at);
	if (length < sizeof(word) && pms_spe_column_word(column, encoding, word, value)) {
		c->at += length;
		return 0;
	}
	int rc = pms_condition_fail(c, c->at, "%s is none of the values of %s", word, column->name);
	pms_spe_column_hint(column, encoding, word, c->err);
	return rc;
}

/* Parse a comparison: a column, and its operator and value where it has them. */
static int compare_column(struct pms_condition_parser *c)
{
	const char *name = c->at;
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789");
	struct step step = { 0 };
	const struct pms_spe_column *column = &step.column;
	if (!pms_spe_column_find(name, length, &step.column)) {
		char word[64];
		snprintf(word, sizeof(word), "%.*s", (int)(length < 63 ? length : 63), name);
		int rc = length ? pms_condition_fail(c, name, "there is no column %s", word)
				: pms_condition_fail(c, name,
						     *name ? "expected a column, '!' or '('"
							   : "ends where a column should follow");
		pms_spe_column_hint(NULL, ((struct parser *)c->context)->encoding, word, c->err);
		return rc;
	}
	c->at += length;
	const char *operator= c->at;
	step.op = pms_condition_operator(c);
	if (step.op == PMS_CONDITION_HAS && *c->at == '=')
		return pms_condition_fail(c, c->at, "equal is ==");
	int is_text = column->kind == PMS_SPE_COLUMN_TEXT;
	if (step.op == PMS_CONDITION_LIKE && !is_text)
		return pms_condition_fail(c, operator, "=~ is of texts alone, which %s is not",
					  column->name);
	if (step.op > PMS_CONDITION_LIKE && column->kind != PMS_SPE_COLUMN_NUMBER &&
	    column->kind != PMS_SPE_COLUMN_SOURCE)
		return pms_condition_fail(c, operator, "of %s there is only ==%s !=%s",
					  column->name, is_text ? "," : " and",
					  is_text ? " and =~" : "");
	int rc = step.op == PMS_CONDITION_HAS ? 0
		 : is_text		      ? pms_condition_text(c, column->name, &step.text)
					      : parse_value(c, column, &step.value);
	return rc ? rc : emit(c, step);
}

/* Add @text's program to the filter's, joined by "and". */
static int add_text(struct pms_spe_filter *filter, const char *text, enum pms_spe_encoding encoding,
		    struct pms_error *err)
{
	size_t before = filter->n_steps;
	struct parser p = { encoding, filter };
	struct pms_condition_parser c = { .text = text,
					  .at = text,
					  .longest = PMS_SPE_FILTER_LONGEST,
					  .err = err,
					  .compare = compare_column,
					  .join = join,
					  .context = &p };
	int rc = pms_condition_parse(&c);
	return rc || !before ? rc : emit(&c, (struct step){ .op = PMS_CONDITION_AND });
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

static int compare_text(const struct step *step, const char *text)
{
	return step->op == PMS_CONDITION_HAS ||
	       pms_condition_matches(step->op, text, step->text, step->column.is_path);
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
		 (step->column.kind == PMS_SPE_COLUMN_TEXT
			  ? compare_text(step, value.text)
			  : pms_condition_holds(step->op, value.number, step->value));
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
				   : pms_condition_holds(step->op, value.number, step->value));
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
	for (size_t i = 0; i < n && step->op == PMS_CONDITION_HAS && step->column.is_flag; i++)
		keep[i] = (uint8_t)values[i];
	if (step->column.kind == PMS_SPE_COLUMN_BITS && step->op != PMS_CONDITION_HAS)
		for (size_t i = 0; i < n; i++)
			values[i] = (values[i] >> (want & 63) & 1) ? want : ~want;
#define COMPARE(operator)                                                                          \
	for (size_t i = 0; i < n; i++)                                                             \
	keep[i] &= (uint8_t)(values[i] operator want)
	switch (step->op) {
	case PMS_CONDITION_EQUAL:
		COMPARE(==);
		break;
	case PMS_CONDITION_UNEQUAL:
		COMPARE(!=);
		break;
	case PMS_CONDITION_LESS:
		COMPARE(<);
		break;
	case PMS_CONDITION_LESS_OR_EQUAL:
		COMPARE(<=);
		break;
	case PMS_CONDITION_GREATER:
		COMPARE(>);
		break;
	case PMS_CONDITION_GREATER_OR_EQUAL:
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
		if (filter->steps[i].op < PMS_CONDITION_NOT &&
		    filter->steps[i].column.needs_symbols)
			return 1;
	return 0;
}

int pms_spe_filter_apply(struct pms_spe_filter *filter, const struct pms_spe_where *where,
			 const struct pms_spe_samples_batch *rows, uint8_t keep[PMS_SPE_BATCH])
{
	uint8_t stack[PMS_CONDITION_DEPTH][PMS_SPE_BATCH];
	size_t top = 0, n = rows->records->count;
	for (size_t s = 0; s < filter->n_steps; s++) {
		struct step *step = &filter->steps[s];
		if (step->op < PMS_CONDITION_NOT) {
			int status = evaluate(step, where, rows, stack[top++]);
			if (status)
				return status;
			continue;
		}
		assert(top > 0);
		uint8_t *last = stack[top - 1];
		if (step->op == PMS_CONDITION_NOT) {
			for (size_t i = 0; i < n; i++)
				last[i] ^= 1;
			continue;
		}
		assert(top > 1);
		uint8_t *left = stack[--top - 1];
		for (size_t i = 0; i < n; i++)
			left[i] = step->op == PMS_CONDITION_AND ? left[i] & last[i]
								: left[i] | last[i];
	}
	memcpy(keep, stack[0], n);
	return 0;
}
