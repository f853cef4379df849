/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core_fixture.h"
#include "vcore/model/uop.h"

static struct pms_uop decoded(uint32_t word)
{
	struct pms_params params = fixture_params();
	struct pms_uop uop;
	struct pms_uop_counts counts;
	pms_uops_decode(&params, &word, 1, &uop, &counts);
	return uop;
}

static void registers_are_padded(void **state)
{
	(void)state;
	struct pms_uop add = decoded(0x8b020020); /* add x0, x1, x2 */
	assert_int_equal(add.kind, PMS_UOP_PLAIN);
	assert_int_equal(add.src[0], 1);
	assert_int_equal(add.src[1], 2);
	assert_int_equal(add.src[2], PMS_READY_ZERO);
	assert_int_equal(add.dst[0], 0);
	assert_int_equal(add.dst[1], PMS_READY_SINK);
	assert_int_equal(add.writeback, PMS_READY_SINK);
}

/* st4d {z0.d-z3.d}, p0, [x0, x1, lsl #3] reads seven registers and writes none. */
static void more_sources_than_are_kept_spoil_nothing(void **state)
{
	(void)state;
	struct pms_uop st4 = decoded(0xe5e16000);
	assert_int_equal(st4.n_dst, 0);
	for (unsigned i = 0; i < sizeof(st4.dst); i++)
		assert_int_equal(st4.dst[i], PMS_READY_SINK);
}

static void compare_and_branch_fuse(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	const uint32_t words[] = { 0xf100041f, 0x54ffffe1 }; /* cmp x0, #1; b.ne */
	struct pms_uop uops[2];
	struct pms_uop_counts counts[2];
	pms_uops_decode(&params, words, 2, uops, counts);
	assert_true(uops[0].flags & PMS_UOP_FUSED_FIRST);
	assert_true(uops[1].flags & PMS_UOP_FUSED_SECOND);
	assert_int_equal(uops[0].unit,
			 PMS_UNIT_NONE);     /* the pair issues once, on the branch's port */
	assert_int_equal(uops[1].src[0], 0); /* when x0 is there */
	assert_int_equal(uops[0].room_queue, IQ_BRANCH);
	assert_int_equal(uops[1].room_queue, PMS_IQ_NONE);
}

static void a_pair_is_not_fused_across_another_instruction(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	const uint32_t words[] = { 0xf100041f, 0xd503201f, 0x54ffffe1 }; /* cmp; nop; b.ne */
	struct pms_uop uops[3];
	struct pms_uop_counts counts[3];
	pms_uops_decode(&params, words, 3, uops, counts);
	for (unsigned i = 0; i < 3; i++)
		assert_false(uops[i].flags & (PMS_UOP_FUSED_FIRST | PMS_UOP_FUSED_SECOND));
}

static void a_block_counts_what_its_instructions_do(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	/* ldr x1, [x2]; add x0, x1, x2; cmp x0, #1; b.ne */
	const uint32_t words[] = { 0xf9400041, 0x8b020020, 0xf100041f, 0x54ffffa1 };
	struct pms_block *block = pms_block_new(&params, 0x10000, words, 4);
	const uint16_t *common = block->common;
	assert_int_equal(common[PMS_COUNTER_INST_RETIRED - PMS_COUNTER_INST_RETIRED], 4);
	assert_int_equal(common[PMS_COUNTER_OP_RETIRED - PMS_COUNTER_INST_RETIRED], 3);
	assert_int_equal(common[PMS_COUNTER_INST_SPEC - PMS_COUNTER_INST_RETIRED], 4);
	assert_int_equal(common[PMS_COUNTER_OP_SPEC - PMS_COUNTER_INST_RETIRED], 3);
	assert_int_equal(common[PMS_COUNTER_LD_SPEC - PMS_COUNTER_INST_RETIRED], 1);
	assert_int_equal(common[PMS_COUNTER_DP_SPEC - PMS_COUNTER_INST_RETIRED], 2);
	assert_true(pms_block_accesses(block, 0));
	assert_false(pms_block_accesses(block, 1));
	pms_block_free(block);
}

