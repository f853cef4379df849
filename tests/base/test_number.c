/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/number.h"

static void texts_are_numbers_or_not(void **state)
{
	(void)state;
	static const struct {
		const char *text, *behind;
		bool is;
		uint64_t number;
	} cases[] = {
		{ "0", "", true, 0 },
		{ "65535", "", true, 65535 },
		{ "0xd40", "", true, 0xd40 },
		{ " \t0x41", "", true, 0x41 },
		{ "7 \t\n", " \t\n", true, 7 },
		{ "18446744073709551615", "", true, UINT64_MAX },
		{ "18446744073709551616", "", false, 0 },
		{ "", "", false, 0 },
		{ " ", " ", false, 0 },
		{ "7\n", " ", false, 0 },
		{ "7x", "", false, 0 },
		{ "x7", "", false, 0 },
		{ "-1", "", false, 0 },
		{ " -1", "", false, 0 },
		{ "+1", "", false, 0 },
		{ "0x", "", false, 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t number = 12345;
		bool is = pms_number_read(cases[i].text, cases[i].behind, &number);
		if (is != cases[i].is || number != (is ? cases[i].number : 12345))
			fail_msg("\"%s\": %d, %llu", cases[i].text, is, (unsigned long long)number);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_numbers_or_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
