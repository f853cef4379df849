/* SPDX-License-Identifier: MIT */
#include "vcore/model/tage.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "vcore/model/counter.h"

/* An entry: counter in bits 0..2 (4 and above say taken), usefulness in 3..4, tag in 5..15. There
 * is no valid bit: a zeroed entry is one whose tag is 0. */
enum {
	COUNTER_MAX = 7,
	COUNTER_TAKEN = 4, /* weakly */
	USEFUL_ONE = 1 << 3,
	USEFUL_MOST = 3,
	USEFUL_MASK = USEFUL_MOST << 3,
	TAG_SHIFT = 5,
	TAG_BITS = 11,
	TAG_MASK = (1 << TAG_BITS) - 1,
	KEY_TAG = PMS_HISTORY_LANE - TAG_BITS, /* a key's tag is its upper bits */
	FAILED_MAX = 1023		       /* then usefulness is halved everywhere */
};
_Static_assert(TAG_SHIFT + TAG_BITS == 16, "an entry has 16 bits");

int pms_tage_init(struct pms_tage *t, unsigned base_log2, unsigned tables, unsigned table_log2)
{
	assert(base_log2 <= 16 && table_log2 <= 16 && tables && tables <= PMS_HISTORY_TABLES);
	size_t base = (size_t)1 << base_log2;
	*t = (struct pms_tage){
		.base = malloc(base),
		.usual = malloc(base),
		.lines = calloc(base / PMS_TAGE_LINE + 1, sizeof(*t->lines)),
		.tables = calloc((size_t)tables << table_log2, sizeof(*t->tables)),
		.base_mask = (uint32_t)base - 1,
		.table_mask = ((size_t)1 << table_log2) - 1,
		.n_tables = tables,
		.seen = UINT64_MAX,
		.keyed = UINT64_MAX,
		.lfsr = 1,
		.use_alt = PMS_USE_ALT_THRESHOLD,
	};
	if (!t->base || !t->usual || !t->lines || !t->tables) {
		pms_tage_release(t);
		return -1;
	}
	memset(t->base, 1, base);
	memset(t->usual, 1, base);
	return 0;
}

void pms_tage_forget(struct pms_tage *t)
{
	t->seen = 0;
}

/* Every branch then reads entry 0, whose tag matches no branch. */
void pms_tage_base_only(struct pms_tage *t)
{
	t->keyed = 0;
	for (size_t i = 0; i < t->n_tables; i++)
		t->tables[i * (t->table_mask + 1)] = 1 << TAG_SHIFT;
}

void pms_tage_release(struct pms_tage *t)
{
	free(t->base);
	free(t->usual);
	free(t->lines);
	free(t->tables);
	*t = (struct pms_tage){ 0 };
}

static uint16_t *entry_at(const struct pms_tage *t, const struct pms_tage_look *look,
			  unsigned table)
{
	uint32_t key = pms_history_lane(look->keys, table);
	return &t->tables[table * (t->table_mask + 1) + (key & t->table_mask)];
}

static bool says_taken(uint32_t entry)
{
	return entry & COUNTER_TAKEN;
}

static bool is_fresh(uint32_t entry)
{
	/* Not useful, and the counter is 3 or 4. */
	return ((entry + 1) & (USEFUL_MASK | (COUNTER_MAX - 1))) == COUNTER_TAKEN;
}

static unsigned highest_bit(unsigned bits)
{
	return 31u - (unsigned)__builtin_clz(bits);
}

/* Look into table @i, a constant, so that the loads of all tables overlap. Returns 1 if the table
 * knows the branch, else 0; *entry: its entry. */
static inline __attribute__((always_inline)) unsigned
probe(const struct pms_tage *t, const uint64_t keys[PMS_HISTORY_WORDS], unsigned i, uint16_t *entry)
{
	const size_t mask = t->table_mask;
	uint64_t key = keys[i / PMS_HISTORY_LANES] >> i % PMS_HISTORY_LANES * PMS_HISTORY_LANE;
	*entry = t->tables[i * (mask + 1) + (key & mask)];
	return ((*entry ^ key >> (KEY_TAG - TAG_SHIFT)) & TAG_MASK << TAG_SHIFT) == 0;
}

/* Look into the tagged tables. Returns a bit for each that knows the branch, from bit 1 on;
 * @entries: their entries, from 1 on. The host cannot predict which tables do, so no jump depends
 * on it, and a loop would take as long as the looks themselves. */
static inline unsigned probe_all(const struct pms_tage *t, const uint64_t keys[PMS_HISTORY_WORDS],
				 uint16_t entries[1 + PMS_HISTORY_TABLES])
{
	unsigned hits = 0;
	switch (t->n_tables) {
#define TABLE(n)                                                                                   \
	case n:                                                                                    \
		hits |= probe(t, keys, (n)-1, &entries[n]) << (n);                                 \
		__attribute__((fallthrough))
		TABLE(8);
		TABLE(7);
		TABLE(6);
		TABLE(5);
		TABLE(4);
		TABLE(3);
		TABLE(2);
		TABLE(1);
#undef TABLE
	default:
		return hits;
	}
}
_Static_assert(PMS_HISTORY_TABLES == 8, "a row each above");

