/* SPDX-License-Identifier: MIT */
/* CSV and JSON lines. Written by hand because printf would be most of the time. */
#include "base/field.h"
#include "base/utf8.h"
#include "spe/export.h"

enum { DIGITS = 20, PIECE = 1 << 12 };

void pms_spe_out_flush(struct pms_spe_out *out)
{
	const struct pms_spe_export_options *options = out->options;
	if (out->length && !out->failed)
		out->failed = options->write(options->context, out->bytes, out->length) != 0;
	out->length = 0;
}

void pms_spe_out_bytes(struct pms_spe_out *out, const char *bytes, size_t length)
{
	while (length) {
		size_t n = length < PIECE ? length : PIECE;
		memcpy(pms_spe_out_room(out, n), bytes, n);
		out->length += n;
		bytes += n;
		length -= n;
	}
}

static void put_string(struct pms_spe_out *out, const char *text)
{
	pms_spe_out_bytes(out, text, strlen(text));
}

static void put_number(struct pms_spe_out *out, uint64_t value)
{
	char digits[DIGITS];
	size_t n = sizeof(digits);
	do {
		digits[--n] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	memcpy(pms_spe_out_room(out, DIGITS), digits + n, sizeof(digits) - n);
	out->length += sizeof(digits) - n;
}

/* CSV ------------------------------------------------------------------------------------------ */

/* In quotes whatever could be read as something else: also nothing, and a text like that for a
 * value that is not there. What a spreadsheet would take for a formula has an apostrophe in front,
 * as base/field.h has it. */
static int needs_quotes(const struct pms_spe_out *out, const char *text)
{
	const char *null = out->options->null_text;
	return !*text || *text == '#' || strpbrk(text, "\",\r\n") || pms_field_is_formula(text) ||
	       (null && !strcmp(text, null));
}

static int is_plain(const char *text)
{
	for (size_t n; *text; text += n) {
		n = pms_utf8_plain(text);
		if (!n)
			return 0;
	}
	return 1;
}

/* Write the character at @text as pms_text_clean has it. Returns the bytes consumed. */
static size_t put_clean(struct pms_spe_out *out, const char *text)
{
	size_t n = pms_utf8_plain(text);
	if (n) {
		pms_spe_out_bytes(out, text, n);
		return n;
	}
	if (strchr("\n\r\t", *text)) {
		pms_spe_out_char(out, ' ');
		return 1;
	}
	put_string(out, "\\x");
	pms_spe_out_char(out, "0123456789abcdef"[(unsigned char)*text >> 4]);
	pms_spe_out_char(out, "0123456789abcdef"[*text & 15]);
	return 1; /* of a character of several bytes, the others are none of their own */
}

static void csv_text(struct pms_spe_out *out, const char *text)
{
	int terminal = out->options->terminal;
	if (!needs_quotes(out, text) && (!terminal || is_plain(text))) {
		put_string(out, text);
		return;
	}
	pms_spe_out_char(out, '"');
	if (pms_field_is_formula(text))
		pms_spe_out_char(out, '\'');
	while (*text) {
		if (*text == '"')
			pms_spe_out_char(out, '"');
		if (terminal)
			text += put_clean(out, text);
		else
			pms_spe_out_char(out, *text++);
	}
	pms_spe_out_char(out, '"');
}

static void csv_begin(struct pms_spe_out *out)
{
	for (size_t i = 0; i < out->chosen.count; i++) {
		if (i)
			pms_spe_out_char(out, ',');
		put_string(out, pms_spe_cells[out->chosen.cell[i]].name);
	}
	pms_spe_out_char(out, '\n');
}

static void csv_row(struct pms_spe_out *out, const struct pms_spe_cells *cells)
{
	const char *null = out->options->null_text;
	for (size_t i = 0; i < out->chosen.count; i++) {
		unsigned cell = out->chosen.cell[i];
		if (i)
			pms_spe_out_char(out, ',');
		if (pms_spe_cell_there(cells, cell)) {
			if (pms_spe_cells[cell].type < PMS_SPE_WORD)
				put_number(out, cells->number[cell]);
			else
				csv_text(out, cells->text[cell]);
		} else if (null) {
			put_string(out, null);
		}
	}
	pms_spe_out_char(out, '\n');
}

const struct pms_spe_sink pms_spe_sink_csv = { csv_begin, csv_row };

/* JSON lines ----------------------------------------------------------------------------------- */

static void json_unit(struct pms_spe_out *out, uint32_t unit)
{
	char escape[] = "\\u0000";
	for (int i = 5; i > 1; i--, unit >>= 4)
		escape[i] = "0123456789abcdef"[unit & 15];
	put_string(out, escape);
}

/* Beyond U+FFFF by two surrogates. */
static void json_escape(struct pms_spe_out *out, uint32_t code)
{
	if (code > 0xffff)
		json_unit(out, 0xd7c0 + (code >> 10));
	json_unit(out, code > 0xffff ? 0xdc00 + (code & 0x3ff) : code);
}

/* What is no UTF-8 cannot stand in JSON: each byte of it becomes the replacement character. What
 * would act on a terminal is escaped. */
static void json_text(struct pms_spe_out *out, const char *text)
{
	size_t n;
	for (; *text; text += n) {
		unsigned char c = (unsigned char)*text;
		n = pms_utf8_length(text);
		if (!n) {
			n = 1;
			put_string(out, "\xef\xbf\xbd");
		} else if (pms_utf8_acts(text, n)) {
			json_escape(out, pms_utf8_code(text, n));
		} else {
			if (c == '"' || c == '\\')
				pms_spe_out_char(out, '\\');
			pms_spe_out_bytes(out, text, n);
		}
	}
}

/* Many readers of JSON take numbers for doubles, which hold 53 bits. */
static void json_value(struct pms_spe_out *out, const struct pms_spe_cells *cells, unsigned cell)
{
	enum pms_spe_type_of_cell type = pms_spe_cells[cell].type;
	if (type < PMS_SPE_U64) {
		put_number(out, cells->number[cell]);
		return;
	}
	pms_spe_out_char(out, '"');
	if (type == PMS_SPE_TEXT)
		json_text(out, cells->text[cell]);
	else if (type == PMS_SPE_WORD)
		put_string(out, cells->text[cell]);
	else
		put_number(out, cells->number[cell]);
	pms_spe_out_char(out, '"');
}

static void json_key(struct pms_spe_out *out, char before, const char *name, const char *suffix)
{
	char *at = pms_spe_out_room(out, strlen(name) + strlen(suffix) + 5), *end;
	at[0] = before;
	at[1] = '"';
	end = stpcpy(stpcpy(at + 2, name), suffix);
	end[0] = '"';
	end[1] = ':';
	out->length += (size_t)(end + 2 - at);
}

/* A name that is no UTF-8 has all its bytes beside it, so that none is lost. */
static void json_bytes(struct pms_spe_out *out, const char *name, const char *text)
{
	if (pms_utf8_valid(text))
		return;
	json_key(out, ',', name, "_bytes");
	pms_spe_out_char(out, '"');
	for (; *text; text++) {
		pms_spe_out_char(out, "0123456789abcdef"[(unsigned char)*text >> 4]);
		pms_spe_out_char(out, "0123456789abcdef"[*text & 15]);
	}
	pms_spe_out_char(out, '"');
}

static void jsonl_row(struct pms_spe_out *out, const struct pms_spe_cells *cells)
{
	char before = '{';
	for (size_t i = 0; i < out->chosen.count; i++) {
		unsigned cell = out->chosen.cell[i];
		if (!pms_spe_cell_there(cells, cell))
			continue;
		json_key(out, before, pms_spe_cells[cell].name, "");
		json_value(out, cells, cell);
		if (pms_spe_cells[cell].type == PMS_SPE_TEXT)
			json_bytes(out, pms_spe_cells[cell].name, cells->text[cell]);
		before = ',';
	}
	put_string(out, before == '{' ? "{}\n" : "}\n");
}

const struct pms_spe_sink pms_spe_sink_jsonl = { NULL, jsonl_row };
