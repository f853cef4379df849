/* SPDX-License-Identifier: MIT */
/* What waits for what: barriers, acquire and release, exclusives, atomics, moves. Each turn's
 * cycles are worked out from the fixture's numbers, by the comment above it; the same without the
 * mechanism says that it was the one. Every drain asserts the laws of the model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "machine.h"

enum {
	TURNS = 1000,
	LDR_X1_X2 = 0xf9400041,
	LDR_X3_X2 = 0xf9400043,
	STR_X1_X2 = 0xf9000041,
	DMB_ISH = 0xd5033bbf,
	DMB_ISHLD = 0xd50339bf,
	DMB_ISHST = 0xd5033abf,
	DSB_ISH = 0xd5033b9f,
	ISB = 0xd5033fdf,
	LDAR_X1_X2 = 0xc8dffc41,
	STLR_X1_X2 = 0xc89ffc41,
	LDXR_X1_X2 = 0xc85f7c41,
	STXR_W3_X9_X2 = 0xc8037c49,
	STXR_W3_X1_X2 = 0xc8037c41,
	LDADD_X9_X3_X2 = 0xf8290043,
	ADD_X2_X2_X3 = 0x8b030042,
	MOV_X0_X1 = 0xaa0103e0,
	MOV_X1_X0 = 0xaa0003e1,
	MOV_X0_ZERO = 0xd2800000,
	LDR_Q1_X2 = 0x3dc00041,
	STR_Q1_X2 = 0x3d800041,
	FMOV_X3_D1 = 0x9e660023,
};

static const struct pms_access no_access[1];

static uint64_t cycles(const struct pms_params *params, const uint32_t *words, unsigned count,
		       unsigned turns, const struct pms_access *accesses, size_t n_accesses)
{
	struct machine *m = machine_of(params, false);
	loop(m, words, count, turns, accesses, n_accesses);
	uint64_t n = N(m, CPU_CYCLES);
	machine_free(m);
	return n;
}

/* Cycles of a turn of @words and a branch back, without what the start and the end take. */
static double turn(uint64_t off, const uint32_t *words, unsigned count,
		   const struct pms_access *accesses, size_t n_accesses)
{
	struct pms_params params = fixture_params();
	uint32_t with_branch[16];
	fixture_op(&params, PMS_OP_MOVE, 0, 0, PMS_IQ_NONE);
	fixture_op(&params, PMS_OP_LOAD_V, 0, PORT(L0) | PORT(L1) | PORT(L2), IQ_MEM);
	fixture_op(&params, PMS_OP_STORE_V, 1, PORT(L0) | PORT(L1), IQ_MEM);
	fixture_op(&params, PMS_OP_LOAD_EX, 0, PORT(L0) | PORT(L1), IQ_MEM);
	fixture_op(&params, PMS_OP_STORE_EX, 2, PORT(L0) | PORT(L1), IQ_MEM);
	fixture_op(&params, PMS_OP_ATOMIC, 2, PORT(L0) | PORT(L1), IQ_MEM);
	params.off = off;
	assert_true(count < 16);
	memcpy(with_branch, words, count * sizeof(*words));
	with_branch[count] = bne((int)count, 0);
	uint64_t once = cycles(&params, with_branch, count + 1, TURNS, accesses, n_accesses);
	uint64_t twice = cycles(&params, with_branch, count + 1, 2 * TURNS, accesses, n_accesses);
	return (double)(twice - once) / TURNS;
}

#define COUNT(array)		   (sizeof(array) / sizeof((array)[0]))
#define TURN(off, words, accesses) turn(off, words, COUNT(words), accesses, COUNT(accesses))
#define ASSERT_TURN(off, words, accesses, want)                                                    \
	assert_float_equal(TURN(off, words, accesses), want, 0.001)

/* Two loads that hit, with a barrier behind each: the next one starts when the last has its data, 4
 * cycles later. Without: a turn is a fetch group. */
