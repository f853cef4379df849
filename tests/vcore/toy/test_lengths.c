/* SPDX-License-Identifier: MIT */
/* The model on an instruction set of two lengths: lines of code, wrong paths through them, and
 * fetch, where instructions reach from one line into the next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../core_numbers.h"
#include "../random.h"
#include "vcore/model/state.h"

enum { CODE = 0x10000, LINES = 6, PARCELS = LINES * PMS_LINE_PARCELS, LONG = 1 };

struct machine {
	struct pms_params params;
	uint64_t n[PMS_COUNTER_COUNT];
	struct pms_core *core;
	struct pms_code_source source;
	uint16_t code[PARCELS]; /* what is mapped at CODE */
};

#define N(m, name) ((m)->n[PMS_COUNTER_##name])

static uint16_t insn(unsigned kind, unsigned length, int distance)
{
	return (uint16_t)(length | kind << 1 | (unsigned)distance << 4);
}

static bool read_code(void *context, uint64_t line, void *code)
{
	struct machine *m = context;
	if (line < CODE || line >= CODE + sizeof(m->code))
		return false;
	memcpy(code, (const char *)m->code + (line - CODE), PMS_LINE_BYTES);
	return true;
}

static struct machine *machine_new(bool wrong_paths)
{
	struct machine *m = calloc(1, sizeof(*m));
	m->params = core_numbers();
	m->source = (struct pms_code_source){ read_code, m };
	m->core = pms_core_new(&m->params, m->n, wrong_paths ? &m->source : NULL);
	assert_non_null(m->core);
	return m;
}

static void machine_free(struct machine *m)
{
	pms_core_free(m->core);
	free(m);
}

/* Run @count instructions from @parcel on, of which the last one leads to parcel @to. */
static void run(struct machine *m, unsigned parcel, unsigned count, unsigned to,
		const struct pms_access *access)
{
	struct pms_block *block =
		pms_block_new(&m->params, CODE + 2 * (uint64_t)parcel, &m->code[parcel], count);
	pms_core_run(m->core, block, access, access != NULL, PMS_END_NEXT, CODE + 2 * (uint64_t)to);
	pms_core_drain(m->core);
	pms_block_free(block);
}

/* Returns the parcels of the line at which instructions begin, as far as the model knows when a
 * path enters it at @parcel. */
static pms_parcels starts(struct machine *m, unsigned parcel)
{
	struct pms_code_line *line = pms_code_line(m->core, CODE + 2 * (uint64_t)parcel);
	assert_non_null(line);
	return line->starts;
}

/* A line is read from where a path enters it, and again where a path enters it at what was no
 * instruction before. */
static void instructions_begin_where_a_path_leads(void **state)
{
	(void)state;
	struct machine *m = machine_new(true);
	m->code[0] = insn(TOY_NOP, LONG, 0);
	m->code[1] = insn(TOY_NOP, LONG, 0); /* also the second half of the one before */
	m->code[4] = insn(TOY_NOP, LONG, 0);
	assert_int_equal(starts(m, 4), 0xffffffd0); /* 4, 6, 7, ... */
	assert_int_equal(starts(m, 0), 0xffffffdd); /* 0, 2, 3, 4, 6, ... */
	assert_int_equal(starts(m, 3), 0xffffffdd);
	assert_int_equal(starts(m, 1), 0xffffffda); /* 1, 3, 4, 6, ... */
	machine_free(m);
}

/* What a wrong path should count. */
struct expected {
	unsigned insns, adds, loads;
};

/* Follow the code from @parcel on, to its end or a trap, as the encoding says: no branch with a
 * condition is taken. */
static struct expected follow(const uint16_t *code, unsigned parcel)
{
	struct expected e = { 0 };
	while (parcel < PARCELS) {
		unsigned kind = code[parcel] >> 1 & 7, length = 1 + (code[parcel] & 1u);
		if (kind == TOY_TRAP || parcel + length > PARCELS)
			break;
		e.insns++;
		e.adds += kind == TOY_ADD;
		e.loads += kind == TOY_LOAD;
		int ahead = (int16_t)code[parcel] >> 4;
		parcel += kind == TOY_JUMP ? (unsigned)ahead : length;
	}
	return e;
}

/* A machine that has been through all its lines, so that they are in L1I. */
static struct machine *warm(void)
{
	struct machine *m = machine_new(true);
	run(m, 0, PARCELS, PARCELS, NULL);
	return m;
}

/* Run a branch that waits for memory, hundreds of cycles, and was taken for one that falls through
 * to parcel 2. */
static void leave_late(struct machine *m)
{
	const struct pms_access access = { 0x10000000, 0, 8, 0 };
	m->code[0] = insn(TOY_LOAD, 0, 0);
	m->code[1] = insn(TOY_COND, 0, 100);
	run(m, 0, 2, 101, &access);
	assert_int_equal(N(m, BR_MIS_PRED), 1);
}

