/* SPDX-License-Identifier: MIT */
/* Who is charged: short programs whose slots and cycles are worked out by hand from the fixture's
 * numbers, and random ones whose rows must add up to the counters. Every drain also asserts that
 * the charges do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "machine.h"
#include "random.h"
#include "vcore/isa/isa.h"
#include "vcore/share/ledger.h"

enum { CHUNKS = 1 << 17, BLOCKS_MOST = 64 };

enum {
	LDR_X0_X0 = 0xf9400000,
	LDR_X1_X2 = 0xf9400041,
	LDR_X1_X9 = 0xf9400121,
	LDR_W1_X2 = 0xb9400041,
	STR_X1_X2 = 0xf9000041,
	STRB_W1_X2 = 0x39000041,
	CMP_X0 = 0xf100001f,
	UDIV_X0 = 0x9ac10800, /* udiv x0, x0, x1 */
	SVC = 0xd4000001,
	ISB = 0xd5033fdf,
	DSB = 0xd5033f9f,
	DMB = 0xd5033bbf,
	RET = 0xd65f03c0,
	UDF = 0
};

/* A machine whose charges are kept, and the rows of its blocks. */
struct book {
	struct machine *m;
	char *ledger;
	struct {
		struct pms_block *block;
		struct pms_ledger_block *rows;
	} blocks[BLOCKS_MOST];
	unsigned count;
};

static struct book book_open(struct machine *m)
{
	struct book b = { .m = m, .ledger = calloc(CHUNKS, PMS_LEDGER_CHUNK) };
	assert_non_null(b.ledger);
	pms_ledger_init(b.ledger, CHUNKS, 1);
	assert_true(pms_core_charge(m->core, b.ledger, 0, 0));
	return b;
}

static void book_close(struct book *b)
{
	for (unsigned i = 0; i < b->count; i++)
		pms_block_free(b->blocks[i].block);
	machine_free(b->m);
	free(b->ledger);
}

static unsigned book_block(struct book *b, uint64_t pc, const uint32_t *words, unsigned count)
{
	unsigned n = b->count++;
	assert_true(n < BLOCKS_MOST);
	b->blocks[n].block = pms_block_new(&b->m->params, pc, words, count);
	assert_non_null(b->blocks[n].block);
	b->blocks[n].rows = pms_core_charge_new(b->blocks[n].block, b->ledger, 0, 0);
	assert_non_null(b->blocks[n].rows);
	return n;
}

static void book_run(struct book *b, unsigned n, const struct pms_access *accesses,
		     size_t n_accesses, uint64_t next)
{
	pms_core_charge_to(b->m->core, b->blocks[n].rows);
	pms_core_run(b->m->core, b->blocks[n].block, accesses, n_accesses, PMS_END_NEXT, next);
}

static const struct pms_ledger_row *row_of(const struct book *b, unsigned block, unsigned i)
{
	return &pms_ledger_rows(b->blocks[block].rows)[i];
}

/* Returns a value of an instruction. */
static uint64_t charged(const struct book *b, unsigned block, unsigned i, unsigned kind)
{
	return pms_ledger_value(b->ledger, row_of(b, block, i), kind);
}

#define CHARGED(b, block, i, name) charged(b, block, i, PMS_CHARGED_##name)
#define WAITED(b, block, i, name)  charged(b, block, i, PMS_CHARGED_WAIT_CYCLES + PMS_WAIT_##name)

/* Returns an instruction's cycles, without parts of one. */
static uint64_t cycles(const struct book *b, unsigned block, unsigned i)
{
	return row_of(b, block, i)->cycles / PMS_LEDGER_CYCLE;
}

/* The sums over all rows of all blocks. */
struct sums {
	uint64_t kinds[PMS_CHARGED_COUNT];
	uint64_t cycles, retired, trapped;
};

static void sum_row(const struct book *b, const struct pms_ledger_row *row, uint64_t runs,
		    struct sums *sums)
{
	for (unsigned kind = 0; kind < PMS_CHARGED_COUNT; kind++)
		sums->kinds[kind] += pms_ledger_value(b->ledger, row, kind);
	sums->cycles += row->cycles;
	*(row->flags & PMS_ROW_TRAPS ? &sums->trapped : &sums->retired) +=
		row->slots * (runs + row->alone);
}

