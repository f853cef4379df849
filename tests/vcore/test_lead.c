/* SPDX-License-Identifier: MIT */
/* How far prediction is ahead of fetch, by hand; and what jiegec (BTB structure of Neoverse V1,
 * 2025) measures of chains of branches on a Neoverse V1, on a core with its buffers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "machine.h"
#include "vcore/model/lead.h"

/* Blocks that follow each other, from cycle 100 on. The last column: the cycle in which prediction
 * is at the block behind. */
static void blocks_are_predicted_one_after_the_other(void **state)
{
	(void)state;
	static const struct {
		uint64_t from, pc;
		uint8_t branch;
		unsigned bubble;
		bool together;
		uint64_t cycle;
	} rows[] = {
		{ 0x1000, 0x1004, PMS_BRANCH_COND, 0, false, 101 },
		{ 0x2000, 0x2000, PMS_BRANCH_COND, 1, false, 103 }, /* not a jump: alone */
		{ 0x3000, 0x301c, PMS_BRANCH_JUMP, 1, true, 103 },  /* with the last one */
		{ 0x4000, 0x4000, PMS_BRANCH_JUMP, 0, false, 104 }, /* a pair is two */
		{ 0x5018, 0x5020, PMS_BRANCH_JUMP, 0, false, 105 }, /* in the next window */
		{ 0x6000, 0x6000, PMS_BRANCH_CALL, 0, false, 106 }, /* not measured */
		{ 0x7000, 0x7000, PMS_BRANCH_JUMP, 0, true, 106 },
		{ 0x8000, 0x8000, PMS_BRANCH_RETURN, 1, false, 108 },
		{ 0x9000, 0x9000, PMS_BRANCH_JUMP, 0, false, 109 }, /* behind no direct branch */
		{ 0xa01c, 0xa03c, PMS_BRANCH_COND, 0, false, 110 }, /* two windows: a cycle */
		{ 0xb01c, 0xb040, PMS_BRANCH_COND, 0, false, 112 }, /* three: another */
	};
	struct pms_lead_rules rules = { .usual = true, .windows_log2 = 1 };
	struct pms_lead lead;
	pms_lead_restart(&lead, 100);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		lead.from = rows[i].from;
		bool together = pms_lead_follow(&lead, &rules, rows[i].pc, rows[i].branch,
						rows[i].bubble, 500);
		assert_int_equal(together, rows[i].together);
		assert_int_equal(lead.cycle, rows[i].cycle);
	}
	rules = (struct pms_lead_rules){ .pairs = true,
					 .windows_log2 = 1 }; /* then it is as far as fetch */
	lead.from = 0xc000;
	pms_lead_follow(&lead, &rules, 0xc000, PMS_BRANCH_COND, 1, 500);
	assert_int_equal(lead.cycle, 502);
}

enum { TURNS = 32, WARM = 8 };

/* A chain of @n blocks, so many @bytes from each other, of @fill instructions and a branch, b or
 * b.ne or by turns. Returns cycles for 100 branches, when all of them are known. */
static uint64_t chain(const struct pms_params *params, unsigned n, unsigned bytes, unsigned fill,
		      bool jumps, bool conditionals)
{
	struct machine *m = machine_of(params, false);
	struct pms_block **blocks = calloc(n, sizeof(struct pms_block *));
	int words = (int)bytes / 4, at = (int)fill;
	uint64_t begin = 0;
	assert_non_null(blocks);
	for (unsigned i = 0; i < n; i++) {
		uint32_t code[16];
		for (unsigned j = 0; j < fill; j++)
			code[j] = NOP;
		int to = i + 1 < n ? words : -words * (int)(n - 1);
		code[fill] = jumps && (i % 2 || !conditionals) ? b(at, to) : bne(at, to);
		blocks[i] = pms_block_new(params, CODE + (uint64_t)i * bytes, code, fill + 1);
	}
	for (unsigned turn = 0; turn < TURNS; turn++) {
		for (unsigned i = 0; i < n; i++)
			pms_core_run(m->core, blocks[i], NULL, 0, PMS_END_NEXT,
				     CODE + (uint64_t)((i + 1) % n) * bytes);
		if (turn + 1 == WARM)
			begin = N(m, CPU_CYCLES);
	}
	uint64_t cycles = N(m, CPU_CYCLES) - begin;
	pms_core_drain(m->core);
	for (unsigned i = 0; i < n; i++)
		pms_block_free(blocks[i]);
	free(blocks);
	machine_free(m);
	return (cycles * 100 + (TURNS - WARM) * n / 2) / ((TURNS - WARM) * n);
}

