/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/utf8.h"

/* Lengths and the forms that are none: the Unicode Standard, table 3-7. */
static const struct {
	const char *text;
	size_t length;
} cases[] = {
	{ "a", 1 },
	{ "\x7f", 1 },
	{ "\xc3\xa9", 2 },
	{ "\xe2\x82\xac", 3 },
	{ "\xf0\x9f\x98\x80", 4 },
	{ "\xf4\x8f\xbf\xbf", 4 },
	{ "", 0 },
	{ "\x80", 0 },
	{ "\xc1\xbf", 0 },	   /* overlong */
	{ "\xe0\x9f\xbf", 0 },	   /* overlong */
	{ "\xed\xa0\x80", 0 },	   /* a surrogate */
	{ "\xf4\x90\x80\x80", 0 }, /* past U+10FFFF */
	{ "\xe2\x82", 0 },	   /* cut short */
	{ "\xff", 0 },
};

static void lengths(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (pms_utf8_length(cases[i].text) != cases[i].length)
			fail_msg("case %zu: %zu", i, pms_utf8_length(cases[i].text));
}

static void whole_texts(void **state)
{
	(void)state;
	assert_true(pms_utf8_valid(""));
	assert_true(pms_utf8_valid("na\xc3\xafve \xe2\x82\xac"));
	assert_false(pms_utf8_valid("na\xefve"));
	assert_false(pms_utf8_valid("cut \xe2\x82"));
}

/* Unicode 15: the first and last of what acts, and their neighbours. */
static void what_acts_is_known(void **state)
{
	static const struct {
		const char *text;
		int acts;
	} characters[] = {
		{ "\x01", 1 },	     { "\x1f", 1 },	  { " ", 0 },	       { "~", 0 },
		{ "\x7f", 1 },	     { "\xc2\x80", 1 },	  { "\xc2\x9f", 1 },   { "\u00a0", 0 },
		{ "\u00ac", 0 },     { "\u00ad", 1 },	  { "\u00ae", 0 },     { "\u061b", 0 },
		{ "\u061c", 1 },     { "\u180e", 1 },	  { "\u200a", 0 },     { "\u200b", 1 },
		{ "\u200e", 1 },     { "\u200f", 1 },	  { "\u2010", 0 },     { "\u2027", 0 },
		{ "\u2028", 1 },     { "\u202a", 1 },	  { "\u202e", 1 },     { "\u202f", 0 },
		{ "\u2060", 1 },     { "\u2066", 1 },	  { "\u2069", 1 },     { "\u206f", 1 },
		{ "\u2070", 0 },     { "\ufeff", 1 },	  { "\ufff8", 0 },     { "\ufff9", 1 },
		{ "\ufffb", 1 },     { "\ufffd", 0 },	  { "\U0001f600", 0 }, { "\U0001d173", 1 },
		{ "\U0001d17b", 0 }, { "\U000e0001", 1 }, { "\U000e007f", 1 }, { "\U000e0100", 0 },
		{ "\U0010ffff", 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(characters) / sizeof(characters[0]); i++) {
		size_t length = pms_utf8_length(characters[i].text);
		assert_true(length > 0);
		if (pms_utf8_acts(characters[i].text, length) != characters[i].acts)
			fail_msg("character %zu", i);
	}
	assert_int_equal(pms_utf8_code("\U0010ffff", 4), 0x10ffff);
	assert_int_equal(pms_utf8_code("\u20ac", 3), 0x20ac);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths),
		cmocka_unit_test(whole_texts),
		cmocka_unit_test(what_acts_is_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