static struct sums sum_all(const struct book *b)
{
	struct sums sums = { 0 };
	const struct pms_ledger_head *head = (const void *)b->ledger;
	for (uint32_t at = head->blocks[0]; at;) {
		const struct pms_ledger_block *block = pms_ledger_at(b->ledger, at);
		for (uint32_t i = 0; i < block->count + !block->count; i++)
			sum_row(b, &pms_ledger_rows(block)[i], block->whole[0], &sums);
		at = block->next;
	}
	return sums;
}

/* The law: rows add up to the counters, to the slot and to the cycle. */
static void check_sums(const struct book *b)
{
	struct sums sums = sum_all(b);
#define X(name) assert_int_equal(sums.kinds[PMS_CHARGED_##name], N(b->m, name));
	PMS_CHARGED_COUNTERS(X)
#undef X
	assert_int_equal(sums.cycles, N(b->m, CPU_CYCLES) * PMS_LEDGER_CYCLE);
	assert_int_equal(sums.retired, N(b->m, OP_RETIRED));
	assert_int_equal(sums.trapped, N(b->m, FLUSHED_FAULT));
	uint64_t slots = sums.retired + sums.trapped;
	for (unsigned kind = PMS_CHARGED_FE_SLOT_FLUSH; kind <= PMS_CHARGED_BE_SLOT_SERIAL; kind++)
		slots += sums.kinds[kind];
	assert_int_equal(slots, N(b->m, CPU_CYCLES) * b->m->params.slots);
	const struct pms_ledger_head *head = (const void *)b->ledger;
	assert_int_equal(head->refused, 0);
}

/* Run a block @turns times as a loop, then fall through. */
static unsigned book_loop(struct book *b, const uint32_t *words, unsigned count, unsigned turns,
			  const struct pms_access *accesses, size_t n)
{
	unsigned block = book_block(b, CODE, words, count);
	for (unsigned i = 0; i < turns; i++)
		book_run(b, block, accesses, n, i + 1 < turns ? CODE : CODE + 4 * (uint64_t)count);
	pms_core_drain(b->m->core);
	check_sums(b);
	return block;
}

/* A chain of divides of 12 cycles among independent adds: in 11 cycles of a turn the divide is the
 * oldest. In the twelfth it retires, and so do the 7 operations behind it, which wait for it
 * alone: each has an eighth of that cycle. */
static void a_chain_of_divides_is_charged_to_them(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	fixture_op(&params, PMS_OP_DIV64, 12, PORT(M0), IQ_INT);
	params.op[PMS_OP_DIV64].busy = 12;
	struct book b = book_open(machine_of(&params, true));
	const uint32_t words[] = { UDIV_X0, add(2), add(3), add(4),
				   add(5),  add(6), add(7), bne(7, 0) };
	unsigned block = book_loop(&b, words, 8, 1000, NULL, 0);
	uint64_t of_divide = WAITED(&b, block, 0, DIVIDE);
	assert_in_range(of_divide, 11 * 1000 - 100, 11 * 1000 + 100);
	for (unsigned i = 0; i < 8; i++) {
		uint64_t start = CHARGED(&b, block, i, CYCLES_FRONTEND) +
				 CHARGED(&b, block, i, CYCLES_FLUSH);
		uint64_t turns = cycles(&b, block, i) - start - (i ? 0 : of_divide);
		assert_in_range(turns, 1000 / 8 - 20, 1000 / 8 + 50);
	}
	/* The slots that the full queue lost are the divides', too: of 96 a turn 8 are used. */
	uint64_t lost = N(b.m, BE_SLOT_IQ) + N(b.m, BE_SLOT_ROB);
	assert_true(lost > 1000 * 88 * 8 / 10);
	assert_true(CHARGED(&b, block, 0, BE_SLOT_IQ) + CHARGED(&b, block, 0, BE_SLOT_ROB) >
		    lost * 95 / 100);
	book_close(&b);
}

/* A load that misses to memory each time, and an add that needs its data: the load is charged for
 * the wait, and the add for its one cycle. */
