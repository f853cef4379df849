/* SPDX-License-Identifier: MIT */
/* Programs of a few instructions, with the cycles and slots that the fixture's numbers imply.
 * Every drain also asserts the laws of the model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "machine.h"

enum {
	LDR_X0_X0 = 0xf9400000,
	LDR_X1_X2 = 0xf9400041,
	STR_X1_X2 = 0xf9000041,
	CMP_X0 = 0xf100041f,
	SVC = 0xd4000001,
	UDF = 0x00000000,
	RET = 0xd65f03c0,
	BLR_X5 = 0xd63f00a0
};

static uint64_t stall_slots(const struct machine *m)
{
	uint64_t sum = 0;
	for (unsigned i = PMS_COUNTER_FE_SLOT_FLUSH; i <= PMS_COUNTER_BE_SLOT_SERIAL; i++)
		sum += m->n[i];
	return sum;
}

static void four_adds_a_cycle(void **state)
{
	(void)state;
	struct machine *m = machine_new(true);
	uint32_t words[9];
	for (unsigned i = 0; i < 8; i++)
		words[i] = add(i);
	words[8] = bne(8, 0);
	loop(m, words, 9, 1000, NULL, 0);
	/* Eight adds on four ports: two cycles a turn. The start: a walk, DRAM, one misprediction.
	 */
	assert_in_range(N(m, CPU_CYCLES), 2000, 2000 + 1200);
	assert_int_equal(N(m, INST_RETIRED), 9000);
	assert_int_equal(N(m, OP_RETIRED), 9000);
	assert_int_equal(N(m, BR_RETIRED), 1000);
	assert_int_equal(N(m, OP_SPEC) + stall_slots(m), 8 * N(m, CPU_CYCLES));
	machine_free(m);
}

static void dependent_adds_run_one_a_cycle(void **state)
{
	(void)state;
	struct machine *m = machine_new(true);
	uint32_t words[9];
	for (unsigned i = 0; i < 8; i++)
		words[i] = add(0);
	words[8] = bne(8, 0);
	loop(m, words, 9, 1000, NULL, 0);
	assert_in_range(N(m, CPU_CYCLES), 8000, 8000 + 1200);
	/* Of a turn's 64 slots 9 are used: what is left is the backend's, up to the start's. */
	uint64_t be = N(m, BE_SLOT_ROB) + N(m, BE_SLOT_IQ);
	assert_true(be > 1000 * 55 * 9 / 10);
	machine_free(m);
}

static void fused_pairs_take_one_slot(void **state)
{
	(void)state;
	struct machine *m = machine_new(true);
	const uint32_t words[] = { NOP, CMP_X0, bne(2, 0) };
	loop(m, words, 3, 100, NULL, 0);
	assert_int_equal(N(m, INST_RETIRED), 300);
	assert_int_equal(N(m, OP_RETIRED), 200);
	machine_free(m);
}

static void loads_from_l1_take_four_cycles(void **state)
{
	(void)state;
	struct machine *m = machine_new(true);
	const uint32_t words[] = { LDR_X0_X0, bne(1, 0) };
	const struct pms_access access = { 0x200000, 0, 8, 0 };
	loop(m, words, 2, 1000, &access, 1);
	assert_in_range(N(m, CPU_CYCLES), 4000, 4000 + 1800);
	assert_int_equal(N(m, L1D_CACHE_REFILL_RD), 1);
	assert_int_equal(N(m, DTLB_WALK), 1);
	assert_true(N(m, LD_SPEC) >= 1000); /* wrong paths load too */
	machine_free(m);
}

/* Each load depends on the last one and goes to a line that nobody has: DRAM's latency each. */
static void misses_to_memory_take_its_latency(void **state)
{
	(void)state;
	struct machine *m = machine_new(true);
	const uint32_t words[] = { LDR_X0_X0, bne(1, 0) };
	struct pms_block *block = pms_block_new(&m->params, CODE, words, 2);
	uint64_t random = 1;
	for (unsigned i = 0; i < 500; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		struct pms_access access = { 0x10000000 + (random >> 40 << 6), 0, 8, 0 };
		pms_core_run(m->core, block, &access, 1, PMS_END_NEXT, CODE + (i < 499 ? 0 : 8));
	}
	pms_core_drain(m->core);
	/* 2^24 lines in 2^18 pages: a walk too, whose descriptors come from L2 or memory. */
	assert_in_range(N(m, CPU_CYCLES), 500 * 300, 500 * (300 + 2 * 310));
	assert_in_range(N(m, LL_CACHE_MISS_RD), 490, 1600);
	assert_true(N(m, STALL_BACKEND_MEM) * 10 > N(m, CPU_CYCLES) * 8);
	pms_block_free(block);
	machine_free(m);
}