bool pms_tage_predict(const struct pms_tage *t, const struct pms_history *h, uint64_t pc,
		      struct pms_tage_look *look)
{
	uint64_t hash = pms_parcel(pc) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - PMS_HISTORY_LANE);
	for (unsigned w = 0; w < PMS_HISTORY_WORDS; w++)
		look->keys[w] = ((h->folds[w] & t->seen) ^ hash * PMS_HISTORY_ONES) & t->keyed;
	/* The base counter as a tagged counter that is not new. */
	static const uint8_t as_entry[] = { 0, 2, 5, 7 };
	uint16_t entries[1 + PMS_HISTORY_TABLES];
	entries[0] = as_entry[t->base[pms_parcel(pc) & t->base_mask]];
	unsigned hits = probe_all(t, look->keys, entries) | 1; /* the base knows every branch */
	unsigned provider = highest_bit(hits);
	unsigned alternate = highest_bit((hits & ~(1u << provider)) | 1);

	bool provider_taken = says_taken(entries[provider]);
	bool alternate_taken = says_taken(entries[alternate]);
	bool fresh = is_fresh(entries[provider]);
	bool taken =
		fresh && t->use_alt >= PMS_USE_ALT_THRESHOLD ? alternate_taken : provider_taken;
	look->provider = (uint8_t)provider;
	look->alternate = (uint8_t)alternate;
	look->taken = taken;
	look->provider_taken = provider_taken;
	look->alternate_taken = alternate_taken;
	look->fresh = fresh;
	return taken;
}

static void train_counter(uint16_t *entry, bool taken)
{
	unsigned counter = *entry & COUNTER_MAX;
	*entry = (uint16_t)(*entry - counter + pms_step(counter, COUNTER_MAX, taken));
}

static void train_base(struct pms_tage *t, uint64_t pc, bool taken)
{
	uint8_t *counter = &t->base[pms_parcel(pc) & t->base_mask];
	*counter = (uint8_t)pms_step(*counter, 3, taken);
}

static void train_usual(struct pms_tage *t, uint64_t pc, bool taken)
{
	uint64_t index = pms_parcel(pc) & t->base_mask;
	unsigned old = t->usual[index], now = pms_step(old, 3, taken);
	pms_parcels *line = &t->lines[index / PMS_TAGE_LINE];
	t->usual[index] = (uint8_t)now;
	*line = (pms_parcels)(*line ^ (old ^ now) >> 1 << index % PMS_TAGE_LINE);
}

static void set_useful(uint16_t *entry, unsigned useful)
{
	*entry = (uint16_t)((*entry & ~(unsigned)USEFUL_MASK) | useful * USEFUL_ONE);
}

static unsigned useful_of(uint16_t entry)
{
	return (entry & (unsigned)USEFUL_MASK) / (unsigned)USEFUL_ONE;
}

static void train_useful(uint16_t *entry, bool up)
{
	set_useful(entry, pms_step(useful_of(*entry), USEFUL_MOST, up));
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
	/* A useless entry may go. A useful one protects the tables below from forgetting. */
	if (!(*entry & USEFUL_MASK))
		train_table(t, look->alternate, pc, look, taken);
	if (look->provider_taken != look->alternate_taken) {
		bool right = look->provider_taken == taken;
		if (look->fresh)
			t->use_alt = (uint8_t)pms_step(t->use_alt, PMS_USE_ALT_MAX, !right);
		train_useful(entry, right);
	}
	train_counter(entry, taken);
}

static void age(struct pms_tage *t)
{
	size_t count = t->n_tables * (t->table_mask + 1);
	for (size_t i = 0; i < count; i++)
		set_useful(&t->tables[i], useful_of(t->tables[i]) / 2);
	t->failed = 0;
}

/* A 32-bit Galois register with taps 32, 22, 2, 1: full period. */
static uint32_t draw(struct pms_tage *t)
{
	t->lfsr = t->lfsr >> 1 ^ ((t->lfsr & 1) ? UINT32_C(0x80200003) : 0);
	return t->lfsr;
}

/* Give a mispredicted branch a new entry in a table above the provider. The first table with
 * room gets it half the time, the next a quarter of the time, so that branches spread. */
static void allocate(struct pms_tage *t, const struct pms_tage_look *look, bool taken)
{
	uint32_t random = draw(t);
	uint16_t *place = NULL;
	unsigned table = 0;
	for (unsigned i = look->provider; i < t->n_tables; i++) {
		uint16_t *entry = entry_at(t, look, i);
		if (*entry & USEFUL_MASK)
			continue;
		place = entry;
		table = i;
		if (random & 1)
			break;
		random >>= 1;
	}
	t->failed = (uint16_t)pms_step(t->failed, FAILED_MAX, !place);
	if (place) {
		unsigned counter = taken ? COUNTER_TAKEN : COUNTER_TAKEN - 1;
		*place = (uint16_t)(pms_history_lane(look->keys, table) >> KEY_TAG << TAG_SHIFT |
				    counter);
		return;
	}
	for (unsigned i = look->provider; i < t->n_tables; i++)
		train_useful(entry_at(t, look, i), false);
	if (t->failed == FAILED_MAX)
		age(t);
}

void pms_tage_update(struct pms_tage *t, uint64_t pc, const struct pms_tage_look *look, bool taken)
{
	/* Every branch trains these counters, because wrong paths use only them. A counter
	 * frozen when a longer history took over would lead wrong paths one way for the rest of
	 * the run. The base table cannot serve: entries count as useful where the base is wrong. */
	train_usual(t, pc, taken);
	if (look->provider)
		train_provider(t, pc, look, taken);
	else
		train_base(t, pc, taken);
	/* A correct new entry that is not yet believed needs no further entry. */
	bool known = look->fresh && look->provider_taken == taken;
	if (look->taken != taken && !known && look->provider < t->n_tables && t->keyed)
		allocate(t, look, taken);
}
