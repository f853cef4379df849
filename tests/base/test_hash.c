/* SPDX-License-Identifier: MIT */
/* The hash against what Python 3.11 makes of the same bytes, whose hash is SipHash-1-3 too, with
 * PYTHONHASHSEED=0, which is a key of zeros. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/hash.h"

static const struct {
	const char *bytes;
	size_t size;
	uint64_t want;
} cases[] = {
	{ "a", 1, UINT64_C(0x407448d2b89b1813) },
	{ "abcdefg", 7, UINT64_C(0x6db12aae9070f506) },
	{ "abcdefgh", 8, UINT64_C(0x3f7b849c0b8e35ea) },
	{ "abcdefghijklmno", 15, UINT64_C(0x1fd27a29b0e9dc7a) },
	{ "\0\1\2\3\4\5\6\7", 8, UINT64_C(0xead411e67ebe2eea) },
};

static void bytes_have_the_hash_of_the_paper(void **state)
{
	static const struct pms_hash_key zero;
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t got = pms_hash_bytes(&zero, cases[i].bytes, cases[i].size);
		if (got != cases[i].want)
			fail_msg("\"%s\": %#llx", cases[i].bytes, (unsigned long long)got);
	}
	assert_true(pms_hash_number(&zero, UINT64_C(12345678901234567890)) ==
		    UINT64_C(0x67918a7df0469367));
}

static void a_number_is_its_bytes(void **state)
{
	struct pms_hash_key key = pms_hash_draw();
	(void)state;
	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t number = i * i * i * i * 1234567, bytes;
		uint8_t *at = (uint8_t *)&bytes;
		for (size_t k = 0; k < 8; k++)
			at[k] = (uint8_t)(number >> 8 * k);
		assert_true(pms_hash_number(&key, number) == pms_hash_bytes(&key, at, 8));
	}
}

static void keys_differ(void **state)
{
	struct pms_hash_key a = pms_hash_draw(), b = pms_hash_draw();
	(void)state;
	assert_memory_not_equal(&a, &b, sizeof(a));
	assert_true(pms_hash_number(&a, 1) != pms_hash_number(&b, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_have_the_hash_of_the_paper),
		cmocka_unit_test(a_number_is_its_bytes),
		cmocka_unit_test(keys_differ),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
