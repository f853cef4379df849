/* SPDX-License-Identifier: MIT */
/* Renaming together is a short cut: with it and without it, random programs count the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core_fixture.h"
#include "random.h"
#include "vcore/model/uop.h"

enum { CODE = 0x10000, BLOCKS = 40, BLOCK_MAX = 24, RUNS = 4000 };

static const uint32_t body[] = {
	0x91000400, /* add x0, x0, #1 */
	0x8b020001, /* add x1, x0, x2 */
	0x9b007c22, /* mul x2, x1, x0 */
	0x9ac10c43, /* sdiv x3, x2, x1 */
	0xf9400041, /* ldr x1, [x2] */
	0xf8408cc1, /* ldr x1, [x6, #8]! */
	0xa8c114c4, /* ldp x4, x5, [x6], #16 */
	0xf9000041, /* str x1, [x2] */
	0xf8008cc3, /* str x3, [x6, #8]! */
	0xa90014c4, /* stp x4, x5, [x6] */
	0xc8dffc41, /* ldar x1, [x2] */
	0xc89ffc41, /* stlr x1, [x2] */
	0xc8077c41, /* stxr w7, x1, [x2] */
	0xf8210043, /* ldadd x1, x3, [x2] */
	0x4c4008c0, /* ld4 {v0.4s-v3.4s}, [x6] */
	0x4c0008c0, /* st4 {v0.4s-v3.4s}, [x6] */
	0x1f420020, /* fmadd d0, d1, d2, d0 */
	0x4e284841, /* aese v1.16b, v2.16b */
	0x4e286821, /* aesmc v1.16b, v1.16b */
	0xd503201f, /* nop */
	0x91000400, /* and once more what most programs have most of */
	0x8b020001, 0xf9400041, 0xf9000041,
};
static const uint32_t rare[] = {
	0xd5033bbf, /* dmb ish */
	0xd5033fdf, /* isb */
	0xd5033f9f, /* dsb sy */
};
static const uint32_t last[] = {
	0x54000041, /* b.ne .+8 */
	0xb4000041, /* cbz x1, .+8 */
	0x94000004, /* bl .+16 */
	0xd65f03c0, /* ret */
	0xd61f00a0, /* br x5 */
	0xd4000001, /* svc #0 */
	0x91000400, /* a block may end anywhere */
};

struct machine {
	struct pms_core *core;
	uint64_t n[PMS_COUNTER_COUNT];
	struct pms_block *blocks[BLOCKS];
};

static bool read_code(void *context, uint64_t line, void *code)
{
	uint32_t *words = code;
	(void)context;
	for (unsigned i = 0; i < 16; i++)
		words[i] = body[(line / 4 + i) % (sizeof(body) / sizeof(body[0]))];
	return true;
}

static const struct pms_code_source source = { read_code, NULL };

#define ANY(seed, array) array[random_below(seed, sizeof(array) / sizeof(array[0]))]

/* @calm: nothing that empties the core, so that its queues fill. */
static unsigned write_block(uint64_t *seed, bool calm, uint32_t words[BLOCK_MAX])
{
	unsigned count = 1 + (unsigned)random_below(seed, BLOCK_MAX - 2);
	for (unsigned i = 0; i < count; i++)
		words[i] = calm || random_below(seed, 50) ? ANY(seed, body) : ANY(seed, rare);
	if (random_below(seed, 2))
		words[count - 1] = 0xf100041f; /* cmp x0, #1: a pair with b.ne */
	words[count] = calm ? body[0] : ANY(seed, last);
	return count + 1;
}

/* The same blocks for two cores, of which the second may rename nothing together. */
static void machines_new(const struct pms_params *params, uint64_t *seed, bool calm,
			 struct machine m[2])
{
	for (unsigned k = 0; k < 2; k++) {
		memset(&m[k], 0, sizeof(m[k]));
		m[k].core = pms_core_new(params, m[k].n, &source);
		assert_non_null(m[k].core);
	}
	unsigned together = 0;
	for (unsigned i = 0; i < BLOCKS; i++) {
		uint32_t words[BLOCK_MAX];
		unsigned count = write_block(seed, calm, words);
		uint64_t pc = CODE + 4 * random_below(seed, 1000);
		for (unsigned k = 0; k < 2; k++)
			m[k].blocks[i] = pms_block_new(params, pc, words, count);
		for (unsigned j = 0; j < count; j++) {
			together += m[0].blocks[i]->ops[j].with;
			m[1].blocks[i]->ops[j].with = 0;
		}
	}
	assert_true(together > BLOCKS);
}

