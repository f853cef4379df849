/* SPDX-License-Identifier: MIT */
/* What came out of a check, in each format. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "show/csv.h"
#include "show/document.h"
#include "show/formats.h"
#include "show/label.h"
#include "show/page.h"
#include "show/text.h"

static const char *const statuses[] = { [PMS_CHECK_KEPT] = "kept",
					[PMS_CHECK_BROKEN] = "broken",
					[PMS_CHECK_UNCHECKED] = "unchecked" };
static const char *const budget_statuses[] = { [PMS_BUDGET_KEPT] = "kept",
					       [PMS_BUDGET_BELOW] = "below",
					       [PMS_BUDGET_ABOVE] = "above",
					       [PMS_BUDGET_UNDEFINED] = "undefined" };

static const char *section_of(const struct pms_check_row *row)
{
	return row->relation ? row->relation->section : "";
}

/* The whole and the intervals, one after the other. */
struct walk {
	const struct pms_verdict *verdict;
	const struct pms_check *check; /* where it is */
	struct pms_check *held;	       /* the same, of an interval */
	int has_begun;
	size_t next; /* interval */
	size_t row;  /* of the check */
	int rc;	     /* why it ended early */
	struct pms_error *err;
};

/* Go to the whole, then to each interval. Returns 0 behind the last and on errors. */
static int step(struct walk *w)
{
	const struct pms_verdict *v = w->verdict;
	pms_check_free(w->held);
	w->check = w->held = NULL;
	w->row = 0;
	if (!w->has_begun) {
		w->check = v->whole;
	} else if (!w->rc && w->next < v->n_intervals) {
		w->rc = v->interval(v->context, w->next++, &w->held, w->err);
		w->check = w->held;
	}
	w->has_begun = 1;
	return w->check != NULL;
}

/* JSON. */

static json_t *condition_object(struct pms_document *d, const struct pms_relation *relation)
{
	const struct pms_condition *c = relation ? &relation->condition : NULL;
	if (!c || (!c->configuration && !c->errata))
		return json_null();
	json_t *object = json_object();
	if (c->configuration)
		pms_document_set(d, object, "configuration", pms_document_string(c->configuration));
	if (c->errata) {
		pms_document_set(d, object, "errata", pms_document_string(c->errata));
		pms_document_set(d, object, "before", pms_document_string(c->before));
	}
	return object;
}

static json_t *row_object(struct pms_document *d, const struct pms_check *check,
			  const struct pms_check_row *row)
{
	json_t *object = json_object();
	if (check->has_time)
		pms_document_set(d, object, "time", pms_document_real(check->time));
	pms_document_set(d, object, "id",
			 pms_document_string(row->relation ? row->relation->id : NULL));
	pms_document_set(d, object, "kind", json_string(row->kind));
	pms_document_set(d, object, "lhs", pms_document_string(row->lhs));
	pms_document_set(d, object, "rhs", pms_document_string(row->rhs));
	pms_document_set(d, object, "condition", condition_object(d, row->relation));
	pms_document_set(d, object, "section",
			 row->relation ? pms_document_string(row->relation->section) : json_null());
	pms_document_set(d, object, "status", json_string(statuses[row->status]));
	pms_document_set(d, object, "lhs_value",
			 row->has_values ? pms_document_real(row->lhs_value) : json_null());
	pms_document_set(d, object, "rhs_value",
			 row->has_values ? pms_document_real(row->rhs_value) : json_null());
	pms_document_set(d, object, "tolerance",
			 row->has_values ? pms_document_real(row->tolerance) : json_null());
	pms_document_set(d, object, "because", pms_document_string(row->because));
	pms_document_set(d, object, "note", pms_document_string(row->note));
	return object;
}

struct rows {
	struct pms_document *document;
	struct walk walk;
};

/* The next relation, of whichever check. */
static json_t *next_row(void *context, size_t i)
{
	struct rows *rows = context;
	struct walk *w = &rows->walk;
	(void)i; /* they come in order */
	while (!w->check || w->row == w->check->n_rows)
		if (!step(w))
			return NULL;
	return row_object(rows->document, w->check, &w->check->rows[w->row++]);
}

static json_t *budget_object(struct pms_document *d, const struct pms_verdict *v, size_t i)
{
	const struct pms_budget_row *row = &v->budget->rows[i];
	const struct pms_value *value = &v->values[i];
	int defined = value->state != PMS_VALUE_UNDEFINED;
	json_t *object = json_object();
	pms_document_set(d, object, "metric", pms_document_string(v->budget->rows[i].metric->name));
	pms_document_set(d, object, "low",
			 row->has_low ? pms_document_real(row->low) : json_null());
	pms_document_set(d, object, "high",
			 row->has_high ? pms_document_real(row->high) : json_null());
	pms_document_set(d, object, "value",
			 defined ? pms_document_real(value->value) : json_null());
	pms_document_set(d, object, "units", pms_document_string(v->budget->rows[i].metric->units));
	pms_document_set(
		d, object, "state",
		json_string(pms_label_value_state(&v->whole->counts->provenance, value->state)));
	pms_document_set(d, object, "status",
			 json_string(budget_statuses[pms_budget_status(row, value)]));
	pms_document_set(d, object, "because", pms_document_string(value->because));
	return object;
}

