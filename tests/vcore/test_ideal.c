/* SPDX-License-Identifier: MIT */
/* Programs that one thing of the core limits each. Without that thing a turn takes the cycles that
 * the comment above it works out from the fixture's numbers; without any other it takes as long as
 * before. Every drain asserts the laws of the model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "machine.h"
#include "random.h"

enum {
	LDR_X0_X0 = 0xf9400000,
	MUL_X0_X0 = 0x9b007c00,
	FADD_D0_D0 = 0x1e602800,
	UDIV_X0_X0 = 0x9ac00800,
	SVC = 0xd4000001,
	BR_X5 = 0xd61f00a0,
	LINE = 64,
	PAGE = 4096,
	DATA = 0x10000000
};

/* A run of a program: its core, and what one turn of it does. */
struct run {
	struct machine *m;
	uint64_t random;
};

static void run_block(struct machine *m, uint64_t pc, const uint32_t *words, unsigned count,
		      const struct pms_access *access, uint64_t next)
{
	struct pms_block *block = pms_block_new(&m->params, pc, words, count);
	pms_core_run(m->core, block, access, access != NULL, PMS_END_NEXT, next);
	pms_block_free(block);
}

/* Four additions and a branch that goes either way: all of it fits into a group, and each addition
 * waits for the one of the turn before: 1. */
static void turn_direction(struct run *r, unsigned turn)
{
	const uint32_t words[] = { add(0), add(1), add(2), add(3), bne(4, 0) };
	bool taken = random_below(&r->random, 2);
	(void)turn;
	run_block(r->m, CODE, words, 5, NULL, CODE + (taken ? 0 : 20));
	if (!taken)
		run_block(r->m, CODE + 20, (uint32_t[]){ b(5, 0) }, 1, NULL, CODE);
}

/* A jump to one of two places, which jump back: a group for each jump, 2. */
static void turn_target(struct run *r, unsigned turn)
{
	uint64_t place = CODE + 32 + 32 * random_below(&r->random, 2);
	(void)turn;
	run_block(r->m, CODE, (uint32_t[]){ BR_X5 }, 1, NULL, place);
	run_block(r->m, place, (uint32_t[]){ b((int)(place - CODE) / 4, 0) }, 1, NULL, CODE);
}

/* 2048 lines of 16 instructions, twice L1I, fetched as they are needed: 2 a line. Each ends with a
 * jump to the next. */
static void turn_l1i(struct run *r, unsigned turn)
{
	enum { LINES = 2048 };
	int line = (int)(turn % LINES), next = (line + 1) % LINES;
	uint32_t words[16];
	for (unsigned i = 0; i < 15; i++)
		words[i] = NOP;
	words[15] = b(16 * line + 15, 16 * next);
	run_block(r->m, CODE + LINE * (uint64_t)line, words, 16, NULL,
		  CODE + LINE * (uint64_t)next);
}

static uint64_t place_in_page(unsigned i)
{
	return (uint64_t)PAGE * i + LINE * (i % 64);
}

/* Jumps from page to page, more than the TLB holds. Two are predicted together, in 2 cycles since
 * the main target buffer has them: 1 each. */
static void turn_itlb(struct run *r, unsigned turn)
{
	enum { PAGES = 128 };
	uint64_t pc = CODE + place_in_page(turn % PAGES);
	uint64_t next = CODE + place_in_page((turn + 1) % PAGES);
	run_block(r->m, pc, (uint32_t[]){ b(0, (int)((int64_t)(next - pc) / 4)) }, 1, NULL, next);
}

static void load_next(struct run *r, uint64_t address)
{
	const uint32_t words[] = { LDR_X0_X0, bne(1, 0) };
	run_block(r->m, CODE, words, 2, &(struct pms_access){ address, 0, 8, 0 }, CODE);
}

/* Each load waits for the one before, of another of 2048 lines: L1D has half of them, but never the
 * one that is next. 4 from L1D. */
static void turn_l1d(struct run *r, unsigned turn)
{
	load_next(r, DATA + LINE * (uint64_t)(turn * 11 % 2048));
}

/* The same of lines that nobody had: 13 from L2, 75 from the system cache. */
static void turn_memory(struct run *r, unsigned turn)
{
	load_next(r, DATA + (uint64_t)LINE * 11 * turn);
}

/* The same of 64 pages, of which L1D has each line: 4. */
static void turn_dtlb(struct run *r, unsigned turn)
{
	load_next(r, DATA + place_in_page(turn % 64));
}

static void chain(struct run *r, uint32_t word)
{
	const uint32_t words[] = { word, bne(1, 0) };
	run_block(r->m, CODE, words, 2, NULL, CODE);
}

/* An operation that waits for the one before: 1. */
static void turn_int(struct run *r, unsigned turn)
{
	(void)turn;
	chain(r, MUL_X0_X0);
}

static void turn_fp(struct run *r, unsigned turn)
{
	(void)turn;
	chain(r, FADD_D0_D0);
}

static void turn_divide(struct run *r, unsigned turn)
{
	(void)turn;
	chain(r, UDIV_X0_X0);
}

/* A call and a jump back. Two jumps are predicted together, and so two turns take a cycle. */
static void turn_call(struct run *r, unsigned turn)
{
	(void)turn;
	run_block(r->m, CODE, (uint32_t[]){ SVC }, 1, NULL, CODE + 4);
	run_block(r->m, CODE + 4, (uint32_t[]){ b(1, 0) }, 1, NULL, CODE);
}

