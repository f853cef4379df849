/* SPDX-License-Identifier: MIT */
/* Write an outline as JSON, with two blanks for each level, or all on one line. Numbers are as
 * short as they can be and still read back exactly. Characters that would act on a terminal are
 * escaped. */
#include "show/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/utf8.h"
#include "show/text.h"

struct writer {
	FILE *out;
	enum pms_out_layout layout;
	unsigned depth;
	int has_any; /* the open object or array has an element already */
	struct pms_error *err;
};

/* Text and numbers ----------------------------------------------------------------------------- */

/* Escape a character: programs read it back, terminals do not act on it. A character beyond
 * U+FFFF takes two surrogates. */
static void put_escaped(FILE *out, const char *text, size_t n)
{
	static const char letters[] = "\bb\ff\nn\rr\tt";
	const char *letter = strchr(letters, *text);
	uint32_t code = pms_utf8_code(text, n);
	if (letter && n == 1) {
		fprintf(out, "\\%c", letter[1]);
		return;
	}
	if (code > 0xffff)
		fprintf(out, "\\u%04X", 0xd7c0 + (code >> 10));
	fprintf(out, "\\u%04X", code > 0xffff ? 0xdc00 + (code & 0x3ff) : code);
}

static void put_characters(FILE *out, const char *text)
{
	for (size_t n; *text; text += n) {
		/* Write plain characters in one piece. */
		for (n = 0; text[n] >= ' ' && text[n] < 0x7f && text[n] != '"' && text[n] != '\\';)
			n++;
		fwrite_unlocked(text, 1, n, out);
		text += n;
		n = *text ? pms_utf8_length(text) : 0;
		if (n == 1 && (*text == '"' || *text == '\\'))
			fprintf(out, "\\%c", *text);
		else if (n && pms_utf8_acts(text, n))
			put_escaped(out, text, n);
		else
			fwrite_unlocked(text, 1, n, out);
	}
}

static int put_text(struct writer *w, const char *text)
{
	int valid = pms_utf8_valid(text);
	char *clean = valid ? NULL : pms_text_clean(text, 0);
	if (!clean && !valid)
		return pms_no_memory(w->err);
	putc_unlocked('"', w->out);
	put_characters(w->out, clean ? clean : text);
	putc_unlocked('"', w->out);
	free(clean);
	return 0;
}

/* Print powers of ten as 1e20. Use 17 digits, which are always exact, where all but one are
 * zero, and drop the exponent's zeros. */
static int is_power(char text[PMS_NUMBER_MAX], double value)
{
	snprintf(text, PMS_NUMBER_MAX, "%.17g", value);
	char *exponent = strchr(text, 'e');
	if (!exponent || strchr(text, '.'))
		return 0;
	char *digits = exponent + 1 + (exponent[1] == '+' || exponent[1] == '-');
	exponent += 1 + (exponent[1] == '-');
	memmove(exponent, digits + strspn(digits, "0"), strlen(digits + strspn(digits, "0")) + 1);
	return 1;
}

/* Keep a point or an exponent: some readers tell integers and reals apart. */
static void put_real(FILE *out, double value)
{
	char text[PMS_NUMBER_MAX], power[PMS_NUMBER_MAX];
	if (!isfinite(value)) {
		fputs("null", out);
		return;
	}
	pms_text_double(text, value);
	if (strchr(text, 'e') && !strchr(text, '.') && is_power(power, value))
		strcpy(text, power);
	fputs(text, out);
	fputs(strpbrk(text, ".e") ? "" : ".0", out);
}

static void put_count(FILE *out, uint64_t count)
{
	char text[PMS_NUMBER_MAX];
	pms_text_integer(text, count);
	fputs(text, out);
}

/* Structure ------------------------------------------------------------------------------------ */

static int put_item(struct writer *w, const struct pms_out_item *item);
static int put_table(struct writer *w, const struct pms_out_item *table);
static int put_children(struct writer *w, const struct pms_out_item *parent);

