/* SPDX-License-Identifier: MIT */
#include "pmuscope/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/report.h"
#include "analyse/sample.h"
#include "base/name.h"
#include "base/status.h"

/* How far apart two sides counted in different windows may be, in standard errors. With four, one
 * relation in 16,000 that holds is called broken: a hundred relations over a hundred intervals
 * rarely give a false alarm. */
static const double standard_errors = 4;
static const double closing = 100; /* percent: the sum of Level 1 */
/* Error of the double arithmetic of a quotient, in units of the sides, with a margin. */
static const double arithmetic = 1e-12;
static const double exact_integers =
	9007199254740992.0; /* 2^53: doubles hold every integer below */
/* Variance of rounding: scaled counts and means over runs are rounded to whole numbers, an error of
 * at most a half. */
static const double rounding = 0.25;

struct checker {
	struct pms_arena arena; /* behind struct pms_check's `owned` */
	const struct pms_counts *counts;
	const struct pms_catalog *catalog;
	const struct pms_check_options *options;
	char own_revision[16]; /* revision of the measured cores, "r3p1"; "": not known */
	const char *revision;  /* the caller's revision, or own_revision; NULL: not known */
	struct pms_check *check;
	struct pms_error *err;
};

/* One side of a comparison, as a formula over events. */
struct side {
	const char *text; /* the formula */
	const struct pms_formula *program;
	const size_t *events;
	size_t n_events;
};

static const struct pms_count *count_of(const struct checker *c, size_t event)
{
	return &c->counts->total.counts[event];
}

static const struct pms_sample *sample_of(const struct checker *c)
{
	return c->counts->total.sample;
}

/* Whether an event was counted all the time, and in one run. */
static int is_exact(const struct pms_count *count)
{
	return count->running_ns >= count->enabled_ns && count->spread == 0;
}

/* Make an operand with the error that a comparison has. Means over runs scatter together, and so do
 * counts of the same windows, so only the error between windows is left. */
static struct pms_operand operand(const struct pms_count *count, int same_windows)
{
	struct pms_operand operand = pms_operand_of(count, 0, 0);
	if (same_windows)
		operand.variance = 0;
	if (!is_exact(count))
		operand.variance += rounding;
	return operand;
}

static int in_same_windows(const struct checker *c, const size_t *events, size_t n)
{
	const struct pms_count *first = n ? count_of(c, events[0]) : NULL;
	for (size_t i = 0; i < n; i++) {
		const struct pms_count *count = count_of(c, events[i]);
		if (count->enabled_ns != first->enabled_ns ||
		    count->running_ns != first->running_ns || count->loose_times)
			return 0;
	}
	return 1;
}

/* Evaluate a side and the variance of its error. @why tells when it has no value. Errors:
 * -PMS_ENOMEM. */
static int evaluate(const struct checker *c, const struct side *side, double *value,
		    double *variance, enum pms_undefined *why)
{
	struct pms_operand *operands = calloc(side->n_events + 1, sizeof(operands[0]));
	int same_windows = in_same_windows(c, side->events, side->n_events);
	if (!operands)
		return pms_no_memory(c->err);
	for (size_t i = 0; i < side->n_events; i++)
		if (pms_count_is_known(count_of(c, side->events[i])))
			operands[i] = operand(count_of(c, side->events[i]), same_windows);
	*why = pms_formula_eval(side->program, operands, value, variance, NULL);
	/* All events share the windows of a sampled run, so take the scatter of the difference. */
	struct pms_sampled of = { side->program, side->events, side->n_events, operands };
	int rc = 0;
	if (!*why && variance && sample_of(c) &&
	    pms_sample_variance(sample_of(c), &of, variance) == -PMS_ENOMEM)
		rc = pms_no_memory(c->err);
	free(operands);
	return rc;
}

