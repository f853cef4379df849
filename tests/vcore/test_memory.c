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
static struct pms_system beyond;

/* As params say now, cold, with nothing counted. */
static int make_memory(void)
{
	memset(counters, 0, sizeof(counters));
	return pms_system_init(&beyond, &params) ||
	       pms_memory_init(&memory, &params, &beyond, counters);
}

static int setup(void **state)
{
	(void)state;
	params = fixture_params();
	return make_memory();
}

static int teardown(void **state)
{
	(void)state;
	pms_memory_check(&memory);
	pms_memory_release(&memory);
	pms_system_release(&beyond);
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

/* The page is known, and its lines are not near. */
static void know_page(uint64_t address)
{
	pms_memory_load(&memory, address | 0xfc0, 0);
}

/* Without merging the second load asks L2 for the line again, which L2 awaits itself. */
static void without_merging_a_line_is_asked_for_twice(void **state)
{
	(void)state;
	params.off = PMS_OFF(MSHR_MERGE);
	uint64_t first = pms_memory_load(&memory, 0x100000, 0);
	assert_int_equal(pms_memory_load(&memory, 0x100008, 1), first);
	assert_int_equal(N(L1D_CACHE_REFILL_RD), 2);
	assert_int_equal(N(L2D_FROM_LOAD), 2);
	assert_int_equal(N(L2D_CACHE_REFILL_RD), 3); /* two descriptors and one line */
}

/* Lines from memory: the first after its latency, the others each an interval later; L2's own
 * interval of 2 is shorter. */
static void memory_delivers_by_its_latency_and_interval(void **state)
{
	(void)state;
	know_page(0x100000);
	for (uint64_t i = 0; i < 8; i++)
		assert_int_equal(pms_memory_load(&memory, 0x100000 + 64 * i, 10000),
				 10000 + 300 + 5 * i - 4);
	assert_int_equal(N(LL_CACHE_MISS_RD), 2 + 1 + 8);
	assert_int_equal(N(BUS_RD_BEATS), 2 * (2 + 1 + 8));
}

/* Two buffers for misses of L1D: the third waits until the first has its line. */
static void misses_wait_for_a_buffer(void **state)
{
	(void)state;
	teardown(state);
	params.l1d_mshrs = 2;
	assert_int_equal(make_memory(), 0);
	know_page(0x100000);
	assert_int_equal(pms_memory_load(&memory, 0x100000, 10000), 10000 + 300 - 4);
	assert_int_equal(pms_memory_load(&memory, 0x100040, 10000), 10000 + 305 - 4);
	assert_int_equal(pms_memory_load(&memory, 0x100080, 10000), 10000 + 300 + 300 - 4);
	assert_int_equal(pms_memory_load(&memory, 0x1000c0, 10000), 10000 + 305 + 300 - 4);
}

/* The same of L2: asked for by instructions here. */
static void misses_of_l2_wait_for_a_buffer(void **state)
{
	(void)state;
	uint64_t tlb;
	teardown(state);
	params.l2_mshrs = 1;
	assert_int_equal(make_memory(), 0);
	pms_memory_fetch(&memory, 0x10fc0, 0, 0, &tlb);
	assert_int_equal(pms_memory_fetch(&memory, 0x10000, 10000, 10000, &tlb), 10000 + 300 + 5);
	assert_int_equal(pms_memory_fetch(&memory, 0x10040, 10000, 10000, &tlb), 10000 + 600 + 5);
}

/* A second page of the same 2 MiB: its table is known to the walker, and its descriptor lies in the
 * line of the first one's, in L2: 13 and a step of 2. A page of other 2 MiB, whose table's
 * descriptor lies in the line of the first table's: 13 and 2, and memory for its own descriptor. */
static void the_walker_remembers_tables(void **state)
{
	(void)state;
	pms_memory_load(&memory, 0x40000000, 0);
	assert_int_equal(pms_memory_load(&memory, 0x40001000, 10000), 10000 + 5 + 15 + 300 - 4);
	assert_int_equal(N(L2D_FROM_WALK), 2 + 1);
	assert_int_equal(pms_memory_load(&memory, 0x40200000, 20000),
			 20000 + 5 + 15 + 302 + 300 - 4);
	assert_int_equal(N(L2D_FROM_WALK), 3 + 2);
	assert_int_equal(N(DTLB_WALK), 3);
}

/* Without that memory, or when two other tables have taken its two places, every walk has two
 * steps. */
static void what_the_walker_has_forgotten_is_read_again(void **state)
{
	(void)state;
	for (uint32_t entries = 0; entries <= 2; entries += 2) {
		teardown(state);
		params.walk_cache_entries = entries;
		assert_int_equal(make_memory(), 0);
		pms_memory_load(&memory, 0x40000000, 0);
		pms_memory_load(&memory, 0x40200000, 10000);
		pms_memory_load(&memory, 0x40400000, 20000);
		uint64_t before = N(L2D_FROM_WALK);
		assert_int_equal(pms_memory_load(&memory, 0x40001000, 30000),
				 30000 + 5 + 15 + 15 + 300 - 4);
		assert_int_equal(N(L2D_FROM_WALK) - before, 2);
	}
}

/* One walker: the second page's walk begins when the first one's is over; with two when L2's TLB
 * has been asked, 2 later. Each walk has a step of 302, its table being known. Nothing else limits
 * them. */
static void walks_wait_for_a_walker(void **state)
{
	(void)state;
	for (uint32_t walkers = 1; walkers <= 2; walkers++) {
		teardown(state);
		params.walkers = walkers;
		params.l2_interval = params.dram_interval = 0;
		assert_int_equal(make_memory(), 0);
		pms_memory_load(&memory, 0x40000000, 0);
		uint64_t first = 10000 + 5 + 302;
		uint64_t second = (walkers == 1 ? first : 10000 + 2 + 5) + 302;
		assert_int_equal(pms_memory_load(&memory, 0x40008000, 10000), first + 300 - 4);
		assert_int_equal(pms_memory_load(&memory, 0x40010000, 10000), second + 300 - 4);
	}
}

/* A load that waits for another is met first, by its place in the program, and asks L2 and memory
 * later: what comes behind it does not wait for that. */
static void a_later_request_holds_up_no_earlier_one(void **state)
{
	(void)state;
	know_page(0x100000);
	assert_int_equal(pms_memory_load(&memory, 0x100000, 10300), 10300 + 300 - 4);
	assert_int_equal(pms_memory_load(&memory, 0x100040, 10000), 10000 + 300 - 4);
	assert_int_equal(pms_memory_load(&memory, 0x100080, 10300), 10305 + 300 - 4);
}

/* 24 loads that wait for each other hold one buffer of 20 at a time. One behind them that waits for
 * nothing goes to memory at once: after the first, 5 later. */
static void a_chain_of_misses_leaves_buffers_to_others(void **state)
{
	(void)state;
	know_page(0x100000);
	for (uint64_t i = 0; i < 24; i++)
		assert_int_equal(pms_memory_load(&memory, 0x100000 + 64 * i, 10000 + 300 * i),
				 10000 + 300 * (i + 1) - 4);
	assert_int_equal(pms_memory_load(&memory, 0x100800, 10000), 10000 + 305 - 4);
}

/* Of 21 loads that wait for nothing, and for none of which memory is busy, the last waits for the
 * first one's buffer. */
static void one_miss_more_than_buffers_waits(void **state)
{
	(void)state;
	teardown(state);
	params.l2_interval = params.dram_interval = 0;
	assert_int_equal(make_memory(), 0);
	know_page(0x100000);
	for (uint64_t i = 0; i < 20; i++)
		assert_int_equal(pms_memory_load(&memory, 0x100000 + 64 * i, 10000 + i),
				 10000 + i + 300 - 4);
	assert_int_equal(pms_memory_load(&memory, 0x100800, 10020), 10000 + 300 + 300 - 4);
}

/* The only buffer of L1I or L2 for instructions that are asked for at 11000 is free at 10000. */
static void buffers_for_instructions_are_held_by_their_time(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		uint64_t tlb;
		teardown(state);
		params.l1i_mshrs = i ? 1 : 12;
		params.l2_mshrs = i ? 64 : 1;
		assert_int_equal(make_memory(), 0);
		pms_memory_fetch(&memory, 0x10fc0, 0, 0, &tlb);
		assert_int_equal(pms_memory_fetch(&memory, 0x10000, 11000, 11000, &tlb), 11305);
		assert_int_equal(pms_memory_fetch(&memory, 0x10040, 10000, 10000, &tlb), 10305);
	}
}

