/* SPDX-License-Identifier: MIT */
/* spe/line.h - lines of key and value in two styles: JSON, and words for a person. Written by hand
 * because a dump has ten times the bytes of what it dumps: printf would be all of its time. */
#ifndef PMS_SPE_LINE_H
#define PMS_SPE_LINE_H

#include <stdint.h>
#include <string.h>

enum { PMS_LINES_FULL = 1 << 16, PMS_LINE_MOST = 1 << 13 };

struct pms_lines {
	int json;
	int first; /* nothing on the line yet, or in the list */
	size_t length;
	char text[PMS_LINES_FULL + PMS_LINE_MOST]; /* written out when FULL, at a line's end */
};

static inline void pms_line_text(struct pms_lines *l, const char *text, size_t length)
{
	memcpy(l->text + l->length, text, length);
	l->length += length;
}

static inline void pms_line_char(struct pms_lines *l, char c)
{
	l->text[l->length++] = c;
}

static inline void pms_line_number(struct pms_lines *l, uint64_t value)
{
	char digits[20];
	size_t n = sizeof(digits);
	do {
		digits[--n] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	pms_line_text(l, digits + n, sizeof(digits) - n);
}

static inline void pms_line_digits(struct pms_lines *l, uint64_t value, unsigned digits)
{
	for (unsigned i = digits; i > 0; i--)
		pms_line_char(l, "0123456789abcdef"[value >> 4 * (i - 1) & 15]);
}

/** Begin a key's value. */
static inline void pms_line_key(struct pms_lines *l, const char *key)
{
	if (!l->first)
		pms_line_char(l, l->json ? ',' : ' ');
	l->first = 0;
	if (l->json)
		pms_line_char(l, '"');
	pms_line_text(l, key, strlen(key));
	if (l->json)
		pms_line_char(l, '"');
	pms_line_char(l, l->json ? ':' : '=');
}

static inline void pms_line_quote(struct pms_lines *l, const char *text)
{
	if (l->json)
		pms_line_char(l, '"');
	pms_line_text(l, text, strlen(text));
	if (l->json)
		pms_line_char(l, '"');
}

static inline void pms_line_word(struct pms_lines *l, const char *key, const char *text)
{
	pms_line_key(l, key);
	pms_line_quote(l, text);
}

static inline void pms_line_count(struct pms_lines *l, const char *key, uint64_t value)
{
	pms_line_key(l, key);
	pms_line_number(l, value);
}

static inline void pms_line_hex(struct pms_lines *l, const char *key, uint64_t value,
				unsigned digits)
{
	pms_line_key(l, key);
	pms_line_text(l, l->json ? "\"0x" : "0x", l->json ? 3 : 2);
	pms_line_digits(l, value, digits);
	if (l->json)
		pms_line_char(l, '"');
}

#endif