static void a_dmb_makes_loads_wait_for_loads(void **state)
{
	(void)state;
	static const struct pms_access accesses[] = { { 0x200000, 0, 8, 0 },
						      { 0x200000, 2, 8, 0 } };
	static const uint32_t all[] = { LDR_X1_X2, DMB_ISH, LDR_X3_X2, DMB_ISH };
	static const uint32_t loads[] = { LDR_X1_X2, DMB_ISHLD, LDR_X3_X2, DMB_ISHLD };
	static const uint32_t stores[] = { LDR_X1_X2, DMB_ISHST, LDR_X3_X2, DMB_ISHST };
	ASSERT_TURN(0, all, accesses, 8);
	ASSERT_TURN(0, loads, accesses, 8);
	ASSERT_TURN(0, stores, accesses, 1);
	ASSERT_TURN(PMS_OFF(BARRIERS), all, accesses, 1);
}

/* A store, a barrier and a load of another line, a barrier. The load starts when the store is
 * written, and has its data in 4 cycles. The next turn's store starts then, its data is there 1
 * later and it retires 1 after that, is written another 1 after: 3 + 4. A barrier of stores alone
 * leaves the load alone, and one of loads does not wait for the store to be written, only for
 * its 1. */
static void a_dmb_makes_loads_wait_for_writes(void **state)
{
	(void)state;
	static const struct pms_access accesses[] = { { 0x200000, 0, 8, 1 },
						      { 0x200100, 2, 8, 0 } };
	static const uint32_t all[] = { STR_X1_X2, DMB_ISH, LDR_X3_X2, DMB_ISH };
	static const uint32_t stores[] = { STR_X1_X2, DMB_ISHST, LDR_X3_X2, DMB_ISHST };
	static const uint32_t loads[] = { STR_X1_X2, DMB_ISHLD, LDR_X3_X2, DMB_ISHLD };
	ASSERT_TURN(0, all, accesses, 3 + 4);
	ASSERT_TURN(0, loads, accesses, 1 + 4);
	ASSERT_TURN(0, stores, accesses, 1);
	ASSERT_TURN(PMS_OFF(BARRIERS), all, accesses, 1);
}

/* The barrier is renamed when the store before it is written, and with it the branch and the next
 * turn's store, which were fetched long ago. That one issues after 4, is done after 1, retires
 * after 1 and is written after 1. */
static void a_dsb_waits_for_writes(void **state)
{
	(void)state;
	static const struct pms_access accesses[] = { { 0x200000, 0, 8, 1 } };
	static const uint32_t words[] = { STR_X1_X2, DSB_ISH };
	ASSERT_TURN(0, words, accesses, 4 + 1 + 1 + 1);
	ASSERT_TURN(PMS_OFF(BARRIERS), words, accesses, 1);
}

/* The barrier is renamed when all before it has retired. It issues 4 later, is done after 1,
 * retires after 1; 1 + 20 later the branch behind it is fetched, and 6 later renamed, which issues
 * after 4, is done after 1 and retires after 1. */
static void an_isb_fetches_anew(void **state)
{
	(void)state;
	static const uint32_t words[] = { ISB };
	assert_float_equal(turn(0, words, 1, no_access, 0), 6 + 21 + 6 + 6, 0.001);
	assert_float_equal(turn(PMS_OFF(BARRIERS), words, 1, no_access, 0), 1, 0.001);
}

/* Two loads that acquire: each waits for the data of the one before. */
static void acquires_wait_for_each_other(void **state)
{
	(void)state;
	static const struct pms_access accesses[] = { { 0x200000, 0, 8, 0 },
						      { 0x200000, 1, 8, 0 } };
	static const uint32_t words[] = { LDAR_X1_X2, LDAR_X1_X2 };
	ASSERT_TURN(0, words, accesses, 8);
	ASSERT_TURN(PMS_OFF(ACQUIRE_RELEASE), words, accesses, 1);
}

/* A releasing store and an acquiring load of another line: the load waits for the write, has its
 * data 4 later, and the next store, which comes after it, is written 3 after that. A plain load
 * between them waits for the last acquire alone. */
