/* SPDX-License-Identifier: MIT */
#include "vcore/model/memory.h"

#include <assert.h>
#include <string.h>
#include "vcore/model/hint.h"

#define COUNT(memory, name) COUNT_AT(memory, PMS_COUNTER_##name)
#define COUNT_AT(memory, counter)                                                                  \
	do {                                                                                       \
		(memory)->counters[counter]++;                                                     \
		PMS_CHARGE(pms_charge_count((memory)->charge, counter, 1));                        \
	} while (0)
#define COUNT_N(memory, name, n)                                                                   \
	do {                                                                                       \
		(memory)->counters[PMS_COUNTER_##name] += (n);                                     \
		PMS_CHARGE(pms_charge_count((memory)->charge, PMS_COUNTER_##name, (n)));           \
	} while (0)

enum {
	PTE_SHIFT = 3,	  /* 8-byte descriptors */
	BLOCK_SHIFT = 21, /* address bits below a level-2 descriptor, which maps memory in tables of
			   * 4 KiB pages */
	BUS_BEATS = 2	  /* a 64-byte line over CHI's 256-bit data channel */
};
/* Descriptors have line numbers that no user address has. */
#define PTE_LINES   (UINT64_C(1) << 59)
#define TABLE_LINES (UINT64_C(1) << 60)

enum source { FROM_IFETCH, FROM_LOAD, FROM_STORE, FROM_PREFETCH, FROM_WALK };

static const enum pms_counter source_counter[] = {
	[FROM_IFETCH] = PMS_COUNTER_L2D_FROM_IFETCH,
	[FROM_LOAD] = PMS_COUNTER_L2D_FROM_LOAD,
	[FROM_STORE] = PMS_COUNTER_L2D_FROM_STORE,
	[FROM_PREFETCH] = PMS_COUNTER_L2D_FROM_PREFETCH,
	[FROM_WALK] = PMS_COUNTER_L2D_FROM_WALK,
};

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

int pms_memory_init(struct pms_memory *m, const struct pms_params *p, struct pms_system *system,
		    uint64_t *counters)
{
	memset(m, 0, sizeof(*m));
	m->params = p;
	m->system = system;
	m->counters = counters;
	m->page_shift = (unsigned)__builtin_ctz(p->page_bytes);
	m->last_fetch_page = UINT64_MAX;
	pms_pace_init(&m->l2_pace, p->l2_interval);
	pms_pace_init(&m->l2_tlb_pace, p->l2_tlb_interval);
	pms_slots_init(&m->l1i_mshrs, p->l1i_mshrs);
	pms_slots_init(&m->l1d_mshrs, p->l1d_mshrs);
	pms_slots_init(&m->l2_mshrs, p->l2_mshrs);
	pms_slots_init(&m->walkers, p->walkers);
	for (unsigned i = 0; i < PMS_TLB_PENDING; i++)
		m->pending[i].page = UINT64_MAX;
	if (pms_cache_init(&m->l1i, p->l1i_bytes, p->l1i_ways, PMS_LINE_BYTES) ||
	    pms_cache_init(&m->l1d, p->l1d_bytes, p->l1d_ways, PMS_LINE_BYTES) ||
	    pms_cache_init(&m->l2, p->l2_bytes, p->l2_ways, PMS_LINE_BYTES) ||
	    pms_tlb_init(&m->l1i_tlb, p->l1i_tlb_entries, p->l1i_tlb_entries) ||
	    pms_tlb_init(&m->l1d_tlb, p->l1d_tlb_entries, p->l1d_tlb_entries) ||
	    (p->l2_tlb_entries && pms_tlb_init(&m->l2_tlb, p->l2_tlb_entries, p->l2_tlb_ways)) ||
	    (p->walk_cache_entries &&
	     pms_tlb_init(&m->walk_cache, p->walk_cache_entries, p->walk_cache_entries)) ||
	    (p->stride_entries && pms_stride_init(&m->stride, p->stride_entries))) {
		pms_memory_release(m);
		return -1;
	}
	return 0;
}

void pms_memory_release(struct pms_memory *m)
{
	struct pms_cache *caches[] = { &m->l1i, &m->l1d, &m->l2 };
	for (size_t i = 0; i < sizeof(caches) / sizeof(caches[0]); i++)
		pms_cache_release(caches[i]);
	struct pms_tlb *tlbs[] = { &m->l1i_tlb, &m->l1d_tlb, &m->l2_tlb, &m->walk_cache };
	for (size_t i = 0; i < sizeof(tlbs) / sizeof(tlbs[0]); i++)
		pms_tlb_release(tlbs[i]);
	pms_stride_release(&m->stride);
}

uint64_t pms_memory_unplace(uint64_t place, unsigned within)
{
	const unsigned bits = PMS_PLACE_BITS - within;
	uint64_t page = place >> within;
	page ^= page >> (bits + 1) / 2;
	/* The factor's inverse modulo 2^64, so modulo any smaller power too. */
	page = page * UINT64_C(0xf1de83e19937733d) & ((UINT64_C(1) << bits) - 1);
	return page << within | (place & ((UINT64_C(1) << within) - 1));
}

static uint64_t place_of(const struct pms_memory *m, uint64_t line)
{
	return pms_memory_place(line, m->page_shift - PMS_LINE_LOG2);
}

static uint64_t beyond(struct pms_memory *m, uint64_t place, uint64_t now, bool reads)
{
	enum pms_system_want want = reads ? PMS_SYSTEM_READ : PMS_SYSTEM_OWN;
	struct pms_system_answer answer = pms_system_request(m->system, place, want, now);
	COUNT_N(m, LL_CACHE_RD, reads);
	COUNT_N(m, LL_CACHE_MISS_RD, reads && !answer.found);
	COUNT_N(m, BUS_RD_BEATS, BUS_BEATS);
	PMS_CHARGE(m->charge->from = answer.found ? PMS_WAIT_LAST_LEVEL : PMS_WAIT_DRAM);
	return answer.ready;
}

/* Evict a line from L2. L2 includes L1D, so the line leaves L1D too, with its dirty data. */
static void l2_evict(struct pms_memory *m, uint64_t place, uint8_t flags, uint64_t now)
{
	uint8_t upper;
	m->l2_evictions++;
	if (pms_cache_invalidate(&m->l1d, pms_memory_unplace(place, m->page_shift - PMS_LINE_LOG2),
				 &upper)) {
		m->l1d_invalidations++;
		if (upper & PMS_LINE_DIRTY && !pms_without(m->params, PMS_MECHANISM_WRITE_BACKS))
			flags |= PMS_LINE_DIRTY;
	}
	if (flags & PMS_LINE_DIRTY) {
		COUNT(m, L2D_CACHE_WB_VICTIM);
		COUNT_N(m, BUS_WR_BEATS, BUS_BEATS);
	}
	pms_system_request(m->system, place, PMS_SYSTEM_EVICT, now);
}

static int64_t l2_fill(struct pms_memory *m, uint64_t place, uint64_t now)
{
	uint64_t victim;
	uint8_t flags;
	int64_t at = pms_cache_fill(&m->l2, place, &victim, &flags);
	PMS_CHARGE(m->charge->l2_levels[at] = m->charge->from);
	m->l2_fills++;
	COUNT(m, L2D_CACHE_ALLOCATE);
	if (victim != PMS_NO_LINE)
		l2_evict(m, victim, flags, now);
	return at;
}

/* Bring a line into L2. Returns the cycle at which it is there. */
static uint64_t l2_refill(struct pms_memory *m, uint64_t place, uint64_t start, bool reads)
{
	uint64_t hit = start + m->params->l2_latency,
		 ready = later(beyond(m, place, start, reads), hit);
	if (pms_without(m->params, PMS_MECHANISM_L2_MISSES))
		ready = hit; /* as hits do, it waits for no buffer */
	else
		pms_slots_occupy(&m->l2_mshrs, start, ready);
	m->l2.ready[l2_fill(m, place, start)] = ready;
	return ready;
}

/* Returns the cycle at which L2 delivers the line, by its load-use latency; *missed: whether it
 * came from outside. */
static uint64_t l2_read(struct pms_memory *m, uint64_t line, uint64_t now, enum source source,
			bool *missed)
{
	const struct pms_params *p = m->params;
	uint64_t place = place_of(m, line);
	pms_system_hint(m->system, place);
	m->counters[source_counter[source]]++;
	uint64_t start = pms_pace_take(&m->l2_pace, now);
	int64_t at = pms_cache_find(&m->l2, place);
	*missed = at < 0;
	if (at >= 0) {
		PMS_CHARGE(m->charge->from = m->l2.ready[at] > start + p->l2_latency
						     ? m->charge->l2_levels[at]
						     : PMS_WAIT_L2);
		return later(start + p->l2_latency, m->l2.ready[at]);
	}

	bool store = source == FROM_STORE;
	COUNT_AT(m, store ? PMS_COUNTER_L2D_CACHE_REFILL_WR : PMS_COUNTER_L2D_CACHE_REFILL_RD);
	if (source == FROM_LOAD || source == FROM_IFETCH || source == FROM_WALK)
		COUNT(m, L2D_CACHE_LMISS_RD);
	return l2_refill(m, place, pms_slots_free_at(&m->l2_mshrs, start), !store);
}

/* Prefetch the lines behind an L1D miss into L2, within the page. Prefetches are dropped when no
 * miss buffer is free, so that demand misses are never delayed. */
static PMS_APART void next_lines(struct pms_memory *m, uint64_t line, uint64_t now)
{
	const uint64_t page = (UINT64_C(1) << (m->page_shift - PMS_LINE_LOG2)) - 1;
	for (uint32_t i = 0; i < m->params->next_lines && (++line & page); i++) {
		uint64_t place = place_of(m, line);
		bool there = pms_cache_peek(&m->l2, place) >= 0;
		if (!there && pms_slots_full(&m->l2_mshrs, now))
			return;
		COUNT(m, L2D_FROM_PREFETCH);
		COUNT(m, L2D_NEXT_LINE);
		if (there)
			continue;
		COUNT(m, L2D_CACHE_REFILL_RD);
		l2_refill(m, place, now, true);
	}
}

static void l1d_write_back(struct pms_memory *m, uint64_t line, uint8_t flags)
{
	if (!(flags & PMS_LINE_DIRTY) || pms_without(m->params, PMS_MECHANISM_WRITE_BACKS))
		return;
	COUNT(m, L1D_CACHE_WB_VICTIM);
	COUNT(m, L2D_FROM_WB);
	int64_t at = pms_cache_find(&m->l2, place_of(m, line));
	assert(at >= 0); /* inclusion */
	m->l2.flags[at] |= PMS_LINE_DIRTY;
}

/* Bring a line into L1D. Returns its entry; .ready is the cycle of its data. */
static PMS_APART int64_t l1d_refill(struct pms_memory *m, uint64_t line, uint64_t now,
				    enum source source)
{
	uint64_t victim;
	uint8_t flags;
	bool outer;
	uint64_t start = pms_slots_free_at(&m->l1d_mshrs, now);
	uint64_t ready = l2_read(m, line, start, source, &outer);
	pms_slots_occupy(&m->l1d_mshrs, start, ready);
	if (source != FROM_PREFETCH)
		COUNT_AT(m, outer ? PMS_COUNTER_L1D_CACHE_REFILL_OUTER
				  : PMS_COUNTER_L1D_CACHE_REFILL_INNER);
	/* Filling L2 may have evicted lines of this very set from L1D, so fill L1D only now. */
	int64_t at = pms_cache_fill(&m->l1d, line, &victim, &flags);
	if (victim != PMS_NO_LINE) {
		m->l1d_evictions++;
		l1d_write_back(m, victim, flags);
	}
	m->l1d.ready[at] = ready;
	PMS_CHARGE(m->charge->l1d_levels[at] = m->charge->from);
	return at;
}

/* Ask L2 again for a line that is on its way, where misses do not merge. Returns the cycle at
 * which the load has it. */
static PMS_APART uint64_t ask_again(struct pms_memory *m, uint64_t line, uint64_t now)
{
	bool outer;
	uint64_t start = pms_slots_free_at(&m->l1d_mshrs, now);
	uint64_t ready = l2_read(m, line, start, FROM_LOAD, &outer);
	pms_slots_occupy(&m->l1d_mshrs, start, ready);
	COUNT(m, L1D_CACHE_REFILL_RD);
	COUNT(m, L1D_CACHE_LMISS_RD);
	COUNT_AT(m,
		 outer ? PMS_COUNTER_L1D_CACHE_REFILL_OUTER : PMS_COUNTER_L1D_CACHE_REFILL_INNER);
	return ready;
}

/* Walk the page tables for @page. The walker caches level-2 descriptors; upper levels always
 * hit. Level 2 itself maps pages of 2 MiB. */
static uint64_t walk(struct pms_memory *m, uint64_t page, uint64_t now)
{
	const struct pms_params *p = m->params;
	const uint64_t start = pms_slots_free_at(&m->walkers, now);
	uint64_t t = start;
	/* A table fills a page, and each of its descriptors covers a table of the next level. */
	uint64_t region = page >> (m->page_shift - PTE_SHIFT);
	bool missed, blocks = m->page_shift >= BLOCK_SHIFT;
	if (!blocks && (!p->walk_cache_entries || !pms_tlb_lookup(&m->walk_cache, region))) {
		if (p->walk_cache_entries)
			pms_tlb_fill(&m->walk_cache, region);
		uint64_t line = TABLE_LINES | region >> (PMS_LINE_LOG2 - PTE_SHIFT);
		t = l2_read(m, line, t, FROM_WALK, &missed) + p->walk_step_latency;
	}
	uint64_t line = (blocks ? TABLE_LINES : PTE_LINES) | page >> (PMS_LINE_LOG2 - PTE_SHIFT);
	t = l2_read(m, line, t, FROM_WALK, &missed) + p->walk_step_latency;
	pms_slots_occupy(&m->walkers, start, t);
	return t;
}

/* Translate by the L2 TLB, then by a walk. Returns the cycle of the translation. */
static PMS_APART uint64_t translate_l2(struct pms_memory *m, uint64_t page, uint64_t now,
				       enum source source)
{
	const struct pms_params *p = m->params;
	bool write = source == FROM_STORE;
	COUNT_AT(m, write ? PMS_COUNTER_L2D_TLB_WR : PMS_COUNTER_L2D_TLB_RD);
	uint64_t t = pms_pace_take(&m->l2_tlb_pace, now) + p->l2_tlb_latency;
	if (p->l2_tlb_entries && pms_tlb_lookup(&m->l2_tlb, page))
		return t;
	COUNT_AT(m, write ? PMS_COUNTER_L2D_TLB_REFILL_WR : PMS_COUNTER_L2D_TLB_REFILL_RD);
	COUNT_AT(m, source == FROM_IFETCH ? PMS_COUNTER_ITLB_WALK : PMS_COUNTER_DTLB_WALK);
	if (p->l2_tlb_entries)
		pms_tlb_fill(&m->l2_tlb, page);
	return walk(m, page, t);
}

static uint64_t translate_data(struct pms_memory *m, uint64_t address, uint64_t now,
			       enum source source)
{
	uint64_t page = address >> m->page_shift;
	unsigned slot = page % PMS_TLB_PENDING;
	if (pms_without(m->params, PMS_MECHANISM_DTLB_MISSES))
		return now;
	if (pms_tlb_lookup(&m->l1d_tlb, page))
		return m->pending[slot].page == page ? later(now, m->pending[slot].ready) : now;
	COUNT_AT(m, source == FROM_STORE ? PMS_COUNTER_L1D_TLB_REFILL_WR
					 : PMS_COUNTER_L1D_TLB_REFILL_RD);
	uint64_t ready = translate_l2(m, page, now, source);
	pms_tlb_fill(&m->l1d_tlb, page);
	m->pending[slot].page = page;
	m->pending[slot].ready = ready;
	m->pending_until = later(m->pending_until, ready);
	return ready;
}

PMS_APART uint64_t pms_memory_load_line(struct pms_memory *m, uint64_t address, uint64_t now)
{
	COUNT(m, L1D_TLB_RD);
	COUNT(m, L1D_CACHE_RD);
	now = translate_data(m, address, now, FROM_LOAD);
	PMS_CHARGE(pms_charge_found(m->charge, PMS_WAIT_L1D, now));
	if (pms_without(m->params, PMS_MECHANISM_L1D_MISSES))
		return now;
	uint64_t line = address >> PMS_LINE_LOG2;
	int64_t at = pms_cache_find(&m->l1d, line);
	const bool hit = at >= 0;
	if (!hit) {
		COUNT(m, L1D_CACHE_REFILL_RD);
		COUNT(m, L1D_CACHE_LMISS_RD);
		at = l1d_refill(m, line, now, FROM_LOAD);
	}
	uint64_t ready = m->l1d.ready[at];
	PMS_CHARGE(pms_charge_found(m->charge,
				    ready > now + m->params->l1d_latency ? m->charge->l1d_levels[at]
									 : PMS_WAIT_L1D,
				    now));
	if (!hit)
		next_lines(m, line, now); /* this may evict the line itself again */
	if (ready <= now + m->params->l1d_latency)
		return now;
	if (hit && pms_without(m->params, PMS_MECHANISM_MSHR_MERGE))
		ready = ask_again(m, line, now);
	m->demand_until = later(m->demand_until, ready);
	/* .ready counts the level's full load-use latency, which includes L1D's. */
	return ready - m->params->l1d_latency;
}

uint64_t pms_memory_store(struct pms_memory *m, uint64_t address, uint64_t now)
{
	COUNT(m, L1D_TLB_WR);
	COUNT(m, L1D_CACHE_WR);
	now = translate_data(m, address, now, FROM_STORE);
	if (pms_without(m->params, PMS_MECHANISM_L1D_MISSES))
		return now;
	uint64_t line = address >> PMS_LINE_LOG2;
	int64_t at = pms_cache_find(&m->l1d, line);
	const bool hit = at >= 0;
	if (!hit) {
		COUNT(m, L1D_CACHE_REFILL_WR);
		at = l1d_refill(m, line, now, FROM_STORE);
	}
	m->l1d.flags[at] |= PMS_LINE_DIRTY;
	uint64_t ready = m->l1d.ready[at];
	if (!hit)
		next_lines(m, line, now);
	return later(now, ready);
}

static PMS_APART void prefetch(struct pms_memory *m, uint64_t address, uint64_t now)
{
	uint64_t line = address >> PMS_LINE_LOG2;
	if (pms_cache_peek(&m->l1d, line) >= 0)
		return;
	/* Drop a prefetch that finds no free buffer, so that demand misses are never delayed. */
	if (pms_slots_full(&m->l1d_mshrs, now))
		return;
	now = translate_data(m, address, now, FROM_PREFETCH);
	if (pms_without(m->params, PMS_MECHANISM_L1D_MISSES))
		return; /* only the page was new */
	COUNT(m, L1D_PREFETCH_FILL);
	int64_t at = l1d_refill(m, line, now, FROM_PREFETCH);
	m->l1d.flags[at] |= PMS_LINE_PREFETCHED;
}

void pms_memory_train(struct pms_memory *m, uint64_t pc, uint64_t address, uint64_t now)
{
	const struct pms_params *p = m->params;
	if (!p->stride_entries)
		return;
	struct pms_stride_hit hit = pms_stride_train(&m->stride, pc, address);
	if (hit.confidence < PMS_STRIDE_BELIEVED || !hit.stride ||
	    (address ^ hit.last) >> PMS_LINE_LOG2 == 0)
		return; /* nothing to gain until the stream enters a new line */
	/* Short strides run ahead by lines, long strides by strides. */
	int64_t step = hit.stride;
	if (step > 0 && step < PMS_LINE_BYTES)
		step = PMS_LINE_BYTES;
	else if (step < 0 && step > -PMS_LINE_BYTES)
		step = -PMS_LINE_BYTES;
	for (uint32_t i = 0; i < p->stride_degree; i++)
		prefetch(m, address + (uint64_t)(step * (int64_t)(p->stride_distance + i)), now);
}

static uint64_t translate_fetch(struct pms_memory *m, uint64_t pc, uint64_t now)
{
	uint64_t page = pc >> m->page_shift;
	COUNT(m, L1I_TLB);
	if (page == m->last_fetch_page)
		return now;
	m->last_fetch_page = page;
	if (pms_without(m->params, PMS_MECHANISM_ITLB_MISSES))
		return now;
	if (pms_tlb_lookup(&m->l1i_tlb, page))
		return now;
	COUNT(m, L1I_TLB_REFILL);
	uint64_t ready = translate_l2(m, page, now, FROM_IFETCH);
	pms_tlb_fill(&m->l1i_tlb, page);
	return ready;
}

/* Bring a line into L1I, requested at @now. Returns its entry. */
static int64_t l1i_refill(struct pms_memory *m, uint64_t line, uint64_t now)
{
	uint64_t victim;
	uint8_t flags;
	bool missed;
	uint64_t start = pms_slots_free_at(&m->l1i_mshrs, now);
	uint64_t ready = l2_read(m, line, start, FROM_IFETCH, &missed) + m->params->l1i_miss_extra;
	pms_slots_occupy(&m->l1i_mshrs, start, ready);
	int64_t at = pms_cache_fill(&m->l1i, line, &victim, &flags);
	m->l1i_evictions += victim != PMS_NO_LINE;
	m->l1i.ready[at] = ready;
	return at;
}

PMS_APART uint64_t pms_memory_fetch_line(struct pms_memory *m, uint64_t pc, uint64_t asked,
					 uint64_t now, uint64_t *tlb)
{
	uint64_t line = pc >> PMS_LINE_LOG2;
	COUNT(m, L1I_CACHE);
	uint64_t known = translate_fetch(m, pc, asked);
	*tlb = known > now ? known - now : 0;
	if (pms_without(m->params, PMS_MECHANISM_L1I_MISSES))
		return later(now, known);
	int64_t at = pms_cache_find(&m->l1i, line);
	if (at < 0) {
		COUNT(m, L1I_CACHE_REFILL);
		at = l1i_refill(m, line, known);
		if (m->l1i.ready[at] > now)
			COUNT(m, L1I_CACHE_LMISS);
	}
	return later(later(now, known), m->l1i.ready[at]);
}

PMS_APART bool pms_memory_fetch_ahead(struct pms_memory *m, uint64_t pc, uint64_t now)
{
	uint64_t page = pc >> m->page_shift, line = pc >> PMS_LINE_LOG2;
	if (page != m->last_fetch_page && !pms_without(m->params, PMS_MECHANISM_ITLB_MISSES) &&
	    !pms_tlb_lookup(&m->l1i_tlb, page))
		return false;
	if (pms_without(m->params, PMS_MECHANISM_L1I_MISSES) || pms_cache_peek(&m->l1i, line) >= 0)
		return true;
	if (pms_slots_full(&m->l1i_mshrs, now))
		return false;
	COUNT(m, L1I_PREFETCH_FILL);
	l1i_refill(m, line, now);
	return true;
}

void pms_memory_check(const struct pms_memory *m)
{
#ifndef NDEBUG
	const uint64_t *n = m->counters;
#define N(name) n[PMS_COUNTER_##name]
	assert(N(L1I_CACHE_REFILL) <= N(L1I_CACHE));
	assert(N(L1I_TLB_REFILL) <= N(L1I_TLB));
	assert(N(L1D_CACHE_RD) == N(L1D_TLB_RD) && N(L1D_CACHE_WR) == N(L1D_TLB_WR));
	assert(N(L1D_CACHE_REFILL_RD) <= N(L1D_CACHE_RD));
	assert(N(L1D_CACHE_REFILL_WR) <= N(L1D_CACHE_WR));
	/* Law 5. Loads' translations include the prefetcher's. */
	assert(N(L2D_TLB_RD) + N(L2D_TLB_WR) ==
	       N(L1I_TLB_REFILL) + N(L1D_TLB_REFILL_RD) + N(L1D_TLB_REFILL_WR));
	assert(N(L1D_TLB_REFILL_WR) <= N(L1D_TLB_WR));
	/* Law 6: each L2 access comes from a miss, and each filled line is held or was evicted. */
	assert(N(L2D_FROM_IFETCH) == N(L1I_CACHE_REFILL) + N(L1I_PREFETCH_FILL));
	assert(N(L2D_FROM_LOAD) == N(L1D_CACHE_REFILL_RD));
	assert(N(L2D_FROM_STORE) == N(L1D_CACHE_REFILL_WR));
	assert(N(L2D_FROM_PREFETCH) == N(L1D_PREFETCH_FILL) + N(L2D_NEXT_LINE));
	assert(N(L2D_FROM_WB) == N(L1D_CACHE_WB_VICTIM));
	assert(N(L1D_CACHE_REFILL_INNER) + N(L1D_CACHE_REFILL_OUTER) ==
	       N(L1D_CACHE_REFILL_RD) + N(L1D_CACHE_REFILL_WR));
	/* Without merging a load counts a refill of a line that is there. */
	if (!pms_without(m->params, PMS_MECHANISM_MSHR_MERGE))
		assert(N(L1D_CACHE_REFILL_RD) + N(L1D_CACHE_REFILL_WR) + N(L1D_PREFETCH_FILL) ==
		       m->l1d_evictions + m->l1d_invalidations + pms_cache_resident(&m->l1d));
	assert(N(L1I_CACHE_REFILL) + N(L1I_PREFETCH_FILL) ==
	       m->l1i_evictions + pms_cache_resident(&m->l1i));
	uint64_t walks = N(DTLB_WALK) + N(ITLB_WALK);
	assert(walks <= N(L2D_FROM_WALK) && N(L2D_FROM_WALK) <= 2 * walks);
	assert(m->l2_fills == m->l2_evictions + pms_cache_resident(&m->l2));
	assert(m->l2_fills == N(L2D_CACHE_REFILL_RD) + N(L2D_CACHE_REFILL_WR));
	/* Law 7. */
	assert(walks <= N(L2D_TLB_REFILL_RD) + N(L2D_TLB_REFILL_WR));
	assert(N(L2D_TLB_REFILL_RD) <= N(L2D_TLB_RD) && N(L2D_TLB_REFILL_WR) <= N(L2D_TLB_WR));
	assert(N(LL_CACHE_MISS_RD) <= N(LL_CACHE_RD));
#undef N
#else
	(void)m;
#endif
}
