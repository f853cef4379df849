/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "collect/perfstat/event.h"

struct row {
	const char *name;
	const char *event; /* NULL: none */
	enum pms_stat_mode mode;
};

static void check(const char *data, const char *cpu, const struct row *rows, size_t n)
{
	struct pms_catalog *catalog = NULL;
	assert_int_equal(pms_catalog_load(data, cpu, &catalog, NULL), 0);
	for (size_t i = 0; i < n; i++) {
		enum pms_stat_mode mode;
		int64_t event =
			pms_stat_event_find(catalog, rows[i].name, strlen(rows[i].name), &mode);
		const char *name =
			event < 0 ? NULL : pms_catalog_event(catalog, (size_t)event)->name;
		if (!name != !rows[i].event || (name && strcmp(name, rows[i].event) != 0))
			fail_msg("%s is %s", rows[i].name, name ? name : "none");
		if (name && mode != rows[i].mode)
			fail_msg("%s is of mode %d", rows[i].name, (int)mode);
	}
	pms_catalog_free(catalog);
}

static void names_codes_and_modifiers(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{ "CPU_CYCLES", "CPU_CYCLES", PMS_STAT_ALL },
		{ "cpu_cycles", "CPU_CYCLES", PMS_STAT_ALL },
		{ "Cpu_Cycles:u", "CPU_CYCLES", PMS_STAT_USER },
		{ "cpu_cycles:k", "CPU_CYCLES", PMS_STAT_KERNEL },
		{ "cpu_cycles:ku", "CPU_CYCLES", PMS_STAT_ALL },
		{ "cpu_cycles:uk", "CPU_CYCLES", PMS_STAT_ALL },
		{ "cpu_cycles:ukh", "CPU_CYCLES", PMS_STAT_ALL },
		{ "cpu_cycles:upp", "CPU_CYCLES", PMS_STAT_USER },
		{ "cpu_cycles:S", "CPU_CYCLES", PMS_STAT_ALL },
		{ "cpu_cycles:uh", NULL, 0 },
		{ "cpu_cycles:G", NULL, 0 },
		{ "cpu_cycles:x", NULL, 0 },
		{ "r11", "CPU_CYCLES", PMS_STAT_ALL },
		{ "r0011", "CPU_CYCLES", PMS_STAT_ALL },
		{ "r3F", "STALL_SLOT", PMS_STAT_ALL },
		{ "r3f:u", "STALL_SLOT", PMS_STAT_USER },
		{ "r3", "L1D_CACHE_REFILL", PMS_STAT_ALL },
		{ "r", NULL, 0 },
		{ "r11z", NULL, 0 },
		{ "r 11", NULL, 0 },
		{ "r-1", NULL, 0 },
		{ "r0x11", NULL, 0 },
		{ "rffffffffffffffff", NULL, 0 },
		{ "rfffffffffffffffff11", NULL, 0 },
		{ "r12", NULL, 0 },
		{ "armv8_pmuv3_0/event=0x11/", "CPU_CYCLES", PMS_STAT_ALL },
		{ "armv8_pmuv3_0/event=0x11/u", "CPU_CYCLES", PMS_STAT_USER },
		{ "armv8_pmuv3_0/event=0x11/:k", "CPU_CYCLES", PMS_STAT_KERNEL },
		{ "armv8_pmuv3_0/event=17/", "CPU_CYCLES", PMS_STAT_ALL },
		{ "armv8_pmuv3_0/event=0x11,long=1/", "CPU_CYCLES", PMS_STAT_ALL },
		{ "armv8_pmuv3_0/long,name=foo,config=0x11/", "CPU_CYCLES", PMS_STAT_ALL },
		{ "armv8_pmuv3_0/cpu_cycles/", "CPU_CYCLES", PMS_STAT_ALL },
		{ "armv8_pmuv3_0/inst_retired/u", "INST_RETIRED", PMS_STAT_USER },
		{ "armv8_pmuv3/r11/", "CPU_CYCLES", PMS_STAT_ALL },
		{ "armv9_neoverse_v3/cycles/", "CPU_CYCLES", PMS_STAT_ALL },
		{ "armv8_pmuv3_0/event=0x11,threshold=2/", NULL, 0 },
		{ "armv8_pmuv3_0/event=0x11,event=0x8/", NULL, 0 },
		{ "armv8_pmuv3_0//", NULL, 0 },
		{ "armv8_pmuv3_0/event=/", NULL, 0 },
		{ "armv8_pmuv3_0/event=0x11", NULL, 0 },
		{ "arm_dsu_0/cycles/", NULL, 0 },
		{ "arm_cmn_0/event=0x11/", NULL, 0 },
		{ "software/config=0x11/", NULL, 0 },
		{ "/", NULL, 0 },
		{ "", NULL, 0 },
		{ ":u", NULL, 0 },
		{ "SYSTEM_ONLY", "SYSTEM_ONLY", PMS_STAT_ALL },
		{ "task-clock", NULL, 0 },
		{ "sched:sched_switch", NULL, 0 },
	};
	check(PMS_TEST_DATA, "small", rows, sizeof(rows) / sizeof(rows[0]));
}

