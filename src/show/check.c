/* SPDX-License-Identifier: MIT */
/* Show the result of a check: its relations, those of each interval, and the budget. */
#include <string.h>

#include "base/status.h"
#include "show/caveat.h"
#include "show/label.h"
#include "show/provenance.h"
#include "show/render.h"
#include "show/text.h"

static const char *const statuses[] = { [PMS_CHECK_KEPT] = "kept",
					[PMS_CHECK_BROKEN] = "broken",
					[PMS_CHECK_UNCHECKED] = "unchecked" };
static const char *const budget_statuses[] = { [PMS_BUDGET_KEPT] = "kept",
					       [PMS_BUDGET_BELOW] = "below",
					       [PMS_BUDGET_ABOVE] = "above",
					       [PMS_BUDGET_UNDEFINED] = "undefined" };

static const char *const csv_columns[] = { "kind",	"time",	     "id",     "lhs",
					   "rhs",	"section",   "status", "lhs_value",
					   "rhs_value", "tolerance", "because" };

static const char *section_of(const struct pms_check_row *row)
{
	return row->relation ? row->relation->section : "";
}

/* For programs --------------------------------------------------------------------------------- */

enum {
	TIME,
	ID,
	KIND,
	LHS,
	RHS,
	CONDITION,
	SECTION,
	STATUS,
	LHS_VALUE,
	RHS_VALUE,
	TOLERANCE,
	BECAUSE,
	NOTE,
	N_FIELDS
};

static const struct pms_out_field fields[] = {
	[TIME] = { "time", "time", NULL, PMS_OUT_OPTIONAL },
	[ID] = PMS_OUT_FIELD("id", NULL, 0),
	[KIND] = PMS_OUT_FIELD("kind", NULL, 0),
	[LHS] = PMS_OUT_FIELD("lhs", NULL, 0),
	[RHS] = PMS_OUT_FIELD("rhs", NULL, 0),
	[CONDITION] = PMS_OUT_FIELD("condition", NULL, 0),
	[SECTION] = PMS_OUT_FIELD("section", NULL, 0),
	[STATUS] = PMS_OUT_FIELD("status", NULL, 0),
	[LHS_VALUE] = PMS_OUT_FIELD("lhs_value", NULL, 0),
	[RHS_VALUE] = PMS_OUT_FIELD("rhs_value", NULL, 0),
	[TOLERANCE] = PMS_OUT_FIELD("tolerance", NULL, 0),
	[BECAUSE] = PMS_OUT_FIELD("because", NULL, 0),
	[NOTE] = { "note", NULL, NULL, 0 },
};

/* One row for programs: JSON and CSV share the table, so empty cells mean "does not apply". */
static void put_relation(struct pms_out_item *table, const struct pms_check *check,
			 const struct pms_check_row *r)
{
	const struct pms_relation *relation = r->relation;
	struct pms_out_item *row = pms_out_row(table, N_FIELDS);
	pms_out_cell(row, TIME, pms_out_when(check->has_time, pms_out_of_real(check->time)));
	pms_out_cell(row, KIND, pms_out_of_text(r->kind));
	pms_out_cell(row, LHS, pms_out_of_text(r->lhs));
	pms_out_cell(row, RHS, pms_out_of_text(r->rhs));
	pms_out_cell(row, STATUS, pms_out_of_text(statuses[r->status]));
	pms_out_cell(row, LHS_VALUE, pms_out_when(r->has_values, pms_out_of_real(r->lhs_value)));
	pms_out_cell(row, RHS_VALUE, pms_out_when(r->has_values, pms_out_of_real(r->rhs_value)));
	pms_out_cell(row, TOLERANCE, pms_out_when(r->has_values, pms_out_of_real(r->tolerance)));
	pms_out_cell(row, BECAUSE, pms_out_of_text(r->because));
	pms_out_cell(row, NOTE, pms_out_of_text(r->note));
	if (!relation)
		return;
	pms_out_cell(row, ID, pms_out_of_text(relation->id));
	pms_out_cell(row, SECTION, pms_out_of_text(relation->section));
	pms_out_cell(row, CONDITION, pms_caveat_condition(row, &relation->condition));
}

static void put_relations(struct pms_out_item *parent, const struct pms_check *check)
{
	struct pms_out_item *table =
		pms_out_table(parent, PMS_FOR_PROGRAMS, NULL, fields, N_FIELDS);
	for (size_t i = 0; table && i < check->n_rows; i++)
		put_relation(table, check, &check->rows[i]);
}

/* In CSV a budget uses the columns of a relation: lhs is the metric, rhs is "low..high". */
static const char *ends_of(struct pms_out_item *row, const struct pms_budget_row *b)
{
	char low[PMS_NUMBER_MAX] = "", high[PMS_NUMBER_MAX] = "";
	if (b->has_low)
		pms_text_double(low, b->low);
	if (b->has_high)
		pms_text_double(high, b->high);
	return pms_out_print(row, "%s..%s", low, high);
}

/* One table serves both formats: JSON has a column for each fact, CSV reuses the relations'
 * columns. */
