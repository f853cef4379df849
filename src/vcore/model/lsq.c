/* SPDX-License-Identifier: MIT */
/* Store-to-load forwarding, and loads that run ahead of stores to the same address. */
#include "vcore/model/state.h"

/* A held-back load must meet no store this many times in a row before it may run ahead again:
 * two bits, as branch counters have. */
enum { ORDER_CERTAIN = 3 };

static uint8_t *order_entry(struct pms_core *core, uint64_t pc)
{
	return &core->order[(pms_parcel(pc) ^ pms_parcel(pc) >> 12) & core->order_mask];
}

static bool overlaps(const struct pms_store_entry *e, uint64_t address, unsigned size)
{
	return (e->address < address + size) & (address < e->address + e->size);
}

/* Returns the youngest older store that overlaps the load; NULL: none. */
static inline const struct pms_store_entry *
find_store(const struct pms_core *core, uint64_t address, unsigned size, uint64_t now)
{
	uint64_t granule = address >> 3, last = (address + size - 1) >> 3;
	const struct pms_store_entry *found = NULL;
	do {
		const struct pms_store_entry *e = &core->stores[granule % PMS_STORE_TABLE];
		/* A single jump for the sum: the host predicts it, but not each term. */
		bool meets =
			(e->granule == granule) & (e->commit > now) & overlaps(e, address, size);
		if (meets && (!found || e->commit > found->commit))
			found = e;
	} while (granule++ < last);
	return found;
}

/* Returns whether the store has all data of the load. */
static bool forwards(const struct pms_params *params, const struct pms_store_entry *store,
		     uint64_t address, unsigned size)
{
	bool contained =
		store->address <= address && address + size <= store->address + store->size;
	return (contained || pms_without(params, PMS_MECHANISM_FORWARD_FAILURES)) &&
	       !pms_without(params, PMS_MECHANISM_FORWARDING);
}

/* Returns the effect of the overlapping store on a load. */
static PMS_APART struct pms_forward meet(struct pms_core *core, const struct pms_store_entry *store,
					 uint64_t pc, uint64_t address, unsigned size, uint64_t now)
{
	struct pms_forward out = { .ready = now };
	if (store->known > now) {
		uint8_t *held_back = order_entry(core, pc);
		bool runs = !*held_back && !pms_without(core->params, PMS_MECHANISM_ORDER_FLUSH);
		if (!pms_without(core->params, PMS_MECHANISM_ORDER_PREDICTOR))
			*held_back = ORDER_CERTAIN;
		if (runs) {
			out.flush = store->known;
			return out;
		}
		now = store->known;
	}
	if (forwards(core->params, store, address, size)) {
		out.forwarded = true;
		out.ready = pms_later(now, store->data);
	} else {
		out.ready = pms_later(now, store->commit + core->params->forward_fail_penalty);
		PMS_CHARGE(pms_charge_add(&core->charge, core->charge.now,
					  PMS_CHARGED_FORWARD_FAILS, 1));
	}
	return out;
}

struct pms_forward pms_lsq_load(struct pms_core *core, uint64_t pc, uint64_t address, unsigned size,
				uint64_t now)
{
	if (now < core->last_commit) { /* otherwise every store is in L1D by then */
		const struct pms_store_entry *store = find_store(core, address, size, now);
		if (store)
			return meet(core, store, pc, address, size, now);
		uint8_t *held_back = order_entry(core, pc);
		if (*held_back)
			--*held_back;
	}
	return (struct pms_forward){ .ready = now };
}

void pms_lsq_store(struct pms_core *core, uint64_t address, unsigned size, uint64_t known,
		   uint64_t data, uint64_t commit)
{
	uint64_t granule = address >> 3, last = (address + size - 1) >> 3;
	do
		core->stores[granule % PMS_STORE_TABLE] =
			(struct pms_store_entry){ granule, address, known, data, commit, size };
	while (granule++ < last);
}
