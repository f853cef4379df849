/* SPDX-License-Identifier: MIT */
#include "vcore/model/tlb.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int pms_tlb_init(struct pms_tlb *t, unsigned entries, unsigned ways)
{
	assert(entries && entries < PMS_TLB_NONE && ways && entries % ways == 0);
	unsigned sets = entries / ways;
	assert(!(sets & (sets - 1)));
	unsigned heads = 16;
	while (heads < 2 * entries) /* chains of one entry, mostly */
		heads *= 2;
	*t = (struct pms_tlb){
		.ways = ways,
		.set_mask = sets - 1,
		.head_shift = (uint32_t)__builtin_clzll(heads) + 1, /* keeps log2(heads) bits */
		.last_entry = PMS_TLB_NONE,
		.heads = malloc(heads * sizeof(*t->heads)),
		.entries = calloc(entries, sizeof(*t->entries)),
	};
	if (!t->heads || !t->entries) {
		pms_tlb_release(t);
		return -1;
	}
	memset(t->heads, 0xff, heads * sizeof(*t->heads)); /* PMS_TLB_NONE */
	return 0;
}

void pms_tlb_release(struct pms_tlb *t)
{
	free(t->heads);
	free(t->entries);
	*t = (struct pms_tlb){ .last_entry = PMS_TLB_NONE };
}

static unsigned oldest(const struct pms_tlb *t, uint64_t page)
{
	unsigned first = (unsigned)(page & t->set_mask) * t->ways;
	unsigned found = first;
	uint64_t least = t->entries[first].stamp;
	for (unsigned i = first + 1; i < first + t->ways; i++) {
		uint64_t stamp = t->entries[i].stamp;
		found = stamp < least ? i : found;
		least = stamp < least ? stamp : least;
	}
	return found;
}

static void unlink_entry(struct pms_tlb *t, unsigned entry)
{
	uint16_t *link = pms_tlb_head(t, t->entries[entry].page);
	while (*link != entry)
		link = &t->entries[*link].next;
	*link = t->entries[entry].next;
}

unsigned pms_tlb_fill(struct pms_tlb *t, uint64_t page)
{
	assert(!pms_tlb_lookup(t, page));
	unsigned entry = oldest(t, page);
	if (t->entries[entry].stamp)
		unlink_entry(t, entry);
	uint16_t *head = pms_tlb_head(t, page);
	t->entries[entry] = (struct pms_tlb_entry){ page, ++t->clock, *head };
	*head = (uint16_t)entry;
	t->last_page = page;
	t->last_entry = (uint16_t)entry;
	return entry;
}