static void put_break(struct writer *w)
{
	if (w->layout == PMS_OUT_INDENTED)
		fprintf(w->out, "\n%*s", (int)(2 * w->depth), "");
}

/* On lines: whether a member or element at this depth begins where a line ended. */
static int begins_line(const struct writer *w, const char *key)
{
	return w->layout == PMS_OUT_ON_LINES && (w->depth == 1 || (w->depth == 2 && !key));
}

/* Write the comma, line break and key that stand before a member or element. */
static void put_next(struct writer *w, const char *key)
{
	int is_tight = w->layout == PMS_OUT_INDENTED || begins_line(w, key);
	if (w->has_any)
		fputs_unlocked(is_tight ? "," : ", ", w->out);
	put_break(w);
	w->has_any = 1;
	if (key) {
		put_text(w, key);
		fputs_unlocked(begins_line(w, key) ? ":" : ": ", w->out);
	}
}

static void open_brackets(struct writer *w, char bracket)
{
	putc_unlocked(bracket, w->out);
	w->depth++;
	w->has_any = 0;
	if (bracket == '[' && w->depth == 2 && begins_line(w, NULL))
		putc_unlocked('\n', w->out);
}

static void close_brackets(struct writer *w, char bracket)
{
	w->depth--;
	if (w->has_any)
		put_break(w);
	putc_unlocked(bracket, w->out);
	w->has_any = 1;
	if (bracket == '}' && begins_line(w, NULL))
		putc_unlocked('\n', w->out);
}

static int put_group(struct writer *w, const struct pms_out_item *group)
{
	int is_list = group->kind != PMS_OUT_ITEM_GROUP;
	open_brackets(w, is_list ? '[' : '{');
	int rc = put_children(w, group);
	close_brackets(w, is_list ? ']' : '}');
	return rc;
}

static int put_words(struct writer *w, const struct pms_out_datum *datum)
{
	int rc = 0;
	open_brackets(w, '[');
	for (unsigned i = 0; i < datum->n_words && !rc; i++) {
		put_next(w, NULL);
		rc = put_text(w, datum->words[i]);
	}
	close_brackets(w, ']');
	return rc;
}

/* Every kind of datum must become valid JSON: what JSON cannot hold becomes null. */
static int put_datum(struct writer *w, const struct pms_out_datum *datum)
{
	switch (datum->kind) {
	case PMS_OUT_DATUM_NONE:
	case PMS_OUT_DATUM_NOTE:
		fputs("null", w->out);
		return 0;
	case PMS_OUT_DATUM_TEXT:
		return put_text(w, datum->text);
	case PMS_OUT_DATUM_COUNT:
		/* Readers hold integers to INT64_MAX: write the nearest double. */
		if (datum->count > INT64_MAX)
			put_real(w->out, (double)datum->count);
		else
			put_count(w->out, datum->count);
		return 0;
	case PMS_OUT_DATUM_INTEGER:
	case PMS_OUT_DATUM_CODE:
		fprintf(w->out, "%lld", (long long)datum->integer);
		return 0;
	case PMS_OUT_DATUM_REAL:
		put_real(w->out, datum->real);
		return 0;
	case PMS_OUT_DATUM_TRUTH:
		fputs(datum->truth ? "true" : "false", w->out);
		return 0;
	case PMS_OUT_DATUM_WORDS:
		return put_words(w, datum);
	case PMS_OUT_DATUM_ITEM:
		return datum->item->kind == PMS_OUT_ITEM_TABLE ? put_table(w, datum->item)
							       : put_group(w, datum->item);
	}
	return 0;
}

static int put_row(struct writer *w, const struct pms_out_item *table,
		   const struct pms_out_item *row)
{
	int rc = 0;
	put_next(w, NULL);
	open_brackets(w, '{');
	for (size_t i = 0; i < table->table.n_fields && !rc; i++) {
		const struct pms_out_field *field = &table->table.fields[i];
		const struct pms_out_datum *datum = &row->row.cells[i].datum;
		if (!field->json ||
		    (datum->kind == PMS_OUT_DATUM_NONE && field->flags & PMS_OUT_OPTIONAL))
			continue;
		put_next(w, field->json);
		rc = put_datum(w, datum);
	}
	close_brackets(w, '}');
	return rc;
}