static void put_budget(struct pms_out_item *root, unsigned places, const struct pms_verdict *v)
{
	enum {
		B_METRIC,
		B_LOW,
		B_HIGH,
		B_VALUE,
		B_UNITS,
		B_STATE,
		B_STATUS,
		B_BECAUSE,
		B_KIND,
		B_ENDS,
		N_BUDGET
	};
	static const struct pms_out_field columns[] = {
		[B_METRIC] = { "metric", "lhs", NULL, 0 },
		[B_LOW] = { "low", NULL, NULL, 0 },
		[B_HIGH] = { "high", NULL, NULL, 0 },
		[B_VALUE] = { "value", "lhs_value", NULL, 0 },
		[B_UNITS] = { "units", NULL, NULL, 0 },
		[B_STATE] = { "state", NULL, NULL, 0 },
		[B_STATUS] = PMS_OUT_FIELD("status", NULL, 0),
		[B_BECAUSE] = PMS_OUT_FIELD("because", NULL, 0),
		[B_KIND] = { NULL, "kind", NULL, 0 },
		[B_ENDS] = { NULL, "rhs", NULL, 0 },
	};
	struct pms_out_item *table = pms_out_table(root, places, "budget", columns, N_BUDGET);
	for (size_t i = 0; table && i < v->budget->n_rows; i++) {
		const struct pms_budget_row *b = &v->budget->rows[i];
		const struct pms_value *value = &v->values[i];
		struct pms_out_item *row = pms_out_row(table, N_BUDGET);
		pms_out_cell(row, B_METRIC, pms_out_of_text(b->metric->name));
		pms_out_cell(row, B_LOW, pms_out_when(b->has_low, pms_out_of_real(b->low)));
		pms_out_cell(row, B_HIGH, pms_out_when(b->has_high, pms_out_of_real(b->high)));
		pms_out_cell(row, B_VALUE,
			     pms_out_when(value->state != PMS_VALUE_UNDEFINED,
					  pms_out_of_real(value->value)));
		pms_out_cell(row, B_UNITS, pms_out_of_text(b->metric->units));
		pms_out_cell(row, B_STATE,
			     pms_out_of_text(pms_label_value_state(&v->whole->counts->provenance,
								   value->state)));
		pms_out_cell(row, B_STATUS,
			     pms_out_of_text(budget_statuses[pms_budget_status(b, value)]));
		pms_out_cell(row, B_BECAUSE, pms_out_of_text(value->because));
		pms_out_cell(row, B_KIND, pms_out_of_text("budget"));
		pms_out_cell(row, B_ENDS, pms_out_of_text(ends_of(row, b)));
	}
}

/* For people ----------------------------------------------------------------------------------- */

/* One line for people: the relation, then its numbers or the reason why it was not checked. */
static void say_relation(struct pms_out_item *parent, const struct pms_check *check,
			 const struct pms_check_row *row)
{
	struct pms_out_item *group = pms_out_group(parent, PMS_FOR_PEOPLE, NULL);
	char lhs[PMS_NUMBER_MAX], rhs[PMS_NUMBER_MAX];
	pms_out_set_labels(group, 0, 11);
	if (check->has_time)
		pms_out_paragraph(group, statuses[row->status], "%s %s %s, at %.3f s", row->lhs,
				  row->sign, row->rhs, check->time);
	else
		pms_out_paragraph(group, statuses[row->status], "%s %s %s", row->lhs, row->sign,
				  row->rhs);
	struct pms_out_item *facts = pms_out_group(group, PMS_FOR_PEOPLE, NULL);
	pms_out_set_labels(facts, 2, 9);
	if (row->status == PMS_CHECK_UNCHECKED)
		pms_out_paragraph(facts, "because", "%s", row->because);
	if (row->status != PMS_CHECK_BROKEN)
		return;
	pms_text_double(lhs, row->lhs_value);
	pms_text_double(rhs, row->rhs_value);
	pms_out_paragraph(facts, "values", "%s and %s: %s", lhs, rhs, row->because);
	if (row->note[0])
		pms_out_paragraph(facts, "note", "%s", row->note);
	if (section_of(row)[0])
		pms_out_paragraph(facts, "section", "%s", section_of(row));
}

/* With --all show every row. Else show broken relations, and those of the whole run that are
 * unchecked for a reason other than a missing count. */
static int is_shown(const struct pms_check_row *row, const struct pms_check *check, int all)
{
	if (all || row->status == PMS_CHECK_BROKEN)
		return 1;
	return row->status == PMS_CHECK_UNCHECKED && row->reason != PMS_REASON_COUNT &&
	       !check->has_time;
}

/* Print the broken ones first. Rows that are not shown are not built: many intervals would fill
 * the memory. */
