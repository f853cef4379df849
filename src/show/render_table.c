/* SPDX-License-Identifier: MIT */
/* Write an outline for people at a terminal: headings, paragraphs, tables and trees, fitted to a
 * width. */
#include "show/render.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "show/grid.h"
#include "show/page.h"
#include "show/render_tree.h"
#include "show/text.h"

enum { MOST_COLUMNS = 16 };

/* The columns of a table that people see. */
struct shown {
	struct pms_column columns[MOST_COLUMNS];
	size_t fields[MOST_COLUMNS];
	size_t n;
	int two_lines; /* 1: titles have two lines each */
};

static int put_children(struct pms_page *page, const struct pms_out_item *parent,
			struct pms_error *err);

/* Tables --------------------------------------------------------------------------------------- */

static void find_shown(struct shown *shown, const struct pms_out_item *table)
{
	shown->n = 0;
	shown->two_lines = 0;
	for (size_t i = 0; i < table->table.n_fields && shown->n < MOST_COLUMNS; i++) {
		const struct pms_out_field *field = &table->table.fields[i];
		if (!field->title)
			continue;
		shown->two_lines |= strchr(field->title, '\n') != NULL;
		shown->columns[shown->n] = (struct pms_column){ field->title, field->flags };
		shown->fields[shown->n++] = i;
	}
	for (size_t i = 0; i < shown->n && shown->two_lines; i++)
		shown->columns[i].title = "";
}

/* Write titles of two lines as lines of the grid, whose own titles have one. */
static void add_titles(struct pms_grid *grid, const struct shown *shown,
		       const struct pms_out_item *table)
{
	struct pms_grid_line *above = pms_grid_line(grid, NULL), *line = pms_grid_line(grid, NULL);
	for (size_t i = 0; i < shown->n; i++) {
		const char *title = table->table.fields[shown->fields[i]].title;
		const char *end = strchr(title, '\n');
		if (end)
			pms_grid_set(grid, above, i, "%.*s", (int)(end - title), title);
		pms_grid_set(grid, line, i, "%s", end ? end + 1 : title);
	}
}

static void set_words(struct pms_page *page, struct pms_grid *grid, struct pms_grid_line *line,
		      size_t column, const struct pms_out_datum *datum)
{
	char *text = pms_render_words(datum);
	if (!text)
		page->failed = 1;
	else if (*text)
		pms_grid_set(grid, line, column, "%s", text);
	free(text);
}

/* Print a datum the way people read it; a missing value becomes the number of a note that says
 * why. */
static void set_cell(struct pms_page *page, struct pms_grid *grid, struct pms_grid_line *line,
		     size_t column, const struct pms_out_cell *cell)
{
	const struct pms_out_datum *datum = &cell->datum;
	if (cell->shown && grid->columns && grid->columns[column].flags & PMS_OUT_LINES) {
		pms_grid_set_lines(grid, line, column, cell->shown);
		return;
	}
	if (cell->shown) {
		pms_grid_set(grid, line, column, "%s", cell->shown);
		return;
	}
	switch (datum->kind) {
	case PMS_OUT_DATUM_NONE:
	case PMS_OUT_DATUM_ITEM:
		break;
	case PMS_OUT_DATUM_TEXT:
		pms_grid_set(grid, line, column, "%s", datum->text);
		break;
	case PMS_OUT_DATUM_COUNT:
		pms_grid_set(grid, line, column, "%llu", (unsigned long long)datum->count);
		break;
	case PMS_OUT_DATUM_INTEGER:
		pms_grid_set(grid, line, column, "%lld", (long long)datum->integer);
		break;
	case PMS_OUT_DATUM_CODE:
		pms_grid_set(grid, line, column, "0x%04llx", (unsigned long long)datum->integer);
		break;
	case PMS_OUT_DATUM_REAL:
		pms_grid_set(grid, line, column, "%.4g", datum->real);
		break;
	case PMS_OUT_DATUM_TRUTH:
		pms_grid_set(grid, line, column, "%s", datum->truth ? "yes" : "no");
		break;
	case PMS_OUT_DATUM_WORDS:
		set_words(page, grid, line, column, datum);
		break;
	case PMS_OUT_DATUM_NOTE:
		pms_grid_set(grid, line, column, "[%zu]", pms_page_note(page, datum->text));
		break;
	}
}

static int is_hidden(const struct pms_page *page, const struct pms_out_item *item)
{
	return item->is_folded && !page->options->all;
}

/* A table's grid while it is filled. */
struct filling {
	struct pms_page *page;
	struct pms_grid grid;
	struct shown shown;
	struct pms_grid_line *above; /* the row that is being filled */
	struct pms_error *err;
};

static int add_rows(void *context, const struct pms_out_item *parent)
{
	struct filling *f = context;
	struct pms_grid_line *above = f->above;
	int rc = 0;
	for (const struct pms_out_item *row = parent->first; row && !rc; row = row->next) {
		if (is_hidden(f->page, row))
			continue;
		if (row->kind == PMS_OUT_ITEM_EACH) {
			rc = pms_render_each(row, add_rows, f, f->err);
			continue;
		}
		struct pms_grid_line *line = pms_grid_line(&f->grid, above);
		for (size_t i = 0; i < f->shown.n; i++)
			set_cell(f->page, &f->grid, line, i, &row->row.cells[f->shown.fields[i]]);
		pms_grid_colour(&f->grid, line, row->row.colour);
		f->above = line;
		rc = add_rows(f, row);
		f->above = above;
	}
	return rc;
}

