/* SPDX-License-Identifier: MIT */
#include "show/render_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show/grid.h"
#include "show/text.h"

enum { NAME, VALUE, UNIT, N_COLUMNS };

#define TEXT_MAX 512 /* a cell: a bar, a unit and marks */

/* The state of a tree while it is drawn. */
struct drawing {
	struct pms_page *page;
	struct pms_grid grid;
	unsigned bar; /* columns of the longest bar */
};

/* Append as much of @more as fits. */
static void append(char *text, size_t size, const char *more)
{
	size_t length = strlen(text);
	snprintf(text + length, size - length, "%s", more);
}

/* Append " ← 1, 2": the findings that end here. */
static void add_findings(char *text, size_t size, const struct pms_out_branch *branch)
{
	const char *lead = *text ? " ← " : "← ";
	for (size_t i = 0; i < branch->n_findings; i++) {
		size_t length = strlen(text);
		snprintf(text + length, size - length, "%s%zu", lead, branch->findings[i]);
		lead = ", ";
	}
}

/* Insert @value into the sorted @numbers, unless it is there. Returns the new length. */
static size_t insert(size_t *numbers, size_t n, size_t value)
{
	size_t at = n;
	while (at && numbers[at - 1] > value)
		at--;
	if (at && numbers[at - 1] == value)
		return n;
	memmove(numbers + at + 1, numbers + at, (n - at) * sizeof(*numbers));
	numbers[at] = value;
	return n + 1;
}

/* Append " [a, b]", the footnotes' letters, and give the footnotes to the page. */
static void add_footnotes(struct pms_page *page, char *text, size_t size,
			  const struct pms_out_branch *branch)
{
	size_t marks[PMS_OUT_MOST_FOOTNOTES], n = 0;
	char letters[PMS_LETTERS_MAX];
	for (size_t i = 0; i < branch->n_footnotes && i < PMS_OUT_MOST_FOOTNOTES; i++)
		n = insert(marks, n, pms_page_footnote(page, branch->footnotes[i]));
	for (size_t i = 0; i < n; i++) {
		pms_page_letters(letters, marks[i]);
		append(text, size, i ? ", " : " [");
		append(text, size, letters);
	}
	append(text, size, n ? "]" : "");
}

/* Whether the value is scaled, or a mean over repeated runs. */
static int has_interval(const struct pms_value *v)
{
	return v->state == PMS_VALUE_SCALED || (v->state == PMS_VALUE_EXACT && v->high > v->low);
}

/* Write an end of an interval; "?" where it is not known. */
static void describe_end(char text[PMS_NUMBER_MAX], double end, const char *units)
{
	if (isfinite(end))
		pms_text_value(text, end, units);
	else
		snprintf(text, PMS_NUMBER_MAX, "?");
}

/* Append the interval of a value that has one. */
static void add_interval(char *text, size_t size, const struct pms_out_quantity *quantity)
{
	const struct pms_value *v = quantity->value;
	char low[PMS_NUMBER_MAX], high[PMS_NUMBER_MAX], share[PMS_NUMBER_MAX];
	size_t length = strlen(text);
	text += length;
	size -= length;
	if (!has_interval(v))
		return;
	if (!isfinite(v->low) && !isfinite(v->high)) {
		snprintf(text, size, v->value == 0 ? " (not met)" : " (± ?)");
		return;
	}
	describe_end(low, v->low, quantity->units);
	describe_end(high, v->high, quantity->units);
	pms_text_share(share, v->run_pct);
	/* A sampled run says its share of the instructions in the heading. */
	if (v->state == PMS_VALUE_SCALED && !quantity->is_estimate)
		snprintf(text, size, " (%s … %s, ran %s)", low, high, share);
	else
		snprintf(text, size, " (%s … %s)", low, high);
}

/* Set the bar, or the unit in words, then the value's marks. */
static void set_unit(struct drawing *d, struct pms_grid_line *line,
		     const struct pms_out_branch *branch)
{
	char text[TEXT_MAX] = "";
	const char *of;
	int percent = pms_text_units(branch->quantity.units, &of);
	if (branch->kind == PMS_OUT_BRANCH_SHARE && percent)
		pms_text_bar(text, sizeof(text), branch->quantity.value->value, d->bar);
	else
		snprintf(text, sizeof(text), "%s%s", percent ? "of " : "", of);
	add_interval(text, sizeof(text), &branch->quantity);
	add_footnotes(d->page, text, sizeof(text), branch);
	add_findings(text, sizeof(text), branch);
	pms_grid_set(&d->grid, line, UNIT, "%s", text);
}

