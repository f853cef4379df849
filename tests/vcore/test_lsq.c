/* SPDX-License-Identifier: MIT */
/* What limits loads and stores that hit: ports, the store's data, and its write to L1D. The cycles
 * of a turn are worked out from the fixture's ports; every drain asserts the laws of the model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "machine.h"

enum { STR_X1_X2 = 0xf9000041, LDP_Q = 0xad400440, LDP_X = 0xa9400440, TURNS = 1000, START = 2500 };

/* Turns of @count times @word, each with one access of @size at @step bytes from the last one, and
 * a branch. */
static uint64_t cycles(const struct pms_params *params, uint32_t word, unsigned count,
		       uint64_t first, uint64_t step, uint16_t size)
{
	struct machine *m = machine_of(params, false);
	struct pms_access accesses[8];
	uint32_t words[9];
	for (unsigned i = 0; i < count; i++) {
		words[i] = word;
		accesses[i] = (struct pms_access){ first + i * step, i, size, word == STR_X1_X2 };
	}
	words[count] = bne((int)count, 0);
	loop(m, words, count + 1, TURNS, accesses, count);
	uint64_t n = N(m, CPU_CYCLES);
	machine_free(m);
	return n;
}

#define ASSERT_TURN(each, cycles) assert_in_range(cycles, TURNS *(each), TURNS *(each) + START)

/* Two address pipelines: eight stores issue in four cycles. Those to one line are written together,
 * those to eight lines in eight cycles. */
static void one_line_is_written_a_cycle(void **state)
{
	(void)state;
	struct pms_params p = fixture_params();
	ASSERT_TURN(4, cycles(&p, STR_X1_X2, 8, 0x200000, 8, 8));
	ASSERT_TURN(8, cycles(&p, STR_X1_X2, 8, 0x200000, 64, 8));
}

/* Two stores of eight bytes at once, or one. */
static void its_path_has_a_width(void **state)
{
	(void)state;
	struct pms_params p = fixture_params();
	p.store_commit_bytes = 16;
	ASSERT_TURN(4, cycles(&p, STR_X1_X2, 8, 0x200000, 8, 8));
	p.store_commit_bytes = 15;
	ASSERT_TURN(8, cycles(&p, STR_X1_X2, 8, 0x200000, 8, 8));
}

/* Four stores that cross from an even line to an odd one: eight lines. */
static void a_store_that_crosses_is_written_twice(void **state)
{
	(void)state;
	struct pms_params p = fixture_params();
	ASSERT_TURN(4, cycles(&p, STR_X1_X2, 4, 0x200000, 128, 8));
	ASSERT_TURN(8, cycles(&p, STR_X1_X2, 4, 0x20003c, 128, 8));
}

/* One pipeline for data: one store a cycle. */
static void data_takes_a_port(void **state)
{
	(void)state;
	struct pms_params p = fixture_params();
	fixture_op(&p, PMS_OP_STORE_DATA, 0, PORT(D0), IQ_MEM);
	ASSERT_TURN(8, cycles(&p, STR_X1_X2, 8, 0x200000, 8, 8));
	fixture_op(&p, PMS_OP_STORE_DATA, 0, PORT(D0) | PORT(D1), IQ_MEM);
	ASSERT_TURN(4, cycles(&p, STR_X1_X2, 8, 0x200000, 8, 8));
}

/* Eight addresses on two pipelines, and on the same ones the writes: two of 32 bytes when stores
 * wait for each other. When they do not, none joins another: a store retires as it is written. */
static void writes_take_a_port(void **state)
{
	(void)state;
	struct pms_params p = fixture_params();
	fixture_op(&p, PMS_OP_STORE_WRITE, 0, PORT(L0) | PORT(L1), IQ_MEM);
	p.store_merge_cycles = 4;
	ASSERT_TURN(5, cycles(&p, STR_X1_X2, 8, 0x200000, 8, 8));
	p.store_merge_cycles = 0;
	assert_true(cycles(&p, STR_X1_X2, 8, 0x200000, 8, 8) >= 8 * TURNS);
}

/* Six loads on three pipelines; of two 16-byte registers each they are twelve. */
static void pairs_of_vectors_are_two_loads(void **state)
{
	(void)state;
	struct pms_params p = fixture_params();
	fixture_op(&p, PMS_OP_LOAD_VP, 0, PORT(L0) | PORT(L1) | PORT(L2), IQ_MEM);
	ASSERT_TURN(2, cycles(&p, LDP_X, 6, 0x200000, 32, 16));
	ASSERT_TURN(4, cycles(&p, LDP_Q, 6, 0x200000, 32, 32));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_line_is_written_a_cycle),
		cmocka_unit_test(its_path_has_a_width),
		cmocka_unit_test(a_store_that_crosses_is_written_twice),
		cmocka_unit_test(data_takes_a_port),
		cmocka_unit_test(writes_take_a_port),
		cmocka_unit_test(pairs_of_vectors_are_two_loads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