/* Against the table of the Linux kernel's driver (armv8_pmuv3_perf_map and _cache_map). */
static void generic_names_on_arm(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{ "cycles", "CPU_CYCLES", PMS_STAT_ALL },
		{ "cpu-cycles:u", "CPU_CYCLES", PMS_STAT_USER },
		{ "instructions", "INST_RETIRED", PMS_STAT_ALL },
		{ "cache-references", "L1D_CACHE", PMS_STAT_ALL },
		{ "cache-misses", "L1D_CACHE_REFILL", PMS_STAT_ALL },
		{ "branches", "BR_RETIRED", PMS_STAT_ALL },
		{ "branch-instructions", "BR_RETIRED", PMS_STAT_ALL },
		{ "branch-misses", "BR_MIS_PRED", PMS_STAT_ALL },
		{ "bus-cycles", "BUS_CYCLES", PMS_STAT_ALL },
		{ "stalled-cycles-frontend", "STALL_FRONTEND", PMS_STAT_ALL },
		{ "stalled-cycles-backend", "STALL_BACKEND", PMS_STAT_ALL },
		{ "L1-dcache-loads", "L1D_CACHE", PMS_STAT_ALL },
		{ "L1-dcache-load-misses:u", "L1D_CACHE_REFILL", PMS_STAT_USER },
		{ "L1-icache-loads", "L1I_CACHE", PMS_STAT_ALL },
		{ "L1-icache-load-misses", "L1I_CACHE_REFILL", PMS_STAT_ALL },
		{ "LLC-loads", "LL_CACHE_RD", PMS_STAT_ALL },
		{ "LLC-load-misses", "LL_CACHE_MISS_RD", PMS_STAT_ALL },
		{ "dTLB-loads", "L1D_TLB", PMS_STAT_ALL },
		{ "dTLB-load-misses", "L1D_TLB_REFILL", PMS_STAT_ALL },
		{ "iTLB-loads", "L1I_TLB", PMS_STAT_ALL },
		{ "iTLB-load-misses", "L1I_TLB_REFILL", PMS_STAT_ALL },
		{ "branch-loads", "BR_PRED", PMS_STAT_ALL },
		{ "branch-load-misses", "BR_MIS_PRED", PMS_STAT_ALL },
		{ "ref-cycles", NULL, 0 },
		{ "L1-dcache-stores", NULL, 0 },
		{ "L1-dcache-prefetches", NULL, 0 },
		{ "node-loads", NULL, 0 },
	};
	check(PMS_SOURCE, "neoverse-v1", rows, sizeof(rows) / sizeof(rows[0]));
}

static void generic_names_on_riscv(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{ "cycles", "CYCLES.HART", PMS_STAT_ALL },
		{ "instructions:u", "INST.RET", PMS_STAT_USER },
		{ "inst.ret", "INST.RET", PMS_STAT_ALL },
		{ "branch-misses", NULL, 0 }, /* the firmware decides */
	};
	check(PMS_SOURCE, "riscv", rows, sizeof(rows) / sizeof(rows[0]));
}

