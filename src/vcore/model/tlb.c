/* SPDX-License-Identifier: MIT */
#include "vcore/model/tlb.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "vcore/model/hint.h"

/* Empty all entries, and make each set a ring of its own. */
static void make_rings(struct pms_tlb *t, unsigned entries, unsigned ways)
{
	for (unsigned i = 0; i < entries; i++) {
		unsigned first = i - i % ways;
		t->entries[i] = (struct pms_tlb_entry){
			.page = PMS_TLB_EMPTY,
			.chain = PMS_TLB_NONE,
			.older = (uint16_t)(first + (i + 1 - first) % ways),
			.newer = (uint16_t)(first + (i + ways - 1 - first) % ways),
		};
		t->newest[i / ways] = (uint16_t)first;
	}
}

int pms_tlb_init(struct pms_tlb *t, unsigned entries, unsigned ways)
{
	assert(entries && entries < PMS_TLB_NONE && ways && entries % ways == 0);
	unsigned sets = entries / ways;
	assert(!(sets & (sets - 1)));
	unsigned heads = 16;
	while (heads < 2 * entries) /* chains of one entry, mostly */
		heads *= 2;
	*t = (struct pms_tlb){
		.last_page = PMS_TLB_EMPTY,
		.previous_page = PMS_TLB_EMPTY,
		.set_mask = sets - 1,
		.head_shift = (uint32_t)__builtin_clzll(heads) + 1, /* keeps log2(heads) bits */
		.newest = malloc(sets * sizeof(*t->newest)),
		.heads = malloc(heads * sizeof(*t->heads)),
		.entries = malloc(entries * sizeof(*t->entries)),
	};
	if (!t->newest || !t->heads || !t->entries) {
		pms_tlb_release(t);
		return -1;
	}
	memset(t->heads, 0xff, heads * sizeof(*t->heads)); /* PMS_TLB_NONE */
	make_rings(t, entries, ways);
	return 0;
}

void pms_tlb_release(struct pms_tlb *t)
{
	free(t->newest);
	free(t->heads);
	free(t->entries);
	*t = (struct pms_tlb){ .last_page = PMS_TLB_EMPTY, .previous_page = PMS_TLB_EMPTY };
}

static void unchain(struct pms_tlb *t, unsigned entry)
{
	uint16_t *link = pms_tlb_head(t, t->entries[entry].page);
	while (*link != entry)
		link = &t->entries[*link].chain;
	*link = t->entries[entry].chain;
}

PMS_APART unsigned pms_tlb_fill(struct pms_tlb *t, uint64_t page)
{
	assert(page != PMS_TLB_EMPTY && pms_tlb_find(t, page) < 0);
	pms_tlb_settle(t);
	uint16_t *newest = &t->newest[page & t->set_mask];
	unsigned entry = t->entries[*newest].newer; /* the oldest */
	if (t->entries[entry].page != PMS_TLB_EMPTY)
		unchain(t, entry);
	uint16_t *head = pms_tlb_head(t, page);
	t->entries[entry].page = page;
	t->entries[entry].chain = *head;
	*head = (uint16_t)entry;
	*newest = (uint16_t)entry;
	if (entry == t->last_entry)
		t->last_page = PMS_TLB_EMPTY; /* it has just been replaced */
	pms_tlb_remember(t, page, entry);
	return entry;
}