static void a_miss_is_charged_to_the_load(void **state)
{
	(void)state;
	struct book b = book_open(machine_new(true));
	const uint32_t words[] = { LDR_X0_X0, add(0), bne(2, 0) };
	unsigned block = book_block(&b, CODE, words, 3);
	uint64_t random = 1;
	for (unsigned i = 0; i < 200; i++) {
		struct pms_access access = { 0x10000000 + (random_next(&random) >> 40 << 6), 0, 8,
					     0 };
		book_run(&b, block, &access, 1, CODE + (i < 199 ? 0 : 12));
	}
	pms_core_drain(b.m->core);
	check_sums(&b);
	uint64_t all = N(b.m, CPU_CYCLES);
	assert_true(cycles(&b, block, 0) > all * 95 / 100 - 1000);
	assert_true(WAITED(&b, block, 0, DRAM) >= 190 * 290);
	assert_true(WAITED(&b, block, 0, TLB) >= 190 * 10);
	/* The add retires in the cycle behind the load, and the branch with it. */
	assert_in_range(cycles(&b, block, 1), 200 / 2 - 5, 200 / 2 + 20);
	assert_in_range(WAITED(&b, block, 1, INTEGER) + WAITED(&b, block, 1, PIPELINE), 0, 10);
	assert_true(CHARGED(&b, block, 0, LL_CACHE_MISS_RD) >= N(b.m, LL_CACHE_MISS_RD) - 5);
	assert_int_equal(CHARGED(&b, block, 0, L1D_CACHE_REFILL_RD),
			 N(b.m, L1D_CACHE_REFILL_RD) - CHARGED(&b, block, 1, L1D_CACHE_REFILL_RD) -
				 CHARGED(&b, block, 2, L1D_CACHE_REFILL_RD));
	book_close(&b);
}

/* A load that misses to memory, and 61 operations that wait for nothing: the reorder buffer of 32
 * is full of those, and the load is charged for the slots. */
static void a_full_reorder_buffer_is_charged_to_its_oldest(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	params.rob_entries = 32;
	struct book b = book_open(machine_of(&params, false));
	uint32_t words[63] = { LDR_X0_X0 };
	for (unsigned i = 1; i < 62; i++)
		words[i] = NOP;
	words[62] = bne(62, 0);
	unsigned block = book_block(&b, CODE, words, 63);
	uint64_t random = 1;
	for (unsigned i = 0; i < 200; i++) {
		struct pms_access access = { 0x10000000 + (random_next(&random) >> 40 << 6), 0, 8,
					     0 };
		book_run(&b, block, &access, 1, CODE + (i < 199 ? 0 : 252));
	}
	pms_core_drain(b.m->core);
	check_sums(&b);
	assert_true(N(b.m, BE_SLOT_ROB) > 200 * 290 * 8);
	assert_true(CHARGED(&b, block, 0, BE_SLOT_ROB) * 100 > N(b.m, BE_SLOT_ROB) * 95);
	book_close(&b);
}

/* A branch that goes either way at random: what it flushed and the refill are its own, as are the
 * cycles in which nothing was in flight. */
static void a_misprediction_is_charged_to_the_branch(void **state)
{
	(void)state;
	struct book b = book_open(machine_new(true));
	for (unsigned i = 0; i < 4; i++)
		b.m->code[i] = add(i);
	b.m->code[4] = bne(4, 0);
	unsigned block = book_block(&b, CODE, b.m->code, 5);
	unsigned back = book_block(&b, CODE + 20, (uint32_t[]){ b.m->code[5] = 0x17fffffb }, 1);
	uint64_t random = 1;
	for (unsigned i = 0; i < 2000; i++) {
		bool taken = random_next(&random) >> 63;
		book_run(&b, block, NULL, 0, CODE + (taken ? 0 : 20));
		if (!taken)
			book_run(&b, back, NULL, 0, CODE);
	}
	pms_core_drain(b.m->core);
	check_sums(&b);
	uint64_t missed = N(b.m, BR_MIS_PRED);
	assert_true(missed > 800);
	assert_int_equal(CHARGED(&b, block, 4, BR_MIS_PRED), missed);
	assert_int_equal(CHARGED(&b, block, 4, MISS_DIRECTION), missed);
	assert_int_equal(CHARGED(&b, block, 4, FLUSHED_BRANCH), N(b.m, FLUSHED_BRANCH));
	assert_int_equal(CHARGED(&b, block, 4, FE_SLOT_FLUSH), N(b.m, FE_SLOT_FLUSH));
	/* From the branch's retirement, 2 cycles after it issued, until the next operation renames:
	 * 11 - 4 cycles after it issued. That cycle is the next operation's. */
	assert_in_range(CHARGED(&b, block, 4, CYCLES_FLUSH), missed * 4, missed * 6);
	book_close(&b);
}

/* A load of four bytes that one store of a byte in flight overlaps: it waits until the byte is in
 * L1D, and is charged for that. */