/* Print the first column alone, for a shell's completion. On a terminal the names are cleaned:
 * they come from a file. */
static void put_names(struct pms_page *page, const struct pms_out_item *parent)
{
	for (const struct pms_out_item *row = parent->first; row; row = row->next) {
		const struct pms_out_datum *datum = &row->row.cells[0].datum;
		const char *name = datum->kind == PMS_OUT_DATUM_TEXT ? datum->text : "";
		while (page->options->terminal && *name)
			name += pms_text_put(page->out, name, page->options->ascii);
		fprintf(page->out, "%s\n", name);
		put_names(page, row);
	}
}

static int put_table(struct pms_page *page, const struct pms_out_item *table, struct pms_error *err)
{
	struct filling f = { .page = page, .err = err };
	if (page->options->names) {
		put_names(page, table);
		return 0;
	}
	find_shown(&f.shown, table);
	pms_grid_init(&f.grid, page->options, f.shown.columns, f.shown.n);
	f.grid.side_by_side = table->table.side_by_side;
	if (f.shown.two_lines)
		add_titles(&f.grid, &f.shown, table);
	int rc = add_rows(&f, table);
	if (!rc && pms_grid_print(&f.grid, !f.shown.two_lines, page->out))
		page->failed = 1;
	pms_grid_release(&f.grid);
	pms_page_put_notes(page);
	return rc;
}

/* Text ----------------------------------------------------------------------------------------- */

/* Print a paragraph behind its label, padded to the label width of @group. */
static void put_text(struct pms_page *page, const struct pms_out_item *group,
		     const struct pms_out_item *item)
{
	unsigned indent = group->kind == PMS_OUT_ITEM_GROUP ? group->group.indent : 0;
	unsigned labels = group->kind == PMS_OUT_ITEM_GROUP ? group->group.labels : 0;
	const char *bullet = item->text.flags & PMS_OUT_BULLET	  ? "- "
			     : item->text.flags & PMS_OUT_FURTHER ? "  "
								  : "";
	char *first;
	if (asprintf(&first, "%*s%-*s%s", (int)indent, "", (int)labels,
		     item->label ? item->label : "", bullet) < 0) {
		page->failed = 1;
		return;
	}
	pms_page_text(page, first, "%s", item->text.text);
	free(first);
}

struct pieces {
	struct pms_page *page;
	struct pms_error *err;
};

static int put_piece(void *context, const struct pms_out_item *piece)
{
	const struct pieces *to = context;
	return put_children(to->page, piece, to->err);
}

static int put_each(struct pms_page *page, const struct pms_out_item *each, struct pms_error *err)
{
	struct pieces to = { page, err };
	return pms_render_each(each, put_piece, &to, err);
}

/* Print one item; data and CSV comments are for programs alone. */
static int put_item(struct pms_page *page, const struct pms_out_item *parent,
		    const struct pms_out_item *item, struct pms_error *err)
{
	switch (item->kind) {
	case PMS_OUT_ITEM_GROUP:
	case PMS_OUT_ITEM_LIST:
		return put_children(page, item, err);
	case PMS_OUT_ITEM_EACH:
		return put_each(page, item, err);
	case PMS_OUT_ITEM_HEADING:
		pms_page_heading(page, "%s", item->text.text);
		break;
	case PMS_OUT_ITEM_TEXT:
		put_text(page, parent, item);
		break;
	case PMS_OUT_ITEM_LINE:
		pms_page_line(page, "%s", item->text.text);
		break;
	case PMS_OUT_ITEM_GAP:
		fputc('\n', page->out);
		break;
	case PMS_OUT_ITEM_TABLE:
		return put_table(page, item, err);
	case PMS_OUT_ITEM_TREE:
		pms_render_tree(page, item);
		break;
	case PMS_OUT_ITEM_FOOTNOTES:
		pms_page_put_footnotes(page);
		break;
	case PMS_OUT_ITEM_DATUM:
	case PMS_OUT_ITEM_ROW:
	case PMS_OUT_ITEM_BRANCH:
		break;
	}
	return 0;
}

static int put_children(struct pms_page *page, const struct pms_out_item *parent,
			struct pms_error *err)
{
	int rc = 0;
	for (const struct pms_out_item *item = parent->first; item && !rc; item = item->next)
		if (!is_hidden(page, item))
			rc = put_item(page, parent, item, err);
	return rc;
}

int pms_render_table(FILE *out, const struct pms_outline *outline, struct pms_error *err)
{
	struct pms_page page;
	pms_page_init(&page, out, outline->options);
	int rc = put_children(&page, outline->root, err);
	pms_page_release(&page);
	return !rc && page.failed ? pms_no_memory(err) : rc;
}
