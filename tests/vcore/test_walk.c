/* SPDX-License-Identifier: MIT */
/* Wrong paths: how much of one is renamed and executed until the flush, by the fixture's numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine.h"

enum {
	WORDS = 64,
	LDR_X0_X0 = 0xf9400000,
	CMP_X0 = 0xf100001f,
	BR_X5 = 0xd61f00a0,
	RET = 0xd65f03c0,
};

static uint32_t cbz(unsigned reg, int from, int to)
{
	return 0xb4000000u | ((uint32_t)(to - from) & 0x7ffff) << 5 | reg;
}

/* A machine that has been through all its code, as nops: the lines and windows of wrong paths are
 * there. */
static struct machine *warm(const struct pms_params *params)
{
	struct machine *m = machine_of(params, true);
	struct pms_block *block = pms_block_new(&m->params, CODE, m->code, WORDS);
	for (unsigned i = 0; i < 2; i++)
		pms_core_run(m->core, block, NULL, 0, PMS_END_NEXT, CODE + 4 * WORDS);
	pms_block_free(block);
	return m;
}

/* Run the first @count words, of which the last is a branch that goes to word @to. */
static void leave(struct machine *m, unsigned count, unsigned to, const struct pms_access *accesses,
		  size_t n_accesses)
{
	struct pms_block *block = pms_block_new(&m->params, CODE, m->code, count);
	pms_core_run(m->core, block, accesses, n_accesses, PMS_END_NEXT, CODE + 4 * (uint64_t)to);
	pms_core_drain(m->core);
	pms_block_free(block);
}

/* Begin with a branch to word 60 that waits for memory, hundreds of cycles, and run it. */
static void leave_late(struct machine *m)
{
	const struct pms_access access = { 0x10000000, 0, 8, 0 };
	m->code[0] = LDR_X0_X0;
	m->code[1] = cbz(0, 1, 60);
	leave(m, 2, 60, &access, 1);
}

/* The branch waits for memory, hundreds of cycles, and was taken for one that is not. Returns how
 * many operations behind it were renamed, each of which adds 1 to @reg. */
static uint64_t renamed_behind_a_miss(unsigned reg, unsigned entries)
{
	struct pms_params params = fixture_params();
	params.queue_entries[IQ_INT] = (uint8_t)entries;
	struct machine *m = warm(&params);
	for (unsigned i = 2; i < WORDS; i++)
		m->code[i] = add(reg);
	leave_late(m);
	uint64_t flushed = N(m, FLUSHED_BRANCH);
	assert_int_equal(N(m, BR_MIS_PRED), 1);
	assert_int_equal(N(m, INST_SPEC) - N(m, INST_RETIRED), flushed);
	machine_free(m);
	return flushed;
}

/* What waits for the same load keeps its entry of the queue until the flush, so as many as it has
 * are all, a group of eight or not. What waits for each other leaves one a cycle, and the path ends
 * where the code does. */
static void what_cannot_issue_fills_its_queue(void **state)
{
	(void)state;
	assert_int_equal(renamed_behind_a_miss(0, 8), 8);
	assert_int_equal(renamed_behind_a_miss(0, 13), 13);
	assert_int_equal(renamed_behind_a_miss(1, 8), WORDS - 2);
}

/* A compare and its branch are one operation, and wait for the branch's queue. One entry has the
 * branch that leads here, which gives it back as it issues, a cycle before the flush: so as many
 * pairs as there are entries are renamed. */
static void a_pair_waits_for_its_branch(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	params.queue_entries[IQ_BRANCH] = 4;
	struct machine *m = warm(&params);
	for (int i = 2; i < WORDS; i += 2) {
		m->code[i] = CMP_X0;
		m->code[i + 1] = bne(i + 1, i + 2);
	}
	leave_late(m);
	assert_int_equal(N(m, FLUSHED_BRANCH), 4);
	machine_free(m);
}

/* Behind a load and a branch, the reorder buffer fills with a loop that nothing ends: more
 * instructions than are counted at a time. */
static void long_paths_are_counted(void **state)
{
	(void)state;
	enum { ENTRIES = 800 };
	struct pms_params params = fixture_params();
	params.rob_entries = ENTRIES;
	struct machine *m = warm(&params);
	for (unsigned i = 2; i < WORDS - 1; i++)
		m->code[i] = add(1);
	m->code[WORDS - 1] = b(WORDS - 1, 2);
	leave_late(m);
	const uint64_t flushed = ENTRIES - 2, jumps = flushed / (WORDS - 2);
	assert_int_equal(N(m, FLUSHED_BRANCH), flushed);
	assert_int_equal(N(m, INST_SPEC) - N(m, INST_RETIRED), flushed);
	assert_int_equal(N(m, DP_SPEC), flushed - jumps);
	machine_free(m);
}

/* Twenty additions in a row and a branch on the last. Behind it, so many more, and another branch
 * on their result. Returns how many branches resolved. */
static uint64_t resolved_behind(unsigned additions)
{
	struct pms_params params = fixture_params();
	struct machine *m = warm(&params);
	unsigned at = 0;
	while (at < 20)
		m->code[at++] = add(9);
	m->code[at] = cbz(9, (int)at, 60);
	for (unsigned i = 0; i < additions; i++)
		m->code[21 + i] = add(9);
	m->code[21 + additions] = cbz(9, (int)(21 + additions), 60);
	leave(m, 21, 60, NULL, 0);
	uint64_t resolved = N(m, BR_IMMED_SPEC);
	machine_free(m);
	return resolved;
}

/* The second branch issues with the first when it needs the same result; an addition makes it one
 * cycle later, which is the flush's. */
