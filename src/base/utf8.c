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
