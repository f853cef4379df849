/* SPDX-License-Identifier: MIT */
/* Show the numbers of a modelled core and its mechanisms. */
#include <fnmatch.h>
#include <string.h>

#include "base/status.h"
#include "pmuscope/core.h"
#include "show/grid.h"
#include "show/provenance.h"
#include "show/render.h"

enum { NAME, VALUE, LEAST, MOST, MEANING, CERTAINTY, SOURCE, CHANGED, N };

static const struct pms_out_field fields[] = {
	[NAME] = PMS_OUT_FIELD("name", "NAME", 0),
	[VALUE] = PMS_OUT_FIELD("value", "VALUE", PMS_GRID_RIGHT),
	[LEAST] = { "least", NULL, NULL, 0 },
	[MOST] = { "most", NULL, NULL, 0 },
	[MEANING] = PMS_OUT_FIELD("meaning", NULL, 0),
	[CERTAINTY] = PMS_OUT_FIELD("certainty", "CERTAINTY", 0),
	[SOURCE] = PMS_OUT_FIELD("source", "SOURCE", PMS_GRID_WRAP),
	[CHANGED] = PMS_OUT_FIELD("changed", NULL, 0),
};

static int fits(const char *name, const char *pattern)
{
	return !fnmatch(pattern, name, FNM_CASEFOLD);
}

static int is_wanted(const char *name, const struct pms_show_options *options)
{
	for (size_t i = 0; i < options->n_filter; i++)
		if (fits(name, options->filter[i]))
			return 1;
	return !options->n_filter;
}

static int fits_an_ideal(const char *pattern)
{
	for (size_t i = 0; i < pms_core_ideals(); i++)
		if (fits(pms_core_ideal(i)->name, pattern))
			return 1;
	return 0;
}

static int fits_any(const struct pms_core_data *core, const char *pattern)
{
	for (size_t i = 0; i < pms_core_numbers(core); i++)
		if (fits(pms_core_number(core, i)->name, pattern))
			return 1;
	for (size_t i = 0; i < pms_core_mechanisms(core); i++)
		if (fits(pms_core_mechanism(core, i)->name, pattern))
			return 1;
	return fits_an_ideal(pattern);
}

static int check_filter(const struct pms_core_data *core, const struct pms_show_options *options,
			struct pms_error *err)
{
	for (size_t i = 0; i < options->n_filter; i++) {
		if (fits_any(core, options->filter[i]))
			continue;
		pms_fail(err, PMS_ENAME, "the core has no number %s", options->filter[i]);
		pms_hint(err, "a pattern may help: '*tlb*'");
		return -PMS_ENAME;
	}
	return 0;
}

/* Length of the source without its last word where the certainty column already prints that
 * word. */
static int source_length(const struct pms_core_number *n)
{
	const char *word = pms_certainty_name(n->certainty), *end = strrchr(n->source, ';');
	return end && end[1] == ' ' && !strcmp(end + 2, word) ? (int)(end - n->source)
							      : (int)strlen(n->source);
}

static void add_number(struct pms_out_item *table, const struct pms_core_number *n)
{
	struct pms_out_item *row = pms_out_row(table, N);
	pms_out_cell(row, NAME, pms_out_of_text(n->name));
	pms_out_cell(row, VALUE, pms_out_of_count(n->value));
	pms_out_cell(row, LEAST, pms_out_of_count(n->least));
	pms_out_cell(row, MOST, pms_out_of_count(n->most));
	pms_out_cell(row, MEANING, pms_out_of_text(n->meaning));
	pms_out_cell(row, CERTAINTY, pms_out_of_text(pms_certainty_name(n->certainty)));
	if (n->changed)
		pms_out_cell_print(row, CERTAINTY, "changed");
	pms_out_cell(row, SOURCE, pms_out_of_text(n->source));
	pms_out_cell_print(row, SOURCE, "%s%s%.*s", n->meaning, n->meaning[0] ? ": " : "",
			   source_length(n), n->source);
	pms_out_cell(row, CHANGED, pms_out_of_truth(n->changed));
}

