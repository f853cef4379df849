/* SPDX-License-Identifier: MIT */
#include "show/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/memstream.h"
#include "base/utf8.h"

/* ASCII replacements of characters. */
static const struct lookalike {
	const char *utf8, *ascii;
} lookalikes[] = {
	{ "—", "-" },  { "–", "-" },  { "→", "->" }, { "←", "<-" },  { "·", "-" }, { "…", "..." },
	{ "’", "'" },  { "‘", "'" },  { "“", "\"" }, { "”", "\"" },  { "×", "x" }, { "±", "+-" },
	{ "≥", ">=" }, { "≤", "<=" }, { "µ", "u" },  { "®", "(R)" }, { "█", "#" }, { "▉", "#" },
	{ "▊", "#" },  { "▋", "#" },  { "▌", "#" },  { "▍", "" },    { "▎", "" },  { "▏", "" },
};

static const char *lookalike(const char *s, size_t length)
{
	for (size_t i = 0; i < sizeof(lookalikes) / sizeof(lookalikes[0]); i++)
		if (strlen(lookalikes[i].utf8) == length && !memcmp(lookalikes[i].utf8, s, length))
			return lookalikes[i].ascii;
	return "?";
}

size_t pms_text_one(char shown[PMS_TEXT_ONE], const char *s, int ascii)
{
	size_t length = pms_utf8_length(s);
	if (*s == '\n' || *s == '\t' || *s == '\r') {
		strcpy(shown, " ");
	} else if (!length || pms_utf8_acts(s, length)) {
		length += !length;
		for (size_t i = 0; i < length; i++)
			snprintf(shown + 4 * i, 5, "\\x%02x", (unsigned char)s[i]);
	} else if (ascii && length > 1) {
		strcpy(shown, lookalike(s, length));
	} else {
		memcpy(shown, s, length);
		shown[length] = 0;
	}
	return length;
}

size_t pms_text_put(FILE *out, const char *s, int ascii)
{
	char shown[PMS_TEXT_ONE];
	size_t length = pms_text_one(shown, s, ascii);
	fputs(shown, out);
	return length;
}

char *pms_text_clean(const char *text, int ascii)
{
	char *clean = NULL;
	size_t size = 0;
	FILE *out = pms_memstream_open(&clean, &size);
	if (!out)
		return NULL;
	while (*text)
		text += pms_text_put(out, text, ascii);
	if (pms_memstream_close(out)) {
		free(clean);
		return NULL;
	}
	return clean;
}

char *pms_text_format(const char *first, int ascii, const char *format, va_list args)
{
	char *text = NULL, *joined = NULL, *clean = NULL;
	if (vasprintf(&text, format, args) < 0)
		return NULL;
	if (asprintf(&joined, "%s%s", first, text) >= 0) {
		clean = pms_text_clean(joined, ascii);
		free(joined);
	}
	free(text);
	return clean;
}

size_t pms_text_columns(const char *text, size_t bytes)
{
	size_t columns = 0;
	for (size_t i = 0, n; i < bytes; i += n) {
		n = pms_utf8_length(text + i);
		int width = n > 1 ? wcwidth((wchar_t)pms_utf8_code(text + i, n)) : 1;
		columns += width < 0 ? 1 : (size_t)width;
		n += !n;
	}
	return columns;
}

size_t pms_text_width(const char *text)
{
	return pms_text_columns(text, strlen(text));
}

void pms_text_wrap(FILE *out, const char *first, const char *text, unsigned width)
{
	size_t indent = pms_text_width(first), column = indent;
	fputs(first, out);
	while (*(text += strspn(text, " "))) {
		size_t bytes = strcspn(text, " "), columns = pms_text_columns(text, bytes);
		if (column > indent && column + 1 + columns > width) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, bytes, out);
		column += columns;
		text += bytes;
	}
}

static int is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_@%+=:,./-";
	return *word && strspn(word, plain) == strlen(word);
}

static int acts(const char *at, size_t length)
{
	return length && pms_utf8_acts(at, length);
}

static int has_control(const char *word)
{
	for (size_t n; *word; word += n + !n) {
		n = pms_utf8_length(word);
		if (acts(word, n))
			return 1;
	}
	return 0;
}

