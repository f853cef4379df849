/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/memstream.h"

static void holds_what_was_written(void **state)
{
	(void)state;
	char *text;
	size_t size;
	FILE *stream = pms_memstream_open(&text, &size);
	assert_non_null(stream);
	assert_null(text);
	fputs("a", stream);
	fprintf(stream, "%d", 23);
	fputc(0, stream);
	fwrite("end", 1, 3, stream);
	assert_int_equal(pms_memstream_close(stream), 0);
	assert_int_equal(size, 7);
	assert_memory_equal(text, "a23\0end", 8);
	free(text);
}

static void is_a_text_when_nothing_was(void **state)
{
	(void)state;
	char *text;
	size_t size;
	assert_int_equal(pms_memstream_close(pms_memstream_open(&text, &size)), 0);
	assert_int_equal(size, 0);
	assert_string_equal(text, "");
	free(text);
}

/* Beyond every buffer on the way, in pieces that fit none of them. */
static void grows(void **state)
{
	(void)state;
	enum { PIECE = 1237, PIECES = 1000 };
	char piece[PIECE], *text;
	size_t size;
	FILE *stream = pms_memstream_open(&text, &size);
	assert_non_null(stream);
	for (size_t i = 0; i < PIECES; i++) {
		memset(piece, (int)(i % 251), PIECE);
		assert_int_equal(fwrite(piece, 1, PIECE, stream), PIECE);
	}
	assert_int_equal(pms_memstream_close(stream), 0);
	assert_int_equal(size, PIECE * PIECES);
	for (size_t i = 0; i < size; i++)
		assert_int_equal((unsigned char)text[i], i / PIECE % 251);
	assert_int_equal(text[size], 0);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(holds_what_was_written),
					    cmocka_unit_test(is_a_text_when_nothing_was),
					    cmocka_unit_test(grows) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
