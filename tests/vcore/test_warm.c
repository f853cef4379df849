/* SPDX-License-Identifier: MIT */
/* What is warmed is there when it is run, nothing is timed meanwhile, and windows add up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_fixture.h"
#include "vcore/extent/meter.h"

enum { CODE = 0x10000, DATA = 0x200000, LINES = 300, LDR_X1_X2 = 0xf9400041, NOP = 0xd503201f };

/* ldr x1, [x2]; b.ne to itself: the branch is taken but the last time. */
struct machine {
	struct pms_params params;
	uint64_t n[PMS_COUNTER_COUNT];
	struct pms_core *core;
	struct pms_block *block;
};

static struct machine *machine_new(void)
{
	static const uint32_t words[] = { LDR_X1_X2, 0x54ffffe1u };
	struct machine *m = calloc(1, sizeof(*m));
	m->params = fixture_params();
	m->params.stride_entries = 0; /* what is there was asked for */
	m->core = pms_core_new(&m->params, m->n, NULL);
	m->block = pms_block_new(&m->params, CODE, words, 2);
	assert_non_null(m->core);
	assert_non_null(m->block);
	return m;
}

static void machine_free(struct machine *m)
{
	pms_core_drain(m->core); /* asserts the laws */
	pms_block_free(m->block);
	pms_core_free(m->core);
	free(m);
}

static struct pms_access access_to(unsigned line)
{
	return (struct pms_access){ DATA + 64 * (uint64_t)line, 0, 8, 0 };
}

typedef void pass(struct pms_core *core, const struct pms_block *block,
		  const struct pms_access *accesses, size_t n_accesses, enum pms_block_end end,
		  uint64_t next);

static void each_line(struct machine *m, pass *run)
{
	for (unsigned i = 0; i < LINES; i++) {
		struct pms_access access = access_to(i);
		run(m->core, m->block, &access, 1, PMS_END_NEXT, i + 1 < LINES ? CODE : CODE + 8);
	}
}

static uint64_t refills(const struct machine *m)
{
	return m->n[PMS_COUNTER_L1D_CACHE_REFILL_RD] + m->n[PMS_COUNTER_L1I_CACHE_REFILL];
}

static void what_was_warmed_is_there(void **state)
{
	(void)state;
	struct machine *m = machine_new();
	pms_core_warm_begin(m->core);
	each_line(m, pms_core_warm);
	assert_int_equal(refills(m), LINES + 1);
	assert_int_equal(m->n[PMS_COUNTER_INST_RETIRED], 0);
	assert_int_equal(m->n[PMS_COUNTER_OP_SPEC], 0);
	pms_core_resume(m->core);
	each_line(m, pms_core_run);
	assert_int_equal(refills(m), LINES + 1);
	assert_int_equal(m->n[PMS_COUNTER_INST_RETIRED], 2 * LINES);
	/* That it is taken is learnt; the last time it is not. */
	assert_int_equal(m->n[PMS_COUNTER_BR_MIS_PRED], 1);
	machine_free(m);
}

static void follow(struct pms_core *core, const struct pms_block *block, uint64_t address,
		   bool store)
{
	const struct pms_access access = { address, 0, 8, store };
	pms_core_follow_data(core, block, &access);
}

static void what_was_followed_is_there(void **state)
{
	(void)state;
	struct machine *m = machine_new();
	pms_core_warm_begin(m->core);
	for (unsigned i = 0; i < LINES; i++) {
		pms_core_follow(m->core, m->block, PMS_END_NEXT, i + 1 < LINES ? CODE : CODE + 8);
		follow(m->core, m->block, access_to(i).address, false);
		follow(m->core, m->block, access_to(i).address + 8, false);
	}
	/* The second access to a line is passed over. */
	assert_int_equal(m->n[PMS_COUNTER_L1D_CACHE_RD], LINES);
	assert_int_equal(m->n[PMS_COUNTER_L1I_CACHE], 1);
	/* A write is not what was read, and a read after it is. */
	follow(m->core, m->block, access_to(LINES - 1).address, true);
	follow(m->core, m->block, access_to(LINES - 1).address, false);
	follow(m->core, m->block, access_to(LINES - 1).address, true);
	assert_int_equal(m->n[PMS_COUNTER_L1D_CACHE_WR], 1);
	assert_int_equal(m->n[PMS_COUNTER_L1D_CACHE_RD], LINES);
	pms_core_resume(m->core);
	uint64_t before = refills(m);
	each_line(m, pms_core_run);
	assert_int_equal(refills(m), before);
	/* As after pms_core_warm. */
	assert_int_equal(m->n[PMS_COUNTER_BR_MIS_PRED], 1);
	machine_free(m);
}

