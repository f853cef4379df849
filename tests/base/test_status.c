/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"

static void first_error_wins(void **state)
{
	(void)state;
	struct pms_error err = { 0 };
	assert_int_equal(pms_fail_at(&err, PMS_EPARSE, "a.json", 3, 7, "key %s", "x"), -PMS_EPARSE);
	assert_int_equal(pms_fail(&err, PMS_EIO, "later"), -PMS_EIO);
	assert_int_equal(err.status, PMS_EPARSE);
	assert_string_equal(err.source, "a.json");
	assert_int_equal(err.line, 3);
	assert_int_equal(err.column, 7);
	assert_string_equal(err.text, "key x");
	pms_hint(&err, "do %d", 1);
	pms_hint(&err, "do %d", 2);
	assert_string_equal(err.hint, "do 1");
}

static void no_record_is_fine(void **state)
{
	(void)state;
	assert_int_equal(pms_fail(NULL, PMS_ENOMEM, "x"), -PMS_ENOMEM);
	pms_hint(NULL, "x");
}

static void hint_needs_an_error(void **state)
{
	(void)state;
	struct pms_error err = { 0 };
	pms_hint(&err, "x");
	assert_string_equal(err.hint, "");
}

static void long_texts_are_cut(void **state)
{
	(void)state;
	char text[2000];
	memset(text, 'y', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	struct pms_error err = { 0 };
	pms_fail_at(&err, PMS_EIO, text, 0, 0, "%s", text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_int_equal(strlen(err.source), sizeof(err.source) - 1);
}

static void every_status_has_its_name(void **state)
{
	(void)state;
	assert_string_equal(pms_status_name(PMS_OK), "PMS_OK");
	assert_string_equal(pms_status_name(PMS_ENOEXEC), "PMS_ENOEXEC");
	assert_string_equal(pms_status_name((enum pms_status)99), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_error_wins),	     cmocka_unit_test(no_record_is_fine),
		cmocka_unit_test(hint_needs_an_error),	     cmocka_unit_test(long_texts_are_cut),
		cmocka_unit_test(every_status_has_its_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