/* Say why a side has no value, in the words used for metrics. NULL when out of memory. */
static const char *explain(struct checker *c, const struct side *side)
{
	struct pms_metric metric = { .formula = side->text,
				     .program = side->program,
				     .events = side->events,
				     .n_events = side->n_events };
	struct pms_text_keeper keeper = { .arena = &c->arena };
	const char *why = pms_value_of(&keeper, c->catalog, &c->counts->total, &metric).because;
	return keeper.failed ? NULL : why;
}

static int all_exact(const struct checker *c, const struct side *side)
{
	if (sample_of(c))
		return 0;
	for (size_t i = 0; i < side->n_events; i++)
		if (!is_exact(count_of(c, side->events[i])))
			return 0;
	return 1;
}

/* List the events of a formula, in the order of its slots; NULL when out of memory. */
static size_t *events_of(const struct checker *c, const struct pms_formula *program)
{
	size_t n = pms_formula_names(program);
	size_t *events = calloc(n + 1, sizeof(events[0]));
	/* The catalog's formulas name only its own events. */
	for (size_t i = 0; events && i < n; i++)
		events[i] =
			(size_t)pms_catalog_find_event(c->catalog, pms_formula_name(program, i));
	return events;
}

/* Make a side from text, borrowed. Release it with side_release. */
static int side_make(const struct checker *c, const char *text, struct side *side)
{
	struct pms_formula *program;
	int rc = pms_formula_compile(text, NULL, &program, c->err);
	if (rc)
		return rc;
	size_t *events = events_of(c, program);
	*side = (struct side){ text, program, events, pms_formula_names(program) };
	return events ? 0 : pms_no_memory(c->err);
}

static void side_release(struct side *side)
{
	pms_formula_free((struct pms_formula *)side->program);
	free((size_t *)side->events);
}

/* Compute the variance of the difference; an event on both sides counts once. */
static int difference(const struct checker *c, const struct side *lhs, const struct side *rhs,
		      double *variance)
{
	struct side both = { 0 };
	enum pms_undefined why;
	double value;
	char *text;
	*variance = 0;
	if (asprintf(&text, "(%s) - (%s)", lhs->text, rhs->text) < 0)
		return pms_no_memory(c->err);
	int rc = side_make(c, text, &both);
	if (!rc)
		rc = evaluate(c, &both, &value, variance, &why);
	side_release(&both);
	free(text);
	return rc;
}

/* Find how far apart the sides may be. */
static int find_tolerance(const struct checker *c, const struct side *lhs, const struct side *rhs,
			  struct pms_check_row *row)
{
	double magnitude = fmax(fabs(row->lhs_value), fabs(row->rhs_value)), variance = 0;
	int divides = strchr(lhs->text, '/') || strchr(rhs->text, '/');
	int whole = all_exact(c, lhs) && all_exact(c, rhs); /* all operands are exact */
	row->tolerance = 0;
	if (divides || !whole || magnitude >= exact_integers)
		row->tolerance = arithmetic * magnitude;
	if (whole)
		return 0;
	int rc = difference(c, lhs, rhs, &variance);
	row->tolerance += standard_errors * sqrt(variance);
	return rc;
}

static int leave_unchecked(struct pms_check_row *row, enum pms_check_reason reason,
			   const char *because, struct pms_error *err)
{
	row->status = PMS_CHECK_UNCHECKED;
	row->reason = reason;
	row->because = because;
	return because ? 0 : pms_no_memory(err);
}

/* Write a number for people: counts are whole, and have commas only in tables. */
static void put_number(char *text, size_t size, double value)
{
	snprintf(text, size,
		 fabs(value) < exact_integers && value == floor(value) ? "%.0f" : "%.6g", value);
}

static const char *describe_break(struct checker *c, const struct pms_check_row *row, double apart)
{
	char by[64], most[64], share[64] = "";
	put_number(by, sizeof(by), fabs(apart));
	put_number(most, sizeof(most), row->tolerance);
	if (row->rhs_value != 0)
		snprintf(share, sizeof(share), " (%.3g %%)",
			 100 * fabs(apart) / fabs(row->rhs_value));
	return pms_arena_printf(&c->arena, "the left side is %s%s %s the right%s%s", by, share,
				apart > 0 ? "above" : "below",
				row->tolerance > 0 ? "; the counting allows for " : "",
				row->tolerance > 0 ? most : "");
}