/* The same of the only walker: the page is asked for at 11000, and another one's walk is over by
 * then: 5 of L2's TLB, and a step of 302. */
static void walkers_are_held_by_their_time(void **state)
{
	(void)state;
	teardown(state);
	params.walkers = 1;
	assert_int_equal(make_memory(), 0);
	pms_memory_load(&memory, 0x40000000, 0);
	const uint64_t took = 5 + 302 + 300 - 4;
	assert_int_equal(pms_memory_load(&memory, 0x40008000, 11000), 11000 + took);
	assert_int_equal(pms_memory_load(&memory, 0x40010000, 10000), 10000 + took);
}

/* A line that is asked for ahead finds the only buffer free, which a later load has from 11000 on.
 */
static void prefetches_take_what_is_free_in_their_time(void **state)
{
	(void)state;
	teardown(state);
	params.l2_mshrs = 1;
	params.next_lines = 1;
	assert_int_equal(make_memory(), 0);
	for (uint64_t i = 0; i < 2; i++) /* both lines are in L2, what is behind them is not */
		pms_memory_fetch(&memory, 0x100000 + 0x100 * i, 1000 * i, 1000 * i,
				 &(uint64_t){ 0 });
	pms_memory_load(&memory, 0x100fc0, 2000);
	pms_memory_load(&memory, 0x100800, 11000);
	uint64_t asked = N(L2D_NEXT_LINE);
	pms_memory_load(&memory, 0x100000, 10000);
	assert_int_equal(N(L2D_NEXT_LINE) - asked, 1);
	pms_memory_load(&memory, 0x100100, 11100);
	assert_int_equal(N(L2D_NEXT_LINE) - asked, 1);
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

/* Returns the @n-th line behind @line that has its set in L2 (2048 of them), and not in L1D. */
static uint64_t rival(uint64_t line, unsigned n)
{
	uint64_t set = pms_memory_place(line, 6) & 2047;
	for (uint64_t at = line + 1;; at++)
		if ((pms_memory_place(at, 6) & 2047) == set && (at & 255) != (line & 255) && !n--)
			return at;
}

/* Eight others drive a line out of L2, and with it out of L1D, which has written to it: what it
 * holds goes to memory in two beats, as L2's write-back and not as L1D's. Read again, it comes from
 * the system cache. */
static void a_line_that_leaves_l2_leaves_l1d(void **state)
{
	(void)state;
	const uint64_t line = 0x1000000 >> 6;
	for (unsigned written = 0; written < 2; written++) {
		teardown(state);
		assert_int_equal(make_memory(), 0);
		if (written)
			pms_memory_store(&memory, line << 6, 0);
		else
			pms_memory_load(&memory, line << 6, 0);
		for (unsigned i = 0; i < 8; i++)
			pms_memory_load(&memory, rival(line, i) << 6, 10000 * (i + 1));
		assert_int_equal(N(L2D_CACHE_WB_VICTIM), written);
		assert_int_equal(N(BUS_WR_BEATS), 2 * written);
		assert_int_equal(N(L1D_CACHE_WB_VICTIM), 0);
		assert_int_equal(memory.l1d_invalidations, 1);
		uint64_t inner = N(L1D_CACHE_REFILL_INNER), missed = N(LL_CACHE_MISS_RD);
		assert_int_equal(pms_memory_load(&memory, line << 6, 100000), 100000 + 75 - 4);
		assert_int_equal(N(L1D_CACHE_REFILL_INNER), inner);
		assert_int_equal(N(LL_CACHE_MISS_RD), missed);
	}
}

/* A dirty line that leaves L1D is dirty in L2, and goes to memory from there. */
static void what_was_written_back_is_written_on(void **state)
{
	(void)state;
	const uint64_t line = 0x1000000 >> 6;
	pms_memory_store(&memory, line << 6, 0);
	for (uint64_t i = 1; i <= 4; i++) /* its set of L1D */
		pms_memory_load(&memory, (line + i * 256) << 6, 10000 * i);
	assert_int_equal(N(L1D_CACHE_WB_VICTIM), 1);
	assert_int_equal(N(L2D_CACHE_WB_VICTIM), 0);
	for (unsigned i = 0; i < 8; i++)
		pms_memory_load(&memory, rival(line, i) << 6, 100000 + 10000 * i);
	assert_int_equal(N(L2D_CACHE_WB_VICTIM), 1);
	assert_int_equal(N(BUS_WR_BEATS), 2);
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
	assert_int_equal(make_memory(), 0);
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

/* What a load or store wants goes first: to memory, and to the buffers of L2. The line behind it
 * takes the next turn, or is not asked for when there is no buffer. */
static void the_next_line_comes_second(void **state)
{
	(void)state;
	for (uint32_t buffers = 1; buffers <= 2; buffers++) {
		teardown(state);
		params.next_lines = 1;
		params.l2_mshrs = buffers;
		assert_int_equal(make_memory(), 0);
		know_page(0x100000);
		uint64_t asked = N(L2D_NEXT_LINE);
		assert_int_equal(pms_memory_load(&memory, 0x100000, 10000), 10000 + 300 - 4);
		assert_int_equal(N(L2D_NEXT_LINE) - asked, buffers - 1);
		assert_int_equal(pms_memory_store(&memory, 0x100200, 20000), 20000 + 300);
		assert_int_equal(N(L2D_NEXT_LINE) - asked, 2 * (buffers - 1));
		if (buffers == 2)
			assert_int_equal(pms_memory_load(&memory, 0x100040, 10001),
					 10005 + 300 - 4);
	}
}

/* One buffer for lines of instructions: the second waits until the first has come. */
static void lines_of_instructions_wait_for_a_buffer(void **state)
{
	(void)state;
	uint64_t tlb;
	teardown(state);
	params.l1i_mshrs = 1;
	assert_int_equal(make_memory(), 0);
	pms_memory_fetch(&memory, 0x10fc0, 0, 0, &tlb);
	assert_int_equal(pms_memory_fetch(&memory, 0x10000, 10000, 10000, &tlb), 10305);
	assert_int_equal(pms_memory_fetch(&memory, 0x10040, 10000, 10000, &tlb), 10305 + 305);
}

/* A line that is asked for so early that it is there when it is wanted is refilled, but none waits
 * for it. */
static void late_lines_are_those_that_fetch_waits_for(void **state)
{
	(void)state;
	uint64_t tlb;
	pms_memory_fetch(&memory, 0x10fc0, 0, 0, &tlb);
	assert_int_equal(N(L1I_CACHE_LMISS), 1);
	assert_int_equal(pms_memory_fetch(&memory, 0x10000, 10000, 10305, &tlb), 10305);
	assert_int_equal(N(L1I_CACHE_LMISS), 1);
	assert_int_equal(pms_memory_fetch(&memory, 0x10040, 20000, 20304, &tlb), 20305);
	assert_int_equal(N(L1I_CACHE_LMISS), 2);
	assert_int_equal(N(L1I_CACHE_REFILL), 3);
}

/* Another line of a page that is being walked for: the walk takes 5 and two steps of 302, then the
 * line is asked for, a turn of memory later than the first. */
static void loads_of_a_page_wait_for_its_walk(void **state)
{
	(void)state;
	assert_int_equal(pms_memory_load(&memory, 0x100000, 0), 609 + 300 - 4);
	assert_int_equal(pms_memory_load(&memory, 0x100040, 1), 610 + 300 - 4);
	assert_int_equal(N(DTLB_WALK), 1);
}

/* Loads of 8 bytes in a row: each time they enter a line, the lines 8 and 9 ahead are asked for. A
 * line back goes the other way. */
static void short_strides_run_ahead_by_lines(void **state)
{
	(void)state;
	for (int64_t step = -8; step <= 8; step += 16) {
		uint64_t address = 0x1000800 + (uint64_t)(64 * step);
		for (unsigned i = 0; i < 40; i++, address += (uint64_t)step) {
			pms_memory_load(&memory, address, 1000 * (uint64_t)i);
			pms_memory_train(&memory, 0x10000, address, 1000 * (uint64_t)i);
		}
		int64_t line = (int64_t)(address - (uint64_t)step) >> 6;
		for (int64_t ahead = 8; ahead <= 9; ahead++)
			assert_true(pms_cache_peek(&memory.l1d,
						   (uint64_t)(line + step / 8 * ahead)) >= 0);
	}
}

/* Two buffers, and both taken by loads: nothing is asked ahead. */
static void prefetches_take_no_buffer_from_loads(void **state)
{
	(void)state;
	for (uint32_t buffers = 2; buffers <= 3; buffers++) {
		teardown(state);
		params.l1d_mshrs = buffers;
		assert_int_equal(make_memory(), 0);
		for (uint64_t i = 0; i < 4; i++) { /* the stride is believed */
			pms_memory_load(&memory, 0x1000000 + 64 * i, 1000 * i);
			pms_memory_train(&memory, 0x10000, 0x1000000 + 64 * i, 1000 * i);
		}
		pms_memory_load(&memory, 0x1000e00, 10000);
		pms_memory_load(&memory, 0x1000e40, 10000);
		uint64_t ahead = N(L1D_PREFETCH_FILL);
		pms_memory_train(&memory, 0x10000, 0x1000100, 10000);
		assert_int_equal(N(L1D_PREFETCH_FILL) - ahead, buffers - 2);
	}
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
		cmocka_unit_test_setup_teardown(without_merging_a_line_is_asked_for_twice, setup,
						teardown),
		cmocka_unit_test_setup_teardown(memory_delivers_by_its_latency_and_interval, setup,
						teardown),
		cmocka_unit_test_setup_teardown(misses_wait_for_a_buffer, setup, teardown),
		cmocka_unit_test_setup_teardown(misses_of_l2_wait_for_a_buffer, setup, teardown),
		cmocka_unit_test_setup_teardown(the_walker_remembers_tables, setup, teardown),
		cmocka_unit_test_setup_teardown(what_the_walker_has_forgotten_is_read_again, setup,
						teardown),
		cmocka_unit_test_setup_teardown(walks_wait_for_a_walker, setup, teardown),
		cmocka_unit_test_setup_teardown(a_later_request_holds_up_no_earlier_one, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_chain_of_misses_leaves_buffers_to_others, setup,
						teardown),
		cmocka_unit_test_setup_teardown(one_miss_more_than_buffers_waits, setup, teardown),
		cmocka_unit_test_setup_teardown(buffers_for_instructions_are_held_by_their_time,
						setup, teardown),
		cmocka_unit_test_setup_teardown(walkers_are_held_by_their_time, setup, teardown),
		cmocka_unit_test_setup_teardown(prefetches_take_what_is_free_in_their_time, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_line_that_leaves_l2_leaves_l1d, setup, teardown),
		cmocka_unit_test_setup_teardown(what_was_written_back_is_written_on, setup,
						teardown),
		cmocka_unit_test_setup_teardown(l2_delivers_by_its_latency_and_interval, setup,
						teardown),
		cmocka_unit_test_setup_teardown(dirty_lines_are_written_back, setup, teardown),
		cmocka_unit_test_setup_teardown(l2_victims_go_to_the_system_cache, setup, teardown),
		cmocka_unit_test_setup_teardown(large_pages_need_few_walks, setup, teardown),
		cmocka_unit_test_setup_teardown(the_next_line_comes_to_l2, setup, teardown),
		cmocka_unit_test_setup_teardown(the_next_line_comes_second, setup, teardown),
		cmocka_unit_test_setup_teardown(lines_of_instructions_wait_for_a_buffer, setup,
						teardown),
		cmocka_unit_test_setup_teardown(late_lines_are_those_that_fetch_waits_for, setup,
						teardown),
		cmocka_unit_test_setup_teardown(loads_of_a_page_wait_for_its_walk, setup, teardown),
		cmocka_unit_test_setup_teardown(short_strides_run_ahead_by_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(prefetches_take_no_buffer_from_loads, setup,
						teardown),
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
