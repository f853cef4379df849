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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths),
		cmocka_unit_test(whole_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
