/* SPDX-License-Identifier: MIT */
#include "vcore/model/indirect.h"

#include <assert.h>
#include <stdlib.h>

#include "vcore/model/counter.h"
#include "vcore/model/parcel.h"

enum { CONFIDENCE_MAX = 3 };

/* What each table sees: the low bits of the path (four for each target, so about 3, 9 and 16
 * targets), and the last outcomes of conditional branches. Only the longest path uses outcomes:
 * where they do not matter, they spread one case over many entries. */
static const struct {
	uint64_t path, bits;
} views[PMS_INDIRECT_TABLES] = {
	{ 0, 0 },
	{ UINT64_C(0xfff), 0 },
	{ UINT64_C(0xfffffffff), 0 },
	{ UINT64_MAX, UINT64_C(0xffff) },
};

int pms_indirect_init(struct pms_indirect *t, unsigned log2)
{
	assert(log2 <= 14);
	*t = (struct pms_indirect){
		.tables = calloc((size_t)PMS_INDIRECT_TABLES << log2, sizeof(*t->tables)),
		.log2 = log2,
		.use_alt = PMS_USE_ALT_THRESHOLD,
	};
	return t->tables ? 0 : -1;
}

void pms_indirect_release(struct pms_indirect *t)
{
	free(t->tables);
	*t = (struct pms_indirect){ 0 };
}

static struct pms_indirect_entry *entry_at(const struct pms_indirect *t,
					   const struct pms_indirect_look *look, unsigned table)
{
	return &t->tables[((size_t)table << t->log2) + look->index[table]];
}

static void locate(const struct pms_indirect *t, const struct pms_history *h, uint64_t pc,
		   struct pms_indirect_look *look)
{
	unsigned mask = (1u << t->log2) - 1;
	look->index[0] = (uint16_t)(pms_parcel(pc) & mask);
	look->tag[0] = 0;
	const uint64_t seen = t->blind ? 0 : UINT64_MAX;
	for (unsigned i = 1; i < PMS_INDIRECT_TABLES; i++) {
		uint64_t outcomes =
			(h->bits[0] & views[i].bits & seen) * UINT64_C(0xd6e8feb86659fd93);
		uint64_t hash = (h->path & views[i].path & seen) ^ outcomes ^ pc << 20;
		hash *= UINT64_C(0x9e3779b97f4a7c15);
		hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
		look->index[i] = (uint16_t)(hash >> 32 & mask);
		look->tag[i] = (uint16_t)(hash >> 48);
	}
}

uint64_t pms_indirect_predict(const struct pms_indirect *t, const struct pms_history *h,
			      uint64_t pc, struct pms_indirect_look *look)
{
	locate(t, h, pc, look);
	const struct pms_indirect_entry *base = entry_at(t, look, 0);
	look->provider = 0;
	look->target = base->target;
	look->alternate_target = base->target;
	const bool trusted = t->use_alt < PMS_USE_ALT_THRESHOLD;
	for (unsigned i = 1; i < PMS_INDIRECT_TABLES; i++) {
		const struct pms_indirect_entry *entry = entry_at(t, look, i);
		if (!entry->target || entry->tag != look->tag[i])
			continue;
		look->alternate_target = look->target;
		look->provider = (uint8_t)i;
		/* Believe an entry that is new, or was wrong last, only where such entries have
		 * beaten the shorter paths. */
		if (entry->confidence || trusted || !look->target)
			look->target = entry->target;
	}
	return look->target;
}

static void train(struct pms_indirect_entry *entry, uint64_t target)
{
	if (entry->target == target)
		entry->confidence = (uint8_t)pms_step(entry->confidence, CONFIDENCE_MAX, true);
	else if (entry->confidence)
		entry->confidence--;
	else
		entry->target = target;
}

/* Give a mispredicted branch an entry with a longer path than the provider's, in the first table
 * with room. If none has room, each table loses its entry's protection. */
static void allocate(struct pms_indirect *t, const struct pms_indirect_look *look, uint64_t target)
{
	for (unsigned i = look->provider + 1u; i < PMS_INDIRECT_TABLES; i++) {
		struct pms_indirect_entry *entry = entry_at(t, look, i);
		if (entry->useful)
			continue;
		*entry = (struct pms_indirect_entry){ .target = target, .tag = look->tag[i] };
		return;
	}
	for (unsigned i = look->provider + 1u; i < PMS_INDIRECT_TABLES; i++)
		entry_at(t, look, i)->useful = 0;
}

void pms_indirect_update(struct pms_indirect *t, uint64_t pc, const struct pms_indirect_look *look,
			 uint64_t target)
{
	(void)pc;
	struct pms_indirect_entry *entry = entry_at(t, look, look->provider);
	bool provider_right = entry->target == target;
	/* Where both are wrong, prefer neither. */
	if (look->provider && provider_right != (look->alternate_target == target)) {
		entry->useful = provider_right;
		if (!entry->confidence)
			t->use_alt =
				(uint8_t)pms_step(t->use_alt, PMS_USE_ALT_MAX, !provider_right);
	}
	train(entry, target);
	if (look->target != target && !provider_right)
		allocate(t, look, target);
}