static size_t make_accesses(uint64_t *seed, const struct pms_block *block,
			    struct pms_access out[2 * BLOCK_MAX])
{
	size_t n = 0;
	for (unsigned i = 0; i < block->count; i++) {
		const struct pms_uop *uop = &block->ops[i];
		if (!(uop->flags & PMS_UOP_REPORTED))
			continue;
		if (uop->flags & PMS_UOP_CONDITIONAL && random_below(seed, 2))
			continue;
		uint64_t near = 0x5000 + random_below(seed, 256), far = random_next(seed) >> 40;
		uint64_t address = random_below(seed, 8) ? near : far;
		if (uop->mem & PMS_MEM_LOAD)
			out[n++] = (struct pms_access){ address, i, 8, 0 };
		if (uop->mem & PMS_MEM_STORE)
			out[n++] = (struct pms_access){ address, i, 8, 1 };
	}
	return n;
}

/* Runs one block on both, mostly to its end; returns the next one. */
static unsigned run_block(uint64_t *seed, bool calm, struct machine m[2], unsigned at)
{
	const struct pms_block *block = m[0].blocks[at];
	struct pms_access accesses[2 * BLOCK_MAX];
	size_t n = make_accesses(seed, block, accesses);
	bool whole = calm || random_below(seed, 20) > 0;
	if (!whole && n)
		n = random_below(seed, n);
	unsigned next = (unsigned)random_below(seed, BLOCKS);
	/* Mostly where the block can lead, though no block is there. */
	uint64_t pc = calm || random_below(seed, 10) ? block->next[random_below(seed, 2)]
						     : pms_block_pc(m[0].blocks[next]);
	for (unsigned k = 0; k < 2; k++)
		pms_core_run(m[k].core, m[k].blocks[at], accesses, n,
			     whole ? PMS_END_NEXT : PMS_END_FAULT, pc);
	return next;
}

static void counts_are_the_same(const struct pms_params *params, uint64_t seed, bool calm)
{
	struct machine m[2];
	machines_new(params, &seed, calm, m);
	for (unsigned run = 0, at = 0; run < RUNS; run++)
		at = run_block(&seed, calm, m, at);
	for (unsigned k = 0; k < 2; k++)
		pms_core_drain(m[k].core);
	for (unsigned i = 0; i < PMS_COUNTER_COUNT; i++)
		if (m[0].n[i] != m[1].n[i])
			fail_msg("%s: %llu, and %llu one by one", pms_counter_names[i],
				 (unsigned long long)m[0].n[i], (unsigned long long)m[1].n[i]);
	assert_true(m[0].n[PMS_COUNTER_FLUSHED_ORDER] > 0);
	assert_true(calm || m[0].n[PMS_COUNTER_FLUSHED_BRANCH] > 0);
	for (unsigned k = 0; k < 2; k++) {
		for (unsigned i = 0; i < BLOCKS; i++)
			pms_block_free(m[k].blocks[i]);
		pms_core_free(m[k].core);
	}
}

static void together_or_one_by_one_counts_the_same(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	counts_are_the_same(&params, 1, false);
}

static void so_it_does_where_queues_are_full(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 12; i++) {
		struct pms_params params = fixture_params();
		params.slots = 2 + i % 7;
		params.queue_entries[IQ_INT] = params.queue_entries[IQ_MEM] = (uint8_t)(3 + i);
		params.queue_entries[IQ_BRANCH] = (uint8_t)(1 + i % 3);
		params.rob_entries = 64 + 8 * i;
		params.load_queue = params.store_queue = 64;
		params.dram_latency = 100 * i + 50;
		params.store_commit_bytes = 8;
		params.retire_width = 1 + i % 8;
		params.decode_queue = i % 2 ? 8 : 32;
		counts_are_the_same(&params, i + 2, false);
	}
}

static void and_where_loads_or_stores_are_many(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct pms_params params = fixture_params();
		params.rob_entries = 1024;
		params.queue_entries[IQ_INT] = params.queue_entries[IQ_VEC] =
			params.queue_entries[IQ_MEM] = 120;
		params.load_queue = i % 2 ? 64 : 255;
		params.store_queue = i % 2 ? 255 : 64;
		params.store_commit_bytes = i / 2 ? 8 : 64;
		params.store_merge_cycles = i;
		counts_are_the_same(&params, i + 20, true);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(together_or_one_by_one_counts_the_same),
		cmocka_unit_test(so_it_does_where_queues_are_full),
		cmocka_unit_test(and_where_loads_or_stores_are_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
