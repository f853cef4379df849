/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vcore/model/stride.h"

enum { PC = 0x1000 };

static int setup(void **state)
{
	static struct pms_stride s;
	*state = &s;
	return pms_stride_init(&s, 16);
}

static int teardown(void **state)
{
	pms_stride_release(*state);
	return 0;
}

static void training_follows_the_strides(void **state)
{
	struct pms_stride *s = *state;
	static const struct {
		uint64_t address;
		struct pms_stride_hit want;
	} steps[] = {
		{ 1000, { false, 0, 0, 0 } },
		{ 1064, { true, 1000, 64, 0 } },
		{ 1128, { true, 1064, 64, 1 } },
		{ 1192, { true, 1128, 64, 2 } },
		{ 1256, { true, 1192, 64, 3 } },
		{ 1320, { true, 1256, 64, 3 } },
		{ 5000, { true, 1320, 64, 2 } }, /* one jump */
		{ 5064, { true, 5000, 64, 3 } },
		{ 5056, { true, 5064, 64, 2 } }, /* downwards from here */
		{ 5048, { true, 5056, 64, 1 } },
		{ 5040, { true, 5048, 64, 0 } },
		{ 5032, { true, 5040, -8, 0 } },
		{ 5024, { true, 5032, -8, 1 } },
	};
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct pms_stride_hit got = pms_stride_train(s, PC, steps[i].address);
		if (got.known != steps[i].want.known || got.last != steps[i].want.last ||
		    got.stride != steps[i].want.stride ||
		    got.confidence != steps[i].want.confidence)
			fail_msg("step %zu: %d %lu %ld %u", i, got.known, (unsigned long)got.last,
				 (long)got.stride, got.confidence);
	}
}

static void guess_is_the_next_address_and_trains_nothing(void **state)
{
	struct pms_stride *s = *state;
	uint64_t address = 7;
	assert_false(pms_stride_guess(s, PC, &address));
	assert_int_equal(address, 7);
	/* The stride shows with the second address; the third and the fourth confirm it. */
	for (uint64_t at = 1000; at > 976; at -= 8) {
		pms_stride_train(s, PC, at);
		assert_false(pms_stride_guess(s, PC, &address));
	}
	assert_int_equal(address, 7);
	pms_stride_train(s, PC, 976);
	for (unsigned i = 0; i < 3; i++) {
		assert_true(pms_stride_guess(s, PC, &address));
		assert_int_equal(address, 968);
	}
	assert_int_equal(pms_stride_train(s, PC, 968).confidence, 3);
}

/* 16 entries of one instruction each: 64 bytes apart they meet, and the last one stays. */
static void instructions_that_meet_replace_each_other(void **state)
{
	struct pms_stride *s = *state;
	uint64_t address;
	for (unsigned i = 0; i < 3; i++) {
		pms_stride_train(s, PC, 1000);
		pms_stride_train(s, PC + 4, 2000);
	}
	assert_true(pms_stride_guess(s, PC, &address));
	assert_false(pms_stride_train(s, PC + 64, 3000).known);
	assert_false(pms_stride_guess(s, PC, &address));
	assert_true(pms_stride_guess(s, PC + 4, &address));
	assert_int_equal(address, 2000);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(training_follows_the_strides),
		TEST(guess_is_the_next_address_and_trains_nothing),
		TEST(instructions_that_meet_replace_each_other),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