static void a_failed_forward_is_charged_to_the_load(void **state)
{
	(void)state;
	struct book b = book_open(machine_new(true));
	const uint32_t words[] = { STRB_W1_X2, LDR_W1_X2, bne(2, 0) };
	const struct pms_access accesses[] = { { 0x200000, 0, 1, 1 }, { 0x200000, 1, 4, 0 } };
	unsigned block = book_loop(&b, words, 3, 1000, accesses, 2);
	assert_in_range(CHARGED(&b, block, 1, FORWARD_FAILS), 990, 1000);
	/* From the store's retirement, in which the load becomes the oldest: written in the next
	 * cycle at the soonest, 6 cycles of penalty, 4 of latency. */
	assert_true(WAITED(&b, block, 1, FORWARD_FAIL) >= 990 * 9);
	assert_int_equal(WAITED(&b, block, 0, FORWARD_FAIL), 0);
	assert_true(cycles(&b, block, 1) * 10 > N(b.m, CPU_CYCLES) * 6);
	book_close(&b);
}

/* Stores to a new line each miss to memory: they retire at once, and the queue is full of retired
 * ones. The slots are charged to the store that has not left it. */
static void a_full_store_queue_is_charged_to_the_store(void **state)
{
	(void)state;
	struct book b = book_open(machine_new(true));
	const uint32_t words[] = { STR_X1_X2, add(3), bne(2, 0) };
	unsigned block = book_block(&b, CODE, words, 3);
	for (unsigned i = 0; i < 2000; i++) {
		struct pms_access access = { 0x10000000 + i * 0x11040, 0, 8, 1 };
		book_run(&b, block, &access, 1, CODE + (i < 1999 ? 0 : 12));
	}
	pms_core_drain(b.m->core);
	check_sums(&b);
	assert_true(N(b.m, BE_SLOT_SQ) * 10 > N(b.m, CPU_CYCLES) * 8 * 8);
	assert_true(CHARGED(&b, block, 0, BE_SLOT_SQ) * 100 >= N(b.m, BE_SLOT_SQ) * 99);
	assert_true(charged(&b, block, 0, PMS_CHARGED_WAIT_SLOTS + PMS_WAIT_STORE) * 100 >=
		    N(b.m, BE_SLOT_SQ) * 90);
	book_close(&b);
}

/* The refill behind a system call is the call's. */
static void a_refill_is_charged_to_the_call(void **state)
{
	(void)state;
	struct book b = book_open(machine_new(true));
	const uint32_t words[] = { add(0), SVC, add(1), add(2) };
	unsigned call = book_block(&b, CODE, words, 2),
		 rest = book_block(&b, CODE + 8, words + 2, 2);
	for (unsigned i = 0; i < 100; i++) {
		book_run(&b, call, NULL, 0, CODE + 8);
		book_run(&b, rest, NULL, 0, CODE + 16);
	}
	pms_core_drain(b.m->core);
	check_sums(&b);
	assert_int_equal(CHARGED(&b, call, 1, SERIALS), 100);
	assert_int_equal(CHARGED(&b, call, 1, FE_SLOT_SERIAL), N(b.m, FE_SLOT_SERIAL));
	assert_true(CHARGED(&b, call, 1, CYCLES_FLUSH) >= 100 * 20);
	book_close(&b);
}

/* The instruction that fetch waited for: the first of each line. */
static void a_line_of_code_is_charged_to_its_first_instruction(void **state)
{
	(void)state;
	struct pms_params params = fixture_params();
	params.fetch_ahead_lines = 1;
	struct book b = book_open(machine_of(&params, false));
	uint32_t words[33];
	for (unsigned i = 0; i < 32; i++)
		words[i] = NOP;
	words[32] = RET;
	unsigned block = book_block(&b, CODE, words, 33);
	book_run(&b, block, NULL, 0, 0x40000);
	pms_core_drain(b.m->core);
	check_sums(&b);
	for (unsigned i = 0; i < 33; i++)
		assert_int_equal(CHARGED(&b, block, i, L1I_CACHE_REFILL), i % 16 == 0);
	assert_int_equal(CHARGED(&b, block, 0, ITLB_WALK), 1);
	assert_true(CHARGED(&b, block, 16, FE_SLOT_ICACHE) > 8 * 200);
	assert_int_equal(CHARGED(&b, block, 17, FE_SLOT_ICACHE), 0);
	book_close(&b);
}

