/* SPDX-License-Identifier: MIT */
#include "vcore/share/ledger.h"

void pms_ledger_init(void *ledger, uint32_t chunks, uint32_t threads)
{
	struct pms_ledger_head *head = ledger;
	uint64_t bytes = sizeof(*head) + threads * sizeof(head->blocks[0]);
	head->chunks = chunks;
	atomic_store(&head->used, (uint32_t)((bytes + PMS_LEDGER_CHUNK - 1) / PMS_LEDGER_CHUNK));
}

uint32_t pms_ledger_take(void *ledger, uint32_t n)
{
	struct pms_ledger_head *head = ledger;
	uint32_t used = atomic_load_explicit(&head->used, memory_order_relaxed);
	do {
		if (n > head->chunks - used) {
			atomic_fetch_add_explicit(&head->refused, 1, memory_order_relaxed);
			return 0;
		}
	} while (!atomic_compare_exchange_weak(&head->used, &used, used + n));
	return used;
}

uint64_t pms_ledger_value(const void *ledger, const struct pms_ledger_row *row, unsigned kind)
{
	uint32_t chunk = row->group[kind / PMS_LEDGER_GROUP];
	return chunk ? ((const uint64_t *)pms_ledger_at(ledger, chunk))[kind % PMS_LEDGER_GROUP]
		     : 0;
}
