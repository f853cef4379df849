/* SPDX-License-Identifier: MIT */
/* The model's limits: the shapes of cores that are published fit into them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "machine.h"

struct number {
	const char *name;
	uint32_t value;
};

/* What is largest or oddest of each, as far as it is published; a shape that is not published is
 * the nearest sibling's. */
static const struct {
	const char *core;
	struct number numbers[32];
	unsigned ports, queues;
} cores[] = {
	{ "Neoverse N1",
	  { { "slots", 4 },
	    { "fetch_width", 4 },
	    { "decode_width", 4 },
	    { "rob_entries", 128 },
	    { "mop_cache_windows", 0 },
	    { "btb_nano_entries", 16 },
	    { "btb_main_entries", 64 },
	    { "btb_main_ways", 16 },
	    { "btb_far_entries", 6144 },
	    { "btb_far_ways", 6 },
	    { "ras_entries", 42 },
	    { "l2_tlb_entries", 1280 },
	    { "l2_tlb_ways", 5 },
	    { "slc_bytes", 32 << 20 } },
	  9,
	  4 },
	{ "Neoverse V2",
	  { { "slots", 8 },
	    { "rob_entries", 320 },
	    { "mop_cache_windows", 192 },
	    { "mop_cache_ways", 3 },
	    { "btb_nano_entries", 256 },
	    { "btb_main_entries", 8192 },
	    { "btb_far_entries", 14336 },
	    { "btb_far_ways", 7 },
	    { "ras_entries", 32 },
	    { "tage_history_6", 200 },
	    { "tage_history_7", 300 },
	    { "tage_history_8", 400 },
	    { "load_queue", 175 },
	    { "store_queue", 80 },
	    { "l2_mshrs", 96 },
	    { "slc_bytes", 36 << 20 },
	    { "slc_ways", 9 } },
	  17,
	  4 },
	{ "Neoverse V3",
	  { { "slots", 10 },
	    { "retire_width", 10 },
	    { "fetch_width", 10 },
	    { "decode_width", 10 },
	    { "rob_entries", 768 },
	    { "mop_cache_windows", 0 },
	    { "btb_nano_entries", 1024 },
	    { "btb_main_entries", 8192 },
	    { "btb_far_entries", 16384 },
	    { "btb_far_ways", 8 },
	    { "ras_entries", 32 },
	    { "tage_history_5", 264 },
	    { "l2_bytes", 3 << 20 },
	    { "l2_ways", 12 },
	    { "l1d_tlb_entries", 96 },
	    { "slc_bytes", 192 << 20 },
	    { "slc_ways", 12 },
	    { "dram_latency", 360 } },
	  21,
	  5 },
	{ "XiangShan Kunminghu V2",
	  { { "slots", 6 },
	    { "retire_width", 8 },
	    { "rob_entries", 256 },
	    { "mop_cache_windows", 0 },
	    { "btb_nano_entries", 32 },
	    { "btb_main_entries", 6144 },
	    { "btb_main_ways", 12 },
	    { "ras_entries", 48 },
	    { "tage_base_log2", 12 },
	    { "tage_table_log2", 12 },
	    { "tage_history_1", 8 },
	    { "tage_history_2", 13 },
	    { "tage_history_3", 32 },
	    { "tage_history_4", 119 },
	    { "tage_history_5", 0 },
	    { "indirect_targets_1", 1 },
	    { "indirect_targets_2", 2 },
	    { "indirect_targets_3", 3 },
	    { "indirect_targets_4", 4 },
	    { "indirect_targets_5", 8 },
	    { "load_queue", 72 },
	    { "store_queue", 56 },
	    { "l1d_mshrs", 16 },
	    { "l2_mshrs", 64 },
	    { "slc_bytes", 16 << 20 },
	    { "walkers", 6 } },
	  27,
	  7 },
};

static void put(struct pms_params *params, const struct number *number)
{
	for (unsigned i = 0; i < pms_param_count; i++) {
		const struct pms_param_row *row = &pms_param_rows[i];
		if (strcmp(row->name, number->name) != 0)
			continue;
		if (number->value < row->least || number->value > row->most)
			fail_msg("%s: %u is not %u to %u", row->name, number->value, row->least,
				 row->most);
		memcpy((char *)params + row->offset, &number->value, sizeof(number->value));
		return;
	}
	fail_msg("there is no parameter %s", number->name);
}

/* Each core runs a loop, and its accounts are right: the debug build asserts that. */
static void published_cores_fit(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		struct pms_params params = fixture_params();
		for (const struct number *n = cores[i].numbers; n->name; n++)
			put(&params, n);
		assert_true(cores[i].ports <= PMS_PORTS_MOST);
		assert_true(cores[i].queues <= PMS_QUEUES_MOST);
		struct machine *m = machine_of(&params, true);
		uint32_t code[8];
		for (int k = 0; k < 7; k++)
			code[k] = add((unsigned)k);
		code[7] = bne(7, 0);
		memcpy(m->code, code, sizeof(code));
		loop(m, code, 8, 1000, NULL, 0);
		assert_int_equal(N(m, INST_RETIRED), 8000);
		assert_true(N(m, CPU_CYCLES) >= 8000 / params.slots);
		machine_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_cores_fit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
