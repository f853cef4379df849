/* SPDX-License-Identifier: MIT */
#include "vcore/model/btb.h"

#include <assert.h>
#include <stdlib.h>

#include "vcore/model/hint.h"
#include "vcore/model/lru.h"

static void level_release(struct pms_btb_level *l)
{
	free(l->tags);
	free(l->stamps);
	free(l->clocks);
	free(l->goals);
	*l = (struct pms_btb_level){ 0 };
}

/* Add a set-associative buffer behind the others, and free its parts again where memory runs out.
 */
static int level_add(struct pms_btb *b, unsigned entries, unsigned ways)
{
	assert(ways && ways <= PMS_LRU_WAYS_MAX && entries >= ways && b->n_levels < PMS_BTB_LEVELS);
	struct pms_btb_level *l = &b->levels[b->n_levels];
	unsigned sets = entries / ways;
	assert(!(sets & (sets - 1)));
	l->set_mask = sets - 1;
	l->set_log2 = (uint32_t)__builtin_ctz(sets);
	l->ways = ways;
	l->tags = calloc((size_t)sets * ways, sizeof(*l->tags));
	l->stamps = calloc((size_t)sets * ways, sizeof(*l->stamps));
	l->clocks = calloc(sets, sizeof(*l->clocks));
	l->goals = calloc((size_t)sets * ways, sizeof(*l->goals));
	if (!l->tags || !l->stamps || !l->clocks || !l->goals) {
		level_release(l);
		return -1;
	}
	b->n_levels++;
	return 0;
}

int pms_btb_init(struct pms_btb *b, unsigned nano_entries, unsigned main_entries,
		 unsigned main_ways)
{
	*b = (struct pms_btb){ 0 };
	if (pms_tlb_init(&b->nano, nano_entries, nano_entries) < 0)
		return -1;
	b->nano_goals = calloc(nano_entries, sizeof(*b->nano_goals));
	if (b->nano_goals && level_add(b, main_entries, main_ways) == 0)
		return 0;
	pms_btb_release(b);
	return -1;
}

int pms_btb_add_far(struct pms_btb *b, unsigned entries, unsigned ways)
{
	return level_add(b, entries, ways);
}

void pms_btb_release(struct pms_btb *b)
{
	pms_tlb_release(&b->nano);
	free(b->nano_goals);
	for (unsigned i = 0; i < b->n_levels; i++)
		level_release(&b->levels[i]);
	*b = (struct pms_btb){ 0 };
}

static size_t set_of(const struct pms_btb_level *l, uint64_t pc)
{
	return pc >> PMS_BTB_REGION_LOG2 & l->set_mask;
}

/* Tag: the branch within its region and the region, with a bit above so that no tag is 0. */
static uint16_t tag_of(const struct pms_btb_level *l, uint64_t pc)
{
	const unsigned places = PMS_BTB_PLACE_BITS;
	unsigned place = (unsigned)pms_parcel(pc) & ((1u << places) - 1);
	unsigned region = (unsigned)(pc >> (PMS_BTB_REGION_LOG2 + l->set_log2)) &
			  ((1u << PMS_BTB_TAG_BITS) - 1);
	return (uint16_t)(place | region << places | 1u << (places + PMS_BTB_TAG_BITS));
}

/* Returns the way of the tag in the set that starts at entry @first; l->ways: absent. */
static unsigned level_find(const struct pms_btb_level *l, size_t first, uint16_t tag)
{
	unsigned way = 0;
	while (way < l->ways && l->tags[first + way] != tag)
		way++;
	return way;
}

/* Returns the target of the branch at @pc and makes it the most recent of its set; NULL: absent. */
static const struct pms_btb_goal *level_lookup(struct pms_btb_level *l, uint64_t pc)
{
	size_t set = set_of(l, pc);
	size_t first = set * l->ways;
	unsigned way = level_find(l, first, tag_of(l, pc));
	if (way == l->ways)
		return NULL;
	pms_lru_touch(l->stamps + first, l->clocks + set, l->ways, way);
	return &l->goals[first + way];
}

static void level_put(struct pms_btb_level *l, uint64_t pc, struct pms_btb_goal goal)
{
	size_t set = set_of(l, pc);
	size_t first = set * l->ways;
	uint16_t tag = tag_of(l, pc);
	unsigned way = level_find(l, first, tag);
	if (way == l->ways)
		way = pms_lru_oldest(l->stamps + first, l->ways);
	l->tags[first + way] = tag;
	l->goals[first + way] = goal;
	pms_lru_touch(l->stamps + first, l->clocks + set, l->ways, way);
}

/* Look behind nano, and copy a hit to the nearer buffers. Returns its buffer, or PMS_BTB_MISS;
 * *nano: its entry there. */
static int promote(struct pms_btb *b, uint64_t pc, unsigned *nano)
{
	for (unsigned i = 0; i < b->n_levels; i++) {
		const struct pms_btb_goal *goal = level_lookup(&b->levels[i], pc);
		if (!goal)
			continue;
		for (unsigned k = 0; k < i; k++)
			level_put(&b->levels[k], pc, *goal);
		*nano = pms_tlb_fill(&b->nano, pc);
		b->nano_goals[*nano] = *goal;
		return PMS_BTB_MAIN + (int)i;
	}
	return PMS_BTB_MISS;
}

int pms_btb_lookup(struct pms_btb *b, uint64_t pc, uint64_t *target, uint8_t *kind)
{
	int where = PMS_BTB_NANO;
	int found = pms_tlb_find(&b->nano, pc);
	unsigned nano = (unsigned)found;
	if (found < 0)
		where = promote(b, pc, &nano);
	if (where == PMS_BTB_MISS)
		return PMS_BTB_MISS;
	*target = b->nano_goals[nano].target;
	*kind = b->nano_goals[nano].kind;
	return where;
}

PMS_APART int pms_btb_look_further(struct pms_btb *b, uint64_t pc, uint16_t *hint)
{
	unsigned nano = *hint;
	int where = promote(b, pc, &nano);
	*hint = (uint16_t)nano;
	return where;
}

bool pms_btb_knows(struct pms_btb *b, uint64_t pc)
{
	for (unsigned i = 0; i < b->n_levels; i++) {
		const struct pms_btb_level *l = &b->levels[i];
		if (level_find(l, set_of(l, pc) * l->ways, tag_of(l, pc)) < l->ways)
			return true;
	}
	return pms_tlb_find(&b->nano, pc) >= 0;
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
	for (unsigned i = 0; i < b->n_levels; i++)
		level_put(&b->levels[i], pc, goal);
}