static json_t *budget_array(struct pms_document *d, const struct pms_verdict *v)
{
	json_t *array = json_array();
	for (size_t i = 0; i < v->budget->n_rows; i++)
		pms_document_append(d, array, budget_object(d, v, i));
	return array;
}

int pms_show_check_json(FILE *out, const struct pms_verdict *v,
			const struct pms_show_options *options, struct pms_error *err)
{
	struct pms_document document;
	json_t *root = json_object();
	(void)options;
	pms_document_init(&document, root);
	pms_json_provenance(&document, root, v->whole->counts);
	if (v->budget)
		pms_document_set(&document, root, "budget", budget_array(&document, v));
	pms_document_set(&document, root, "relations", json_array());
	struct rows rows = { &document, { .verdict = v, .err = err } };
	int rc = pms_document_finish_array(&document, next_row, &rows, v->whole->n_rows + v->n_rows,
					   0, out, err);
	pms_check_free(rows.walk.held);
	return rows.walk.rc ? rows.walk.rc : rc;
}

/* CSV. */

static void number(char text[PMS_NUMBER_MAX], int given, double value)
{
	*text = 0;
	if (given)
		pms_text_double(text, value);
}

static void put_check_rows(FILE *out, const struct pms_check *check,
			   const struct pms_show_options *options)
{
	char time[PMS_NUMBER_MAX], lhs[PMS_NUMBER_MAX], rhs[PMS_NUMBER_MAX],
		tolerance[PMS_NUMBER_MAX];
	number(time, check->has_time, check->time);
	for (size_t i = 0; i < check->n_rows; i++) {
		const struct pms_check_row *row = &check->rows[i];
		number(lhs, row->has_values, row->lhs_value);
		number(rhs, row->has_values, row->rhs_value);
		number(tolerance, row->has_values, row->tolerance);
		const char *fields[] = { row->kind,
					 time,
					 row->relation ? row->relation->id : "",
					 row->lhs,
					 row->rhs,
					 section_of(row),
					 statuses[row->status],
					 lhs,
					 rhs,
					 tolerance,
					 row->because ? row->because : "" };
		pms_csv_row(out, fields, sizeof(fields) / sizeof(fields[0]), options);
	}
}

/* Of a budget the sides are the metric and its ends. */
static void put_budget_rows(FILE *out, const struct pms_verdict *v,
			    const struct pms_show_options *options)
{
	char low[PMS_NUMBER_MAX], high[PMS_NUMBER_MAX], value[PMS_NUMBER_MAX],
		ends[2 * PMS_NUMBER_MAX + 8];
	for (size_t i = 0; i < v->budget->n_rows; i++) {
		const struct pms_budget_row *row = &v->budget->rows[i];
		const struct pms_value *got = &v->values[i];
		number(low, row->has_low, row->low);
		number(high, row->has_high, row->high);
		number(value, got->state != PMS_VALUE_UNDEFINED, got->value);
		snprintf(ends, sizeof(ends), "%s..%s", low, high);
		const char *fields[] = { "budget",
					 "",
					 "",
					 v->budget->rows[i].metric->name,
					 ends,
					 "",
					 budget_statuses[pms_budget_status(row, got)],
					 value,
					 "",
					 "",
					 got->because ? got->because : "" };
		pms_csv_row(out, fields, sizeof(fields) / sizeof(fields[0]), options);
	}
}

int pms_show_check_csv(FILE *out, const struct pms_verdict *v,
		       const struct pms_show_options *options, struct pms_error *err)
{
	static const char *const columns[] = { "kind",	    "time",	 "id",	   "lhs",
					       "rhs",	    "section",	 "status", "lhs_value",
					       "rhs_value", "tolerance", "because" };
	if (pms_csv_provenance(out, v->whole->counts))
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	pms_csv_row(out, columns, sizeof(columns) / sizeof(columns[0]), options);
	struct walk w = { .verdict = v, .err = err };
	while (step(&w))
		put_check_rows(out, w.check, options);
	if (!w.rc && v->budget)
		put_budget_rows(out, v, options);
	return w.rc;
}

/* For people. */

static void put_values(struct pms_page *page, const struct pms_check_row *row)
{
	char lhs[PMS_NUMBER_MAX], rhs[PMS_NUMBER_MAX];
	pms_text_double(lhs, row->lhs_value);
	pms_text_double(rhs, row->rhs_value);
	pms_page_text(page, "  values   ", "%s and %s: %s", lhs, rhs, row->because);
}