/* What the instructions of a block count for one execution of it. */
static unsigned count_of(const struct pms_block *block, enum pms_counter counter)
{
	for (unsigned i = 0; i < block->n_rows; i++)
		if (block->rows[i].counter == counter)
			return block->rows[i].count;
	return 0;
}

/* fmla z0.s, p3/m, z1.s, z2.s: twice four singles of 128 bits; fadd v0.4s: four. */
static void operations_of_scaling_vectors_count_apart(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	const uint32_t words[] = { 0x65a20c20, 0x4e22d420, 0x1f020c20 /* fmadd s0 */ };
	struct pms_block *block = pms_block_new(&params, 0x10000, words, 3);
	assert_int_equal(count_of(block, PMS_COUNTER_FP_SCALE_OPS_SPEC), 2 * 4);
	assert_int_equal(count_of(block, PMS_COUNTER_FP_FIXED_OPS_SPEC), 4 + 2);
	pms_block_free(block);
}

/* What reports warn of: prfm, dc zva, ld1b of SVE; ldadd, ldxr and stxr as one each but the last.
 */
static void what_the_model_cannot_show_is_counted(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	const uint32_t words[] = {
		0xf9800020, /* prfm pldl1keep, [x1] */
		0xf9800441, /* prfm pldl1strm, [x2, #8] */
		0xd50b7420, /* dc zva, x0 */
		0xa5e04020, /* ld1d {z0.d}, p0/z, [x1, x0, lsl #3] */
		0xf8200041, /* ldadd x0, x1, [x2] */
		0xc85f7c41, /* ldxr x1, [x2] */
		0xc8037c41, /* stxr w3, x1, [x2] */
		0xf9400041, /* ldr x1, [x2] */
	};
	struct pms_block *block = pms_block_new(&params, 0x10000, words, 8);
	assert_int_equal(count_of(block, PMS_COUNTER_UNSEEN_PREFETCHES), 2);
	assert_int_equal(count_of(block, PMS_COUNTER_UNSEEN_ZEROING), 1);
	assert_int_equal(count_of(block, PMS_COUNTER_UNSEEN_ACCESSES), 1);
	assert_int_equal(count_of(block, PMS_COUNTER_ATOMICS), 2);
	pms_block_free(block);
}

/* As many slots as the core has for their forms, or one without. */
static void cracked_instructions_take_their_slots(void **state)
{
	(void)state;
	static const struct {
		uint32_t word;
		const char *text;
		unsigned slots;
	} cases[] = {
		{ 0x4c4008c0, "ld4 {v0.4s-v3.4s}, [x6]", 4 },
		{ 0x4c0008c0, "st4 {v0.4s-v3.4s}, [x6]", 6 },
		{ 0xf9000041, "str x1, [x2]", 1 },
		{ 0x8b020020, "add x0, x1, x2", 1 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_params params = fixture_params();
		for (params.off = 0;; params.off = PMS_OFF(CRACKING)) {
			struct pms_block *block =
				pms_block_new(&params, 0x10000, &cases[i].word, 1);
			const unsigned op = PMS_COUNTER_OP_RETIRED - PMS_COUNTER_INST_RETIRED;
			unsigned want = params.off ? 1 : cases[i].slots;
			if (block->common[op] != want)
				fail_msg("%s: %u, want %u", cases[i].text, block->common[op], want);
			pms_block_free(block);
			if (params.off)
				break;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_padded),
		cmocka_unit_test(more_sources_than_are_kept_spoil_nothing),
		cmocka_unit_test(compare_and_branch_fuse),
		cmocka_unit_test(a_pair_is_not_fused_across_another_instruction),
		cmocka_unit_test(a_block_counts_what_its_instructions_do),
		cmocka_unit_test(operations_of_scaling_vectors_count_apart),
		cmocka_unit_test(what_the_model_cannot_show_is_counted),
		cmocka_unit_test(cracked_instructions_take_their_slots),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
