/* SPDX-License-Identifier: MIT */
/* Show where in the program slots are lost: the functions of a report, and the places of a
 * finding. */
#include <string.h>

#include "show/grid.h"
#include "show/place.h"
#include "show/report.h"
#include "show/text.h"

static const struct pms_where *where_of(const struct pms_out_item *of)
{
	return of ? of->outline->options->where : NULL;
}

/* Returns the place of a line, "list.c:16"; where lines are not known, its function. */
static const char *line_text(struct pms_out_item *of, const struct pms_where_line *line)
{
	const char *text = pms_place_line(of, line->file, line->line);
	return text ? text : line->function;
}

static const char *name_of(const struct pms_where_row *row)
{
	return row->function ? row->function : "no instruction";
}

/* Functions ------------------------------------------------------------------------------------ */

enum { CYCLES, LOST, CAUSE, PLACE, N };

static void say_rows(struct pms_out_item *table, const struct pms_where *w)
{
	const struct pms_profile *p = w->profile;
	for (size_t i = 0; i < w->n_rows; i++) {
		const struct pms_where_row *from = &w->rows[i];
		struct pms_out_item *row = pms_out_row(table, N);
		pms_place_set_percent(row, CYCLES,
				      pms_profile_measure_get(p, from->values, w->cycles),
				      pms_profile_measure_get(p, w->totals, w->cycles));
		if (pms_profile_lost(p, from->values))
			pms_place_set_percent(row, LOST, pms_profile_lost(p, from->values),
					      pms_profile_lost(p, w->totals));
		pms_place_set_cause(row, CAUSE, p, from->values);
		if (row)
			pms_out_cell_print(row, PLACE, "%s%s%s", name_of(from),
					   from->worst.file ? " " : "",
					   from->worst.file ? line_text(row, &from->worst) : "");
	}
}

void pms_report_say_where(struct pms_out_item *parent)
{
	static const struct pms_out_field fields[N] = {
		[CYCLES] = { NULL, NULL, "Cycles %", PMS_GRID_RIGHT },
		[LOST] = { NULL, NULL, "Lost %", PMS_GRID_RIGHT },
		[CAUSE] = { NULL, NULL, "Mostly to", 0 },
		[PLACE] = { NULL, NULL, "Function and worst line", PMS_GRID_WRAP },
	};
	const struct pms_where *w = where_of(parent);
	if (!w || !w->n_rows)
		return;
	pms_out_gap(parent);
	pms_out_heading(parent, "Where%s",
			w->profile->source == PMS_PROFILE_MODELLED ? "" : ", by samples");
	say_rows(pms_out_table(parent, PMS_FOR_PEOPLE, NULL, fields, N), w);
	if (w->n_more) {
		pms_out_gap(parent);
		pms_out_paragraph(
			parent, NULL,
			"%zu more function%s; pmuscope annotate shows all, and their code, "
			"of what --save keeps",
			w->n_more, w->n_more == 1 ? "" : "s");
	}
}

static void put_row(struct pms_out_item *list, const struct pms_where *w,
		    const struct pms_where_row *row)
{
	const struct pms_profile *p = w->profile;
	const struct pms_object *object =
		row->object == PMS_PROFILE_NONE ? NULL : &p->objects[row->object];
	uint32_t worst = pms_profile_worst(p, row->values);
	struct pms_out_item *o = pms_out_group(list, PMS_IN_JSON, NULL);
	pms_out_member(o, "function", pms_out_of_text(row->function));
	pms_out_member(o, "object", pms_out_of_text(object ? object->path : NULL));
	pms_out_member(o, "cycles",
		       pms_out_of_count(pms_profile_measure_get(p, row->values, w->cycles)));
	for (int s = PMS_PROFILE_RETIRING; s < PMS_PROFILE_SHARES; s++)
		pms_out_member(o, pms_profile_share_name((enum pms_profile_share)s),
			       pms_out_of_count(pms_profile_slots(p, row->values,
								  (enum pms_profile_share)s)));
	pms_out_member(o, "cause",
		       pms_out_of_text(worst == PMS_PROFILE_NONE ? NULL : p->kinds[worst].name));
	pms_out_member(o, "file", pms_out_of_text(row->worst.file));
	pms_out_member(o, "line",
		       pms_out_when(row->worst.line > 0, pms_out_of_count(row->worst.line)));
}