static void random_branches_cost_the_penalty(void **state)
{
	(void)state;
	enum { TURNS = 2000 };
	struct machine *m = machine_new(true);
	for (unsigned i = 0; i < 4; i++)
		m->code[i] = add(i);
	m->code[4] = bne(4, 0);
	struct pms_block *block = pms_block_new(&m->params, CODE, m->code, 5);
	struct pms_block *back = pms_block_new(&m->params, CODE + 20, (uint32_t[]){ b(5, 0) }, 1);
	m->code[5] = b(5, 0);
	uint64_t random = 1;
	for (unsigned i = 0; i < TURNS; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		bool taken = random >> 63;
		pms_core_run(m->core, block, NULL, 0, PMS_END_NEXT, CODE + (taken ? 0 : 20));
		if (!taken)
			pms_core_run(m->core, back, NULL, 0, PMS_END_NEXT, CODE);
	}
	pms_core_drain(m->core);
	uint64_t missed = N(m, BR_MIS_PRED_RETIRED);
	assert_in_range(missed, TURNS * 4 / 10, TURNS * 6 / 10);
	assert_true(N(m, CPU_CYCLES) >= missed * 11);
	assert_true(N(m, FE_SLOT_FLUSH) >= 32 * missed); /* law 9 */
	assert_true(N(m, FLUSHED_BRANCH) >= missed * 4); /* the wrong path was walked */
	pms_block_free(block);
	pms_block_free(back);
	machine_free(m);
}

static void wrong_paths_change_no_retired_count(void **state)
{
	(void)state;
	uint64_t retired[2][5];
	for (int walks = 0; walks < 2; walks++) {
		struct machine *m = machine_new(walks);
		const uint32_t words[] = { add(0), LDR_X1_X2, bne(2, 0) };
		struct pms_block *block = pms_block_new(&m->params, CODE, words, 3);
		struct pms_block *back =
			pms_block_new(&m->params, CODE + 12, (uint32_t[]){ b(3, 0) }, 1);
		for (unsigned i = 0; i < 1000; i++) {
			struct pms_access access = { 0x200000 + 8 * (uint64_t)i, 1, 8, 0 };
			bool taken = i * 2654435761u >> 31;
			pms_core_run(m->core, block, &access, 1, PMS_END_NEXT,
				     CODE + (taken ? 0 : 12));
			if (!taken)
				pms_core_run(m->core, back, NULL, 0, PMS_END_NEXT, CODE);
		}
		pms_core_drain(m->core);
		const uint64_t now[] = { N(m, INST_RETIRED), N(m, OP_RETIRED), N(m, BR_RETIRED),
					 N(m, BR_MIS_PRED_RETIRED), N(m, EXC_SVC) };
		memcpy(retired[walks], now, sizeof(now));
		assert_int_equal(N(m, OP_SPEC) > N(m, OP_RETIRED), walks);
		pms_block_free(block);
		pms_block_free(back);
		machine_free(m);
	}
	assert_memory_equal(retired[0], retired[1], sizeof(retired[0]));
}

/* str then ldr of the same 8 bytes: the data comes from the queue, 5 cycles after it is there. */
static void stores_forward(void **state)
{
	(void)state;
	struct machine *m = machine_new(true);
	const uint32_t words[] = { STR_X1_X2, LDR_X1_X2, bne(2, 0) };
	const struct pms_access accesses[] = { { 0x200000, 0, 8, 1 }, { 0x200000, 1, 8, 0 } };
	loop(m, words, 3, 1000, accesses, 2);
	assert_in_range(N(m, CPU_CYCLES), 5000, 5000 + 1500);
	machine_free(m);
}

/* stlr x1, [x2]; ldar x3, [x2]: the acquire waits for the release and never runs ahead of it. */
static void acquires_wait_for_releases(void **state)
{
	(void)state;
	struct machine *m = machine_new(true);
	const uint32_t words[] = { 0xc89ffc41, 0xc8dffc43, bne(2, 0) };
	const struct pms_access accesses[] = { { 0x200000, 0, 8, 1 }, { 0x200000, 1, 8, 0 } };
	loop(m, words, 3, 1000, accesses, 2);
	assert_int_equal(N(m, FLUSHED_ORDER), 0);
	/* A turn: the store issues, retires 2 later and is written in the next cycle, then a load.
	 */
	assert_true(N(m, CPU_CYCLES) >= 1000 * (1 + 2 + 4));
	machine_free(m);
}

