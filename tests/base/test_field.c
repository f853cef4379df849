/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/field.h"

static const struct field {
	const char *text;
	int is_formula;
} fields[] = {
	{ "", 0 },     { "a=1", 0 },  { "=1+1", 1 },  { "+x", 1 },   { "-x", 1 }, { "@SUM(1)", 1 },
	{ "-1.5", 0 }, { "+2e3", 0 }, { "-1.5x", 1 }, { "\t=1", 1 }, { "\r", 1 }, { "\n", 1 },
	{ "'a", 0 },   { "'=1", 1 },  { "''-1", 1 },  { "'-1", 1 },  { "'", 0 },  { "1-1", 0 },
};

static void tells_formulas_from_numbers_and_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (pms_field_is_formula(fields[i].text) != fields[i].is_formula)
			fail_msg("\"%s\"", fields[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_formulas_from_numbers_and_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
