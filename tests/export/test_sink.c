/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "export/sink.h"

/* What was written, and how much more is taken. */
struct target {
	char text[65536];
	size_t used, room;
};

static int take(void *context, const void *bytes, size_t length)
{
	struct target *target = context;
	if (length > target->room)
		return -1;
	memcpy(target->text + target->used, bytes, length);
	target->used += length;
	target->room -= length;
	return 0;
}

static struct pms_sink *open_sink(struct target *target, size_t room)
{
	struct pms_sink *sink = calloc(1, sizeof(*sink));
	assert_non_null(sink);
	*target = (struct target){ .room = room };
	sink->write = take;
	sink->context = target;
	return sink;
}

static void texts_become_safe(void **state)
{
	static const struct {
		const char *text, *json, *line;
	} cases[] = {
		{ "plain", "\"plain\"", "plain" },
		{ "", "\"\"", "" },
		{ "a;b", "\"a;b\"", "a\\x3bb" },
		{ "a\nb", "\"a\\u000ab\"", "a\\x0ab" },
		{ "\"\\", "\"\\\"\\\\\"", "\"\\x5c" },
		{ "\xff", "\"\xef\xbf\xbd\"", "\\xff" },
		{ "\xc3\xbc", "\"\xc3\xbc\"", "\xc3\xbc" },
		{ "\x7f", "\"\\u007f\"", "\\x7f" },
		{ "\xe2\x80\xae", "\"\xe2\x80\xae\"", "\\xe2\\x80\\xae" },
		{ "cut \xe2\x80", "\"cut \xef\xbf\xbd\xef\xbf\xbd\"", "cut \\xe2\\x80" },
	};
	struct target target;
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_sink *sink = open_sink(&target, sizeof(target.text) - 1);
		pms_sink_json(sink, cases[i].text);
		assert_int_equal(pms_sink_end(sink), 0);
		assert_string_equal(target.text, cases[i].json);
		free(sink);
		sink = open_sink(&target, sizeof(target.text) - 1);
		pms_sink_line(sink, cases[i].text, ";");
		assert_int_equal(pms_sink_end(sink), 0);
		assert_string_equal(target.text, cases[i].line);
		free(sink);
	}
}

static void long_texts_are_whole_and_failures_stay(void **state)
{
	char text[40001];
	struct target target;
	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	struct pms_sink *sink = open_sink(&target, sizeof(target.text) - 1);
	pms_sink_text(sink, text);
	assert_int_equal(pms_sink_end(sink), 0);
	assert_string_equal(target.text, text);
	free(sink);
	sink = open_sink(&target, 20000);
	pms_sink_text(sink, text);
	target.room = sizeof(target.text);
	pms_sink_text(sink, "more");
	assert_int_equal(pms_sink_end(sink), -1);
	assert_int_equal(target.used, 16384);
	free(sink);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_become_safe),
		cmocka_unit_test(long_texts_are_whole_and_failures_stay),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