static void a_faulting_access_ends_the_block(void **state)
{
	(void)state;
	struct machine *m = machine_new(true);
	const uint32_t words[] = { add(0), add(1), LDR_X1_X2, add(2), b(4, 20) };
	struct pms_block *block = pms_block_new(&m->params, CODE, words, 5);
	pms_core_run(m->core, block, NULL, 0, PMS_END_NEXT, 0x500000);
	pms_core_drain(m->core);
	assert_int_equal(N(m, INST_RETIRED), 2);
	assert_int_equal(N(m, BR_RETIRED), 0);
	assert_int_equal(N(m, ODD_SUCCESSORS), 1);
	assert_int_equal(N(m, EXC_TAKEN), 1);
	pms_block_free(block);
	machine_free(m);
}

static void exceptions_are_counted(void **state)
{
	(void)state;
	struct machine *m = machine_new(true);
	struct pms_block *svc = pms_block_new(&m->params, CODE, (uint32_t[]){ NOP, SVC }, 2);
	struct pms_block *udf = pms_block_new(&m->params, CODE + 8, (uint32_t[]){ UDF }, 1);
	for (int i = 0; i < 3; i++)
		pms_core_run(m->core, svc, NULL, 0, PMS_END_NEXT, CODE + 8);
	pms_core_run(m->core, udf, NULL, 0, PMS_END_NEXT, 0x700000);
	pms_core_drain(m->core);
	assert_int_equal(N(m, EXC_SVC), 3);
	assert_int_equal(N(m, EXC_UNDEF), 1);
	assert_int_equal(N(m, EXC_TAKEN), 4);
	assert_int_equal(N(m, INST_RETIRED), 6); /* udf does not retire */
	assert_int_equal(N(m, FLUSHED_FAULT), 1);
	pms_block_free(svc);
	pms_block_free(udf);
	machine_free(m);
}

/* A store whose address comes late (a load that misses), then a load of the same address that is
 * ready at once: it runs ahead, is thrown away once, and is held back from then on. */
static void loads_that_overtake_a_store_are_flushed_once(void **state)
{
	(void)state;
	struct machine *m = machine_new(true);
	/* ldr x2, [x0]; str x1, [x2]; ldr x1, [x9] */
	const uint32_t words[] = { 0xf9400002, STR_X1_X2, 0xf9400121, bne(3, 0) };
	struct pms_block *block = pms_block_new(&m->params, CODE, words, 4);
	for (unsigned i = 0; i < 200; i++) {
		const struct pms_access accesses[] = {
			{ 0x40000000 + 0x100000 * (uint64_t)i, 0, 8, 0 },
			{ 0x200000, 1, 8, 1 },
			{ 0x200000, 2, 8, 0 },
		};
		pms_core_run(m->core, block, accesses, 3, PMS_END_NEXT, CODE + (i < 199 ? 0 : 16));
	}
	pms_core_drain(m->core);
	assert_in_range(N(m, FLUSHED_ORDER), 1, 300);
	assert_int_equal(N(m, INST_RETIRED), 800);
	pms_block_free(block);
	machine_free(m);
}

/* A store whose address comes late (a load that misses), and two loads of that address, @apart
 * instructions from each other, with nops between. Without wrong paths: what is thrown away are the
 * loads themselves. */
static uint64_t overtaken(uint64_t off, uint32_t log2, unsigned apart)
{
	struct pms_params params = fixture_params();
	params.off = off;
	params.order_predictor_log2 = log2;
	struct machine *m = machine_of(&params, false);
	uint32_t words[48] = { 0xf9400002, STR_X1_X2, 0xf9400121 }; /* as below */
	for (unsigned i = 3; i < 2 + apart; i++)
		words[i] = NOP;
	words[2 + apart] = 0xf9400121;
	words[3 + apart] = bne((int)(3 + apart), 0);
	struct pms_block *block = pms_block_new(&m->params, CODE, words, 4 + apart);
	for (unsigned i = 0; i < 200; i++) {
		const struct pms_access accesses[] = {
			{ 0x40000000 + 0x100000 * (uint64_t)i, 0, 8, 0 },
			{ 0x200000, 1, 8, 1 },
			{ 0x200000, 2, 8, 0 },
			{ 0x200000, 2 + apart, 8, 0 },
		};
		pms_core_run(m->core, block, accesses, 4, PMS_END_NEXT, CODE);
	}
	pms_core_drain(m->core);
	uint64_t flushed = N(m, FLUSHED_ORDER);
	pms_block_free(block);
	machine_free(m);
	return flushed;
}