static const struct {
	unsigned n, bytes;
	bool jumps, conditionals;
	uint64_t alone;	   /* cycles for 100 branches, without pairs */
	uint64_t measured; /* with them */
} chains[] = {
	{ 64, 8, true, false, 200, 50 },    { 96, 8, true, false, 200, 50 },
	{ 40, 8, true, false, 100, 50 },    { 512, 8, true, false, 200, 100 },
	{ 512, 32, true, false, 200, 100 }, { 48, 8, false, true, 100, 100 },
	{ 48, 32, false, true, 100, 100 },  { 64, 8, false, true, 200, 200 },
	{ 512, 16, false, true, 200, 200 }, { 96, 16, true, true, 200, 50 },
	{ 512, 16, true, true, 200, 100 },
};

static void chains_take_what_is_measured(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	for (size_t i = 0; i < sizeof(chains) / sizeof(chains[0]); i++) {
		params.branch_pairs = 1;
		uint64_t pairs = chain(&params, chains[i].n, chains[i].bytes, 0, chains[i].jumps,
				       chains[i].conditionals);
		params.branch_pairs = 0;
		uint64_t alone = chain(&params, chains[i].n, chains[i].bytes, 0, chains[i].jumps,
				       chains[i].conditionals);
		if (pairs != chains[i].measured || alone != chains[i].alone)
			fail_msg("row %zu: %lu with pairs, %lu without", i, pairs, alone);
	}
}

/* 16 instructions a block: two cycles of fetch, in which the next target comes from the main
 * buffer. Fetch that waited for it would take three. */
static void targets_are_found_while_fetch_is_busy(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	params.mop_cache_windows = 2048;
	params.mop_cache_ways = 8;
	assert_int_equal(chain(&params, 128, 128, 15, false, true), 200);
	params.fetch_queue = 0;
	assert_int_equal(chain(&params, 128, 128, 15, false, true), 300);
}

/* Returns the cycles of turns that each begin with a load from memory; the first of 256 branches
 * behind it wait for it, until their queue is full. */
static uint64_t after_stalls(unsigned fetch_queue)
{
	enum { BRANCHES = 256 };
	const uint32_t first[] = { 0xf9400000, 0xf100041f, bne(2, 8) };
	struct pms_params params = fixture_params();
	params.fetch_queue = fetch_queue;
	struct machine *m = machine_of(&params, false);
	struct pms_block *blocks[BRANCHES];
	for (unsigned i = 0; i < BRANCHES; i++) {
		uint64_t pc = CODE + (uint64_t)i * 32;
		uint32_t code = bne(0, i + 1 < BRANCHES ? 8 : -8 * (BRANCHES - 1));
		blocks[i] = pms_block_new(&params, pc, &code, 1);
	}
	pms_block_free(blocks[0]); /* ldr x0, [x0]; cmp x0, #1; b.ne */
	blocks[0] = pms_block_new(&params, CODE, first, 3);
	uint64_t begin = 0;
	for (unsigned turn = 0; turn < TURNS; turn++) {
		struct pms_access access = {
			0x10000000 + (uint64_t)(turn * 2654435761u) / 4096 * 4096, 0, 8, 0
		};
		for (unsigned i = 0; i < BRANCHES; i++)
			pms_core_run(m->core, blocks[i], &access, i == 0, PMS_END_NEXT,
				     i + 1 < BRANCHES ? CODE + (uint64_t)(i + 1) * 32 : CODE);
		if (turn + 1 == WARM)
			begin = N(m, CPU_CYCLES);
	}
	uint64_t cycles = N(m, CPU_CYCLES) - begin;
	for (unsigned i = 0; i < BRANCHES; i++)
		pms_block_free(blocks[i]);
	machine_free(m);
	return cycles;
}

/* The main buffer finds a target in two cycles, and fetch takes one for what is before it. While
 * fetch is stalled prediction comes as far ahead as its queue lets it; after that each branch uses
 * up a cycle of that, which fetch would have lost. */
static void the_queue_lasts_as_long_as_it_is_deep(void **state)
{
	(void)state;
	enum { COUNTED = TURNS - WARM };
	uint64_t cycles[] = { after_stalls(8), after_stalls(16), after_stalls(32) };
	assert_int_equal(cycles[0] - cycles[1], COUNTED * 8);
	assert_int_equal(cycles[1] - cycles[2], COUNTED * 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_predicted_one_after_the_other),
		cmocka_unit_test(chains_take_what_is_measured),
		cmocka_unit_test(targets_are_found_while_fetch_is_busy),
		cmocka_unit_test(the_queue_lasts_as_long_as_it_is_deep),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
