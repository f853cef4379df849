/* SPDX-License-Identifier: MIT */
/* A document whose last arrays are made piece by piece is, byte for byte, the one made at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "show/document.h"

static json_t *make(void *context, size_t i)
{
	int *fails = context;
	if (*fails && i == 1)
		return NULL;
	return json_pack("{s:i, s:f, s:s, s:[f, s], s:{}, s:[]}", "n", (int)i, "x", 0.1 * (double)i,
			 "text", "a ] \"quoted\" \n line", "mixed", 2.5, "b", "empty", "none");
}

static json_t *make_head(void)
{
	return json_pack("{s:s, s:[i, i], s:[], s:[]}", "head", "with ] in it", "numbers", 1, 2,
			 "all", "more");
}

static char *pieces(size_t n, size_t m, int is_line, int fails, int want)
{
	int never = 0;
	const struct pms_document_array arrays[] = { { make, &fails, n }, { make, &never, m } };
	char *text = NULL;
	size_t size;
	struct pms_document d;
	struct pms_error err = { 0 };
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	pms_document_init(&d, make_head());
	assert_int_equal(pms_document_finish_arrays(&d, arrays, 2, is_line, out, &err), want);
	assert_int_equal(err.status, -want);
	fclose(out);
	return text;
}

static char *at_once(size_t n, size_t m, int is_line)
{
	char *text = NULL;
	size_t size;
	int fails = 0;
	struct pms_document d;
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	pms_document_init(&d, make_head());
	for (size_t i = 0; i < n; i++)
		pms_document_append(&d, json_object_get(d.root, "all"), make(&fails, i));
	for (size_t i = 0; i < m; i++)
		pms_document_append(&d, json_object_get(d.root, "more"), make(&fails, i));
	assert_int_equal(is_line ? pms_document_finish_line(&d, out, NULL)
				 : pms_document_finish(&d, out, NULL),
			 0);
	fclose(out);
	return text;
}

static void pieces_are_the_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < 32; i++) {
		size_t n = i % 4, m = i / 4 % 4;
		int is_line = i >= 16;
		char *a = pieces(n, m, is_line, 0, 0), *b = at_once(n, m, is_line);
		assert_string_equal(a, b);
		free(a);
		free(b);
	}
}

static void a_piece_that_fails_is_told(void **state)
{
	(void)state;
	free(pieces(1, 1, 0, 1, 0));
	free(pieces(3, 1, 0, 1, -PMS_ENOMEM));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_the_whole),
		cmocka_unit_test(a_piece_that_fails_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
