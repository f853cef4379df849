/* SPDX-License-Identifier: MIT */
#include "vcore/extent/meter.h"

#include <string.h>

void pms_meter_init(struct pms_meter *m, const struct pms_core *core, const uint64_t *counters,
		    const struct pms_params *params, struct pms_share_thread *slot)
{
	*m = (struct pms_meter){
		.core = core, .counters = counters, .slot = slot, .slots = params->slots
	};
}

static void set_base(struct pms_meter *m)
{
	memcpy(m->base, m->counters, sizeof(m->base));
	m->base_slots = pms_core_slots(m->core);
}

void pms_meter_open(struct pms_meter *m, int64_t *group)
{
	m->group = group;
	set_base(m);
}

/* Add whole cycles for the passed slots; @counts gets the new ones. */
static void add_cycles(struct pms_meter *m, uint64_t *counts)
{
	m->passed += pms_core_slots(m->core) - m->base_slots;
	uint64_t cycles = (m->passed + m->slots - 1) / m->slots;
	uint64_t filled = cycles * m->slots - m->passed;
	counts[PMS_COUNTER_CPU_CYCLES] = cycles - m->cycles;
	counts[PMS_COUNTER_FE_SLOT_FETCH] += filled - m->filled;
	m->cycles = cycles;
	m->filled = filled;
}

void pms_meter_read(struct pms_meter *m)
{
	uint64_t counts[PMS_COUNTER_COUNT];
	for (unsigned i = 0; i < PMS_COUNTER_COUNT; i++)
		counts[i] = m->counters[i] - m->base[i];
	add_cycles(m, counts);
	for (unsigned i = 0; i < PMS_COUNTER_COUNT; i++)
		m->slot->counters[i] += counts[i];
	for (unsigned i = 0; m->group && i < PMS_COUNTER_COUNT; i++)
		m->group[i] += (int64_t)counts[i];
	set_base(m);
}
