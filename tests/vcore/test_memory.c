/* SPDX-License-Identifier: MIT */
/* Cycles and counts of single accesses, worked out from the fixture's latencies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core_fixture.h"
#include "vcore/model/memory.h"

#define N(name) counters[PMS_COUNTER_##name]

static struct pms_params params;
static uint64_t counters[PMS_COUNTER_COUNT];
static struct pms_memory memory;

static int setup(void **state)
{
	(void)state;
	params = fixture_params();
	memset(counters, 0, sizeof(counters));
	return pms_memory_init(&memory, &params, counters);
}

static int teardown(void **state)
{
	(void)state;
	pms_memory_check(&memory);
	pms_memory_release(&memory);
	return 0;
}

static void first_load_walks_and_goes_to_memory(void **state)
{
	(void)state;
	/* L2 TLB 5; two descriptors from memory, 300 and a step of 2 each; the line, 300. The
	 * line's latency has the load's own 4 in it, which the caller adds. */
	assert_int_equal(pms_memory_load(&memory, 0x100000, 100), 100 + 5 + 302 + 302 + 300 - 4);
	assert_int_equal(N(L1D_TLB_RD), 1);
	assert_int_equal(N(L1D_TLB_REFILL_RD), 1);
	assert_int_equal(N(L2D_TLB_RD), 1);
	assert_int_equal(N(L2D_TLB_REFILL_RD), 1);
	assert_int_equal(N(DTLB_WALK), 1);
	assert_int_equal(N(L2D_FROM_WALK), 2);
	assert_int_equal(N(L2D_FROM_LOAD), 1);
	assert_int_equal(N(L1D_CACHE_REFILL_RD), 1);
	assert_int_equal(N(L1D_CACHE_REFILL_OUTER), 1);
	assert_int_equal(N(LL_CACHE_RD), 3);
	assert_int_equal(N(LL_CACHE_MISS_RD), 3);
}

static void hits_cost_nothing_beyond_the_load(void **state)
{
	(void)state;
	pms_memory_load(&memory, 0x100000, 0);
	assert_int_equal(pms_memory_load(&memory, 0x100008, 10000), 10000);
	assert_int_equal(N(L1D_CACHE_RD), 2);
	assert_int_equal(N(L1D_CACHE_REFILL_RD), 1);
}

static void a_hit_on_a_line_under_way_waits_for_it(void **state)
{
	(void)state;
	uint64_t first = pms_memory_load(&memory, 0x100000, 0);
	assert_int_equal(pms_memory_load(&memory, 0x100008, 1), first);
	assert_int_equal(N(L1D_CACHE_REFILL_RD), 1);
	assert_int_equal(N(L1D_TLB_REFILL_RD), 1);
}

static void l2_delivers_by_its_latency_and_interval(void **state)
{
	(void)state;
	/* Five lines of one set of L1D's 256: the first is pushed out, and stays in L2. */
	for (uint64_t i = 0; i < 5; i++)
		pms_memory_load(&memory, 0x100000 + i * 64 * 256, 0);
	uint64_t before = N(L2D_FROM_LOAD);
	assert_int_equal(pms_memory_load(&memory, 0x100000, 10000), 10000 + 13 - 4);
	assert_int_equal(N(L2D_FROM_LOAD) - before, 1);
	assert_int_equal(N(L1D_CACHE_REFILL_INNER), 1);
	/* The next to go to L2 in the same cycle starts 2 later. */
	assert_int_equal(pms_memory_load(&memory, 0x100000 + 64 * 256, 10000), 10000 + 2 + 13 - 4);
}

static void dirty_lines_are_written_back(void **state)
{
	(void)state;
	pms_memory_store(&memory, 0x100000, 0);
	for (uint64_t i = 1; i < 5; i++)
		pms_memory_load(&memory, 0x100000 + i * 64 * 256, 0);
	assert_int_equal(N(L1D_CACHE_WB_VICTIM), 1);
	assert_int_equal(N(L2D_FROM_WB), 1);
	assert_int_equal(N(L1D_CACHE_REFILL_WR), 1);
	assert_int_equal(N(L1D_TLB_WR), 1);
}

static void l2_victims_go_to_the_system_cache(void **state)
{
	(void)state;
	/* 3 MiB of lines through 1 MiB of L2, into a system cache of 4 MiB: the first of them have
	 * left L2, and none has gone further, but for sets that got more than their 16 lines. */
	const uint64_t base = 0x10000000, lines = 3 * 16384;
	for (uint64_t i = 0; i < lines; i++)
		pms_memory_load(&memory, base + i * 64, 0);
	assert_true(memory.l2_evictions >= lines - 16384);
	uint64_t outside = 0, timed = 0, missed = N(LL_CACHE_MISS_RD);
	for (uint64_t i = 0; i < 1024; i++) {
		uint64_t now = 10000000 + 1000 * i, asked = N(LL_CACHE_RD);
		uint64_t before = N(LL_CACHE_MISS_RD), refills = N(L1D_TLB_REFILL_RD);
		uint64_t ready = pms_memory_load(&memory, base + i * 64, now);
		bool translated = N(L1D_TLB_REFILL_RD) == refills;
		if (translated && N(LL_CACHE_RD) != asked && N(LL_CACHE_MISS_RD) == before) {
			timed++;
			assert_int_equal(ready, now + 75 - 4);
		}
		outside += N(LL_CACHE_RD) - asked;
	}
	assert_true(outside >= 1000 && timed >= 800);
	assert_true(N(LL_CACHE_MISS_RD) - missed <= 150);
}