/* Compare what the wrong path from parcel 2 on counts with the naive reading of the code. */
static void check_wrong_path(struct machine *m)
{
	const uint64_t insns = N(m, INST_SPEC) - N(m, INST_RETIRED);
	const uint64_t adds = N(m, DP_SPEC), loads = N(m, LD_SPEC);
	const struct expected e = follow(m->code, 2);
	leave_late(m);
	assert_int_equal(N(m, INST_SPEC) - N(m, INST_RETIRED) - insns, e.insns);
	assert_int_equal(N(m, FLUSHED_BRANCH), e.insns);
	assert_int_equal(N(m, DP_SPEC) - adds, e.adds);
	assert_int_equal(N(m, LD_SPEC) - loads - 1, e.loads);
}

/* A long instruction over the end of a line is one, and what follows begins behind it. */
static void a_path_crosses_lines_within_an_instruction(void **state)
{
	(void)state;
	struct machine *m = warm();
	for (unsigned i = 3; i < PARCELS - 1; i += 2)
		m->code[i] = insn(TOY_ADD, LONG, 0);
	m->code[2] = insn(TOY_ADD, 0, 0);
	m->code[PARCELS - 1] = insn(TOY_TRAP, 0, 0);
	assert_int_equal(follow(m->code, 2).insns, 1 + (PARCELS - 4) / 2);
	check_wrong_path(m);
	machine_free(m);
}

/* Where code ends within an instruction, it is not fetched. */
static void a_path_ends_before_half_an_instruction(void **state)
{
	(void)state;
	struct machine *m = warm();
	m->code[PARCELS - 1] = insn(TOY_ADD, LONG, 0);
	assert_int_equal(follow(m->code, 2).insns, PARCELS - 3);
	check_wrong_path(m);
	machine_free(m);
}

/* Any code: instructions of both lengths, jumps ahead to any parcel, also into the middle of what
 * was one instruction before. */
static void paths_through_any_code_count_as_the_encoding_says(void **state)
{
	(void)state;
	enum { CASES = 150 };
	uint64_t random = 7;
	for (unsigned i = 0; i < CASES; i++) {
		struct machine *m = warm();
		const unsigned jumps = (unsigned)random_below(&random, 16);
		for (unsigned at = 2; at < PARCELS; at++) {
			unsigned kind = (unsigned)random_below(&random, 2);
			int ahead = 1 + (int)random_below(&random, 40);
			if (random_below(&random, 64) < jumps)
				kind = TOY_JUMP;
			else if (random_below(&random, 16) == 0)
				kind = random_below(&random, 2) ? TOY_COND : TOY_LOAD;
			else if (random_below(&random, 512) == 0)
				kind = TOY_TRAP;
			m->code[at] = insn(kind, (unsigned)random_below(&random, 2), ahead);
		}
		check_wrong_path(m);
		machine_free(m);
	}
}

/* Lines are fetched once each, also where an instruction lies over their border, and both of them
 * where control enters at such an instruction. */
static void fetch_reads_the_lines_of_whole_instructions(void **state)
{
	(void)state;
	const unsigned last = PMS_LINE_PARCELS - 1;
	struct machine *m = machine_new(false);
	m->code[last] = insn(TOY_NOP, LONG, 0);
	run(m, 0, 2 * PMS_LINE_PARCELS - 1, 2 * PMS_LINE_PARCELS, NULL);
	assert_int_equal(N(m, L1I_CACHE), 2);
	run(m, last, 1, last + 2, NULL);
	assert_int_equal(N(m, L1I_CACHE), 4);
	run(m, last + 2, 1, last + 3, NULL); /* it follows, in a line that is entered already */
	assert_int_equal(N(m, L1I_CACHE), 4);
	machine_free(m);
}

/* Branches at neighbouring parcels differ, and an empty buffer knows none of them. */
static void target_buffers_tell_parcels_apart(void **state)
{
	(void)state;
	struct pms_btb b;
	assert_int_equal(pms_btb_init(&b, 1, 64, 4), 0);
	for (uint64_t pc = 0; pc < 4096; pc += 2)
		assert_false(pms_btb_knows(&b, pc));
	pms_btb_update(&b, 30, 100, PMS_BRANCH_JUMP);
	assert_true(pms_btb_knows(&b, 30));
	assert_false(pms_btb_knows(&b, 28));
	pms_btb_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_begin_where_a_path_leads),
		cmocka_unit_test(a_path_crosses_lines_within_an_instruction),
		cmocka_unit_test(a_path_ends_before_half_an_instruction),
		cmocka_unit_test(paths_through_any_code_count_as_the_encoding_says),
		cmocka_unit_test(fetch_reads_the_lines_of_whole_instructions),
		cmocka_unit_test(target_buffers_tell_parcels_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