static void acquires_wait_for_releases(void **state)
{
	(void)state;
	static const struct pms_access accesses[] = { { 0x200000, 0, 8, 1 },
						      { 0x200100, 1, 8, 0 } };
	static const uint32_t words[] = { STLR_X1_X2, LDAR_X1_X2 };
	static const uint32_t plain[] = { STLR_X1_X2, LDR_X3_X2 };
	ASSERT_TURN(0, words, accesses, 3 + 4);
	ASSERT_TURN(0, plain, accesses, 1);
	ASSERT_TURN(PMS_OFF(ACQUIRE_RELEASE), words, accesses, 1);
}

/* A store-exclusive whose address takes its own result: 2 cycles and an addition. Without: a store,
 * which is done 1 after its data. */
static void an_exclusive_store_says_whether_it_wrote(void **state)
{
	(void)state;
	static const struct pms_access accesses[] = { { 0x200000, 0, 8, 0 },
						      { 0x200100, 1, 8, 1 } };
	static const uint32_t words[] = { LDXR_X1_X2, STXR_W3_X9_X2, ADD_X2_X2_X3 };
	ASSERT_TURN(0, words, accesses, 2 + 1);
	ASSERT_TURN(PMS_OFF(EXCLUSIVES), words, accesses, 1 + 1);
}

/* The pair by which a value in memory is changed: what the load brings is stored, and the next
 * load's address takes the result. A load's 4, a store's data 1, an addition 1. */
static void a_pair_of_exclusives_is_a_chain(void **state)
{
	(void)state;
	static const struct pms_access accesses[] = { { 0x200000, 0, 8, 0 },
						      { 0x200100, 1, 8, 1 } };
	static const uint32_t words[] = { LDXR_X1_X2, STXR_W3_X1_X2, ADD_X2_X2_X3 };
	ASSERT_TURN(0, words, accesses, 4 + 1 + 1);
}

/* Those that fail write nothing, so no load is forwarded from them, and are counted. */
static void an_exclusive_store_that_fails_writes_nothing(void **state)
{
	(void)state;
	const uint32_t words[] = { LDXR_X1_X2, STXR_W3_X9_X2, bne(2, 0) };
	static const struct pms_access accesses[] = { { 0x200000, 0, 8, 0 },
						      { 0x200000, 1, 8, 1 } };
	for (unsigned passes = 0; passes < 2; passes++) {
		struct pms_params params = fixture_params();
		struct machine *m = machine_of(&params, false);
		loop(m, words, 3, TURNS, accesses, 1 + passes);
		assert_int_equal(N(m, STREX_PASS_SPEC), passes ? TURNS : 0);
		assert_int_equal(N(m, STREX_FAIL_SPEC), passes ? 0 : TURNS);
		assert_int_equal(N(m, L1D_CACHE_WR), passes ? TURNS : 0);
		assert_int_equal(N(m, LDREX_SPEC), TURNS);
		assert_int_equal(N(m, STREX_SPEC), TURNS);
		machine_free(m);
	}
}

/* An atomic whose address takes its result: a load's 4, 2 more, an addition. Read and written are
 * two lines here, so that nothing is forwarded. */
static void an_atomic_takes_longer_than_a_load(void **state)
{
	(void)state;
	static const struct pms_access accesses[] = { { 0x200000, 0, 8, 0 },
						      { 0x200100, 0, 8, 1 } };
	static const uint32_t words[] = { LDADD_X9_X3_X2, ADD_X2_X2_X3 };
	ASSERT_TURN(0, words, accesses, 4 + 2 + 1);
	ASSERT_TURN(PMS_OFF(ATOMICS), words, accesses, 4 + 1);
}

/* On one word: each gets it from the one before, which takes 5 in place of 4. */
static void atomics_on_a_word_forward(void **state)
{
	(void)state;
	static const struct pms_access accesses[] = { { 0x200000, 0, 8, 0 },
						      { 0x200000, 0, 8, 1 } };
	static const uint32_t words[] = { LDADD_X9_X3_X2, ADD_X2_X2_X3 };
	ASSERT_TURN(0, words, accesses, 5 + 2 + 1);
	ASSERT_TURN(PMS_OFF(ATOMICS), words, accesses, 5 + 1);
}

/* A vector register is stored and loaded, and a part of it is added to the address: forwarding
 * takes 5 in place of 4, with the 2 that vectors take more as from L1D. Each of the two moves 1: */