static void say_relations(struct pms_out_item *parent, const struct pms_check *check)
{
	static const enum pms_check_status order[] = { PMS_CHECK_BROKEN, PMS_CHECK_UNCHECKED,
						       PMS_CHECK_KEPT };
	int all = parent->outline->options->all;
	for (size_t n = 0; n < sizeof(order) / sizeof(order[0]); n++)
		for (size_t i = 0; i < check->n_rows; i++)
			if (check->rows[i].status == order[n] &&
			    is_shown(&check->rows[i], check, all))
				say_relation(parent, check, &check->rows[i]);
}

static void say_summary(struct pms_out_item *root, const struct pms_verdict *v, int all)
{
	const struct pms_check *whole = v->whole;
	size_t missing = 0;
	for (size_t i = 0; i < whole->n_rows; i++)
		missing += whole->rows[i].reason == PMS_REASON_COUNT;
	pms_out_paragraph(root, NULL, "%zu relations: %zu kept, %zu broken, %zu unchecked",
			  whole->n_rows, whole->n_status[PMS_CHECK_KEPT],
			  whole->n_status[PMS_CHECK_BROKEN], whole->n_status[PMS_CHECK_UNCHECKED]);
	if (v->n_intervals)
		pms_out_paragraph(root, NULL, "in %zu intervals: %zu broken", v->n_intervals,
				  v->n_broken);
	if (missing && !all)
		pms_out_paragraph(root, NULL,
				  "%zu need events that have no count: --all lists them", missing);
}

/* Print the value unrounded: its last digits may decide the verdict. */
static void say_budget_row(struct pms_out_item *group, const struct pms_verdict *v, size_t i)
{
	const struct pms_budget_row *row = &v->budget->rows[i];
	const struct pms_value *value = &v->values[i];
	const struct pms_metric *metric = row->metric;
	const char *status = budget_statuses[pms_budget_status(row, value)];
	char text[PMS_NUMBER_MAX], low[PMS_NUMBER_MAX] = "", high[PMS_NUMBER_MAX] = "";
	if (value->state == PMS_VALUE_UNDEFINED) {
		pms_out_paragraph(group, status, "%s: %s", metric->name, value->because);
		return;
	}
	if (row->has_low)
		pms_text_double(low, row->low);
	if (row->has_high)
		pms_text_double(high, row->high);
	pms_text_double(text, value->value);
	pms_out_paragraph(
		group, status, "%s: %s %s%s%s%s%s%s", metric->name, text, metric->units,
		row->has_low || row->has_high ? "," : "", row->has_low ? " at least " : "", low,
		row->has_high ? (row->has_low ? " and at most " : " at most ") : "", high);
}

static void say_budget(struct pms_out_item *root, const struct pms_verdict *v)
{
	struct pms_out_item *group = pms_out_group(root, PMS_FOR_PEOPLE, NULL);
	pms_out_set_labels(group, 0, 11);
	pms_out_gap(group);
	pms_out_heading(group, "Budget");
	for (size_t i = 0; i < v->budget->n_rows; i++)
		say_budget_row(group, v, i);
}

/* The whole ------------------------------------------------------------------------------------ */

/* The check being shown. An interval's check is made when its turn comes and freed before the
 * next. */
struct walk {
	const struct pms_verdict *verdict;
	struct pms_check *held;
};

/* Item 0 is the whole run; item i is interval i - 1. */
static int make_check(void *context, struct pms_out_item *parent, size_t i, struct pms_error *err)
{
	struct walk *walk = context;
	const struct pms_verdict *v = walk->verdict;
	const struct pms_check *check = v->whole;
	pms_check_free(walk->held);
	walk->held = NULL;
	if (i > v->n_intervals)
		return 0;
	if (i) {
		int rc = v->interval(v->context, i - 1, &walk->held, err);
		if (rc)
			return rc;
		check = walk->held;
	}
	put_relations(parent, check);
	if (pms_outline_is_in(parent, PMS_FOR_PEOPLE))
		say_relations(parent, check);
	return 1;
}

/* Put the parts in each format's order: the budget comes first in JSON, last in CSV and for
 * people. */
static int build(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	struct walk *walk = subject;
	const struct pms_verdict *v = walk->verdict;
	struct pms_out_item *root = outline->root;
	char heading[512];
	(void)err;
	outline->columns = csv_columns;
	outline->n_columns = sizeof(csv_columns) / sizeof(csv_columns[0]);
	pms_provenance_counts(root, PMS_FOR_PROGRAMS, v->whole->counts, 1);
	pms_label_heading(heading, sizeof(heading), v->whole->counts);
	pms_out_heading(root, "%s", heading);
	say_summary(root, v, outline->options->all);
	if (v->budget)
		put_budget(root, PMS_IN_JSON, v);
	pms_out_each(root, PMS_EVERYWHERE, "relations", make_check, walk);
	if (v->budget) {
		put_budget(root, PMS_IN_CSV, v);
		say_budget(root, v);
	}
	return 0;
}

int pms_show_verdict(FILE *out, const struct pms_verdict *verdict,
		     const struct pms_show_options *options, struct pms_error *err)
{
	struct walk walk = { .verdict = verdict };
	int rc = pms_show_built(out, options, build, &walk, err);
	pms_check_free(walk.held);
	return rc;
}
