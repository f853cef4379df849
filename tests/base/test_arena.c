/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"

static void arena_gives_zeroed_aligned_memory(void **state)
{
	(void)state;
	struct pms_arena arena = { 0 };
	for (size_t size = 1; size < 40000; size = size * 2 + 1) {
		unsigned char *memory = pms_arena_alloc(&arena, size, 1);
		assert_non_null(memory);
		assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(memory[i], 0);
		memset(memory, 0xff, size); /* must not show in what comes next */
	}
	pms_arena_release(&arena);
}

static void arena_refuses_a_product_that_wraps(void **state)
{
	(void)state;
	struct pms_arena arena = { 0 };
	assert_null(pms_arena_alloc(&arena, SIZE_MAX / 2, 3));
	assert_null(pms_arena_alloc(&arena, SIZE_MAX, 1));
	assert_non_null(pms_arena_alloc(&arena, 0, 8));
	pms_arena_release(&arena);
}

static void arena_holds_texts(void **state)
{
	(void)state;
	struct pms_arena arena = { 0 };
	assert_string_equal(pms_arena_dup(&arena, "stall"), "stall");
	assert_string_equal(pms_arena_printf(&arena, "%s of %d", "slot", 8), "slot of 8");
	pms_arena_release(&arena);
	assert_null(arena.blocks);
}

static void arena_that_is_cleared_gives_zeroes_again(void **state)
{
	(void)state;
	struct pms_arena arena = { 0 };
	pms_arena_clear(&arena);
	for (size_t size = 100; size < 40000; size += 19900) {
		memset(pms_arena_alloc(&arena, 300, 1), 0xff, 300);
		memset(pms_arena_alloc(&arena, size, 1), 0xff, size);
		struct pms_arena_block *kept = arena.blocks;
		pms_arena_clear(&arena);
		assert_ptr_equal(arena.blocks, kept);
		const unsigned char *memory = pms_arena_alloc(&arena, size, 1);
		assert_ptr_equal(arena.blocks, kept);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(memory[i], 0);
	}
	pms_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_gives_zeroed_aligned_memory),
		cmocka_unit_test(arena_refuses_a_product_that_wraps),
		cmocka_unit_test(arena_holds_texts),
		cmocka_unit_test(arena_that_is_cleared_gives_zeroes_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
