/* SPDX-License-Identifier: MIT */
#include "vcore/model/tage.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* An entry: counter in bits 0..2 (4 and above say taken), usefulness in 3..4, tag in 5..15. There
 * is no valid bit: a zeroed entry is one whose tag is 0. */
enum {
	COUNTER_MAX = 7,
	COUNTER_TAKEN = 4, /* weakly */
	USEFUL_ONE = 1 << 3,
	USEFUL_MOST = 3,
	USEFUL_MASK = USEFUL_MOST << 3,
	TAG_SHIFT = 5,
	TAG_MASK = (1 << PMS_HISTORY_TAG_WIDTH) - 1,
	USE_ALT_MAX = 15,
	USE_ALT_THRESHOLD = 8,
	FAILED_MAX = 1023 /* then usefulness is halved everywhere */
};
_Static_assert(TAG_SHIFT + PMS_HISTORY_TAG_WIDTH == 16, "an entry has 16 bits");

int pms_tage_init(struct pms_tage *t, unsigned base_log2, unsigned table_log2)
{
	assert(base_log2 <= 16 && table_log2 <= 16);
	size_t base = (size_t)1 << base_log2;
	*t = (struct pms_tage){
		.base = malloc(base),
		.tables = calloc((size_t)PMS_HISTORY_TABLES << table_log2, sizeof(*t->tables)),
		.base_mask = (uint32_t)base - 1,
		.table_log2 = table_log2,
		.lfsr = 1,
		.use_alt = USE_ALT_THRESHOLD,
	};
	if (!t->base || !t->tables) {
		pms_tage_release(t);
		return -1;
	}
	memset(t->base, 1, base);
	return 0;
}

void pms_tage_release(struct pms_tage *t)
{
	free(t->base);
	free(t->tables);
	*t = (struct pms_tage){ 0 };
}

static uint16_t *entry_at(const struct pms_tage *t, const struct pms_tage_look *look,
			  unsigned table)
{
	return &t->tables[((size_t)table << t->table_log2) + look->index[table]];
}

static bool says_taken(uint16_t entry)
{
	return entry & COUNTER_TAKEN;
}

static bool is_fresh(uint16_t entry)
{
	unsigned counter = entry & COUNTER_MAX;
	return !(entry & USEFUL_MASK) && (counter == COUNTER_TAKEN || counter == COUNTER_TAKEN - 1);
}

bool pms_tage_predict(const struct pms_tage *t, const struct pms_history *h, uint64_t pc,
		      struct pms_tage_look *look)
{
	uint64_t hash = (pc >> 2) * UINT64_C(0x9e3779b97f4a7c15);
	unsigned mask = (1u << t->table_log2) - 1;
	uint16_t entry[PMS_HISTORY_TABLES];
	unsigned hits = 0;
	for (unsigned i = 0; i < PMS_HISTORY_TABLES; i++) {
		/* The index fold twice, so that it reaches all bits of tables larger than itself.
		 */
		unsigned fold = pms_history_lane(h->index_folds, i);
		unsigned tag = pms_history_lane(h->tag_folds, i) ^ (unsigned)(hash >> 53);
		look->index[i] = (uint16_t)(((unsigned)(hash >> 32) ^ fold ^ fold << 4) & mask);
		look->tag[i] = (uint16_t)tag;
		entry[i] = *entry_at(t, look, i);
		hits |= (unsigned)(entry[i] >> TAG_SHIFT == tag) << (i + 1);
	}
	bool base_taken = t->base[pc >> 2 & t->base_mask] >> 1;
	/* Bit 0 of hits stands for the base table, which always hits. */
	unsigned provider = 31u - (unsigned)__builtin_clz(hits | 1);
	hits &= ~(1u << provider);
	unsigned alternate = 31u - (unsigned)__builtin_clz(hits | 1);
	look->provider = (uint8_t)provider;
	look->alternate = (uint8_t)alternate;
	look->alternate_taken = alternate ? says_taken(entry[alternate - 1]) : base_taken;
	look->provider_taken = provider ? says_taken(entry[provider - 1]) : base_taken;
	look->fresh = provider && is_fresh(entry[provider - 1]);
	look->taken = look->fresh && t->use_alt >= USE_ALT_THRESHOLD ? look->alternate_taken
								     : look->provider_taken;
	return look->taken;
}

