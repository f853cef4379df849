/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/array.h"

static void array_keeps_what_it_holds(void **state)
{
	(void)state;
	int *numbers = NULL;
	for (size_t i = 0; i < 1000; i++) {
		numbers = pms_array_room(numbers, i, sizeof(numbers[0]));
		assert_non_null(numbers);
		numbers[i] = (int)i * 3;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(numbers[i], i * 3);
	free(numbers);
}

static void array_refuses_what_cannot_fit(void **state)
{
	(void)state;
	assert_null(pms_array_room(NULL, (size_t)1 << 63, 1));
	assert_null(pms_array_room(NULL, (size_t)1 << 62, 16));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(array_keeps_what_it_holds),
		cmocka_unit_test(array_refuses_what_cannot_fit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
