/* SPDX-License-Identifier: MIT */
/* vcore/model/tlb.h - which pages a translation buffer holds; fully or set associative, true
 * LRU. Other small associative stores can be built on it by keeping their data beside it, as
 * the nano target buffer does. Hash chains over all entries find a page, and a set's entries
 * form a ring from the most to the least recent. So even 48 ways need no scan. */
#ifndef PMS_VCORE_MODEL_TLB_H
#define PMS_VCORE_MODEL_TLB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PMS_TLB_NONE = 0xffff }; /* no entry: the end of a chain */

#define PMS_TLB_EMPTY UINT64_MAX /* .page of an entry that holds none */

struct pms_tlb_entry {
	uint64_t page;
	uint16_t chain; /* next in its hash chain */
	uint16_t older; /* in its set; of the oldest: the newest */
	uint16_t newer; /* in its set; of the newest: the oldest */
};

struct pms_tlb {
	/* The last two pages looked up, the most recent ones of their sets; PMS_TLB_EMPTY: none.
	 * They often alternate. If they share a set, the ring is corrected only when a third
	 * page comes. */
	uint64_t last_page, previous_page;
	uint32_t last_entry, previous_entry;
	uint32_t swapped; /* 1: the ring lags behind */
	uint32_t set_mask;
	uint32_t head_shift;
	uint16_t *newest; /* by set */
	uint16_t *heads;  /* chains by a hash of the page */
	struct pms_tlb_entry *entries;
};

/**
 * Make an empty buffer of @entries, at most 65535. @ways == @entries: fully associative, of any
 * size; otherwise @entries / @ways must be a power of two.
 * Returns 0, or -1 when out of memory (then there is nothing to release).
 */
int pms_tlb_init(struct pms_tlb *t, unsigned entries, unsigned ways);

/** Free the buffer's memory; a zeroed or released buffer is fine. */
void pms_tlb_release(struct pms_tlb *t);

/* Returns the chain of @page. Multiplied, because pages a power of two apart are common. */
static inline uint16_t *pms_tlb_head(const struct pms_tlb *t, uint64_t page)
{
	return &t->heads[page * UINT64_C(0x9e3779b97f4a7c15) >> t->head_shift];
}

/* Make @entry the most recent of its set. */
static inline void pms_tlb_touch(struct pms_tlb *t, uint16_t *newest, uint16_t entry)
{
	struct pms_tlb_entry *e = &t->entries[entry];
	uint16_t old = *newest;
	if (old == entry)
		return;
	*newest = entry;
	if (e->older == old) /* the oldest entry: turning the ring is enough */
		return;
	t->entries[e->older].newer = e->newer;
	t->entries[e->newer].older = e->older;
	e->older = old;
	e->newer = t->entries[old].newer;
	t->entries[e->newer].older = entry;
	t->entries[old].newer = entry;
}

/* Correct the ring. */
static inline void pms_tlb_settle(struct pms_tlb *t)
{
	if (t->swapped)
		pms_tlb_touch(t, &t->newest[t->last_page & t->set_mask], (uint16_t)t->last_entry);
	t->swapped = 0;
}

/* Remember @page in @entry as the last page. */
static inline void pms_tlb_remember(struct pms_tlb *t, uint64_t page, uint32_t entry)
{
	t->previous_page = t->last_page;
	t->previous_entry = t->last_entry;
	t->last_page = page;
	t->last_entry = entry;
}

/** Find a page as pms_tlb_find does. @hint: NULL, or the entry that may hold @page; updated when
 * another entry does. */
static inline int pms_tlb_find_hinted(struct pms_tlb *t, uint64_t page, uint16_t *hint)
{
	if (page == t->last_page)
		return (int)t->last_entry;
	if (page == t->previous_page) {
		pms_tlb_remember(t, page, t->previous_entry);
		t->swapped ^= 1;
		return (int)t->last_entry;
	}
	unsigned i = hint ? *hint : PMS_TLB_NONE;
	if (!hint || t->entries[i].page != page) {
		i = *pms_tlb_head(t, page);
		while (i != PMS_TLB_NONE && t->entries[i].page != page)
			i = t->entries[i].chain;
		if (i == PMS_TLB_NONE)
			return -1;
		if (hint)
			*hint = (uint16_t)i;
	}
	pms_tlb_settle(t);
	pms_tlb_touch(t, &t->newest[page & t->set_mask], (uint16_t)i);
	pms_tlb_remember(t, page, i);
	return (int)i;
}

/** Returns the entry of @page (not PMS_TLB_EMPTY), and makes it the most recent; -1 when absent. */
static inline int pms_tlb_find(struct pms_tlb *t, uint64_t page)
{
	return pms_tlb_find_hinted(t, page, NULL);
}

/** Returns whether @page is present, and makes it the most recent then. */
static inline bool pms_tlb_lookup(struct pms_tlb *t, uint64_t page)
{
	return pms_tlb_find(t, page) >= 0;
}

/** Replace the least recent page of the set by an absent page, which becomes the most recent.
 * Returns the entry. */
unsigned pms_tlb_fill(struct pms_tlb *t, uint64_t page);

#endif