/* Add the mechanism as a row of the numbers' table, in the same columns. */
static void add_mechanism(struct pms_out_item *table, const struct pms_core_mechanism *m)
{
	struct pms_out_item *row = pms_out_row(table, N);
	pms_out_cell(row, NAME, pms_out_of_text(m->name));
	pms_out_cell(row, VALUE, pms_out_of_truth(m->on));
	pms_out_cell_print(row, VALUE, m->on ? "on" : "off");
	pms_out_cell(row, MEANING, pms_out_of_text(m->without));
	pms_out_cell(row, CERTAINTY, pms_out_of_text("mechanism"));
	if (!m->on)
		pms_out_cell_print(row, CERTAINTY, "changed");
	pms_out_cell_print(row, SOURCE, "off: %s", m->without);
	pms_out_cell(row, CHANGED, pms_out_of_truth(!m->on));
}

/* JSON lists mechanisms in an array of their own. */
static void add_object(struct pms_out_item *list, const struct pms_core_mechanism *m)
{
	struct pms_out_item *object = pms_out_group(list, PMS_IN_JSON, NULL);
	pms_out_member(object, "name", pms_out_of_text(m->name));
	pms_out_member(object, "on", pms_out_of_truth(m->on));
	pms_out_member(object, "without", pms_out_of_text(m->without));
}

/* Add the ideal core as a row of the numbers' table, in the same columns. */
static void add_ideal(struct pms_out_item *table, const struct pms_core_ideal *ideal)
{
	struct pms_out_item *row = pms_out_row(table, N);
	pms_out_cell(row, NAME, pms_out_of_text(ideal->name));
	pms_out_cell(row, VALUE, pms_out_of_text(""));
	pms_out_cell(row, MEANING,
		     pms_out_of_text(pms_out_print(row, "%s: %s", ideal->title, ideal->meaning)));
	pms_out_cell(row, CERTAINTY, pms_out_of_text("ideal"));
	pms_out_cell(row, SOURCE, pms_out_of_text(ideal->settings));
	pms_out_cell_print(row, SOURCE, "%s: %s; %s", ideal->title, ideal->meaning,
			   ideal->settings);
	pms_out_cell(row, CHANGED, pms_out_of_truth(0));
}

static void put_ideals(struct pms_out_item *root, struct pms_out_item *table)
{
	struct pms_out_item *list = pms_out_list(root, PMS_IN_JSON, "ideals");
	for (size_t i = 0; i < pms_core_ideals(); i++) {
		const struct pms_core_ideal *ideal = pms_core_ideal(i);
		if (!is_wanted(ideal->name, root->outline->options))
			continue;
		if (!list) {
			add_ideal(table, ideal);
			continue;
		}
		struct pms_out_item *object = pms_out_group(list, PMS_IN_JSON, NULL);
		pms_out_member(object, "name", pms_out_of_text(ideal->name));
		pms_out_member(object, "title", pms_out_of_text(ideal->title));
		pms_out_member(object, "meaning", pms_out_of_text(ideal->meaning));
		pms_out_member(object, "settings", pms_out_of_text(ideal->settings));
	}
}

/* Put numbers, mechanisms and ideal cores where each format wants them: one table, or three arrays
 * in JSON. */
static int build(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	const struct pms_core_data *core = subject;
	struct pms_out_item *root = outline->root;
	int rc = check_filter(core, outline->options, err);
	if (rc)
		return rc;
	if (pms_outline_is_in(root, PMS_IN_JSON))
		pms_provenance_version(root);
	struct pms_out_item *table = pms_out_table(root, PMS_EVERYWHERE, "numbers", fields, N);
	struct pms_out_item *list = pms_out_list(root, PMS_IN_JSON, "mechanisms");
	for (size_t i = 0; i < pms_core_numbers(core); i++)
		if (is_wanted(pms_core_number(core, i)->name, outline->options))
			add_number(table, pms_core_number(core, i));
	for (size_t i = 0; i < pms_core_mechanisms(core); i++) {
		const struct pms_core_mechanism *m = pms_core_mechanism(core, i);
		if (!is_wanted(m->name, outline->options))
			continue;
		if (list)
			add_object(list, m);
		else
			add_mechanism(table, m);
	}
	put_ideals(root, table);
	return 0;
}

int pms_show_core(FILE *out, const struct pms_core_data *core,
		  const struct pms_show_options *options, struct pms_error *err)
{
	return pms_show_built(out, options, build, (void *)core, err);
}