/* Each load is wrong once. Two with one entry of the predictor, 16 instructions apart with 16
 * entries, are one for it. Without it the first is wrong each turn, and the second comes when the
 * address is known; without flushes none is. */
static void the_order_predictor_is_finite(void **state)
{
	(void)state;
	assert_int_equal(overtaken(0, 8, 16), 1 + 1);
	assert_int_equal(overtaken(0, 4, 16), 1);
	assert_int_equal(overtaken(0, 4, 15), 1 + 1);
	assert_int_equal(overtaken(PMS_OFF(ORDER_PREDICTOR), 8, 16), 200);
	assert_int_equal(overtaken(PMS_OFF(ORDER_FLUSH), 8, 16), 0);
}

/* The same, but the store writes elsewhere three times of four: three in turn that did not meet it
 * let the load run ahead again, into the fourth. */
static void a_load_that_meets_no_store_forgets(void **state)
{
	(void)state;
	uint64_t flushed[2];
	for (unsigned often = 0; often < 2; often++) {
		struct machine *m = machine_new(true);
		const uint32_t words[] = { 0xf9400002, STR_X1_X2, 0xf9400121, bne(3, 0) };
		struct pms_block *block = pms_block_new(&m->params, CODE, words, 4);
		for (unsigned i = 0; i < 200; i++) {
			uint64_t elsewhere = (i & 3) && !often ? 0x1000 : 0;
			const struct pms_access accesses[] = {
				{ 0x40000000 + 0x100000 * (uint64_t)i, 0, 8, 0 },
				{ 0x200000 + elsewhere, 1, 8, 1 },
				{ 0x200000, 2, 8, 0 },
			};
			pms_core_run(m->core, block, accesses, 3, PMS_END_NEXT,
				     CODE + (i < 199 ? 0 : 16));
		}
		pms_core_drain(m->core);
		flushed[often] = N(m, FLUSHED_ORDER);
		pms_block_free(block);
		machine_free(m);
	}
	assert_true(flushed[0] > 10 * flushed[1]);
}

static void calls_return_where_they_came_from(void **state)
{
	(void)state;
	struct machine *m = machine_new(true);
	/* 0: blr x5 (to 32); 4: b 0; 32: ret */
	struct pms_block *call = pms_block_new(&m->params, CODE, (uint32_t[]){ BLR_X5 }, 1);
	struct pms_block *back = pms_block_new(&m->params, CODE + 4, (uint32_t[]){ b(1, 0) }, 1);
	struct pms_block *leaf = pms_block_new(&m->params, CODE + 32, (uint32_t[]){ RET }, 1);
	for (unsigned i = 0; i < 1000; i++) {
		pms_core_run(m->core, call, NULL, 0, PMS_END_NEXT, CODE + 32);
		pms_core_run(m->core, leaf, NULL, 0, PMS_END_NEXT, CODE + 4);
		pms_core_run(m->core, back, NULL, 0, PMS_END_NEXT, CODE);
	}
	pms_core_drain(m->core);
	assert_int_equal(N(m, BR_RETIRED), 3000);
	assert_in_range(N(m, BR_MIS_PRED_RETIRED), 1, 3); /* the first blr has no target */
	assert_int_equal(N(m, BR_PRED) + N(m, BR_MIS_PRED),
			 N(m, BR_IMMED_SPEC) + N(m, BR_INDIRECT_SPEC));
	pms_block_free(call);
	pms_block_free(back);
	pms_block_free(leaf);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_adds_a_cycle),
		cmocka_unit_test(dependent_adds_run_one_a_cycle),
		cmocka_unit_test(fused_pairs_take_one_slot),
		cmocka_unit_test(loads_from_l1_take_four_cycles),
		cmocka_unit_test(misses_to_memory_take_its_latency),
		cmocka_unit_test(random_branches_cost_the_penalty),
		cmocka_unit_test(wrong_paths_change_no_retired_count),
		cmocka_unit_test(stores_forward),
		cmocka_unit_test(acquires_wait_for_releases),
		cmocka_unit_test(a_faulting_access_ends_the_block),
		cmocka_unit_test(exceptions_are_counted),
		cmocka_unit_test(loads_that_overtake_a_store_are_flushed_once),
		cmocka_unit_test(the_order_predictor_is_finite),
		cmocka_unit_test(a_load_that_meets_no_store_forgets),
		cmocka_unit_test(calls_return_where_they_came_from),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