/* Pages of 2 MiB, on the second walk of 32 MiB: each of 8192 small pages' lines lies in one of 16
 * large ones, so the TLB of 40 has them all, and the 16384 walks of pages of 4 KiB, which are four
 * times what L2's TLB holds, are the first 16. A walk reads one descriptor, of level 2. */
static void large_pages_need_few_walks(void **state)
{
	(void)state;
	const uint64_t base = UINT64_C(1) << 30, pages = 8192;
	for (uint64_t i = 0; i < 2 * pages; i++)
		pms_memory_load(&memory, base + i % pages * 4096, 0);
	assert_int_equal(N(DTLB_WALK), 2 * pages);
	teardown(state);
	params.page_bytes = 2097152;
	memset(counters, 0, sizeof(counters));
	pms_memory_init(&memory, &params, counters);
	for (uint64_t i = 0; i < 2 * pages; i++)
		pms_memory_load(&memory, base + i % pages * 4096, 0);
	assert_int_equal(N(DTLB_WALK), 16);
	assert_int_equal(N(L2D_FROM_WALK), 16);
	assert_int_equal(N(L1D_TLB_REFILL_RD), 16);
}

/* A miss of L1D: the next line is brought to L2, where it is found later; not past the page. A line
 * that is there already is looked up and no more. */
static void the_next_line_comes_to_l2(void **state)
{
	(void)state;
	params.next_lines = 1;
	pms_memory_load(&memory, 0x100000, 0);
	assert_int_equal(N(L2D_FROM_PREFETCH), 1);
	assert_int_equal(N(L2D_FROM_LOAD), 1);
	uint64_t refills = N(L2D_CACHE_REFILL_RD);
	assert_int_equal(pms_memory_load(&memory, 0x100040, 10000), 10000 + 13 - 4);
	assert_int_equal(N(L1D_CACHE_REFILL_INNER), 1);
	assert_int_equal(N(L2D_CACHE_REFILL_RD), refills + 1); /* the one behind it */
	pms_memory_store(&memory, 0x100fc0, 20000);
	assert_int_equal(N(L2D_FROM_PREFETCH), 2);
	assert_int_equal(N(L2D_FROM_STORE), 1);
	/* The first again, when four of its set have pushed it out of L1D: the next one is there.
	 */
	for (uint64_t i = 1; i < 5; i++)
		pms_memory_load(&memory, 0x100000 + i * 64 * 256, 30000);
	refills = N(L2D_CACHE_REFILL_RD);
	uint64_t asked = N(L2D_NEXT_LINE);
	pms_memory_load(&memory, 0x100000, 40000);
	assert_int_equal(N(L2D_NEXT_LINE), asked + 1);
	assert_int_equal(N(L2D_CACHE_REFILL_RD), refills);
}

static void places_are_one_to_one_and_spread(void **state)
{
	(void)state;
	for (unsigned within = 6; within <= 15; within++)
		for (uint64_t line = 1; line < UINT64_C(1) << 61; line *= 7)
			assert_int_equal(pms_memory_unplace(pms_memory_place(line, within), within),
					 line);
	unsigned per_colour[32] = { 0 };
	for (uint64_t page = 0; page < 100000; page++) {
		uint64_t line = page << 6 | (page & 63);
		assert_int_equal(pms_memory_unplace(pms_memory_place(line, 6), 6), line);
		assert_int_equal(pms_memory_place(line, 6) & 63, line & 63);
		per_colour[pms_memory_place(line, 6) >> 6 & 31]++;
	}
	for (unsigned i = 0; i < 32; i++)
		assert_in_range(per_colour[i], 100000 / 32 * 8 / 10, 100000 / 32 * 12 / 10);
	/* A mebibyte in a row is not spread evenly, as it would be if pages lay in order. */
	unsigned most = 0;
	memset(per_colour, 0, sizeof(per_colour));
	for (uint64_t page = 0x400; page < 0x500; page++)
		per_colour[pms_memory_place(page << 6, 6) >> 6 & 31]++;
	for (unsigned i = 0; i < 32; i++)
		most = per_colour[i] > most ? per_colour[i] : most;
	assert_in_range(most, 10, 24);
}