/* Set value and unit, or the number of the note that says why there is none. */
static void set_quantity(struct drawing *d, struct pms_grid_line *line,
			 const struct pms_out_branch *branch)
{
	const struct pms_value *v = branch->quantity.value;
	const char *of;
	char text[PMS_NUMBER_MAX];
	if (branch->instead) {
		pms_grid_set(&d->grid, line, VALUE, "— ");
		pms_grid_set(&d->grid, line, UNIT, " %s", branch->instead);
		return;
	}
	if (v->state == PMS_VALUE_UNDEFINED) {
		size_t note = pms_page_note(d->page, v->because ? v->because : "no reason given");
		pms_grid_set(&d->grid, line, VALUE, "— ");
		pms_grid_set(&d->grid, line, UNIT, "[%zu]", note);
		return;
	}
	int percent = pms_text_units(branch->quantity.units, &of);
	pms_text_value(text, v->value, branch->quantity.units);
	pms_grid_set(&d->grid, line, VALUE, "%s %s", text, percent ? "%" : " ");
	set_unit(d, line, branch);
}

/* Fill a line of the tree by the kind of its branch: value, title or reference. */
static void set_branch(struct drawing *d, struct pms_grid_line *line,
		       const struct pms_out_branch *branch)
{
	char text[TEXT_MAX] = "";
	pms_grid_set(&d->grid, line, NAME, "%s", branch->title);
	pms_grid_colour(&d->grid, line, branch->colour);
	switch (branch->kind) {
	case PMS_OUT_BRANCH_SHARE:
	case PMS_OUT_BRANCH_VALUE:
		set_quantity(d, line, branch);
		break;
	case PMS_OUT_BRANCH_TITLE:
		add_findings(text, sizeof(text), branch);
		pms_grid_set(&d->grid, line, UNIT, "%s", text);
		break;
	case PMS_OUT_BRANCH_SEE:
		pms_grid_set(&d->grid, line, UNIT, "%s", branch->instead);
		break;
	}
}

static void add_branches(struct drawing *d, const struct pms_out_item *parent,
			 struct pms_grid_line *above)
{
	for (const struct pms_out_item *item = parent->first; item; item = item->next) {
		struct pms_grid_line *line = pms_grid_line(&d->grid, above);
		set_branch(d, line, item->branch);
		add_branches(d, item, line);
	}
}

/* The columns taken beside the bars. */
struct widths {
	size_t titles, others, letters;
};

enum { VALUES_AND_MARKER = 19, INTERVAL = 27 };

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void measure(struct widths *w, const struct pms_out_item *parent, size_t depth)
{
	for (const struct pms_out_item *item = parent->first; item; item = item->next) {
		const struct pms_out_branch *b = item->branch;
		/* Each level takes two columns, and a branch one more for its blank. */
		size_t columns = pms_text_width(b->title) + 2 * depth + (depth > 0);
		w->titles = larger(w->titles, columns);
		if (b->quantity.value && has_interval(b->quantity.value))
			w->others = VALUES_AND_MARKER + INTERVAL;
		/* " [a, b]": one letter each, right for up to 26 footnotes */
		if (b->kind == PMS_OUT_BRANCH_SHARE && b->n_footnotes)
			w->letters = larger(w->letters, 3 * b->n_footnotes + 1);
		measure(w, item, depth + 1);
	}
}

/* Returns the columns left for bars by titles, values and marks. */
static unsigned bar_width(const struct pms_out_item *tree, unsigned width)
{
	enum { LEAST = 10, MOST = 50 };
	struct widths w = { .others = VALUES_AND_MARKER };
	measure(&w, tree, 0);
	size_t taken = w.titles + w.others + w.letters;
	if (taken + LEAST >= width)
		return LEAST;
	size_t left = width - taken;
	return left < MOST ? (unsigned)left : MOST;
}

void pms_render_tree(struct pms_page *page, const struct pms_out_item *tree)
{
	static const struct pms_column columns[] = { [NAME] = { "metric", PMS_GRID_TREE },
						     [VALUE] = { "value", PMS_GRID_RIGHT },
						     [UNIT] = { "unit", 0 } };
	struct drawing d = { .page = page, .bar = bar_width(tree, page->options->width) };
	pms_grid_init(&d.grid, page->options, columns, N_COLUMNS);
	add_branches(&d, tree, NULL);
	if (pms_grid_print(&d.grid, 0, page->out))
		page->failed = 1;
	pms_grid_release(&d.grid);
	pms_page_put_notes(page);
}
