/* SPDX-License-Identifier: MIT */
/* vcore/model/tlb.h - which pages a translation buffer holds, in LRU order; fully or set
 * associative. The same order of keys serves any small associative store: the nano target buffer
 * is one, with its own data beside it by entry.
 * Whatever the associativity, a page is found by hash chains over all entries, so that a buffer
 * of 48 ways costs no scan of 48. */
#ifndef PMS_VCORE_MODEL_TLB_H
#define PMS_VCORE_MODEL_TLB_H

#include <stdbool.h>
#include <stdint.h>

enum { PMS_TLB_NONE = 0xffff }; /* no entry: the end of a chain */

struct pms_tlb_entry {
	uint64_t page;	/* key */
	uint64_t stamp; /* of its last use; 0: empty */
	uint16_t next;	/* in its chain */
};

struct pms_tlb {
	uint64_t last_page; /* looked up last; valid when last_entry is one */
	uint64_t clock;	    /* the last stamp given */
	uint32_t ways;
	uint32_t set_mask;
	uint32_t head_shift;
	uint16_t last_entry;
	uint16_t *heads; /* chains by a hash of the page */
	struct pms_tlb_entry *entries;
};

/**
 * An empty buffer of @entries, at most 65535. @ways == @entries: fully associative, of any size;
 * otherwise @entries / @ways must be a power of two.
 * Returns 0, or -1 when out of memory (then there is nothing to release).
 */
int pms_tlb_init(struct pms_tlb *t, unsigned entries, unsigned ways);

/** Free what the buffer owns; a zeroed or released one is fine. */
void pms_tlb_release(struct pms_tlb *t);

/* Returns the chain of @page. Multiplied, because pages a power of two apart are common. */
static inline uint16_t *pms_tlb_head(const struct pms_tlb *t, uint64_t page)
{
	return &t->heads[page * UINT64_C(0x9e3779b97f4a7c15) >> t->head_shift];
}

/** Returns the entry of @page, made the most recent; -1 when absent. */
static inline int pms_tlb_find(struct pms_tlb *t, uint64_t page)
{
	if (page == t->last_page && t->last_entry != PMS_TLB_NONE)
		return t->last_entry;
	unsigned i = *pms_tlb_head(t, page);
	while (i != PMS_TLB_NONE && t->entries[i].page != page)
		i = t->entries[i].next;
	if (i == PMS_TLB_NONE)
		return -1;
	t->entries[i].stamp = ++t->clock;
	t->last_page = page;
	t->last_entry = (uint16_t)i;
	return (int)i;
}

/** Returns whether @page is there; if so, it is made the most recent. */
static inline bool pms_tlb_lookup(struct pms_tlb *t, uint64_t page)
{
	return pms_tlb_find(t, page) >= 0;
}

/** Put an absent page in the place of its set's least recently used one, as the most recent.
 * Returns the entry. */
unsigned pms_tlb_fill(struct pms_tlb *t, uint64_t page);

#endif