static unsigned step(unsigned value, unsigned most, bool up)
{
	return up ? value + (value < most) : value - (value > 0);
}

static void train_counter(uint16_t *entry, bool taken)
{
	unsigned counter = *entry & COUNTER_MAX;
	*entry = (uint16_t)(*entry - counter + step(counter, COUNTER_MAX, taken));
}

static void train_base(struct pms_tage *t, uint64_t pc, bool taken)
{
	uint8_t *base = &t->base[pc >> 2 & t->base_mask];
	*base = (uint8_t)step(*base, 3, taken);
}

static void set_useful(uint16_t *entry, unsigned useful)
{
	*entry = (uint16_t)((*entry & ~(unsigned)USEFUL_MASK) | useful * USEFUL_ONE);
}

static void train_useful(uint16_t *entry, bool up)
{
	set_useful(entry, step((*entry & USEFUL_MASK) / USEFUL_ONE, USEFUL_MOST, up));
}

static void train_table(struct pms_tage *t, unsigned table, uint64_t pc,
			const struct pms_tage_look *look, bool taken)
{
	if (table)
		train_counter(entry_at(t, look, table - 1), taken);
	else
		train_base(t, pc, taken);
}

static void train_provider(struct pms_tage *t, uint64_t pc, const struct pms_tage_look *look,
			   bool taken)
{
	uint16_t *entry = entry_at(t, look, look->provider - 1u);
	/* An entry that has not been useful may go: what is below it must not forget. */
	if (!(*entry & USEFUL_MASK))
		train_table(t, look->alternate, pc, look, taken);
	if (look->provider_taken != look->alternate_taken) {
		bool right = look->provider_taken == taken;
		if (look->fresh)
			t->use_alt = (uint8_t)step(t->use_alt, USE_ALT_MAX, !right);
		train_useful(entry, right);
	}
	train_counter(entry, taken);
}

static void age(struct pms_tage *t)
{
	size_t count = (size_t)PMS_HISTORY_TABLES << t->table_log2;
	for (size_t i = 0; i < count; i++)
		set_useful(&t->tables[i], (t->tables[i] & USEFUL_MASK) / USEFUL_ONE / 2);
	t->failed = 0;
}

/* A 32-bit Galois register with taps 32, 22, 2, 1: full period. */
static uint32_t draw(struct pms_tage *t)
{
	t->lfsr = t->lfsr >> 1 ^ ((t->lfsr & 1) ? UINT32_C(0x80200003) : 0);
	return t->lfsr;
}

/* After a misprediction: a new entry in one of the tables above the provider. The first that has
 * room gets it half the time, the next a quarter of it, so that branches spread. */
static void allocate(struct pms_tage *t, const struct pms_tage_look *look, bool taken)
{
	uint32_t random = draw(t);
	uint16_t *place = NULL;
	unsigned table = 0;
	for (unsigned i = look->provider; i < PMS_HISTORY_TABLES; i++) {
		uint16_t *entry = entry_at(t, look, i);
		if (*entry & USEFUL_MASK)
			continue;
		place = entry;
		table = i;
		if (random & 1)
			break;
		random >>= 1;
	}
	t->failed = (uint16_t)step(t->failed, FAILED_MAX, !place);
	if (place) {
		unsigned counter = taken ? COUNTER_TAKEN : COUNTER_TAKEN - 1;
		*place = (uint16_t)((unsigned)look->tag[table] << TAG_SHIFT | counter);
		return;
	}
	for (unsigned i = look->provider; i < PMS_HISTORY_TABLES; i++)
		train_useful(entry_at(t, look, i), false);
	if (t->failed == FAILED_MAX)
		age(t);
}

void pms_tage_update(struct pms_tage *t, uint64_t pc, const struct pms_tage_look *look, bool taken)
{
	if (look->provider)
		train_provider(t, pc, look, taken);
	else
		train_base(t, pc, taken);
	/* A new entry that was right, but not yet believed, needs no other. */
	bool known = look->fresh && look->provider_taken == taken;
	if (look->taken != taken && !known && look->provider < PMS_HISTORY_TABLES)
		allocate(t, look, taken);
}
