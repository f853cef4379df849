/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

size_t pms_utf8_length(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	static const struct form {
		unsigned char first, last, low, high; /* of the lead byte, of the second byte */
		size_t length;
	} forms[] = {
		{ 0x01, 0x7f, 0, 0, 1 },       { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const struct form *f = &forms[i];
		if (s[0] < f->first || s[0] > f->last)
			continue;
		if (f->length > 1 && (s[1] < f->low || s[1] > f->high))
			return 0;
		for (size_t k = 2; k < f->length; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return f->length;
	}
	return 0;
}

int pms_utf8_valid(const char *text)
{
	for (size_t n; *text; text += n) {
		n = pms_utf8_length(text);
		if (!n)
			return 0;
	}
	return 1;
}

uint32_t pms_utf8_code(const char *text, size_t length)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t code = length > 1 ? s[0] & (0x7fU >> length) : s[0];
	for (size_t i = 1; i < length; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

/* Unicode 15: Cc, Zl, Zp, and the invisible characters of Cf. (Its signs before numbers in
 * Arabic, Syriac and Kaithi are visible.) */
int pms_utf8_acts(const char *text, size_t length)
{
	static const struct range {
		uint32_t first, last;
	} ranges[] = {
		{ 0x0001, 0x001f },   { 0x007f, 0x009f },
		{ 0x00ad, 0x00ad },   { 0x061c, 0x061c },
		{ 0x180e, 0x180e },   { 0x200b, 0x200f }, /* no width; left and right marks */
		{ 0x2028, 0x202e },			  /* separators; embeddings, overrides */
		{ 0x2060, 0x206f },			  /* isolates */
		{ 0xfeff, 0xfeff },   { 0xfff9, 0xfffb },
		{ 0x13430, 0x1343f }, { 0x1bca0, 0x1bca3 },
		{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe007f }, /* tags */
	};
	uint32_t code = pms_utf8_code(text, length);
	if (code >= 0x20 && code < 0x7f)
		return 0;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return 1;
	return 0;
}

size_t pms_utf8_plain(const char *text)
{
	size_t length = pms_utf8_length(text);
	return length && !pms_utf8_acts(text, length) ? length : 0;
}
