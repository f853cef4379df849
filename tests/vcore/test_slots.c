/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "vcore/model/slots.h"

/* Three: taken until 10, 5 and 20, so the next free ones are at 5, then at 10. */
static void earliest_is_taken_first(void **state)
{
	(void)state;
	struct pms_slots s;
	pms_slots_init(&s, 3);
	assert_int_equal(pms_slots_free_at(&s), 0);
	pms_slots_occupy(&s, 10);
	pms_slots_occupy(&s, 5);
	assert_int_equal(pms_slots_free_at(&s), 0);
	pms_slots_occupy(&s, 20);
	assert_int_equal(pms_slots_free_at(&s), 5);
	pms_slots_occupy(&s, 30); /* 10 30 20 */
	assert_int_equal(pms_slots_free_at(&s), 10);
	pms_slots_occupy(&s, 11); /* 11 30 20 */
	assert_int_equal(pms_slots_free_at(&s), 11);
}

static void one_is_a_queue(void **state)
{
	(void)state;
	struct pms_slots s;
	pms_slots_init(&s, 1);
	pms_slots_occupy(&s, 7);
	pms_slots_occupy(&s, 9);
	assert_int_equal(pms_slots_free_at(&s), 9);
}

static void agrees_with_a_naive_minimum(void **state)
{
	(void)state;
	static const unsigned counts[] = { 1, 2, 3, 20, 255, 256 };
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		struct pms_slots s;
		uint64_t naive[PMS_SLOTS_MAX] = { 0 }, seed = 3;
		pms_slots_init(&s, counts[c]);
		for (unsigned i = 0; i < 4000; i++) {
			unsigned least = 0;
			for (unsigned k = 1; k < counts[c]; k++)
				least = naive[k] < naive[least] ? k : least;
			assert_int_equal(pms_slots_free_at(&s), naive[least]);
			naive[least] = naive[least] + random_below(&seed, 100);
			pms_slots_occupy(&s, naive[least]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(earliest_is_taken_first),
		cmocka_unit_test(one_is_a_queue),
		cmocka_unit_test(agrees_with_a_naive_minimum),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