static void put_row(struct pms_page *page, const struct pms_check *check,
		    const struct pms_check_row *row)
{
	char first[32];
	snprintf(first, sizeof(first), "%-10s ", statuses[row->status]);
	if (check->has_time)
		pms_page_text(page, first, "%s %s %s, at %.3f s", row->lhs, row->sign, row->rhs,
			      check->time);
	else
		pms_page_text(page, first, "%s %s %s", row->lhs, row->sign, row->rhs);
	if (row->status == PMS_CHECK_UNCHECKED)
		pms_page_text(page, "  because  ", "%s", row->because);
	if (row->status != PMS_CHECK_BROKEN)
		return;
	put_values(page, row);
	if (row->note[0])
		pms_page_text(page, "  note     ", "%s", row->note);
	if (section_of(row)[0])
		pms_page_text(page, "  section  ", "%s", section_of(row));
}

/* Whatever is broken; what is unchecked for another reason than that nobody counted its events; and
 * the rest with --all. */
static int is_shown(const struct pms_check_row *row, const struct pms_check *check, int all)
{
	if (all || row->status == PMS_CHECK_BROKEN)
		return 1;
	return row->status == PMS_CHECK_UNCHECKED && row->reason != PMS_REASON_COUNT &&
	       !check->has_time;
}

static void put_rows(struct pms_page *page, const struct pms_check *check, int all)
{
	for (int status = PMS_CHECK_BROKEN, n = 0; n < 3; n++, status = (status + 1) % 3)
		for (size_t i = 0; i < check->n_rows; i++)
			if ((int)check->rows[i].status == status &&
			    is_shown(&check->rows[i], check, all))
				put_row(page, check, &check->rows[i]);
}

static size_t count_missing(const struct pms_check *check)
{
	size_t n = 0;
	for (size_t i = 0; i < check->n_rows; i++)
		n += check->rows[i].reason == PMS_REASON_COUNT;
	return n;
}

static void put_summary(struct pms_page *page, const struct pms_verdict *v, int all)
{
	const struct pms_check *whole = v->whole;
	size_t missing = count_missing(whole);
	pms_page_text(page, "", "%zu relations: %zu kept, %zu broken, %zu unchecked", whole->n_rows,
		      whole->n_status[PMS_CHECK_KEPT], whole->n_status[PMS_CHECK_BROKEN],
		      whole->n_status[PMS_CHECK_UNCHECKED]);
	if (v->n_intervals)
		pms_page_text(page, "", "in %zu intervals: %zu broken", v->n_intervals,
			      v->n_broken);
	if (missing && !all)
		pms_page_text(page, "", "%zu need events that have no count: --all lists them",
			      missing);
}

static void put_budget_row(struct pms_page *page, const struct pms_verdict *v, size_t i)
{
	const struct pms_budget_row *row = &v->budget->rows[i];
	const struct pms_value *value = &v->values[i];
	const struct pms_metric *metric = v->budget->rows[i].metric;
	char text[PMS_NUMBER_MAX], low[PMS_NUMBER_MAX], high[PMS_NUMBER_MAX], first[32];
	snprintf(first, sizeof(first), "%-10s ", budget_statuses[pms_budget_status(row, value)]);
	number(low, row->has_low, row->low);
	number(high, row->has_high, row->high);
	if (value->state == PMS_VALUE_UNDEFINED) {
		pms_page_text(page, first, "%s: %s", metric->name, value->because);
		return;
	}
	/* As it is, not rounded: it is the digits behind that decide. */
	pms_text_double(text, value->value);
	pms_page_text(page, first, "%s: %s %s%s%s%s%s%s", metric->name, text, metric->units,
		      row->has_low || row->has_high ? "," : "", row->has_low ? " at least " : "",
		      low, row->has_high ? (row->has_low ? " and at most " : " at most ") : "",
		      high);
}

int pms_show_check_table(FILE *out, const struct pms_verdict *v,
			 const struct pms_show_options *options, struct pms_error *err)
{
	struct pms_page page;
	char heading[512];
	pms_page_init(&page, out, options);
	pms_label_heading(heading, sizeof(heading), v->whole->counts);
	pms_page_heading(&page, "%s", heading);
	put_summary(&page, v, options->all);
	struct walk w = { .verdict = v, .err = err };
	while (step(&w))
		put_rows(&page, w.check, options->all);
	if (v->budget) {
		fputc('\n', out);
		pms_page_heading(&page, "Budget");
	}
	for (size_t i = 0; v->budget && i < v->budget->n_rows; i++)
		put_budget_row(&page, v, i);
	pms_page_release(&page);
	if (w.rc)
		return w.rc;
	return page.failed ? pms_fail(err, PMS_ENOMEM, "out of memory") : 0;
}
