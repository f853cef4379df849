/* SPDX-License-Identifier: MIT */
/* The numbers of a modelled core, in each format. */
#include <fnmatch.h>
#include <string.h>

#include "base/status.h"
#include "pmuscope/core.h"
#include "show/csv.h"
#include "show/document.h"
#include "show/formats.h"
#include "show/grid.h"

enum { NAME, VALUE, CERTAINTY, SOURCE, N_COLUMNS };

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

static int fits_any(const struct pms_core *core, const char *pattern)
{
	for (size_t i = 0; i < pms_core_numbers(core); i++)
		if (fits(pms_core_number(core, i)->name, pattern))
			return 1;
	for (size_t i = 0; i < pms_core_mechanisms(core); i++)
		if (fits(pms_core_mechanism(core, i)->name, pattern))
			return 1;
	return 0;
}

static int check_filter(const struct pms_core *core, const struct pms_show_options *options,
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

static void put_mechanisms(struct pms_grid *grid, const struct pms_core *core,
			   const struct pms_show_options *options)
{
	for (size_t i = 0; i < pms_core_mechanisms(core); i++) {
		const struct pms_core_mechanism *m = pms_core_mechanism(core, i);
		if (!is_wanted(m->name, options))
			continue;
		struct pms_grid_line *line = pms_grid_line(grid, NULL);
		pms_grid_set(grid, line, NAME, "%s", m->name);
		pms_grid_set(grid, line, VALUE, m->on ? "on" : "off");
		pms_grid_set(grid, line, CERTAINTY, m->on ? "mechanism" : "changed");
		pms_grid_set(grid, line, SOURCE, "off: %s", m->without);
	}
}

/* Characters of the source without the word at its end that the column before it has. */
static int source_length(const struct pms_core_number *n)
{
	const char *word = pms_certainty_name(n->certainty), *end = strrchr(n->source, ';');
	return end && end[1] == ' ' && !strcmp(end + 2, word) ? (int)(end - n->source)
							      : (int)strlen(n->source);
}

static int put_table(FILE *out, const struct pms_core *core, const struct pms_show_options *options)
{
	static const struct pms_column columns[] = { [NAME] = { "NAME", 0 },
						     [VALUE] = { "VALUE", PMS_GRID_RIGHT },
						     [CERTAINTY] = { "CERTAINTY", 0 },
						     [SOURCE] = { "SOURCE", PMS_GRID_WRAP } };
	struct pms_grid grid;
	pms_grid_init(&grid, options, columns, N_COLUMNS);
	for (size_t i = 0; i < pms_core_numbers(core); i++) {
		const struct pms_core_number *n = pms_core_number(core, i);
		if (!is_wanted(n->name, options))
			continue;
		struct pms_grid_line *line = pms_grid_line(&grid, NULL);
		pms_grid_set(&grid, line, NAME, "%s", n->name);
		pms_grid_set(&grid, line, VALUE, "%u", n->value);
		pms_grid_set(&grid, line, CERTAINTY, "%s",
			     n->changed ? "changed" : pms_certainty_name(n->certainty));
		pms_grid_set(&grid, line, SOURCE, "%s%s%.*s", n->meaning, n->meaning[0] ? ": " : "",
			     source_length(n), n->source);
	}
	put_mechanisms(&grid, core, options);
	int rc = pms_grid_print(&grid, 1, out);
	pms_grid_release(&grid);
	return rc;
}

static json_t *number_object(struct pms_document *d, const struct pms_core_number *n)
{
	json_t *object = json_object();
	pms_document_set(d, object, "name", pms_document_string(n->name));
	pms_document_set(d, object, "value", json_integer(n->value));
	pms_document_set(d, object, "least", json_integer(n->least));
	pms_document_set(d, object, "most", json_integer(n->most));
	pms_document_set(d, object, "meaning", pms_document_string(n->meaning));
	pms_document_set(d, object, "certainty", json_string(pms_certainty_name(n->certainty)));
	pms_document_set(d, object, "source", pms_document_string(n->source));
	pms_document_set(d, object, "changed", json_boolean(n->changed));
	return object;
}

static json_t *mechanism_object(struct pms_document *d, const struct pms_core_mechanism *m)
{
	json_t *object = json_object();
	pms_document_set(d, object, "name", pms_document_string(m->name));
	pms_document_set(d, object, "on", json_boolean(m->on));
	pms_document_set(d, object, "without", pms_document_string(m->without));
	return object;
}

static int put_json(FILE *out, const struct pms_core *core, const struct pms_show_options *options,
		    struct pms_error *err)
{
	json_t *root = json_object(), *numbers = json_array(), *mechanisms = json_array();
	struct pms_document d;
	pms_document_init(&d, root);
	pms_document_set(&d, root, "pmuscope", json_pack("{s:s}", "version", PMS_VERSION));
	for (size_t i = 0; i < pms_core_numbers(core); i++)
		if (is_wanted(pms_core_number(core, i)->name, options))
			pms_document_append(&d, numbers,
					    number_object(&d, pms_core_number(core, i)));
	pms_document_set(&d, root, "numbers", numbers);
	for (size_t i = 0; i < pms_core_mechanisms(core); i++)
		if (is_wanted(pms_core_mechanism(core, i)->name, options))
			pms_document_append(&d, mechanisms,
					    mechanism_object(&d, pms_core_mechanism(core, i)));
	pms_document_set(&d, root, "mechanisms", mechanisms);
	return pms_document_finish(&d, out, err);
}

static int put_csv(FILE *out, const struct pms_core *core, const struct pms_show_options *options)
{
	static const char *const titles[] = { "name",	   "value",  "meaning",
					      "certainty", "source", "changed" };
	pms_csv_row(out, titles, sizeof(titles) / sizeof(titles[0]), options);
	for (size_t i = 0; i < pms_core_numbers(core); i++) {
		const struct pms_core_number *n = pms_core_number(core, i);
		char value[16];
		snprintf(value, sizeof(value), "%u", n->value);
		const char *fields[] = { n->name,    value,
					 n->meaning, pms_certainty_name(n->certainty),
					 n->source,  n->changed ? "1" : "0" };
		if (is_wanted(n->name, options))
			pms_csv_row(out, fields, sizeof(fields) / sizeof(fields[0]), options);
	}
	for (size_t i = 0; i < pms_core_mechanisms(core); i++) {
		const struct pms_core_mechanism *m = pms_core_mechanism(core, i);
		const char *fields[] = { m->name, m->on ? "1" : "0", m->without, "mechanism",
					 "",	  m->on ? "0" : "1" };
		if (is_wanted(m->name, options))
			pms_csv_row(out, fields, sizeof(fields) / sizeof(fields[0]), options);
	}
	return 0;
}

int pms_show_core(FILE *out, const struct pms_core *core, const struct pms_show_options *options,
		  struct pms_error *err)
{
	struct pms_show_options o = pms_show_complete(options);
	int rc = pms_show_check(options, err);
	if (!rc)
		rc = check_filter(core, &o, err);
	if (rc)
		return rc;
	locale_t numbers, old = pms_show_enter(&numbers);
	if (o.format == PMS_FORMAT_JSON)
		rc = put_json(out, core, &o, err);
	else
		rc = o.format == PMS_FORMAT_CSV ? put_csv(out, core, &o) : put_table(out, core, &o);
	if (rc)
		rc = pms_fail(err, PMS_ENOMEM, "out of memory");
	return pms_show_leave(old, numbers, out, rc, err);
}