static const struct program {
	const char *name;
	void (*turn)(struct run *, unsigned);
	double least, most; /* cycles of a turn as the core is */
	struct {
		enum pms_mechanism without;
		double cycles;
	} ideal[3]; /* cycles of a turn without each of these; 0 ends them */
} programs[] = {
	/* Half of the branches are wrong: 11 cycles each, and what waits. */
	{ "direction", turn_direction, 6, 14, { { PMS_MECHANISM_DIRECTION_MISSES, 1 } } },
	{ "target", turn_target, 6, 14, { { PMS_MECHANISM_TARGET_MISSES, 2 } } },
	/* 13 from L2 and 5 more, then the line's 2. */
	{ "l1i", turn_l1i, 20, 20, { { PMS_MECHANISM_L1I_MISSES, 2 } } },
	/* 5 more. */
	{ "itlb", turn_itlb, 6, 8, { { PMS_MECHANISM_ITLB_MISSES, 1 } } },
	{ "l1d", turn_l1d, 13, 13, { { PMS_MECHANISM_L1D_MISSES, 4 } } },
	{ "memory",
	  turn_memory,
	  300,
	  300,
	  { { PMS_MECHANISM_SLC_MISSES, 75 },
	    { PMS_MECHANISM_L2_MISSES, 13 },
	    { PMS_MECHANISM_L1D_MISSES, 4 } } },
	/* 5 more than L1D's 4. */
	{ "dtlb", turn_dtlb, 9, 9, { { PMS_MECHANISM_DTLB_MISSES, 4 } } },
	{ "int", turn_int, 3, 3, { { PMS_MECHANISM_INT_LATENCY, 1 } } },
	{ "fp", turn_fp, 2, 2, { { PMS_MECHANISM_FP_LATENCY, 1 } } },
	{ "divide", turn_divide, 20, 20, { { PMS_MECHANISM_DIVIDE_LATENCY, 1 } } },
	/* It is renamed when the core is empty, issues after 4, is done after 1 and retires
	 * after 1. 1 + 22 later the branch is fetched, 6 later renamed, and retires after 6. */
	{ "call", turn_call, 41, 41, { { PMS_MECHANISM_SYSTEM_CALLS, 0.5 } } },
};

static struct pms_params params_of(uint64_t off, const struct program *program)
{
	struct pms_params params = fixture_params();
	fixture_op(&params, PMS_OP_MUL64, 3, PORT(M0), IQ_INT);
	fixture_op(&params, PMS_OP_FP_ADD, 2, PORT(V0), IQ_VEC);
	fixture_op(&params, PMS_OP_DIV64, 20, PORT(M0), IQ_INT);
	params.op[PMS_OP_DIV64].busy = 20;
	params.stride_entries = 0;
	params.fetch_ahead_lines = 0;
	params.decode_width = 8;
	params.indirect_bubble = 0;
	params.off = off;
	if (program->turn == turn_memory)
		params.page_bytes = 2097152;
	return params;
}

static double cycles(const struct program *program, uint64_t off, unsigned turns)
{
	const struct pms_params params = params_of(off, program);
	struct run r = { .m = machine_of(&params, false) };
	for (unsigned i = 0; i < turns; i++)
		program->turn(&r, i);
	pms_core_drain(r.m->core);
	double n = (double)N(r.m, CPU_CYCLES);
	machine_free(r.m);
	return n;
}

/* Cycles of a turn, without what the start takes. */
static double turn_of(const struct program *program, uint64_t off)
{
	enum { TURNS = 2048 };
	return (cycles(program, off, 2 * TURNS) - cycles(program, off, TURNS)) / TURNS;
}

static void each_takes_what_it_waits_for(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		double own = turn_of(&programs[i], 0);
		if (own < programs[i].least - 0.01 || own > programs[i].most + 0.01)
			fail_msg("%s: %g cycles", programs[i].name, own);
	}
}

static double expected(const struct program *program, unsigned without, double own)
{
	for (size_t i = 0; i < 3 && program->ideal[i].cycles > 0; i++)
		if (program->ideal[i].without == without)
			return program->ideal[i].cycles;
	return own;
}

static void without_one_thing_only_its_program_is_fast(void **state)
{
	static const enum pms_mechanism all[] = {
		PMS_MECHANISM_DIRECTION_MISSES, PMS_MECHANISM_TARGET_MISSES,
		PMS_MECHANISM_L1I_MISSES,	PMS_MECHANISM_ITLB_MISSES,
		PMS_MECHANISM_L1D_MISSES,	PMS_MECHANISM_L2_MISSES,
		PMS_MECHANISM_SLC_MISSES,	PMS_MECHANISM_DTLB_MISSES,
		PMS_MECHANISM_INT_LATENCY,	PMS_MECHANISM_FP_LATENCY,
		PMS_MECHANISM_DIVIDE_LATENCY,	PMS_MECHANISM_SYSTEM_CALLS,
	};
	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		double own = turn_of(&programs[i], 0);
		for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
			double want = expected(&programs[i], all[k], own);
			double is = turn_of(&programs[i], UINT64_C(1) << all[k]);
			if (is < want - 0.01 || is > want + 0.01)
				fail_msg("%s without %u: %g cycles, not %g", programs[i].name,
					 (unsigned)all[k], is, want);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_takes_what_it_waits_for),
		cmocka_unit_test(without_one_thing_only_its_program_is_fast),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
