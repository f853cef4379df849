/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "show/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void unsafe_text_is_cleaned(void **state)
{
	static const struct {
		const char *text, *utf8, *ascii;
	} cases[] = {
		{ "plain", "plain", "plain" },
		{ "", "", "" },
		{ "a\nb\tc\rd", "a b c d", "a b c d" },
		{ "\033[31mred\x7f", "\\x1b[31mred\\x7f", "\\x1b[31mred\\x7f" },
		{ "4 × 5 → 20 — well…", "4 × 5 → 20 — well…", "4 x 5 -> 20 - well..." },
		{ "日本", "日本", "??" },
		{ "\xff\xc3", "\\xff\\xc3", "\\xff\\xc3" }, /* no lead byte; cut short */
		{ "\xc0\xaf", "\\xc0\\xaf", "\\xc0\\xaf" }, /* overlong */
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80" }, /* a surrogate */
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", "\\xf4\\x90\\x80\\x80" },
		{ "\xc2\x9b"
		  "1m",
		  "\\xc2\\x9b1m", "\\xc2\\x9b1m" }, /* CSI in one character */
		{ "a\u202eb\u2069", "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa9",
		  "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa9" }, /* from right to left */
		{ "😀", "😀", "?" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *utf8 = pms_text_clean(cases[i].text, 0);
		char *ascii = pms_text_clean(cases[i].text, 1);
		assert_string_equal(utf8, cases[i].utf8);
		assert_string_equal(ascii, cases[i].ascii);
		free(utf8);
		free(ascii);
	}
}

static void width_counts_characters(void **state)
{
	(void)state;
	assert_int_equal(pms_text_width(""), 0);
	assert_int_equal(pms_text_width("├─ a"), 4);
}

/* What @write puts into a stream; to be freed. */
static char *written(void (*write)(FILE *, const void *), const void *argument)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	write(out, argument);
	fclose(out);
	return text;
}

struct paragraph {
	const char *first, *text;
	unsigned width;
	const char *want;
};

static void write_paragraph(FILE *out, const void *argument)
{
	const struct paragraph *p = argument;
	pms_text_wrap(out, p->first, p->text, p->width);
}