/* The names and numbers of Linux' event files for these cores. */
static void codes_and_names_of_a_riscv_core(void **state)
{
	(void)state;
	static const struct row of_p550[] = {
		{ "r2001", "INST.MISPRED.BRANCH.SPEC", PMS_STAT_ALL },
		{ "r2001:u", "INST.MISPRED.BRANCH.SPEC", PMS_STAT_USER },
		{ "cpu/event=0x2001/", "INST.MISPRED.BRANCH.SPEC", PMS_STAT_ALL },
		{ "branch_direction_misprediction", "INST.MISPRED.BRANCH.SPEC", PMS_STAT_ALL },
		{ "cpu/branch_direction_misprediction/u", "INST.MISPRED.BRANCH.SPEC",
		  PMS_STAT_USER },
		{ "DCACHE_RELEASE", "CACHE.L1D.WB", PMS_STAT_ALL },
		{ "fp_load_retired", NULL, 0 }, /* a part of what the standard counts */
		{ "r1b", NULL, 0 },
		{ "fw_misaligned_load", "EXCEPTION.MISALIGNED.LOAD", PMS_STAT_ALL },
		{ "cpu/config=0x8000000000000000/", "EXCEPTION.MISALIGNED.LOAD", PMS_STAT_ALL },
		{ "cycles", "CYCLES.HART", PMS_STAT_ALL },
	};
	static const struct row of_thead[] = {
		{ "r1", "CACHE.L1I.RD.CODE.ACCESS", PMS_STAT_ALL },
		{ "L1_DCACHE_READ_MISS", "CACHE.L1D.RD.MISS", PMS_STAT_ALL },
		{ "branch_direction_misprediction", NULL, 0 }, /* here of a target buffer */
		{ "r2001", NULL, 0 },
	};
	static const struct row of_ax45[] = {
		{ "cpu/inst_count/", "INST.RET", PMS_STAT_ALL },
		{ "r10", "CYCLES.HART", PMS_STAT_ALL },
		{ "dcache_wb", "CACHE.L1D.WB", PMS_STAT_ALL },
	};
	/* Which core it is was not said: a number says nothing, a name as far as cores agree. */
	static const struct row of_any[] = {
		{ "r2001", NULL, 0 },
		{ "r1", NULL, 0 },
		{ "branch_direction_misprediction", NULL, 0 },
		{ "CONDITIONAL_BRANCH_RETIRED", "INST.BRJMP.BRANCH.RET", PMS_STAT_ALL },
		{ "dcache_release", "CACHE.L1D.WB", PMS_STAT_ALL },
		{ "FW_ILLEGAL_INSN", "EXCEPTION.ILLEGALINST", PMS_STAT_ALL },
	};
	check(PMS_SOURCE, "riscv:sifive-p550", of_p550, sizeof(of_p550) / sizeof(of_p550[0]));
	check(PMS_SOURCE, "riscv:thead-c9xx", of_thead, sizeof(of_thead) / sizeof(of_thead[0]));
	check(PMS_SOURCE, "riscv:andes-ax45", of_ax45, sizeof(of_ax45) / sizeof(of_ax45[0]));
	check(PMS_SOURCE, "riscv", of_any, sizeof(of_any) / sizeof(of_any[0]));
}

static void long_names_are_no_events(void **state)
{
	(void)state;
	struct pms_catalog *catalog = NULL;
	enum pms_stat_mode mode;
	char name[1000];
	memset(name, 'r', sizeof(name));
	assert_int_equal(pms_catalog_load(PMS_TEST_DATA, "small", &catalog, NULL), 0);
	assert_true(pms_stat_event_find(catalog, name, sizeof(name), &mode) < 0);
	pms_catalog_free(catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_codes_and_modifiers),
		cmocka_unit_test(generic_names_on_arm),
		cmocka_unit_test(generic_names_on_riscv),
		cmocka_unit_test(codes_and_names_of_a_riscv_core),
		cmocka_unit_test(long_names_are_no_events),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