/* 16 bytes of which 8 are of the next line: both lines are met, as when all is warmed. */
static void what_crosses_a_line_meets_both(void **state)
{
	(void)state;
	struct machine *m = machine_new();
	const struct pms_access access = { access_to(1).address - 8, 0, 16, 0 };
	pms_core_warm_begin(m->core);
	pms_core_follow(m->core, m->block, PMS_END_NEXT, CODE + 8);
	pms_core_follow_data(m->core, m->block, &access);
	assert_int_equal(m->n[PMS_COUNTER_L1D_CACHE_RD], 2);
	assert_int_equal(m->n[PMS_COUNTER_L1D_CACHE_REFILL_RD], 2);
	machine_free(m);
}

static void follow_stream(struct pms_core *core, const struct pms_block *block)
{
	for (unsigned i = 0; i < LINES; i++)
		follow(core, block, access_to(i).address, false);
}

static void warm_stream(struct pms_core *core, const struct pms_block *block)
{
	for (unsigned i = 0; i < LINES; i++) {
		struct pms_access access = access_to(i);
		pms_core_warm(core, block, &access, 1, PMS_END_NEXT, CODE);
	}
}

/* Of a stream whose lines are met in time that stands still the next ones are there before they are
 * asked for. */
static void streams_train_the_prefetcher(void **state)
{
	(void)state;
	void (*const meet[])(struct pms_core *, const struct pms_block *) = { follow_stream,
									      warm_stream };
	for (unsigned i = 0; i < sizeof(meet) / sizeof(meet[0]); i++) {
		struct machine *m = machine_new();
		m->params.stride_entries = fixture_params().stride_entries;
		struct pms_core *core = pms_core_new(&m->params, m->n, NULL);
		pms_core_warm_begin(core);
		meet[i](core, m->block);
		assert_true(m->n[PMS_COUNTER_L1D_PREFETCH_FILL] > LINES / 2);
		assert_true(m->n[PMS_COUNTER_L1D_CACHE_REFILL_RD] < LINES / 4);
		pms_core_free(core);
		memset(m->n, 0, sizeof(m->n));
		machine_free(m);
	}
}

static void misses_of_the_warming_keep_nothing_waiting(void **state)
{
	(void)state;
	struct machine *m = machine_new();
	pms_core_warm_begin(m->core);
	each_line(m, pms_core_warm);
	pms_core_resume(m->core);
	uint64_t from = pms_core_slots(m->core);
	each_line(m, pms_core_run);
	/* Two operations a turn, of which one is taken: nowhere near a miss each. */
	assert_true((pms_core_slots(m->core) - from) / 8 < 3 * LINES);
	machine_free(m);
}

/* Slots of windows, as the counters have them. */
static uint64_t slots_in(const uint64_t *n)
{
	uint64_t sum = n[PMS_COUNTER_OP_SPEC];
	for (unsigned i = PMS_COUNTER_FE_SLOT_FLUSH; i <= PMS_COUNTER_BE_SLOT_SERIAL; i++)
		sum += n[i];
	return sum;
}

/* Blocks of three operations behind each other: windows begin and end within cycles of eight slots.
 */
static void windows_add_up(void **state)
{
	(void)state;
	static const uint32_t words[] = { NOP, NOP, NOP };
	struct machine *m = machine_new();
	struct pms_share_thread *slot = calloc(1, sizeof(*slot));
	struct pms_meter meter;
	int64_t in_groups = 0;
	pms_meter_init(&meter, m->core, m->n, &m->params, slot);
	for (unsigned i = 0; i < 40; i++) {
		uint64_t pc = CODE + 12 * (uint64_t)i;
		struct pms_block *block = pms_block_new(&m->params, pc, words, 3);
		if (i % 3 == 0)
			pms_meter_open(&meter, slot->groups[i % 2]);
		pms_core_run(m->core, block, NULL, 0, PMS_END_NEXT, pc + 12);
		if (i % 3 == 0)
			pms_meter_read(&meter);
		/* Whenever it is looked at. */
		assert_int_equal(slots_in(slot->counters),
				 8 * slot->counters[PMS_COUNTER_CPU_CYCLES]);
		pms_block_free(block);
	}
	assert_int_equal(slot->counters[PMS_COUNTER_INST_RETIRED], 14 * 3);
	for (unsigned g = 0; g < 2; g++)
		in_groups += slot->groups[g][PMS_COUNTER_INST_RETIRED];
	assert_int_equal(in_groups, 14 * 3);
	assert_int_equal(slot->groups[0][PMS_COUNTER_INST_RETIRED], 7 * 3);
	assert_true(slot->counters[PMS_COUNTER_CPU_CYCLES] < m->n[PMS_COUNTER_CPU_CYCLES]);
	free(slot);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_warmed_is_there),
		cmocka_unit_test(what_was_followed_is_there),
		cmocka_unit_test(what_crosses_a_line_meets_both),
		cmocka_unit_test(streams_train_the_prefetcher),
		cmocka_unit_test(misses_of_the_warming_keep_nothing_waiting),
		cmocka_unit_test(windows_add_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