static void translations_come_every_other_cycle(void **state)
{
	(void)state;
	/* 60 pages: more than the 40 of L1D's TLB, all in the L2 TLB. Each page's line has a set of
	 * its own in L1D. */
	for (int turn = 0; turn < 2; turn++)
		for (uint64_t i = 0; i < 60; i++)
			pms_memory_load(&memory, 0x1000000 + i * (4096 + 64), 0);
	uint64_t refills = N(L1D_TLB_REFILL_RD), walks = N(DTLB_WALK);
	for (uint64_t i = 0; i < 60; i++)
		assert_int_equal(pms_memory_load(&memory, 0x1000000 + i * (4096 + 64), 100000),
				 100000 + 2 * i + 5);
	assert_int_equal(N(L1D_TLB_REFILL_RD) - refills, 60);
	assert_int_equal(N(DTLB_WALK), walks);
}

static void lines_asked_for_ahead_are_no_misses(void **state)
{
	(void)state;
	uint64_t tlb;
	pms_memory_fetch(&memory, 0x10000, 0, 0, &tlb);
	assert_false(pms_memory_fetch_ahead(&memory, 0x20000, 5000)); /* another page */
	assert_true(pms_memory_fetch_ahead(&memory, 0x10040, 5000));
	assert_true(pms_memory_fetch_ahead(&memory, 0x10040, 6000));
	assert_int_equal(N(L1I_PREFETCH_FILL), 1);
	assert_int_equal(N(L1I_CACHE), 1);
	assert_int_equal(N(L1I_CACHE_REFILL), 1);
	/* DRAM's latency and l1i_miss_extra after it was asked for. */
	assert_int_equal(pms_memory_fetch(&memory, 0x10040, 5100, 5100, &tlb), 5000 + 300 + 5);
	assert_int_equal(N(L1I_CACHE), 2);
	assert_int_equal(N(L1I_CACHE_REFILL), 1);
	pms_memory_check(&memory);
}

static void a_steady_stride_is_prefetched(void **state)
{
	(void)state;
	uint64_t now = 0, missed = 0;
	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t address = 0x1000000 + 64 * i;
		uint64_t before = N(L1D_CACHE_REFILL_RD);
		pms_memory_load(&memory, address, now);
		missed += N(L1D_CACHE_REFILL_RD) - before;
		pms_memory_train(&memory, 0x10000, address, now);
		now += 1000; /* slow enough for what is asked ahead to come in */
	}
	assert_in_range(missed, 1, 12);
	assert_in_range(N(L1D_PREFETCH_FILL), 985, 1010);
	assert_int_equal(N(L2D_FROM_PREFETCH), N(L1D_PREFETCH_FILL));
}

static void instruction_lines_can_be_asked_for_ahead(void **state)
{
	(void)state;
	uint64_t tlb;
	pms_memory_fetch(&memory, 0x10000, 0, 0, &tlb);
	/* Memory's 300 and 5 more from the cycle of asking; wanted 200 cycles later. */
	assert_int_equal(pms_memory_fetch(&memory, 0x10040, 10000, 10200, &tlb), 10000 + 300 + 5);
	assert_int_equal(tlb, 0);
	assert_int_equal(pms_memory_fetch(&memory, 0x10044, 20000, 20000, &tlb), 20000);
	assert_int_equal(N(L1I_CACHE), 3);
	assert_int_equal(N(L1I_CACHE_REFILL), 2);
	assert_int_equal(N(L1I_TLB), 3);
	assert_int_equal(N(L1I_TLB_REFILL), 1);
	assert_int_equal(N(ITLB_WALK), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(first_load_walks_and_goes_to_memory, setup,
						teardown),
		cmocka_unit_test_setup_teardown(hits_cost_nothing_beyond_the_load, setup, teardown),
		cmocka_unit_test_setup_teardown(a_hit_on_a_line_under_way_waits_for_it, setup,
						teardown),
		cmocka_unit_test_setup_teardown(l2_delivers_by_its_latency_and_interval, setup,
						teardown),
		cmocka_unit_test_setup_teardown(dirty_lines_are_written_back, setup, teardown),
		cmocka_unit_test_setup_teardown(l2_victims_go_to_the_system_cache, setup, teardown),
		cmocka_unit_test_setup_teardown(large_pages_need_few_walks, setup, teardown),
		cmocka_unit_test_setup_teardown(the_next_line_comes_to_l2, setup, teardown),
		cmocka_unit_test(places_are_one_to_one_and_spread),
		cmocka_unit_test_setup_teardown(translations_come_every_other_cycle, setup,
						teardown),
		cmocka_unit_test_setup_teardown(lines_asked_for_ahead_are_no_misses, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_steady_stride_is_prefetched, setup, teardown),
		cmocka_unit_test_setup_teardown(instruction_lines_can_be_asked_for_ahead, setup,
						teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