/* Quote as $'…', which bash, ksh and zsh read: the only form that keeps line breaks on one line. */
static void put_escaped(FILE *out, const char *word)
{
	fputs("$'", out);
	for (size_t n; *word; word += n) {
		n = pms_utf8_length(word);
		int escaped = acts(word, n);
		n += !n;
		if (*word == '\n')
			fputs("\\n", out);
		else if (*word == '\t')
			fputs("\\t", out);
		else if (*word == '\'' || *word == '\\')
			fprintf(out, "\\%c", *word);
		else
			for (size_t i = 0; i < n; i++)
				fprintf(out, escaped ? "\\%03o" : "%c", (unsigned char)word[i]);
	}
	fputc('\'', out);
}

static void put_quoted(FILE *out, const char *word)
{
	fputc('\'', out);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	fputc('\'', out);
}

void pms_text_command(FILE *out, char *const *argv)
{
	for (size_t i = 0; argv[i]; i++) {
		if (i)
			fputc(' ', out);
		if (is_plain(argv[i]))
			fputs(argv[i], out);
		else if (has_control(argv[i]))
			put_escaped(out, argv[i]);
		else
			put_quoted(out, argv[i]);
	}
}

void pms_text_integer(char text[PMS_NUMBER_MAX], uint64_t value)
{
	char reversed[PMS_NUMBER_MAX];
	size_t n = 0;
	do
		reversed[n++] = (char)('0' + value % 10);
	while (value /= 10);
	for (size_t i = 0; i < n; i++)
		text[i] = reversed[n - 1 - i];
	text[n] = 0;
}

/* Below this bound a whole number prints exactly with its digits: no search for the shortest. */
static const double longest_whole = 1e15;

void pms_text_double(char text[PMS_NUMBER_MAX], double value)
{
	if (value >= 0 && value < longest_whole && !signbit(value) &&
	    (double)(uint64_t)value == value) {
		pms_text_integer(text, (uint64_t)value);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, PMS_NUMBER_MAX, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			return;
	}
}

void pms_text_count(char text[PMS_NUMBER_MAX], uint64_t value)
{
	char digits[PMS_NUMBER_MAX];
	size_t n = (size_t)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
	size_t length = 0;
	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			text[length++] = ',';
		text[length++] = digits[i];
	}
	text[length] = 0;
}

int pms_text_units(const char *units, const char **rest)
{
	static const char prefix[] = "percent of ";
	int percent = !strncmp(units, prefix, sizeof(prefix) - 1);
	*rest = percent ? units + sizeof(prefix) - 1 : units;
	return percent;
}

void pms_text_value(char text[PMS_NUMBER_MAX], double value, const char *units)
{
	const char *rest;
	double size = fabs(value);
	int percent = pms_text_units(units, &rest), decimals = 1;
	if (!percent)
		decimals = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
	/* Values below half of the last digit shown would print as zero. */
	int tiny = size > 0 && size < 0.5 * pow(10, -decimals);
	if (size == 0)
		snprintf(text, PMS_NUMBER_MAX, "0");
	else if (tiny && percent)
		snprintf(text, PMS_NUMBER_MAX, value > 0 ? "<0.1" : ">-0.1");
	else if (tiny)
		snprintf(text, PMS_NUMBER_MAX, "%.1e", value);
	else
		snprintf(text, PMS_NUMBER_MAX, "%.*f", decimals, value);
}

void pms_text_share(char text[PMS_NUMBER_MAX], double percent)
{
	if (percent > 0 && percent < 0.5)
		snprintf(text, PMS_NUMBER_MAX, "<1 %%");
	else if (percent < 100 && percent >= 99.5)
		snprintf(text, PMS_NUMBER_MAX, ">99 %%");
	else
		snprintf(text, PMS_NUMBER_MAX, "%.0f %%", percent);
}

void pms_text_bar(char *text, size_t size, double percent, unsigned width)
{
	static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" };
	double share = percent < 0 ? 0 : percent > 100 ? 100 : percent;
	unsigned left = (unsigned)lround(share / 100 * width * 8);
	size_t length = strlen(text);
	while (left && length + 4 < size) {
		unsigned cell = left < 8 ? left : 8;
		length += (size_t)snprintf(text + length, size - length, "%s", eighths[cell]);
		left -= cell;
	}
}