struct rows {
	struct writer *writer;
	const struct pms_out_item *table;
};

static int put_piece_rows(void *context, const struct pms_out_item *piece);

/* Flatten rows below rows into one array: each row names its parent itself. */
static int put_rows(struct writer *w, const struct pms_out_item *table,
		    const struct pms_out_item *parent)
{
	int rc = 0;
	struct rows rows = { w, table };
	for (const struct pms_out_item *row = parent->first; row && !rc; row = row->next) {
		if (row->kind == PMS_OUT_ITEM_EACH) {
			rc = pms_render_each(row, put_piece_rows, &rows, w->err);
			continue;
		}
		rc = put_row(w, table, row);
		if (!rc)
			rc = put_rows(w, table, row);
	}
	return rc;
}

static int put_piece_rows(void *context, const struct pms_out_item *piece)
{
	const struct rows *rows = context;
	return put_rows(rows->writer, rows->table, piece);
}

static int put_piece(void *context, const struct pms_out_item *piece)
{
	return put_children(context, piece);
}

static int put_each(struct writer *w, const struct pms_out_item *each)
{
	open_brackets(w, '[');
	int rc = pms_render_each(each, put_piece, w, w->err);
	if (!rc)
		close_brackets(w, ']');
	return rc;
}

static int put_table(struct writer *w, const struct pms_out_item *table)
{
	open_brackets(w, '[');
	int rc = put_rows(w, table, table);
	close_brackets(w, ']');
	return rc;
}

/* A group without a key inside an object serves other formats: its members join that object. */
static int is_transparent(const struct pms_out_item *parent, const struct pms_out_item *item)
{
	return item->kind == PMS_OUT_ITEM_GROUP && !item->key && parent->kind == PMS_OUT_ITEM_GROUP;
}

/* Likewise a table without a key inside an array: its rows join that array. */
static int is_rows(const struct pms_out_item *parent, const struct pms_out_item *item)
{
	return item->kind == PMS_OUT_ITEM_TABLE && !item->key && parent->kind == PMS_OUT_ITEM_LIST;
}

/* Write one item with its key; items for people alone have no place in JSON. */
static int put_item(struct writer *w, const struct pms_out_item *item)
{
	switch (item->kind) {
	case PMS_OUT_ITEM_GROUP:
	case PMS_OUT_ITEM_LIST:
		put_next(w, item->key);
		return put_group(w, item);
	case PMS_OUT_ITEM_EACH:
		put_next(w, item->key);
		return put_each(w, item);
	case PMS_OUT_ITEM_DATUM:
		put_next(w, item->key);
		return put_datum(w, &item->datum);
	case PMS_OUT_ITEM_TABLE:
		put_next(w, item->key);
		return put_table(w, item);
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
	return 0;
}

static int put_children(struct writer *w, const struct pms_out_item *parent)
{
	int rc = 0;
	for (const struct pms_out_item *item = parent->first; item && !rc; item = item->next) {
		if (is_transparent(parent, item))
			rc = put_children(w, item);
		else if (is_rows(parent, item))
			rc = put_rows(w, item, item);
		else
			rc = put_item(w, item);
	}
	return rc;
}

int pms_render_json(FILE *out, const struct pms_outline *outline, struct pms_error *err)
{
	struct writer w = { .out = out, .layout = outline->layout, .err = err };
	const struct pms_out_item *root = outline->root, *only = root->first;
	int rc;
	flockfile(out);
	/* A lone table without a key is the whole document. */
	if (only && !only->next && only->kind == PMS_OUT_ITEM_TABLE && !only->key)
		rc = put_table(&w, only);
	else
		rc = put_group(&w, root);
	putc_unlocked('\n', out);
	funlockfile(out);
	return rc;
}