static void lines_break_between_words(void **state)
{
	static const struct paragraph cases[] = {
		{ "", "one two three", 80, "one two three" },
		{ "", "one two three", 7, "one two\nthree" },
		{ "- ", "one two three", 9, "- one two\n  three" },
		{ "", "unbreakable word", 4, "unbreakable\nword" },
		{ "  ", "", 80, "  " },
		{ "", "→→→ →→→", 7, "→→→ →→→" }, /* columns, not bytes */
		{ "", " two  blanks ", 80, "two blanks" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *got = written(write_paragraph, &cases[i]);
		assert_string_equal(got, cases[i].want);
		free(got);
	}
}

static void write_command(FILE *out, const void *argument)
{
	char prog[] = "prog", none[] = "", *last = strdup(argument);
	char *const argv[] = { prog, none, last, NULL };
	assert_non_null(last);
	pms_text_command(out, argv);
	free(last);
}

static void commands_can_be_pasted(void **state)
{
	static const char *const cases[][2] = {
		{ "-n=1", "prog '' -n=1" },
		{ "a b", "prog '' 'a b'" },
		{ "it's", "prog '' 'it'\\''s'" },
		{ "$HOME;*", "prog '' '$HOME;*'" },
		{ "a\nb'\\\001", "prog '' $'a\\nb\\'\\\\\\001'" },
		{ "caf\u00e9\u202e\x7f", "prog '' $'caf\u00e9\\342\\200\\256\\177'" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *got = written(write_command, cases[i][0]);
		assert_string_equal(got, cases[i][1]);
		free(got);
	}
}

static void doubles_are_short_and_read_back(void **state)
{
	static const struct {
		double value;
		const char *want;
	} cases[] = {
		{ 0, "0" },
		{ 0.1, "0.1" },
		{ 100, "100" },
		{ -0.0, "-0" },
		{ 999999999999999, "999999999999999" },
		{ 1e15, "1e+15" },
		{ 85.406, "85.406" }, /* 85.40600000000001 with 16 digits */
		{ -2.5, "-2.5" },
		{ 1e-7, "1e-07" },
		{ 0.1 + 0.2, "0.30000000000000004" }, /* needs all 17 digits */
		{ 1.7976931348623157e308, "1.7976931348623157e+308" },
	};
	char text[PMS_NUMBER_MAX];
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		pms_text_double(text, cases[i].value);
		assert_string_equal(text, cases[i].want);
		assert_true(strtod(text, NULL) == cases[i].value);
	}
}

static void integers_have_all_digits(void **state)
{
	char text[PMS_NUMBER_MAX];
	(void)state;
	pms_text_integer(text, 0);
	assert_string_equal(text, "0");
	pms_text_integer(text, 100);
	assert_string_equal(text, "100");
	pms_text_integer(text, UINT64_MAX);
	assert_string_equal(text, "18446744073709551615");
}

static void counts_have_separators(void **state)
{
	char text[PMS_NUMBER_MAX];
	(void)state;
	pms_text_count(text, 0);
	assert_string_equal(text, "0");
	pms_text_count(text, 999);
	assert_string_equal(text, "999");
	pms_text_count(text, 1000);
	assert_string_equal(text, "1,000");
	pms_text_count(text, UINT64_MAX);
	assert_string_equal(text, "18,446,744,073,709,551,615");
}

static void values_suit_their_size(void **state)
{
	static const struct {
		double value;
		const char *units, *want;
	} cases[] = {
		{ 52.649, "percent of slots", "52.6" },
		{ -3.21, "percent of slots", "-3.2" },
		{ 0, "percent of slots", "0" },
		{ 0.026, "percent of slots", "<0.1" }, /* 0.0 would say that there was none */
		{ -0.026, "percent of slots", ">-0.1" },
		{ 12345.6, "MPKI", "12346" },
		{ 44.2, "MPKI", "44.20" },
		{ 4.64, "per cycle", "4.640" },
		{ 0.25, "per branch", "0.2500" },
		{ 0.000017, "per TLB access", "1.7e-05" },
		{ 0, "MPKI", "0" },
	};
	char text[PMS_NUMBER_MAX];
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		pms_text_value(text, cases[i].value, cases[i].units);
		assert_string_equal(text, cases[i].want);
	}
}

static void units_say_what_a_percentage_is_of(void **state)
{
	const char *rest;
	(void)state;
	assert_int_equal(pms_text_units("percent of slots", &rest), 1);
	assert_string_equal(rest, "slots");
	assert_int_equal(pms_text_units("MPKI", &rest), 0);
	assert_string_equal(rest, "MPKI");
}

static void bars_are_clamped(void **state)
{
	static const struct {
		double percent;
		const char *want;
	} cases[] = {
		{ -5, "" },	 { 0, "" },	  { 50, "██" },	  { 100, "████" },
		{ 250, "████" }, { 62.5, "██▌" }, { 3.125, "▏" }, /* an eighth of a quarter */
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[64] = "";
		pms_text_bar(text, sizeof(text), cases[i].percent, 4);
		assert_string_equal(text, cases[i].want);
	}
}

static void bars_stay_in_their_room(void **state)
{
	char text[8] = "ab";
	(void)state;
	pms_text_bar(text, sizeof(text), 100, 40);
	assert_string_equal(text, "ab█");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unsafe_text_is_cleaned),
		cmocka_unit_test(width_counts_characters),
		cmocka_unit_test(lines_break_between_words),
		cmocka_unit_test(commands_can_be_pasted),
		cmocka_unit_test(doubles_are_short_and_read_back),
		cmocka_unit_test(integers_have_all_digits),
		cmocka_unit_test(counts_have_separators),
		cmocka_unit_test(values_suit_their_size),
		cmocka_unit_test(units_say_what_a_percentage_is_of),
		cmocka_unit_test(bars_are_clamped),
		cmocka_unit_test(bars_stay_in_their_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
