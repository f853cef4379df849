/* SPDX-License-Identifier: MIT */
#include "vcore/model/btb.h"

#include <assert.h>
#include <stdlib.h>

#include "vcore/model/hint.h"
#include "vcore/model/lru.h"

static int main_init(struct pms_btb *b, unsigned entries, unsigned ways)
{
	assert(ways && ways <= PMS_LRU_WAYS_MAX && entries >= ways);
	unsigned sets = entries / ways;
	assert(!(sets & (sets - 1)));
	b->set_mask = sets - 1;
	b->set_log2 = (uint32_t)__builtin_ctz(sets);
	b->ways = ways;
	b->tags = calloc((size_t)sets * ways, sizeof(*b->tags));
	b->stamps = calloc((size_t)sets * ways, sizeof(*b->stamps));
	b->clocks = calloc(sets, sizeof(*b->clocks));
	b->goals = calloc((size_t)sets * ways, sizeof(*b->goals));
	return b->tags && b->stamps && b->clocks && b->goals ? 0 : -1;
}

int pms_btb_init(struct pms_btb *b, unsigned nano_entries, unsigned main_entries,
		 unsigned main_ways)
{
	*b = (struct pms_btb){ 0 };
	if (pms_tlb_init(&b->nano, nano_entries, nano_entries) < 0)
		return -1;
	b->nano_goals = calloc(nano_entries, sizeof(*b->nano_goals));
	if (b->nano_goals && main_init(b, main_entries, main_ways) == 0)
		return 0;
	pms_btb_release(b);
	return -1;
}

void pms_btb_release(struct pms_btb *b)
{
	pms_tlb_release(&b->nano);
	free(b->nano_goals);
	free(b->tags);
	free(b->stamps);
	free(b->clocks);
	free(b->goals);
	*b = (struct pms_btb){ 0 };
}

static size_t set_of(const struct pms_btb *b, uint64_t pc)
{
	return pc >> PMS_BTB_REGION_LOG2 & b->set_mask;
}

/* Which branch of the region, and which region, with a bit above it so that no tag is 0. */
static uint16_t tag_of(const struct pms_btb *b, uint64_t pc)
{
	const unsigned places = PMS_BTB_REGION_LOG2 - PMS_ISA_PARCEL_LOG2;
	unsigned place = (unsigned)pms_parcel(pc) & ((1u << places) - 1);
	unsigned region = (unsigned)(pc >> (PMS_BTB_REGION_LOG2 + b->set_log2)) &
			  ((1u << PMS_BTB_TAG_BITS) - 1);
	return (uint16_t)(place | region << places | 1u << (places + PMS_BTB_TAG_BITS));
}

/* Returns the way of the set that starts at entry @first, or b->ways. */
static unsigned main_find(const struct pms_btb *b, size_t first, uint16_t tag)
{
	unsigned way = 0;
	while (way < b->ways && b->tags[first + way] != tag)
		way++;
	return way;
}

/* Look in main only. Returns the entry of nano that it is copied to, -1: nowhere. */
static int promote(struct pms_btb *b, uint64_t pc)
{
	size_t set = set_of(b, pc);
	size_t first = set * b->ways;
	unsigned way = main_find(b, first, tag_of(b, pc));
	if (way == b->ways)
		return -1;
	pms_lru_touch(b->stamps + first, b->clocks + set, b->ways, way);
	unsigned nano = pms_tlb_fill(&b->nano, pc);
	b->nano_goals[nano] = b->goals[first + way];
	return (int)nano;
}

int pms_btb_lookup(struct pms_btb *b, uint64_t pc, uint64_t *target, uint8_t *kind)
{
	int where = PMS_BTB_NANO;
	int nano = pms_tlb_find(&b->nano, pc);
	if (nano < 0) {
		nano = promote(b, pc);
		where = PMS_BTB_MAIN;
	}
	if (nano < 0)
		return PMS_BTB_MISS;
	*target = b->nano_goals[nano].target;
	*kind = b->nano_goals[nano].kind;
	return where;
}

PMS_APART int pms_btb_look_further(struct pms_btb *b, uint64_t pc, uint16_t *hint)
{
	int nano = promote(b, pc);
	if (nano < 0)
		return PMS_BTB_MISS;
	*hint = (uint16_t)nano;
	return PMS_BTB_MAIN;
}

bool pms_btb_knows(struct pms_btb *b, uint64_t pc)
{
	return main_find(b, set_of(b, pc) * b->ways, tag_of(b, pc)) < b->ways ||
	       pms_tlb_find(&b->nano, pc) >= 0;
}

void pms_btb_update(struct pms_btb *b, uint64_t pc, uint64_t target, uint8_t kind)
{
	struct pms_btb_goal goal = { target, kind };
	int nano = pms_tlb_find(&b->nano, pc);
	if (nano >= 0) {
		struct pms_btb_goal *held = &b->nano_goals[nano];
		if (held->target == target && held->kind == kind)
			return;
		*held = goal;
	}
	size_t set = set_of(b, pc);
	size_t first = set * b->ways;
	uint16_t tag = tag_of(b, pc);
	unsigned way = main_find(b, first, tag);
	if (way == b->ways)
		way = pms_lru_oldest(b->stamps + first, b->ways);
	b->tags[first + way] = tag;
	b->goals[first + way] = goal;
	pms_lru_touch(b->stamps + first, b->clocks + set, b->ways, way);
}
