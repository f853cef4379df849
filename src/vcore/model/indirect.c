/* SPDX-License-Identifier: MIT */
#include "vcore/model/indirect.h"

#include <assert.h>
#include <stdlib.h>

#include "vcore/model/counter.h"
#include "vcore/model/parcel.h"

enum { CONFIDENCE_MAX = 3 };

/* Returns a mask of the low @n bits, @n at most 64. */
static uint64_t low_bits(unsigned n)
{
	return n ? UINT64_MAX >> (64 - n) : 0;
}

/* Only the longest path uses outcomes: where they do not matter, they spread one case over many
 * entries. */
int pms_indirect_init(struct pms_indirect *t, unsigned log2, const uint32_t *targets,
		      unsigned paths, unsigned outcomes)
{
	assert(log2 <= 14 && paths < PMS_INDIRECT_TABLES && outcomes <= PMS_INDIRECT_OUTCOMES);
	*t = (struct pms_indirect){
		.tables = calloc((size_t)(1 + paths) << log2, sizeof(*t->tables)),
		.log2 = log2,
		.n_tables = 1 + paths,
		.use_alt = PMS_USE_ALT_THRESHOLD,
	};
	for (unsigned i = 0; i < paths; i++) {
		assert(targets[i] <= PMS_INDIRECT_TARGETS);
		t->views[1 + i].path = low_bits(PMS_HISTORY_TARGET_BITS * targets[i]);
	}
	if (paths)
		t->views[paths].outcomes = low_bits(outcomes);
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
	for (unsigned i = 1; i < t->n_tables; i++) {
		uint64_t outcomes =
			(h->recent & t->views[i].outcomes & seen) * UINT64_C(0xd6e8feb86659fd93);
		uint64_t hash = (h->path & t->views[i].path & seen) ^ outcomes ^ pc << 20;
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
	for (unsigned i = 1; i < t->n_tables; i++) {
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
	for (unsigned i = look->provider + 1u; i < t->n_tables; i++) {
		struct pms_indirect_entry *entry = entry_at(t, look, i);
		if (entry->useful)
			continue;
		*entry = (struct pms_indirect_entry){ .target = target, .tag = look->tag[i] };
		return;
	}
	for (unsigned i = look->provider + 1u; i < t->n_tables; i++)
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