static void forwarding_is_no_faster_than_l1d(void **state)
{
	(void)state;
	static const struct pms_access one[] = { { 0x200000, 0, 16, 1 }, { 0x200000, 1, 16, 0 } };
	static const struct pms_access other[] = { { 0x200100, 0, 16, 1 }, { 0x200000, 1, 16, 0 } };
	static const uint32_t words[] = { STR_Q1_X2, LDR_Q1_X2, FMOV_X3_D1, ADD_X2_X2_X3 };
	ASSERT_TURN(0, words, one, 5 + 2 + 1 + 1);
	ASSERT_TURN(0, words, other, 4 + 2 + 1 + 1);
}

/* A store of 4 bytes and a load of 8 there, whose data is added to both addresses. The load waits
 * until the store is written, 3 after its address, and 6 more; then it takes its 4, and the
 * addition
 * 1. So does a load of those 4, without forwarding. */
static void loads_that_cannot_forward_wait_for_the_write(void **state)
{
	(void)state;
	static const struct pms_access over[] = { { 0x200000, 0, 4, 1 }, { 0x200000, 1, 8, 0 } };
	static const struct pms_access within[] = { { 0x200000, 0, 8, 1 }, { 0x200000, 1, 8, 0 } };
	static const uint32_t words[] = { STR_X1_X2, LDR_X3_X2, ADD_X2_X2_X3 };
	ASSERT_TURN(0, words, over, 3 + 6 + 4 + 1);
	ASSERT_TURN(0, words, within, 5 + 1);
	ASSERT_TURN(PMS_OFF(FORWARD_FAILURES), words, over, 5 + 1);
	ASSERT_TURN(PMS_OFF(FORWARDING), words, within, 3 + 6 + 4 + 1);
}

/* A chain of eight moves is over as soon as it is renamed, and no port is taken: two groups of
 * fetch, with the branch. Executed they are a cycle each. */
static void moves_take_no_time(void **state)
{
	(void)state;
	static const uint32_t words[] = { MOV_X1_X0, MOV_X0_X1, MOV_X1_X0, MOV_X0_X1,
					  MOV_X1_X0, MOV_X0_X1, MOV_X1_X0, MOV_X0_X1 };
	assert_float_equal(turn(0, words, 8, no_access, 0), 2, 0.001);
	assert_float_equal(turn(PMS_OFF(MOVES), words, 8, no_access, 0), 8, 0.001);
}

/* Zero waits for nothing: four additions follow each. In between, the chain goes on. */
static void zero_breaks_a_chain(void **state)
{
	(void)state;
	const uint32_t zeroed[] = { MOV_X0_ZERO, ADD_X0, ADD_X0, ADD_X0, ADD_X0 };
	const uint32_t chain[] = { MOV_X1_X0, ADD_X0, ADD_X0, ADD_X0, ADD_X0 };
	assert_float_equal(turn(0, zeroed, 5, no_access, 0), 1, 0.001);
	assert_float_equal(turn(0, chain, 5, no_access, 0), 4, 0.001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dmb_makes_loads_wait_for_loads),
		cmocka_unit_test(a_dmb_makes_loads_wait_for_writes),
		cmocka_unit_test(a_dsb_waits_for_writes),
		cmocka_unit_test(an_isb_fetches_anew),
		cmocka_unit_test(acquires_wait_for_each_other),
		cmocka_unit_test(acquires_wait_for_releases),
		cmocka_unit_test(an_exclusive_store_says_whether_it_wrote),
		cmocka_unit_test(a_pair_of_exclusives_is_a_chain),
		cmocka_unit_test(an_exclusive_store_that_fails_writes_nothing),
		cmocka_unit_test(an_atomic_takes_longer_than_a_load),
		cmocka_unit_test(atomics_on_a_word_forward),
		cmocka_unit_test(forwarding_is_no_faster_than_l1d),
		cmocka_unit_test(loads_that_cannot_forward_wait_for_the_write),
		cmocka_unit_test(moves_take_no_time),
		cmocka_unit_test(zero_breaks_a_chain),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
