/* SPDX-License-Identifier: MIT */
/* Write an outline as CSV: comments, column names, then the rows of all tables. A table fills
 * the columns that it has. */
#include "show/render.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "show/csv.h"
#include "show/text.h"

enum { MOST_COLUMNS = 96 };

struct sheet {
	FILE *out;
	const struct pms_show_options *options;
	const char *columns[MOST_COLUMNS];
	size_t n;
	struct pms_error *err;
	int failed; /* out of memory */
};

/* The text of a field while its row is written. */
union field {
	char number[PMS_NUMBER_MAX];
	char *text; /* to be freed */
};

/* Returns @datum as a text, kept in @field where need be. @is_row: 1: write truth as 1 or 0 */
static const char *text_of(struct sheet *s, const struct pms_out_datum *datum, int is_row,
			   union field *field)
{
	switch (datum->kind) {
	case PMS_OUT_DATUM_NONE:
	case PMS_OUT_DATUM_NOTE:
	case PMS_OUT_DATUM_ITEM:
		return "";
	case PMS_OUT_DATUM_TEXT:
		return datum->text;
	case PMS_OUT_DATUM_COUNT:
		pms_text_integer(field->number, datum->count);
		return field->number;
	case PMS_OUT_DATUM_INTEGER:
		if (datum->integer >= 0)
			pms_text_integer(field->number, (uint64_t)datum->integer);
		else
			snprintf(field->number, PMS_NUMBER_MAX, "%lld", (long long)datum->integer);
		return field->number;
	case PMS_OUT_DATUM_CODE:
		snprintf(field->number, PMS_NUMBER_MAX, "0x%04llx",
			 (unsigned long long)datum->integer);
		return field->number;
	case PMS_OUT_DATUM_REAL:
		pms_text_double(field->number, datum->real);
		return field->number;
	case PMS_OUT_DATUM_TRUTH:
		if (is_row)
			return datum->truth ? "1" : "0";
		return datum->truth ? "true" : "false";
	case PMS_OUT_DATUM_WORDS:
		field->text = pms_render_words(datum);
		s->failed |= !field->text;
		return field->text ? field->text : "";
	}
	return "";
}

static void drop_text(const struct pms_out_datum *datum, union field *field)
{
	if (datum->kind == PMS_OUT_DATUM_WORDS)
		free(field->text);
}

static void put_comment(struct sheet *s, const struct pms_out_item *item)
{
	union field field;
	const char *text = text_of(s, &item->datum, 0, &field);
	pms_csv_comment(s->out, item->csv, text);
	drop_text(&item->datum, &field);
}

/* Write all comments first, wherever they stand in the outline. */
static void put_comments(struct sheet *s, const struct pms_out_item *parent)
{
	for (const struct pms_out_item *item = parent->first; item; item = item->next) {
		if (item->kind == PMS_OUT_ITEM_DATUM)
			put_comment(s, item);
		else if (item->kind == PMS_OUT_ITEM_GROUP)
			put_comments(s, item);
	}
}

/* For each column of the sheet: which cell of @table's rows fills it, if any. */
struct filled {
	size_t cells[MOST_COLUMNS];
	int has[MOST_COLUMNS];
};

static void find_cells(const struct sheet *s, const struct pms_out_item *table,
		       struct filled *filled)
{
	for (size_t i = 0; i < s->n; i++) {
		filled->has[i] = 0;
		for (size_t k = 0; k < table->table.n_fields && !filled->has[i]; k++) {
			const char *name = table->table.fields[k].csv;
			filled->has[i] = name && !strcmp(name, s->columns[i]);
			filled->cells[i] = k;
		}
	}
}

static void put_row(struct sheet *s, const struct filled *filled, const struct pms_out_item *row)
{
	const char *texts[MOST_COLUMNS];
	union field fields[MOST_COLUMNS];
	for (size_t i = 0; i < s->n; i++)
		texts[i] = filled->has[i] ? text_of(s, &row->row.cells[filled->cells[i]].datum, 1,
						    &fields[i])
					  : "";
	pms_csv_row(s->out, texts, s->n, s->options);
	for (size_t i = 0; i < s->n; i++)
		if (filled->has[i])
			drop_text(&row->row.cells[filled->cells[i]].datum, &fields[i]);
}

struct rows {
	struct sheet *sheet;
	struct filled filled;
};

static int put_rows(void *context, const struct pms_out_item *parent)
{
	struct rows *rows = context;
	int rc = 0;
	for (const struct pms_out_item *row = parent->first; row && !rc; row = row->next) {
		if (row->kind == PMS_OUT_ITEM_EACH) {
			rc = pms_render_each(row, put_rows, rows, rows->sheet->err);
			continue;
		}
		put_row(rows->sheet, &rows->filled, row);
		rc = put_rows(rows, row);
	}
	return rc;
}

/* Write the rows of all tables below @parent. Items for other formats have no rows. */
static int put_tables(void *context, const struct pms_out_item *parent)
{
	int rc = 0;
	struct sheet *s = context;
	struct rows rows = { .sheet = s };
	for (const struct pms_out_item *item = parent->first; item && !rc; item = item->next) {
		switch (item->kind) {
		case PMS_OUT_ITEM_GROUP:
		case PMS_OUT_ITEM_LIST:
			rc = put_tables(s, item);
			break;
		case PMS_OUT_ITEM_EACH:
			rc = pms_render_each(item, put_tables, s, s->err);
			break;
		case PMS_OUT_ITEM_TABLE:
			find_cells(s, item, &rows.filled);
			rc = put_rows(&rows, item);
			break;
		case PMS_OUT_ITEM_DATUM:
		case PMS_OUT_ITEM_HEADING:
		case PMS_OUT_ITEM_TEXT:
		case PMS_OUT_ITEM_LINE:
		case PMS_OUT_ITEM_GAP:
		case PMS_OUT_ITEM_ROW:
		case PMS_OUT_ITEM_TREE:
		case PMS_OUT_ITEM_BRANCH:
		case PMS_OUT_ITEM_FOOTNOTES:
			break;
		}
	}
	return rc;
}

/* Use the outline's columns, or the columns of its first table. */
static void find_columns(struct sheet *s, const struct pms_outline *outline)
{
	const struct pms_out_item *item = outline->root->first;
	for (size_t i = 0; i < outline->n_columns; i++)
		s->columns[s->n++] = outline->columns[i];
	while (item && item->kind != PMS_OUT_ITEM_TABLE)
		item = item->next;
	for (size_t i = 0; item && !outline->n_columns && i < item->table.n_fields; i++)
		if (item->table.fields[i].csv)
			s->columns[s->n++] = item->table.fields[i].csv;
}

int pms_render_csv(FILE *out, const struct pms_outline *outline, struct pms_error *err)
{
	struct sheet s = { .out = out, .options = outline->options, .err = err };
	find_columns(&s, outline);
	put_comments(&s, outline->root);
	if (!outline->is_continued)
		pms_csv_row(out, s.columns, s.n, s.options);
	int rc = put_tables(&s, outline->root);
	return !rc && s.failed ? pms_no_memory(err) : rc;
}