void pms_report_put_where(struct pms_out_item *parent)
{
	const struct pms_where *w = where_of(parent);
	char share[PMS_NUMBER_MAX];
	if (!w)
		return;
	struct pms_out_item *group = pms_out_group(parent, PMS_IN_JSON, "where");
	pms_out_member(group, "profile",
		       pms_out_of_text(pms_profile_source_name(w->profile->source)));
	struct pms_out_item *list = pms_out_list(group, PMS_IN_JSON, "functions");
	for (size_t i = 0; i < w->n_rows; i++) {
		const struct pms_where_row *row = &w->rows[i];
		put_row(list, w, row);
		pms_text_share(share,
			       pms_place_percent(
				       pms_profile_measure_get(w->profile, row->values, w->cycles),
				       pms_profile_measure_get(w->profile, w->totals, w->cycles)));
		pms_out_comment_print(parent, "where", "%s %s%s%s", name_of(row), share,
				      row->worst.slots ? ", most lost at " : "",
				      row->worst.slots ? line_text(parent, &row->worst) : "");
	}
}

/* Findings ------------------------------------------------------------------------------------- */

/* Find the lines that lost most to the finding's cause; where a profile does not tell it apart, to
 * the share of Level 1 that the finding is below. */
static size_t lines_of(const struct pms_where *w, const struct pms_report *report,
		       const struct pms_finding *f, struct pms_where_line lines[PMS_WHERE_LINES],
		       uint64_t *all)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	const struct pms_tree_node *share = pms_catalog_node(catalog, f->path[0]);
	size_t n = f->advice ? pms_where_lines(w, f->advice->lost, lines, all) : 0;
	return n ? n
		 : pms_where_lines(w, pms_catalog_metric(catalog, share->metric)->name, lines, all);
}

void pms_report_say_places(struct pms_out_item *group, const struct pms_report *report,
			   const struct pms_finding *f)
{
	const struct pms_where *w = where_of(group);
	struct pms_where_line lines[PMS_WHERE_LINES];
	struct pms_out_words words = pms_out_words(group);
	char percent[PMS_NUMBER_MAX];
	uint64_t all;
	size_t n = w ? lines_of(w, report, f, lines, &all) : 0;
	for (size_t i = 0; i < n && (!i || lines[i].slots * 100 >= all); i++) {
		pms_text_share(percent, pms_place_percent(lines[i].slots, all));
		pms_out_words_add(&words, pms_out_print(group, "%s %s", line_text(group, &lines[i]),
							percent));
	}
	if (words.n)
		pms_out_paragraph(group, "where", "%s of the slots lost to this",
				  pms_out_words_join(&words, ", "));
}

void pms_report_put_places(struct pms_out_item *object, const struct pms_report *report,
			   const struct pms_finding *f)
{
	const struct pms_where *w = where_of(object);
	struct pms_where_line lines[PMS_WHERE_LINES];
	uint64_t all;
	if (!w)
		return;
	size_t n = lines_of(w, report, f, lines, &all);
	struct pms_out_item *list = pms_out_list(object, PMS_IN_JSON, "places");
	for (size_t i = 0; i < n; i++) {
		const struct pms_where_line *line = &lines[i];
		struct pms_out_item *place = pms_out_group(list, PMS_IN_JSON, NULL);
		pms_out_member(place, "function", pms_out_of_text(line->function));
		pms_out_member(place, "file", pms_out_of_text(line->file));
		pms_out_member(place, "line",
			       pms_out_when(line->line > 0, pms_out_of_count(line->line)));
		pms_out_member(place, "slots", pms_out_of_count(line->slots));
	}
}
