/* SPDX-License-Identifier: MIT */
#include "show/document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/utf8.h"
#include "catalog/json.h"
#include "show/text.h"

void pms_document_init(struct pms_document *document, json_t *root)
{
	*document = (struct pms_document){ .root = root };
}

void pms_document_set(struct pms_document *document, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value))
		document->failed = 1;
}

void pms_document_append(struct pms_document *document, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		document->failed = 1;
}

json_t *pms_document_string(const char *text)
{
	char *clean;
	if (!text)
		return json_null();
	json_t *value = json_string(text);
	if (value || !(clean = pms_text_clean(text, 0)))
		return value;
	value = json_string(clean);
	free(clean);
	return value;
}

json_t *pms_document_real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *pms_document_count(uint64_t value)
{
	/* jansson's integers end here: write the nearest double instead. */
	return value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value);
}

/* Returns the length of the string literal at @text, quotes included. */
static size_t literal_length(const char *text)
{
	size_t n = 1;
	while (text[n] != '"')
		n += text[n] == '\\' ? 2 : 1;
	return n + 1;
}

/* Escape the characters that jansson leaves alone but that would act on a terminal or on the
 * text beside them. A character beyond U+FFFF takes two surrogates. */
static void put_literal(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0, n; i < length; i += n) {
		n = pms_utf8_length(text + i);
		n += !n;
		if (!pms_utf8_acts(text + i, n)) {
			fwrite(text + i, 1, n, out);
			continue;
		}
		uint32_t code = pms_utf8_code(text + i, n);
		if (code > 0xffff)
			fprintf(out, "\\u%04X", 0xd7c0 + (code >> 10));
		fprintf(out, "\\u%04X", code > 0xffff ? 0xdc00 + (code & 0x3ff) : code);
	}
}

/* Print reals in their shortest form: jansson writes 17 digits, 0.1 as 0.10000000000000001.
 * @indent: blanks after a line break */
static void put_short(FILE *out, const char *text, const char *end, int indent)
{
	while (text < end) {
		size_t n = strspn(text, "-+.eE0123456789");
		if (*text == '"') {
			n = literal_length(text);
			put_literal(out, text, n);
		} else if (memchr(text, '.', n)) {
			char number[PMS_NUMBER_MAX];
			pms_text_double(number, strtod(text, NULL));
			/* Keep a point or an exponent: some readers tell integers and reals
			 * apart. */
			fprintf(out, "%s%s", number, strpbrk(number, ".e") ? "" : ".0");
		} else {
			n += !n;
			fwrite(text, 1, n, out);
			if (*text == '\n')
				fprintf(out, "%*s", indent, "");
		}
		text += n;
	}
}

/* Returns the document's text, to be freed, and releases the document. NULL when out of memory. */
static char *take_text(struct pms_document *document, size_t flags)
{
	char *text = document->failed ? NULL : pms_json_text(document->root, flags);
	json_decref(document->root);
	document->root = NULL;
	return text;
}

static int finish(struct pms_document *document, size_t flags, FILE *out, struct pms_error *err)
{
	char *text = take_text(document, flags);
	if (!text)
		return pms_no_memory(err);
	put_short(out, text, text + strlen(text), 0);
	fputc('\n', out);
	free(text);
	return 0;
}

/* The end of the @n-th last "]" of @text: where what is in that empty array goes. */
static char *array_end(char *text, size_t n)
{
	char *end = text + strlen(text);
	while (n && end > text)
		n -= *--end == ']';
	return end;
}

/* What is in an array, each released before the next is made. */
static int put_array(const struct pms_document_array *array, size_t flags, FILE *out)
{
	int is_line = !flags;
	for (size_t i = 0; i < array->n; i++) {
		struct pms_document element = { .root = array->next(array->context, i) };
		char *text = take_text(&element, flags);
		if (!text)
			return -PMS_ENOMEM;
		fputs(i ? is_line ? ", " : "," : "", out);
		fputs(is_line ? "" : "\n    ", out);
		put_short(out, text, text + strlen(text), 4);
		free(text);
	}
	fputs(array->n && !is_line ? "\n  " : "", out);
	return 0;
}

int pms_document_finish_arrays(struct pms_document *document,
			       const struct pms_document_array *arrays, size_t n_arrays,
			       int is_line, FILE *out, struct pms_error *err)
{
	size_t flags = is_line ? 0 : JSON_INDENT(2);
	char *text = take_text(document, flags), *from = text;
	int rc = text ? 0 : -PMS_ENOMEM;
	for (size_t i = 0; i < n_arrays && !rc; i++) {
		char *end = array_end(text, n_arrays - i);
		put_short(out, from, end, 0);
		rc = put_array(&arrays[i], flags, out);
		from = end;
	}
	if (!rc) {
		put_short(out, from, from + strlen(from), 0);
		fputc('\n', out);
	}
	free(text);
	return rc ? pms_no_memory(err) : 0;
}

int pms_document_finish(struct pms_document *document, FILE *out, struct pms_error *err)
{
	return finish(document, JSON_INDENT(2), out, err);
}

int pms_document_finish_line(struct pms_document *document, FILE *out, struct pms_error *err)
{
	return finish(document, 0, out, err);
}