static int judge(struct checker *c, struct pms_check_row *row)
{
	double apart = row->lhs_value - row->rhs_value;
	int above = row->sign[0] != '>' && apart > row->tolerance;
	int below = row->sign[0] != '<' && apart < -row->tolerance;
	row->status = above || below ? PMS_CHECK_BROKEN : PMS_CHECK_KEPT;
	if (row->status == PMS_CHECK_KEPT)
		return 0;
	row->because = describe_break(c, row, apart);
	return row->because ? 0 : pms_no_memory(c->err);
}

static int compare(struct checker *c, const struct side *lhs, const struct side *rhs,
		   struct pms_check_row *row)
{
	enum pms_undefined why = PMS_DEFINED;
	const struct side *sides[] = { lhs, rhs };
	double *values[] = { &row->lhs_value, &row->rhs_value };
	for (size_t i = 0; i < 2; i++) {
		int rc = evaluate(c, sides[i], values[i], NULL, &why);
		if (rc)
			return rc;
		if (why)
			return leave_unchecked(
				row, why == PMS_UNDEF_NAME ? PMS_REASON_COUNT : PMS_REASON_VALUE,
				explain(c, sides[i]), c->err);
	}
	row->has_values = 1;
	int rc = find_tolerance(c, lhs, rhs, row);
	return rc ? rc : judge(c, row);
}

/* Conditions. */

static int is_assumed(const struct checker *c, const char *name, size_t length)
{
	for (size_t i = 0; i < c->options->n_configurations; i++) {
		const char *assumed = c->options->configurations[i];
		if (strlen(assumed) == length && !strncmp(assumed, name, length))
			return 1;
	}
	return 0;
}

/* Whether every configuration named, joined by " and ", applies. */
static int configuration_holds(const struct checker *c, const char *names)
{
	static const char between[] = " and ";
	for (const char *end; names; names = end ? end + sizeof(between) - 1 : NULL) {
		end = strstr(names, between);
		if (!is_assumed(c, names, end ? (size_t)(end - names) : strlen(names)))
			return 0;
	}
	return 1;
}

/* Turn "r3p1" into a number that orders revisions; -1: not a revision. */
static long revision_number(const char *text)
{
	char *end;
	if (!text || (text[0] != 'r' && text[0] != 'R') || text[1] < '0' || text[1] > '9')
		return -1;
	unsigned long major = strtoul(text + 1, &end, 10);
	if ((*end != 'p' && *end != 'P') || end[1] < '0' || end[1] > '9')
		return -1;
	unsigned long minor = strtoul(end + 1, &end, 10);
	return *end || major > 255 || minor > 255 ? -1 : (long)(major * 256 + minor);
}

/* Whether the row's condition leaves it unchecked; the row then says why. */
static int check_condition(struct checker *c, const struct pms_condition *condition,
			   struct pms_check_row *row)
{
	const char *revision = c->revision;
	if (condition->configuration && !configuration_holds(c, condition->configuration))
		return leave_unchecked(row, PMS_REASON_CONFIGURATION,
				       pms_arena_printf(&c->arena,
							"holds with %s, which is not known",
							condition->configuration),
				       c->err);
	if (!condition->errata ||
	    (revision && revision_number(revision) >= revision_number(condition->before)))
		return 0;
	return leave_unchecked(
		row, PMS_REASON_ERRATUM,
		revision ? pms_arena_printf(&c->arena,
					    "erratum %s may break it on cores before %s; "
					    "this one is %s",
					    condition->errata, condition->before, revision)
			 : pms_arena_printf(&c->arena,
					    "erratum %s may break it on cores before %s, and "
					    "the revision of this one is not known",
					    condition->errata, condition->before),
		c->err);
}

/* Rows. */