static void a_result_is_as_late_as_on_the_right_path(void **state)
{
	(void)state;
	assert_int_equal(resolved_behind(0), 2);
	assert_int_equal(resolved_behind(1), 1);
}

/* Nobody knows that there is a branch, let alone where it goes: the next group holds what lies
 * behind it. The branch is renamed in cycle 0, issues in 4 and is done in 5: four groups of eight
 * are renamed until then, words 1 to 32. Six more groups are fetched: to the end of the code, three
 * lines behind the branch's own, which is read on, and the one behind that, which is not there. */
static void fetch_runs_on_behind_an_unknown_branch(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	struct machine *m = warm(&params);
	uint64_t lines = N(m, L1I_CACHE);
	m->code[0] = BR_X5;
	leave(m, 1, 60, NULL, 0);
	assert_int_equal(N(m, BR_MIS_PRED), 1);
	assert_int_equal(N(m, FLUSHED_BRANCH), 4 * 8);
	assert_int_equal(N(m, L1I_CACHE) - lines, 1 + 3 + 1);
	machine_free(m);
}

/* Calls and returns of a wrong path leave the return stack as it was, which the model asserts where
 * the path ends: twenty calls push more than it holds, and as many returns take them off. */
static void wrong_paths_leave_the_return_stack(void **state)
{
	(void)state;
	for (unsigned returns = 0; returns < 2; returns++) {
		struct pms_params params = fixture_params();
		struct machine *m = warm(&params);
		for (unsigned i = 2; i < 22; i++)
			m->code[i] = 0x94000001; /* bl, to what follows */
		if (returns)
			m->code[22] = RET;
		leave_late(m);
		assert_int_equal(N(m, BR_MIS_PRED), 1);
		assert_true(N(m, FLUSHED_BRANCH) > 20);
		machine_free(m);
	}
}

/* So do returns that take off what the right path has put there. */
static void wrong_returns_leave_the_return_stack(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	struct machine *m = warm(&params);
	const uint32_t call = 0x94000000; /* bl, to itself */
	struct pms_block *block = pms_block_new(&m->params, CODE + 128, &call, 1);
	for (unsigned i = 0; i < 2; i++)
		pms_core_run(m->core, block, NULL, 0, PMS_END_NEXT, CODE + (i ? 0 : 128));
	pms_block_free(block);
	m->code[2] = m->code[33] = RET; /* word 33 is where the calls return to */
	leave_late(m);
	assert_true(N(m, BR_MIS_PRED) >= 1);
	machine_free(m);
}

/* The same where the decoders deliver the wrong path: four groups of five, words 1 to 20. */
static void decoders_deliver_what_the_macro_op_cache_lacks(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	params.mop_cache_windows = 0;
	struct machine *m = warm(&params);
	m->code[0] = BR_X5;
	leave(m, 1, 60, NULL, 0);
	assert_int_equal(N(m, FLUSHED_BRANCH), 4 * 5);
	machine_free(m);
}

/* Nothing is in any cache. Returns how many lines are fetched. */
static uint64_t lines_behind_an_unknown_branch(uint64_t without)
{
	struct pms_params params = fixture_params();
	params.off = without;
	params.dram_interval = 8;
	struct machine *m = machine_of(&params, true);
	m->code[0] = BR_X5;
	leave(m, 1, 60, NULL, 0);
	assert_int_equal(N(m, L1I_CACHE), N(m, L1I_CACHE_REFILL));
	uint64_t lines = N(m, L1I_CACHE);
	machine_free(m);
	return lines;
}

/* The branch is resolved 11 cycles after it was fetched; what is fetched in the last 6 of them is
 * not renamed. The part of the second line that is takes no other line. Fetch reads it to its end,
 * and the queue before rename takes in 32 words more: to the end of the code, and the line behind
 * that is not there. */
static void fetch_goes_on_until_the_flush(void **state)
{
	(void)state;
	assert_int_equal(lines_behind_an_unknown_branch(PMS_OFF(FETCH_ON)), 2);
	assert_int_equal(lines_behind_an_unknown_branch(0), 4 + 1);
}

/* The wrong path ends where the code does: all behind the branch is renamed, and counts its
 * operations, of SVE (twice four) apart from others (twice one). */
static void wrong_paths_count_operations(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	struct machine *m = warm(&params);
	m->code[2] = 0x65a20c20; /* fmla z0.s, p3/m, z1.s, z2.s */
	m->code[40] = 0x65a20c20;
	m->code[41] = 0x1f020c20; /* fmadd s0, s1, s2, s3 */
	leave_late(m);
	assert_int_equal(N(m, FP_SCALE_OPS_SPEC), 2 * 8);
	assert_int_equal(N(m, FP_FIXED_OPS_SPEC), 2);
	assert_int_equal(N(m, INST_SPEC) - N(m, INST_RETIRED), WORDS - 2);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_issue_fills_its_queue),
		cmocka_unit_test(a_pair_waits_for_its_branch),
		cmocka_unit_test(long_paths_are_counted),
		cmocka_unit_test(a_result_is_as_late_as_on_the_right_path),
		cmocka_unit_test(fetch_runs_on_behind_an_unknown_branch),
		cmocka_unit_test(decoders_deliver_what_the_macro_op_cache_lacks),
		cmocka_unit_test(fetch_goes_on_until_the_flush),
		cmocka_unit_test(wrong_paths_count_operations),
		cmocka_unit_test(wrong_paths_leave_the_return_stack),
		cmocka_unit_test(wrong_returns_leave_the_return_stack),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