/* Where branches went. */
static void edges_count_where_branches_went(void **state)
{
	(void)state;
	struct book b = book_open(machine_new(false));
	const uint32_t words[] = { add(0), bne(1, 0) };
	unsigned block = book_loop(&b, words, 2, 100, NULL, 0);
	const struct pms_ledger_edge *edge = pms_ledger_at(b.ledger, b.blocks[block].rows->edges);
	assert_int_equal(edge->to, CODE);
	assert_int_equal(edge->count[0], 99);
	uint64_t missed = edge->missed[0];
	edge = pms_ledger_at(b.ledger, edge->next);
	assert_int_equal(edge->to, CODE + 8);
	assert_int_equal(edge->count[0], 1);
	assert_int_equal(missed + edge->missed[0], N(b.m, BR_MIS_PRED));
	assert_int_equal(edge->next, 0);
	book_close(&b);
}

/* What is not to be kept changes no row, and windows have rows of their own. */
static void parts_are_kept_apart(void **state)
{
	(void)state;
	struct machine *m = machine_new(true);
	struct book b = { .m = m, .ledger = calloc(CHUNKS, PMS_LEDGER_CHUNK) };
	pms_ledger_init(b.ledger, CHUNKS, 1);
	assert_true(pms_core_charge(m->core, b.ledger, 0, 1));
	const uint32_t words[] = { add(0), bne(1, 0) };
	struct pms_block *block = pms_block_new(&m->params, CODE, words, 2);
	struct pms_ledger_block *rows = pms_core_charge_new(block, b.ledger, 0, 1);
	pms_core_charge_to(m->core, rows);
	uint64_t before[2] = { 0 };
	for (unsigned part = 0; part < 3; part++) {
		pms_core_charge_part(m->core, part < 2, part == 1);
		for (unsigned i = 0; i < 100; i++)
			pms_core_run(m->core, block, NULL, 0, PMS_END_NEXT, CODE);
		if (part == 1)
			pms_core_charge_part(m->core, false, 0);
		for (unsigned i = 0; i < 2 && part >= 1; i++) {
			assert_true(part == 1 || before[i] == pms_ledger_rows(rows)[i].cycles);
			before[i] = pms_ledger_rows(rows)[i].cycles;
		}
	}
	assert_int_equal(rows->whole[0], 100);
	assert_int_equal(rows->whole[1], 100);
	assert_true(before[0] && before[1]);
	pms_core_drain(m->core);
	pms_block_free(block);
	book_close(&b);
}

/* random programs */

/* Returns a random instruction, or a branch where one is to end the block. */
static uint32_t random_insn(uint64_t *random)
{
	static const uint32_t some[] = { UDIV_X0,
					 LDR_X0_X0,
					 LDR_X1_X2,
					 LDR_X1_X9,
					 STR_X1_X2,
					 NOP,
					 CMP_X0,
					 DMB,
					 0x1e611000, /* fadd-like */
					 0x4e205800 /* a vector one */,
					 0x9b017c00 /* mul */,
					 0xf8e00041 /* ldaddal */,
					 0xc89ffc41 /* stlr */,
					 0xc8dffc43 /* ldar */,
					 0xa9400440 /* ldp */,
					 0xf8408c41 /* ldr, pre */ };
	uint64_t n = random_below(random, 40);
	if (n < sizeof(some) / sizeof(some[0]))
		return some[n];
	if (n == 39 && !random_below(random, 8))
		return (uint32_t[]){ ISB, DSB, SVC, UDF }[random_below(random, 4)];
	if (n == 38) /* anything */
		return (uint32_t)random_next(random);
	return add((unsigned)random_below(random, 4));
}

static bool ends_block(const struct machine *m, uint32_t word)
{
	struct pms_insn insn;
	(void)m;
	pms_isa_classify(&word, &insn);
	return insn.branch != PMS_BRANCH_NONE;
}

/* Fill the code with blocks of random instructions, each ended by a branch. */
static unsigned random_blocks(struct book *b, uint64_t *random, unsigned starts[BLOCKS_MOST],
			      unsigned lengths[BLOCKS_MOST])
{
	unsigned count = 0, at = 0;
	while (at < 60) {
		unsigned left = 64 - at, n = 1 + (unsigned)random_below(random, 12);
		n = n < left ? n : left;
		for (unsigned i = 0; i + 1 < n; i++)
			do
				b->m->code[at + i] = random_insn(random);
			while (ends_block(b->m, b->m->code[at + i]));
		unsigned to = (unsigned)random_below(random, 64);
		b->m->code[at + n - 1] = (uint32_t[]){
			bne((int)(at + n - 1), (int)to), RET, 0xd63f00a0, SVC
		}[random_below(random, 8) % 4 * (random_below(random, 2))];
		starts[count] = at;
		lengths[count++] = n;
		book_block(b, CODE + 4 * (uint64_t)at, &b->m->code[at], n);
		at += n;
	}
	return count;
}