static struct pms_check_row *add_row(struct checker *c)
{
	return &c->check->rows[c->check->n_rows++];
}

static struct side side_of(const struct pms_side *side)
{
	return (struct side){ side->text, side->program, side->events, side->n_events };
}

static int check_relation(struct checker *c, const struct pms_relation *relation)
{
	struct pms_check_row *row = add_row(c);
	struct side lhs = side_of(&relation->lhs), rhs = side_of(&relation->rhs);
	*row = (struct pms_check_row){ .relation = relation,
				       .kind = pms_relation_kind_name(relation->kind),
				       .sign = pms_relation_sign(relation->kind),
				       .lhs = relation->lhs.text,
				       .rhs = relation->rhs.text,
				       .note = relation->note };
	int rc = check_condition(c, &relation->condition, row);
	return rc || row->status == PMS_CHECK_UNCHECKED ? rc : compare(c, &lhs, &rhs, row);
}

static int compare_texts(struct checker *c, const char *lhs, const char *rhs,
			 struct pms_check_row *row)
{
	struct side sides[2] = { { 0 }, { 0 } };
	int rc = side_make(c, lhs, &sides[0]);
	if (!rc)
		rc = side_make(c, rhs, &sides[1]);
	if (!rc)
		rc = compare(c, &sides[0], &sides[1], row);
	side_release(&sides[0]);
	side_release(&sides[1]);
	return rc;
}

static const struct pms_metric *metric_of(const struct checker *c, size_t node)
{
	return pms_catalog_metric(c->catalog, pms_catalog_node(c->catalog, node)->metric);
}

static int is_share(const struct pms_metric *metric)
{
	return !strncmp(metric->units, "percent of ", strlen("percent of "));
}

/* Check that the roots add up, when they are shares of all slots. Without slot events the roots are
 * not parts of one whole. */
static int check_level_1(struct checker *c)
{
	const char *formulas = "", *names = "";
	size_t n = 0;
	for (size_t i = 0; i < pms_catalog_nodes(c->catalog); i++) {
		const struct pms_metric *metric = metric_of(c, i);
		if (pms_catalog_node(c->catalog, i)->level != 1)
			continue;
		if (pms_name_compare(metric->units, "percent of slots") != 0)
			return 0;
		const char *plus = n++ ? " + " : "";
		formulas = pms_arena_printf(&c->arena, "%s%s(%s)", formulas, plus, metric->formula);
		names = pms_arena_printf(&c->arena, "%s%s%s", names, plus, metric->name);
		if (!formulas || !names)
			return pms_no_memory(c->err);
	}
	if (n < 2)
		return 0;
	struct pms_check_row *row = add_row(c);
	char whole[32];
	snprintf(whole, sizeof(whole), "%.0f", closing);
	*row = (struct pms_check_row){
		.kind = "level_1",
		.sign = "=",
		.lhs = names,
		.rhs = pms_arena_dup(&c->arena, whole),
		.note = "The shares of Level 1 are of the same slots. Where they do not add up, "
			"their "
			"events were counted in different windows, or some slots twice or never.",
	};
	return row->rhs ? compare_texts(c, formulas, row->rhs, row) : pms_no_memory(c->err);
}

/* Check a child against its parent. In the parent's units a child is a part of it; a share of
 * something else is at most 100 % of that. */
static int check_child(struct checker *c, size_t parent, size_t child)
{
	const struct pms_metric *above = metric_of(c, parent), *below = metric_of(c, child);
	int same_units = !pms_name_compare(above->units, below->units);
	if (!same_units && !is_share(below))
		return 0;
	struct pms_check_row *row = add_row(c);
	*row = (struct pms_check_row){
		.kind = "tree",
		.sign = "<=",
		.lhs = below->name,
		.rhs = same_units ? above->name : "100",
		.note = same_units ? "A node of the decision tree is a part of the one above it."
				   : "It is a share, of what the node above it counts.",
	};
	return compare_texts(c, below->formula, same_units ? above->formula : "100", row);
}

