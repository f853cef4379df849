/* SPDX-License-Identifier: MIT */
/* vcore/model/memory.h - a core's own caches, TLBs, table walker and prefetcher; system.h has
 * the rest. QEMU's user mode shows only virtual addresses. L1 uses them; L2 and the levels
 * beyond use the place that pms_memory_place gives a page. Times are core cycles. */
#ifndef PMS_VCORE_MODEL_MEMORY_H
#define PMS_VCORE_MODEL_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "vcore/model/cache.h"
#include "vcore/model/charge.h"
#include "vcore/model/pace.h"
#include "vcore/model/parcel.h"
#include "vcore/model/slots.h"
#include "vcore/model/stride.h"
#include "vcore/model/system.h"
#include "vcore/model/tlb.h"
#include "vcore/share/counters.h"
#include "vcore/share/params.h"

enum { PMS_TLB_PENDING = 16 };

struct pms_memory {
	const struct pms_params *params;
	struct pms_system *system;
	uint64_t *counters;
	unsigned page_shift;
	struct pms_cache l1i, l1d, l2;
	struct pms_tlb l1i_tlb, l1d_tlb, l2_tlb, walk_cache;
	struct pms_slots l1i_mshrs, l1d_mshrs, l2_mshrs, walkers;
	struct pms_stride stride;
	struct pms_pace l2_pace, l2_tlb_pace;
	uint64_t demand_until; /* last cycle with a demand load waiting for L2 or beyond */
	uint64_t last_fetch_page;
	uint64_t pending_until; /* no translation is under way from this cycle on */
	struct {		/* translations under way: a hit on one waits for it */
		uint64_t page, ready;
	} pending[PMS_TLB_PENDING];
	uint64_t l2_fills, l2_evictions; /* law 6 */
	uint64_t l1i_evictions, l1d_evictions, l1d_invalidations;
#ifdef PMS_PLACES
	struct pms_charge *charge; /* the core's; NULL: none */
#endif
};

/** Make a memory with cold caches. @system: borrowed, must outlive the memory. Returns 0, or -1
 * when out of memory. */
int pms_memory_init(struct pms_memory *memory, const struct pms_params *params,
		    struct pms_system *system, uint64_t *counters);
void pms_memory_release(struct pms_memory *memory);

/** The general case of pms_memory_load. */
uint64_t pms_memory_load_line(struct pms_memory *memory, uint64_t address, uint64_t now);

/**
 * Time a demand load of at most one line's bytes that does not cross a line.
 * @now: cycle at which its address is known
 * Returns the cycle at which L1D has the data, where the load's own latency starts.
 */
static inline uint64_t pms_memory_load(struct pms_memory *m, uint64_t address, uint64_t now)
{
	/* The usual load neither misses nor waits. */
	uint64_t page = address >> m->page_shift;
	if ((now < m->pending_until && m->pending[page % PMS_TLB_PENDING].page == page) ||
	    pms_tlb_find(&m->l1d_tlb, page) < 0)
		return pms_memory_load_line(m, address, now);
	int64_t at = pms_cache_find(&m->l1d, address >> PMS_LINE_LOG2);
	if (at < 0 || m->l1d.ready[at] > now + m->params->l1d_latency)
		return pms_memory_load_line(m, address, now);
	m->counters[PMS_COUNTER_L1D_TLB_RD]++;
	m->counters[PMS_COUNTER_L1D_CACHE_RD]++;
	PMS_CHARGE(pms_charge_found(m->charge, PMS_WAIT_L1D, now));
	return now;
}

/** Access L1D for a store, when its address is known. Returns the first cycle in which the line
 * can be written. */
uint64_t pms_memory_store(struct pms_memory *memory, uint64_t address, uint64_t now);

enum { PMS_PLACE_BITS = 62 }; /* of a line's number; page table descriptors use higher numbers */

/** Returns the place in memory of a line of the address space. Pages are spread over the sets of
 * the outer caches as by an allocator that ignores those, the same in every run, and one to one.
 * @within: bits of a line's number within its page, 6 for pages of 4 KiB */
static inline uint64_t pms_memory_place(uint64_t line, unsigned within)
{
	const unsigned bits = PMS_PLACE_BITS - within;
	const uint64_t mask = (UINT64_C(1) << bits) - 1;
	uint64_t page = (line >> within) * UINT64_C(0x9e3779b97f4a7c15) & mask;
	page ^= page >> (bits + 1) / 2;
	return page << within | (line & ((UINT64_C(1) << within) - 1));
}

/** Returns the line of the address space at @place: the inverse of pms_memory_place. */
uint64_t pms_memory_unplace(uint64_t place, unsigned within);

/** Show the prefetcher a load of the right path, and let it act. */
void pms_memory_train(struct pms_memory *memory, uint64_t pc, uint64_t address, uint64_t now);

/** The general case of pms_memory_fetch. */
uint64_t pms_memory_fetch_line(struct pms_memory *memory, uint64_t pc, uint64_t asked, uint64_t now,
			       uint64_t *tlb);

/**
 * Fetch a line of instructions: one L1I and one L1I TLB access.
 * @asked: cycle at which the address was first known to the prefetching frontend, at most @now
 * @now:   cycle at which fetch wants it
 * @tlb:   receives the part of the wait that is due to translation
 * Returns the cycle at which it is there, at least @now.
 */
static inline uint64_t pms_memory_fetch(struct pms_memory *memory, uint64_t pc, uint64_t asked,
					uint64_t now, uint64_t *tlb)
{
	struct pms_cache *l1i = &memory->l1i;
	if (pc >> memory->page_shift != memory->last_fetch_page)
		return pms_memory_fetch_line(memory, pc, asked, now, tlb);
	int64_t at = pms_cache_find(l1i, pc >> PMS_LINE_LOG2);
	if (at < 0)
		return pms_memory_fetch_line(memory, pc, asked, now, tlb);
	memory->counters[PMS_COUNTER_L1I_CACHE]++;
	memory->counters[PMS_COUNTER_L1I_TLB]++;
	*tlb = 0;
	uint64_t ready = l1i->ready[at];
	return ready > now ? ready : now;
}

/** Request a line of instructions that nothing has fetched yet, at cycle @now. It counts as no
 * access and no miss of L1I. A line of a page outside of the L1I TLB is not requested. Returns
 * whether it was requested, or is present already. */
bool pms_memory_fetch_ahead(struct pms_memory *memory, uint64_t pc, uint64_t now);

/** Assert the laws that hold between its counters. */
void pms_memory_check(const struct pms_memory *memory);

#endif