/* Make the accesses of a block's instructions, each of which has one. */
static size_t random_accesses(const struct book *b, unsigned block, uint64_t *random,
			      struct pms_access *out)
{
	size_t n = 0;
	static const unsigned spans[] = { 6, 12, 20, 30 };
	for (unsigned i = 0; i < b->blocks[block].rows->count; i++) {
		struct pms_insn insn;
		uint32_t word = b->m->code[(b->blocks[block].rows->pc - CODE) / 4 + i];
		if (!pms_block_accesses(b->blocks[block].block, i))
			continue;
		pms_isa_classify(&word, &insn);
		uint64_t address =
			0x200000 +
			random_below(random, UINT64_C(1) << spans[random_below(random, 4)]);
		bool loads = insn.mem & PMS_MEM_LOAD, stores = insn.mem & PMS_MEM_STORE;
		if (loads)
			out[n++] = (struct pms_access){ address, i, insn.mem_size, 0 };
		if (stores)
			out[n++] = (struct pms_access){ address, i, insn.mem_size, 1 };
	}
	return n;
}

static void run_random(struct book *b, uint64_t *random)
{
	unsigned starts[BLOCKS_MOST], lengths[BLOCKS_MOST];
	unsigned count = random_blocks(b, random, starts, lengths), now = 0;
	struct pms_access accesses[128];
	for (unsigned i = 0; i < 3000; i++) {
		unsigned next =
			random_below(random, 3) ? now : (unsigned)random_below(random, count);
		size_t n = random_accesses(b, now, random, accesses);
		uint64_t to = CODE + 4 * (uint64_t)starts[next];
		if (!random_below(random, 4))
			to = CODE + 4 * (uint64_t)(starts[now] + lengths[now]);
		if (n && !random_below(random, 50)) /* a fault */
			n = random_below(random, n);
		book_run(b, now, accesses, n, to);
		now = next;
	}
	pms_core_drain(b->m->core);
	check_sums(b);
}

/* Whatever runs, and on whatever core, the rows add up. */
static void rows_add_up_to_the_counters(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		uint64_t random = seed;
		struct pms_params params = fixture_params();
		fixture_op(&params, PMS_OP_DIV64, 12, PORT(M0), IQ_INT);
		params.op[PMS_OP_DIV64].busy = seed % 3 ? 12 : 1;
		params.slots = 1 + (uint32_t)random_below(&random, 16);
		params.retire_width = 1 + (uint32_t)random_below(&random, 16);
		params.rob_entries = (uint32_t[]){ 32, 256, 1024, 64 }[seed % 4];
		params.store_queue = (uint32_t[]){ 72, 4, 200 }[seed % 3];
		params.load_queue = (uint32_t[]){ 100, 8 }[seed % 2];
		params.queue_entries[IQ_INT] = (uint8_t[]){ 80, 4, 12 }[seed % 3];
		params.off = seed % 5 == 0
				     ? UINT64_C(1) << random_below(&random, PMS_MECHANISM_COUNT)
				     : 0;
		struct book b = book_open(machine_of(&params, seed % 4 != 3));
		run_random(&b, &random);
		book_close(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_of_divides_is_charged_to_them),
		cmocka_unit_test(a_miss_is_charged_to_the_load),
		cmocka_unit_test(a_full_reorder_buffer_is_charged_to_its_oldest),
		cmocka_unit_test(a_misprediction_is_charged_to_the_branch),
		cmocka_unit_test(a_failed_forward_is_charged_to_the_load),
		cmocka_unit_test(a_full_store_queue_is_charged_to_the_store),
		cmocka_unit_test(a_refill_is_charged_to_the_call),
		cmocka_unit_test(a_line_of_code_is_charged_to_its_first_instruction),
		cmocka_unit_test(edges_count_where_branches_went),
		cmocka_unit_test(parts_are_kept_apart),
		cmocka_unit_test(rows_add_up_to_the_counters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