static int check_tree(struct checker *c)
{
	int rc = check_level_1(c);
	for (size_t i = 0; i < pms_catalog_nodes(c->catalog) && !rc; i++) {
		const struct pms_tree_node *node = pms_catalog_node(c->catalog, i);
		for (size_t k = 0; k < node->n_children && !rc; k++)
			rc = check_child(c, i, node->children[k]);
	}
	return rc;
}

/* Check that the caller's configurations and revision are known. */
static int check_options(const struct checker *c)
{
	const struct pms_check_options *o = c->options;
	size_t n = pms_catalog_configurations(c->catalog);
	char known[400] = "";
	for (size_t i = 0; i < o->n_configurations; i++) {
		size_t k = 0, used = 0;
		while (k < n && strcmp(pms_catalog_configuration(c->catalog, k)->name,
				       o->configurations[i]) != 0)
			k++;
		if (k < n)
			continue;
		for (k = 0; k < n && used < sizeof(known); k++)
			used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s",
						 k ? ", " : "",
						 pms_catalog_configuration(c->catalog, k)->name);
		int rc = pms_fail(c->err, PMS_ENAME, "%s has no configuration \"%s\"",
				  pms_catalog_cpu(c->catalog)->name, o->configurations[i]);
		pms_hint(c->err, n ? "there are: %s" : "none of its relations depends on one%s",
			 known);
		return rc;
	}
	if (o->revision && revision_number(o->revision) < 0)
		return pms_fail(c->err, PMS_EINVAL, "\"%s\" is not a revision, such as r3p1",
				o->revision);
	return 0;
}

static int check_all(struct checker *c)
{
	size_t n = pms_catalog_relations(c->catalog), nodes = pms_catalog_nodes(c->catalog);
	int rc = check_options(c);
	if (rc)
		return rc;
	/* Each node is the child of at most one node. */
	c->check->rows = pms_arena_alloc(&c->arena, n + nodes + 1, sizeof(c->check->rows[0]));
	if (!c->check->rows)
		return pms_no_memory(c->err);
	for (size_t i = 0; i < n && !rc; i++)
		rc = check_relation(c, pms_catalog_relation(c->catalog, i));
	if (!rc)
		rc = check_tree(c);
	for (size_t i = 0; i < c->check->n_rows && !rc; i++)
		c->check->n_status[c->check->rows[i].status]++;
	return rc;
}

/* Read the revision from the counts' MIDR. Source: Arm Architecture Reference Manual, MIDR_EL1,
 * Variant and Revision. */
static void find_revision(struct checker *c)
{
	uint64_t midr = c->counts->provenance.midr;
	c->revision = c->options->revision;
	if (c->revision || !midr)
		return;
	snprintf(c->own_revision, sizeof(c->own_revision), "r%up%u", (unsigned)(midr >> 20 & 0xf),
		 (unsigned)(midr & 0xf));
	c->revision = c->own_revision;
}

int pms_check(const struct pms_counts *counts, const struct pms_check_options *options,
	      struct pms_check **out, struct pms_error *err)
{
	static const struct pms_check_options nothing = { 0 };
	struct checker *c = calloc(1, sizeof(*c));
	struct pms_check *check = calloc(1, sizeof(*check));
	if (!c || !check) {
		free(c);
		free(check);
		return pms_no_memory(err);
	}
	*c = (struct checker){ .counts = counts,
			       .catalog = counts->catalog,
			       .options = options ? options : &nothing,
			       .check = check,
			       .err = err };
	find_revision(c);
	*check = (struct pms_check){
		.counts = counts, .has_time = counts->has_time, .time = counts->time, .owned = c
	};
	int rc = check_all(c);
	if (rc)
		pms_check_free(check);
	else
		*out = check;
	return rc;
}

void pms_check_free(struct pms_check *check)
{
	struct checker *c = check ? check->owned : NULL;
	if (c)
		pms_arena_release(&c->arena);
	free(c);
	free(check);
}
